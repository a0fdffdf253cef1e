/* The multigrid preconditioner of the pressure: one V-cycle of Chebyshev-Jacobi smoothers in single precision
 * on a sequence of coarser grids. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_H
#define KOL_POISSON_MULTIGRID_H

#include "kernels/level.h"
#include "state/domain.h"

/* multigrid_options: smoothing steps before and after the coarse correction, at most
 * MULTIGRID_SMOOTHER_STEPS, 0: on each grid as many as it needs (multigrid_smoother_choose()); whether
 * corrections are interpolated linearly or are constant over a coarse cell. */
struct multigrid_options {
    int smoothing;
    int linear;
};
/* multigrid_defaults: smoothing 0; constant transfers on grids uniform in all directions, linear ones on
 * others. */
struct multigrid_options multigrid_defaults(const struct grid *g);

struct multigrid;
/* multigrid_create: makes the grids, their arrays and their exchanges. Of the domain it reads the input's
 * transport, ranks, cells and grid, and borrows them; arrays come from domain->memory. Collective. */
kol_status multigrid_create(const struct domain *domain, struct multigrid_options options,
                            struct multigrid **out);
/* multigrid_destroy: collective where *m is not NULL. */
void multigrid_destroy(struct multigrid **m);
/* MULTIGRID_SCRATCH: arrays of fields that a cycle works in, beside the coarser levels' own. */
enum { MULTIGRID_SCRATCH = (3 * sizeof(level_real) + sizeof(real) - 1) / sizeof(real) };
/* multigrid_apply: z = M r at the own cells, M symmetric and positive definite but for the constants; sum: r
 * z, left for sums.h. r, z: fields of the grid's box in kernel memory, their halos not touched. scratch:
 * neither; what they hold is lost. cg: scalars of the iteration, which hold max|r|/V, or NULL. The same bits
 * on any number of ranks. Collective. */
kol_status multigrid_apply(struct multigrid *m, struct blocks bl, const struct cg_state *cg,
                           real *const scratch[MULTIGRID_SCRATCH], const real *r, real *z);
/* multigrid_profile: the exchanges of all grids have marks of the name "multigrid" there; borrowed. */
struct profile;
void multigrid_profile(struct multigrid *m, struct profile *p);
/* multigrid_describe: the grids and the cycle in words, for the log. */
void multigrid_describe(const struct multigrid *m, char *text, size_t size);

#endif
