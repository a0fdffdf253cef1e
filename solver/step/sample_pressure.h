/* The pressure at the time of the velocity, for samples of averages (statistics.pressure = 'solve').
 * docs/numerics/time.md, "What time a pressure belongs to". */
#ifndef KOL_STEP_SAMPLE_PRESSURE_H
#define KOL_STEP_SAMPLE_PRESSURE_H

#include "step.h"

/* sample_pressure_begin: makes flow->pressure.p a pressure that belongs to the time of flow->vel. It is the
 * solution of
 *
 *     lap p = div F      with F = 0 through walls, and 0 as the mean of p
 *
 * where F is convection, diffusion, buoyancy, the Coriolis force and the force by formulas of the present
 * flow. *stage gets the pressure of the last stage, which the next step needs. Nothing else of the flow
 * changes, so the next steps have the same bits. Neither bodies nor open faces are allowed. Collective.
 *
 * sample_pressure_end: puts the pressure of the last stage back, and sets *stage to NULL. */
kol_status sample_pressure_begin(struct step *step, struct flow *flow, real **stage);
kol_status sample_pressure_end(struct flow *flow, real **stage);

#endif
