/* The multigrid preconditioner of the pressure: one V-cycle of Chebyshev-Jacobi smoothers in single precision
 * on a sequence of coarser grids. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_H
#define KOL_POISSON_MULTIGRID_H

#include "kernels/level.h"
#include "state/domain.h"

/* multigrid_options: how a cycle works.
 *
 *   smoothing   smoothing steps before and after the coarse correction, at most MULTIGRID_SMOOTHER_STEPS; 0:
 *               on each grid as many as it needs (multigrid_smoother_choose())
 *   linear      1: corrections are interpolated linearly; 0: they are constant over a coarse cell */
struct multigrid_options {
    int smoothing;
    int linear;
};
/* multigrid_defaults: returns smoothing = 0, and linear = 0 if the grid is uniform in all directions, else
 * linear = 1. */
struct multigrid_options multigrid_defaults(const struct grid *g);

struct multigrid;
/* multigrid_create: makes the grids, their arrays and their exchanges. Of the domain it reads the input's
 * transport, ranks, cells and grid, and borrows them. With bodies (grid.bodies), the operators of all grids
 * have the open faces alone. Arrays come from domain->memory. Collective. */
kol_status multigrid_create(const struct domain *domain, struct multigrid_options options,
                            struct multigrid **out);
/* multigrid_renew: makes the operators of all grids but the last one again, after faces of grid.open have
 * opened or closed. The last grid keeps the inverse of multigrid_create(). Kernels do the work. Collective.
 */
kol_status multigrid_renew(struct multigrid *m);
/* multigrid_destroy: collective if *m is not NULL. */
void multigrid_destroy(struct multigrid **m);
/* MULTIGRID_SCRATCH: number of fields that a cycle works in, beside the arrays of the coarser levels. */
enum { MULTIGRID_SCRATCH = (3 * sizeof(level_real) + sizeof(real) - 1) / sizeof(real) };
/* multigrid_apply: computes z = M r at the own cells, and the sum of r z, which it leaves for sums.h. M is
 * symmetric and positive definite, except for the constants.
 *
 *   cg        scalars of the iteration, among them max|r|/V; or NULL
 *   scratch   fields other than r and z; their values are lost
 *   r, z      fields of the grid's box in kernel memory; their halos are not touched
 *
 * The bits are the same on any number of ranks. Collective. */
kol_status multigrid_apply(struct multigrid *m, struct blocks bl, const struct cg_state *cg,
                           real *const scratch[MULTIGRID_SCRATCH], const real *r, real *z);
/* Strong smoothing takes MULTIGRID_STRONG_LEAST to MULTIGRID_STRONG_MOST steps on the first level. It differs
 * from the usual smoothing only beside bodies, and only if that takes fewer steps.
 *
 * multigrid_apply_single: computes z = M r at the own cells of the first level, all in its precision and
 * without sums. scratch, r and z are four arrays of its box; the halo of r is filled. strong: the number of
 * steps of strong smoothing, or 0 for the usual smoothing. Collective.
 *
 * multigrid_strong: returns whether strong smoothing differs from the usual one.
 *
 * multigrid_first: returns the first level (multigrid_levels.h). *unit: the unit of its widths [L]. */
enum { MULTIGRID_STRONG_LEAST = 3, MULTIGRID_STRONG_MOST = 7 };
struct level;
kol_status multigrid_apply_single(struct multigrid *m, int strong, level_real *const scratch[2],
                                  level_real *r, level_real *z);
int multigrid_strong(const struct multigrid *m);
struct level *multigrid_first(struct multigrid *m, double *unit);
/* multigrid_volume: returns the mean cell volume of the first level [L^3]. */
double multigrid_volume(const struct multigrid *m);
/* multigrid_profile: from now on the exchanges of all grids leave marks of the name "multigrid" in p. p is
 * borrowed. */
struct profile;
void multigrid_profile(struct multigrid *m, struct profile *p);
/* multigrid_by_coupling: returns whether cells are paired by their coupling, because they are thin in several
 * directions. */
int multigrid_by_coupling(const struct multigrid *m);
/* multigrid_describe: writes the grids and the cycle in words into `text`, for the log. */
void multigrid_describe(const struct multigrid *m, char *text, size_t size);

#endif
