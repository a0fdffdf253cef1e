/* One time step. */
#ifndef KOL_STEP_RK3_H
#define KOL_STEP_RK3_H

#include "step.h"

/* rk3_step: advance velocity and pressure by flow->clock.dt; t and step are advanced too. Collective. */
kol_status rk3_step(struct step *step, struct flow *flow);

#endif
