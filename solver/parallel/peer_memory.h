/* Kernel memory of every rank of a node, mapped into all the others (kernels/peer.h). */
#ifndef KOL_PARALLEL_PEER_MEMORY_H
#define KOL_PARALLEL_PEER_MEMORY_H

#include "memory.h"

struct peer_memory;
/* peer_memory_obstacle: why the GPUs of these ranks can't write into each other's memory, as far as can be
 * told before it is tried, for a message; "": nothing known. *sharing: the most ranks that share one GPU. The
 * same on all ranks. Collective. */
kol_status peer_memory_obstacle(const struct comm *c, char *text, size_t size, int *sharing);
/* peer_memory_create: `bytes` of kernel memory of each rank, the same number or not, the first `zeros` of
 * them 0 before any rank may write. A fault of one rank becomes a fault of all, so *out is whole on all ranks
 * or to be destroyed on all. Where memory is only counted *out stays NULL. Collective; c is borrowed. */
kol_status peer_memory_create(struct memory *memory, const struct comm *c, size_t bytes, size_t zeros,
                              struct peer_memory **out);
/* peer_memory_sharing: the most ranks that share one GPU. The same on all ranks. */
int peer_memory_sharing(const struct peer_memory *p);
/* peer_memory_memory: that of a rank as this one sees it. */
void *peer_memory_memory(const struct peer_memory *p, int rank);
/* peer_memory_destroy: collective where *p is not NULL. */
void peer_memory_destroy(struct peer_memory **p);

#endif
