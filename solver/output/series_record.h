/* A record of series.nc: its columns, and their values after a step. */
#ifndef KOL_OUTPUT_SERIES_RECORD_H
#define KOL_OUTPUT_SERIES_RECORD_H

#include "io/series.h"
#include "control/control.h"
#include "step/step.h"

enum { SERIES_RECORD_COLUMNS = 28 };
extern const struct series_column series_record_columns[SERIES_RECORD_COLUMNS];

/* series_record_divergence: returns the largest |div u| h/U, where h is the cube root of the mean cell
 * volume and U the largest speed; 0 if the flow is at rest. */
double series_record_divergence(const struct flow *flow);
/* series_record_make: computes the values of a record after the step of flow->clock. The monitor, the forcing
 * and the open faces must be up to date. wall_stress: the force on each face, from wall_force_measure()
 * [U^2]. */
void series_record_make(const struct control *control, const struct step *step, const struct flow *flow,
                        const double wall_stress[FACES], double value[SERIES_RECORD_COLUMNS]);

#endif
