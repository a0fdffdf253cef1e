/* A whole grid on every rank: the cells that each owns come together on all. For grids so coarse that every
 * rank can do all of their work. docs/numerics/halo.md. */
#ifndef KOL_PARALLEL_GATHER_H
#define KOL_PARALLEL_GATHER_H

#include "memory.h"

struct gather;
/* gather_create: this rank owns n cells in each direction from cell lo of a grid of n_g; the ranks' cells
 * cover it, each once. bytes: of a value, 4 or 8. transport: halo_transport() of the ranks' halo: by "peer"
 * GPUs write into each other's memory, up to GATHER_PEERS_MOST ranks; else MPI gathers, of host copies where
 * kernel memory is not host memory. Collective; c is borrowed. */
enum { GATHER_PEERS_MOST = 16 };
kol_status gather_create(struct memory *memory, const struct comm *c, const int lo[3], const int n[3],
                         const int n_g[3], int bytes, const char *transport, struct gather **out);
/* gather_destroy: collective where *g is not NULL. */
void gather_destroy(struct gather **g);

/* gather_all: the own cells of every rank's `own`, of box own_box, become the own cells of every rank's
 * `whole`, of box whole_box (n_g cells); its halo stays. The same bits on all ranks. Kernel memory; in order
 * of the compute queue, which is in use: own may change and whole be read by what the queue is given next. On
 * one rank the two may be the same array, which is left as it is; on several they may not overlap. Every
 * rank, in the same order. */
kol_status gather_all(struct gather *g, const void *own, struct box own_box, void *whole,
                      struct box whole_box);

#endif
