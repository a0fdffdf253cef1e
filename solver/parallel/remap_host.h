/* Moving a global array from one distribution over ranks to another, in host memory: for set-up, not for the
 * time loop. */
#ifndef KOL_PARALLEL_REMAP_HOST_H
#define KOL_PARALLEL_REMAP_HOST_H

#include "comm.h"

/* piece: the part of the global array that a rank holds, packed, x fastest: lo <= index < hi. */
struct piece {
    int lo[3], hi[3];
};
/* A distribution: the piece of each rank. The pieces of all ranks cover each cell once. */
typedef struct piece (*remap_rule)(const void *context, int rank);

/* remap: values of `bytes` bytes each from the pieces of rule `from` into those of rule `to`. Collective.
 * KOL_ERR_MEMORY where two ranks would exchange 2^31 values or more. */
kol_status remap(const struct comm *c, int bytes, remap_rule from, const void *from_context,
                 const void *source, remap_rule to, const void *to_context, void *target);
size_t piece_count(struct piece p);
/* piece_overlap: the cells of both; limits are the same where there are none. */
struct piece piece_overlap(struct piece a, struct piece b);

#endif
