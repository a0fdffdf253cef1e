/* Transport of scalars in a Runge-Kutta stage. docs/numerics/scalars.md. */
#ifndef KOL_SCALARS_SCALAR_STAGE_H
#define KOL_SCALARS_SCALAR_STAGE_H

#include "math/rk3_scheme.h"
#include "state/flow.h"

/* scalar_arrays: arrays of scalars that exist only within a step, NULL otherwise.
 *
 *   start   rk3-half: values at the start of the step [own]; rk3-wray: right-hand sides of the stage before
 *           [own/T]
 *   before  values before the stage, if diffusion is implicit and they are not in `start` [own]
 *   out     values at the end of the stage [own] */
struct scalar_arrays {
    real *start[SCALARS_MOST], *before[SCALARS_MOST], *out[SCALARS_MOST];
};

/* The stage m of a step has five parts. A flow without scalars does nothing.
 *
 * scalar_stage_begin: takes the arrays that the stage writes.
 *
 * scalar_stage_sweep: computes the values at the end of the stage on some of the cells. It uses the velocity
 * and the values that the stage starts from, with their halos.
 *
 * scalar_stage_walls: adds the diffusion from bodies that hold scalars, after the sweep over all cells.
 *
 * scalar_stage_end: replaces the values of the flow, and drops the arrays that nothing reads any more. With
 * implicit diffusion those that its solve reads are left.
 *
 * scalar_stage_drop: drops these, after the solve. */
kol_status scalar_stage_begin(struct scalar_arrays *a, const struct flow *flow, const struct rk3_scheme *rk,
                              int m);
kol_status scalar_stage_sweep(const struct scalar_arrays *a, const struct flow *flow,
                              const struct rk3_scheme *rk, int m, struct cells cells);
kol_status scalar_stage_walls(const struct scalar_arrays *a, const struct flow *flow,
                              const struct rk3_scheme *rk, int m);
kol_status scalar_stage_end(struct scalar_arrays *a, struct flow *flow, const struct rk3_scheme *rk, int m);
kol_status scalar_stage_drop(struct scalar_arrays *a, const struct flow *flow, int m);

/* scalar_stage_base, scalar_stage_before: return, for implicit diffusion, the values of scalar n on which
 * stage m is based, and its values before the stage. Their halos are filled. They can be called between
 * scalar_stage_end() and scalar_stage_drop(). */
real *scalar_stage_base(const struct scalar_arrays *a, const struct rk3_scheme *rk, int n);
real *scalar_stage_before(const struct scalar_arrays *a, int n);

/* scalar_stage_rate: computes convection, and with `diffuses` also diffusion, of scalar n at own points of
 * the present flow, whose halos must be filled [own/T]. spare: an array that is overwritten. */
kol_status scalar_stage_rate(const struct flow *flow, int n, int diffuses, real *spare, real *rate);

#endif
