/* Moving a global array between distributions over the ranks, inside the time loop: from the boxes of a field
 * to pencils or planes, from pencils along one direction to pencils along another, and back. The arrays are
 * in kernel memory. */
#ifndef KOL_PARALLEL_TRANSPOSE_H
#define KOL_PARALLEL_TRANSPOSE_H

#include "comm.h"
#include "decomp.h"
#include "memory.h"
#include "remap_host.h"

/* spread: which part of the array each rank holds, and in which order. The pieces of all ranks together cover
 * each cell once; a piece may be empty. */
struct spread {
    const struct piece *piece; /* by rank */
    int axis[3];               /* order of packed values: axis[0] is fastest, then axis[1], axis[2] */
    const struct box *box;     /* of a field, whose own cells are this rank's piece; NULL: packed doubles */
};
/* The array that is moved, before and after. The caller sets `field` if its spread has a box, and otherwise
 * `values`. */
struct spread_source {
    const real *field;
    const double *values;
};
struct spread_target {
    real *field;
    double *values;
};

/* TRANSPOSE_SPREADS: the most spreads that one object moves values through. */
enum { TRANSPOSE_SPREADS = 4 };

/* spread_rule: says which pieces a rank has: it fills out[0 .. n-1], one piece for each spread. Before the
 * call they are all zero.
 *
 *   d                          the decomposition as that rank sees it
 *   rank, ranks                the number of that rank, and the number of ranks */
typedef void (*spread_rule)(const void *context, const struct decomp *d, int rank, int ranks,
                            struct piece *out);
/* Helpers of rules. spread_boxes: sets piece number `boxes` to the box of a rank, and the other n - 1 pieces
 * to the whole array. spread_cut: divides a direction of n cells into `parts` nearly equal parts, and
 * restricts a piece to part number `part`. */
void spread_boxes(const struct decomp *d, int boxes, int n, struct piece *out);
void spread_cut(struct piece *p, int dir, int n, int part, int parts);
/* spreads_create: completes n spreads: it calls the rule for every rank to find which piece the rank holds.
 * The caller has set their members axis and box. *pieces is the memory that spread[].piece points into; the
 * caller frees it with free(), also after a fault. Takes no kernel memory. Not collective. KOL_ERR_MEMORY. */
kol_status spreads_create(const struct comm *c, const struct decomp *d, spread_rule rule, const void *context,
                          int n, struct spread *spread, struct piece **pieces);

/* transposes: moves values from each of n spreads to the next one, and back. */
struct transposes;
/* transposes_create: prepares to move arrays from spread[0] to spread[1], from spread[1] to spread[2], and
 * so on to spread[n - 1], and back.
 *
 *   transport                  that of the halo, halo_transport(). With "peer", and up to TRANSPOSE_FLAGS
 *                              ranks, GPUs write into each other's memory. Otherwise messages go by MPI; in
 *                              the CUDA build they pass through host memory.
 *   spread                     is copied, except for what its members `piece` and `box` point to, which is
 *                              borrowed
 *
 * c is borrowed. Collective. KOL_ERR_INPUT if two ranks would exchange 2^31 values or more. */
kol_status transposes_create(struct memory *memory, const struct comm *c, const char *transport,
                             const struct spread *spread, int n, struct transposes **out);
/* transposes_destroy: frees the object. Collective. */
void transposes_destroy(struct transposes **t);

/* transposes_same: returns whether spreads n and n + 1 are the same. Then a move between them is not
 * needed, and it is an error to ask for it. */
int transposes_same(const struct transposes *t, int n);
/* transposes_forward: moves an array of spread n to one of spread n + 1. transposes_backward: moves it from
 * spread n + 1 to spread n. On one rank both are copies. Halo cells of a field are neither read nor written.
 *
 * For each n the two calls take turns, beginning with forward. If nothing is moved back, transposes_settle()
 * must come before the next call of transposes_forward(). Collective. */
kol_status transposes_forward(struct transposes *t, int n, struct spread_source from,
                              struct spread_target to);
kol_status transposes_backward(struct transposes *t, int n, struct spread_source from,
                               struct spread_target to);
/* transposes_settle: returns when every rank has received all that was moved forward. Collective. */
kol_status transposes_settle(struct transposes *t);

#endif
