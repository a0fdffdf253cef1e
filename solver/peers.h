/* Kernel memory of every rank of a node, mapped into all the others (kernels/peer.h). */
#ifndef KOL_PEERS_H
#define KOL_PEERS_H

#include "comm.h"

struct peers;
/* peers_obstacle: why the GPUs of these ranks can't write into each other's memory, as far as can be told before it is tried,
 * for a message; "": nothing known. *sharing: the most ranks that share one GPU. The same on all ranks. Collective. */
kol_status peers_obstacle(const struct comm *c, char *text, size_t size, int *sharing);
/* peers_create: `bytes` of kernel memory of each rank, the same number or not, the first `zeros` of them 0 before any rank may
 * write. A fault of one rank becomes a fault of all, so *out is whole on all ranks or to be destroyed on all. Collective; c
 * is borrowed. */
kol_status peers_create(const struct comm *c, size_t bytes, size_t zeros, struct peers **out);
/* peers_sharing: the most ranks that share one GPU. The same on all ranks. */
int peers_sharing(const struct peers *p);
/* peers_memory: that of a rank as this one sees it. */
void *peers_memory(const struct peers *p, int rank);
/* peers_bytes: what peers_create takes for `bytes`. */
size_t peers_bytes(size_t bytes);
/* peers_destroy: collective where *p is not NULL. */
void peers_destroy(struct peers **p);

#endif
