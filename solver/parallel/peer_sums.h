/* Sums over ranks that the GPUs add up without the hosts: makes struct sums_team of kernels/sums.h. */
#ifndef KOL_PARALLEL_PEER_SUMS_H
#define KOL_PARALLEL_PEER_SUMS_H

#include "kernels/sums.h"
#include "decomp.h"
#include "memory.h"

struct team;
/* peer_sums_create: makes the team of all ranks of c. They must reach each other's kernel memory (transport
 * "peer"). If there are more than SUMS_TEAM_MOST ranks, *out stays NULL. Collective. c is borrowed. */
kol_status peer_sums_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                            struct team **out);
/* peer_sums_view: returns the team as sums_share() takes it. The pointer is borrowed. */
const struct sums_team *peer_sums_view(const struct team *t);
/* peer_sums_destroy: collective if *t is not NULL. */
void peer_sums_destroy(struct team **t);

#endif
