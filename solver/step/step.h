/* What takes a step: the solvers, and the arrays that live within a step alone. */
#ifndef KOL_STEP_STEP_H
#define KOL_STEP_STEP_H

#include "poisson/poisson.h"
#include "state/flow.h"

struct exact_step;
struct diffusion_z;

struct step {
    const struct domain *domain; /* borrowed */
    struct poisson poisson;
    struct exact_step *exact_step;   /* NULL: pressure.method is not 'exact' */
    struct diffusion_z *diffusion_z; /* NULL: diffusion in z is not solved for by itself */
    /* until diffusion is done, implicit rk3-wray and 'implicit-z' (rk3-half: after the first stage): velocity
     * before the stage [U] */
    real *before_stage[3];
    /* within a step; rk3-half: velocity at its start [U]; rk3-wray: right-hand sides of the stage before
     * [U/T] */
    real *start[3];
    real *phi; /* pressure correction of the stage, its halo faces filled [U^2] */
    double phi_mean;
    int iterations;  /* of the pressure solves of this step */
    int inverse_met; /* whether the last solve by an exact inverse that was looked at met its tolerance at
                        once */
    long long stages, stages_over; /* of this run; of these, those that took more than pressure.iterations */
};

#endif
