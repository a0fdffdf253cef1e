/* Moving a global array between distributions over the ranks, kernel memory to kernel memory, inside the time
 * loop: from a rank's box of a field to pencils, from pencils along one direction to pencils along another,
 * and back. */
#ifndef KOL_PARALLEL_TRANSPOSE_H
#define KOL_PARALLEL_TRANSPOSE_H

#include "memory.h"
#include "remap_host.h"

/* spread: who holds what, and in which order. The pieces of all ranks cover each cell once; a piece may be
 * empty. box: that of a field, whose own cells are this rank's piece; NULL: values of double, packed, axis[0]
 * fastest, then axis[1], axis[2]. */
struct spread {
    const struct piece *piece; /* by rank */
    int axis[3];
    const struct box *box;
};
/* The two ends of a move: of each, the pointer that its spread asks for. */
struct spread_source {
    const real *field;
    const double *values;
};
struct spread_target {
    real *field;
    double *values;
};

/* transposes: pairs of spreads, each to be moved forward, from spread[n] to spread[n + 1], and backward in
 * turn. */
enum { TRANSPOSE_SPREADS = 4 };
struct transposes;

/* transposes_create: for n spreads, of which everything but `piece` and `box` is copied; those are borrowed.
 * transport: that of the halo, halo_transport(): "peer": GPUs write into each other's memory, up to
 * TRANSPOSE_FLAGS ranks; else messages go by MPI, in the CUDA build by way of host memory. Collective; c is
 * borrowed. KOL_ERR_INPUT where two ranks would exchange 2^31 values or more. */
kol_status transposes_create(struct memory *memory, const struct comm *c, const char *transport,
                             const struct spread *spread, int n, struct transposes **out);
/* transposes_destroy: collective. */
void transposes_destroy(struct transposes **t);
/* transposes_same: whether spreads n and n + 1 are one: then moving is not needed, and not allowed. */
int transposes_same(const struct transposes *t, int n);

/* transposes_forward: from an array of spread n to one of spread n + 1; transposes_backward: the other way.
 * For each n they take turns, beginning with forward, or transposes_settle() comes between. On one rank a
 * copy. Halo cells of a field are neither read nor written. Collective. */
kol_status transposes_forward(struct transposes *t, int n, struct spread_source from,
                              struct spread_target to);
kol_status transposes_backward(struct transposes *t, int n, struct spread_source from,
                               struct spread_target to);

/* transposes_settle: where nothing is moved back: returns when every rank has all that was moved forward,
 * after which it may be done again. Collective. */
kol_status transposes_settle(struct transposes *t);

#endif
