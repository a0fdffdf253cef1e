/* The energy that the fluid gets in a step if bodies travel through the grid, from the values that the stages
 * used. docs/numerics/bodies.md, "Energy". Without such bodies, and in steps that write no record, the first
 * three functions do nothing. */
#ifndef KOL_STEP_TRAVEL_ENERGY_H
#define KOL_STEP_TRAVEL_ENERGY_H

#include "step.h"

/* travel_energy_turns: takes away what the right-hand sides of the stage before, `old`, would have done
 * at the faces that have closed since. base: as below; old: NULL if there are none. It is called after
 * bodies_travel(). Collective. */
kol_status travel_energy_turns(struct flow *flow, int m, real *const base[3], real *const *old);
/* travel_energy_predict: adds the power of convection, diffusion and a force by formulas in stage m. base:
 * the velocity that the stage starts from. flow->vel is the velocity that it reads, its halos filled.
 * Collective. */
kol_status travel_energy_predict(struct flow *flow, int m, real *const base[3]);
/* travel_energy_pressure: adds what walls of bodies take by the implicit part of the viscous term, the work
 * of the pressure, and what the faces in bodies get. flow->vel is the velocity before its projection. phi:
 * the correction of the pressure [U^2], its low halo filled. Collective. */
kol_status travel_energy_pressure(struct flow *flow, int m, double dts, const real *phi);

/* travel_energy_counts: returns whether bodies travel, so that the budget of the energy takes the sums of the
 * stages. travel_energy_gain: returns how fast the fluid has got energy in the step that has just ended, over
 * the volume of the box, without what a uniform force and open faces do [U^2/T]; NaN if it is not known. */
int travel_energy_counts(const struct flow *flow);
double travel_energy_gain(const struct flow *flow);

#endif
