/* Gathers a complete grid on every rank, from the cells that each rank owns. It is for grids so coarse that
 * every rank can do all of their work. docs/numerics/halo.md. */
#ifndef KOL_PARALLEL_GATHER_H
#define KOL_PARALLEL_GATHER_H

#include "memory.h"

struct gather;
/* gather_create: makes a gather for a grid of n_g cells.
 *
 *   lo, n       this rank owns n cells in each direction, from cell lo on; the cells of all ranks cover the
 *               grid, each once
 *   bytes       bytes of a value, 4 or 8
 *   transport   halo_transport() of the ranks' halo. With "peer", and up to GATHER_PEERS_MOST ranks, GPUs
 *               write into each other's memory. Otherwise MPI gathers; if kernel memory is not host memory,
 *               it gathers copies in host memory.
 *
 * Collective; c is borrowed. */
enum { GATHER_PEERS_MOST = 16 };
kol_status gather_create(struct memory *memory, const struct comm *c, const int lo[3], const int n[3],
                         const int n_g[3], int bytes, const char *transport, struct gather **out);
/* gather_destroy: collective if *g is not NULL. */
void gather_destroy(struct gather **g);

/* gather_all: copies the own cells of every rank's `own` into the own cells of every rank's `whole`, so that
 * all ranks have the complete grid with the same bits.
 *
 *   own     in: array of box own_box
 *   whole   out: array of box whole_box, which has n_g cells; its halo is not touched
 *
 * Both are in kernel memory. The compute queue must be in use, and the call takes its place in the order of
 * that queue: what the queue is given next may change `own` and read `whole`. On one rank the two may be the
 * same array, which is then left as it is. On several ranks they must not overlap. Collective: every rank
 * calls it, in the same order. */
kol_status gather_all(struct gather *g, const void *own, struct box own_box, void *whole,
                      struct box whole_box);

#endif
