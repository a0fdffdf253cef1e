/* Ranks whose GPUs add up sums without the hosts: struct sums_team of kernels/sums.h. */
#ifndef KOL_TEAM_H
#define KOL_TEAM_H

#include "../kernels/sums.h"
#include "decomp.h"

struct team;
/* team_create: all ranks of c, which must reach each other's kernel memory (transport "peer"). *out stays NULL where there are
 * more than SUMS_TEAM_MOST. Collective. c is borrowed. */
kol_status team_create(const struct comm *c, const struct decomp *d, struct team **out);
/* team_bytes_wanted: kernel memory that team_create will take; 0 where it can't be. */
size_t team_bytes_wanted(const struct comm *c, const struct decomp *d);
/* team_view: what sums_share is given; borrowed. */
const struct sums_team *team_view(const struct team *t);
/* team_destroy: collective where *t is not NULL. */
void team_destroy(struct team **t);

#endif
