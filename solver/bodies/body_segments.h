/* Sums of each body over all ranks, from sums over segments. A segment is the part of one body in one block
 * of sums, and belongs to one rank. Rank 0 adds them up in the order of the blocks, so that the sums have the
 * same bits on any number of ranks. */
#ifndef KOL_BODIES_BODY_SEGMENTS_H
#define KOL_BODIES_BODY_SEGMENTS_H

#include "state/domain.h"

/* surface_key: the order of the segments: by body, and for each body by block of the whole grid. body_key:
 * returns that of a body in block q of this rank. */
typedef long long surface_key;
surface_key body_key(const struct decomp *d, int body, int q);

struct body_segments;
/* body_segments_create: tells rank 0 the segments of all ranks. No two ranks may have the same segment. After
 * a fault the caller destroys *out as well. Collective.
 *
 *   keys     of the segments of this rank, in any order
 *   values   number of sums of each segment */
kol_status body_segments_create(const struct domain *domain, int segments, const surface_key *keys,
                                int values, struct body_segments **out);
/* body_segments_destroy: frees it; it accepts a pointer to NULL. */
void body_segments_destroy(struct body_segments **s);

/* body_segments_add: adds the sums of all segments, divided by `over`, to those of their bodies, on rank 0:
 * value[body * values + q].
 *
 *   own   the sums of the segments of this rank: own[segment * values + q]
 *
 * On other ranks value may be NULL. Collective. */
kol_status body_segments_add(struct body_segments *s, const double *own, double over, double *value);

#endif
