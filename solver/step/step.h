/* What takes a step: the solvers, and the arrays that exist only within a step. */
#ifndef KOL_STEP_STEP_H
#define KOL_STEP_STEP_H

#include "poisson/poisson.h"
#include "scalars/scalar_stage.h"
#include "state/flow.h"

struct exact_step;
struct diffusion_z;
struct scalar_diffusion;

struct step {
    const struct domain *domain; /* borrowed */
    struct poisson poisson;
    struct exact_step *exact_step;             /* NULL: pressure.method is not 'exact' */
    struct diffusion_z *diffusion_z;           /* NULL: time.diffusion is not 'implicit-z', or nu is 0 */
    struct scalar_diffusion *scalar_diffusion; /* NULL: time.diffusion is not 'implicit', or no scalars */
    /* Velocity before the stage [U], kept until the diffusion of the stage is done. It is kept in all stages
     * of rk3-wray if diffusion is implicit, in z or everywhere, or the method is 'exact'. Otherwise it is
     * NULL; rk3-half has `start`. */
    real *before_stage[3];
    /* rk3-half: velocity at the start of the step [U]. rk3-wray: right-hand sides of the stage before [U/T].
     * NULL between steps. */
    real *start[3];
    struct scalar_arrays scalars;
    real *phi; /* pressure correction of the stage, its halo faces filled [U^2] */
    double phi_mean;
    /* With a solve in single precision: phi is in an array of the solver, and of the exact inverse divided by
     * phi_unit, by which the right-hand side was divided; largest divergence that is allowed after the
     * correction [1/T]. */
    double phi_unit, single_goal;
    struct increment_result increment; /* with increments in single precision: the last one */
    int iterations;                    /* of the pressure solves of this step */
    /* Whether one solve met the tolerance, in the last stage that was checked: of the exact inverse, or in
     * single precision. */
    int inverse_met;
    /* Number of pressure solves of this run, and of those that took more iterations than
     * pressure.iterations. */
    long long stages, stages_over;
};

#endif
