/* Corrects the velocity and the pressure of a stage by what the pressure solve has found. */
#ifndef KOL_STEP_CORRECTION_H
#define KOL_STEP_CORRECTION_H

#include "step.h"

/* correction_increments: returns whether the stages solve for what the predicted pressure lacks, by multigrid
 * in single precision. */
int correction_increments(const struct step *step);

/* correction_apply: corrects the velocity in place, and writes the pressure of the stage to p. dts: length of
 * the stage [T]. shift, waves: what the force adds. */
kol_status correction_apply(const struct step *step, struct flow *flow, double dts, const double shift[3],
                            struct box_rows waves, real *p);

/* correction_limits: does the same without waves, and sums the limits of the corrected velocity in the same
 * sweep where that is faster than two sweeps. Then the velocity moves to other arrays of the pool. Before the
 * last stage a run takes one array more for it. It is called where flow_monitor_follows() allows that. */
kol_status correction_limits(const struct step *step, struct flow *flow, int stage, double dts,
                             const double shift[3], real *p);

#endif
