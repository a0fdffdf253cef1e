/* Kernel memory of every rank of a node that all the other ranks can reach (kernels/peer.h). */
#ifndef KOL_PARALLEL_PEER_MEMORY_H
#define KOL_PARALLEL_PEER_MEMORY_H

#include "memory.h"

struct peer_memory;
/* peer_memory_obstacle: finds out why the GPUs of these ranks can't write into each other's memory, as far as
 * that can be told before it is tried.
 *
 *   text      out: the reason, for a message; "" if none is known
 *   sharing   out: the largest number of ranks that share one GPU
 *
 * Both are the same on all ranks. Collective. */
kol_status peer_memory_obstacle(const struct comm *c, char *text, size_t size, int *sharing);
/* peer_memory_create: allocates `bytes` of kernel memory on each rank and maps it into all the others. The
 * number may differ between ranks. The first `zeros` bytes are 0 before any rank may write. A fault of one
 * rank becomes a fault of all: either *out is complete on all ranks, or all ranks have to destroy it. If
 * memory is only counted, *out stays NULL. Collective; c is borrowed. */
kol_status peer_memory_create(struct memory *memory, const struct comm *c, size_t bytes, size_t zeros,
                              struct peer_memory **out);
/* peer_memory_sharing: returns the largest number of ranks that share one GPU. It is the same on all
 * ranks. */
int peer_memory_sharing(const struct peer_memory *p);
/* peer_memory_memory: returns the address of rank `rank`'s memory in this rank's address space. */
void *peer_memory_memory(const struct peer_memory *p, int rank);
/* peer_memory_destroy: collective if *p is not NULL. */
void peer_memory_destroy(struct peer_memory **p);

#endif
