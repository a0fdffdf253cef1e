/* One time step: three Runge-Kutta stages. docs/numerics/time.md. */
#ifndef KOL_STEP_RK3_H
#define KOL_STEP_RK3_H

#include "step.h"

/* rk3_step: advances velocity and pressure by flow->clock.dt, and with them flow->clock.t and
 * flow->clock.step. The new velocity has no filled halos; health_monitor() fills them. Collective. */
kol_status rk3_step(struct step *step, struct flow *flow);

#endif
