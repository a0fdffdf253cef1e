/* What a stage does first if bodies travel through the grid: the geometry of its end, and the pressure's
 * operator round it. docs/numerics/bodies.md, "Bodies that travel". */
#ifndef KOL_STEP_TRAVEL_STAGE_H
#define KOL_STEP_TRAVEL_STAGE_H

#include "step.h"

/* travel_stage_place: takes the bodies to their places at the time of the flow, after the preconditioner has
 * been made without them. KOL_ERR_INPUT if there are several regions of fluid. Collective. */
kol_status travel_stage_place(struct step *step, struct flow *flow);
/* travel_stage: does this for the end of stage m, see bodies_travel(). Collective. */
kol_status travel_stage(struct step *step, struct flow *flow, int m, real *const base[3], real *const *old);

#endif
