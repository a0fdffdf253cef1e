/* Ranks whose GPUs add up sums without the hosts: struct sums_team of kernels/sums.h. */
#ifndef KOL_PARALLEL_PEER_SUMS_H
#define KOL_PARALLEL_PEER_SUMS_H

#include "kernels/sums.h"
#include "decomp.h"
#include "memory.h"

struct team;
/* peer_sums_create: all ranks of c, which must reach each other's kernel memory (transport "peer"). *out
 * stays NULL where there are more than SUMS_TEAM_MOST. Collective. c is borrowed. */
kol_status peer_sums_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                            struct team **out);
/* peer_sums_view: what sums_share is given; borrowed. */
const struct sums_team *peer_sums_view(const struct team *t);
/* peer_sums_destroy: collective where *t is not NULL. */
void peer_sums_destroy(struct team **t);

#endif
