/* What a stage does first if bodies travel through the grid: it moves the bodies to where they are at its
 * end, and updates the operator of the pressure. docs/numerics/bodies.md, "Bodies that travel". */
#ifndef KOL_STEP_TRAVEL_STAGE_H
#define KOL_STEP_TRAVEL_STAGE_H

#include "step.h"

/* travel_stage_place: moves the bodies to where they are at the time of the flow. The preconditioner has been
 * made without them before. KOL_ERR_INPUT if there are several regions of fluid. Collective. */
kol_status travel_stage_place(struct step *step, struct flow *flow);
/* travel_stage: moves the bodies to where they are at the end of stage m, see bodies_travel(). Collective. */
kol_status travel_stage(struct step *step, struct flow *flow, int m, real *const base[3], real *const *old);

#endif
