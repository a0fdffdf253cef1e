/* A record of series.nc: its columns, and their values after a step. */
#ifndef KOL_OUTPUT_SERIES_RECORD_H
#define KOL_OUTPUT_SERIES_RECORD_H

#include "io/series.h"
#include "control/control.h"
#include "step/step.h"

enum { SERIES_RECORD_COLUMNS = 28 };
extern const struct series_column series_record_columns[SERIES_RECORD_COLUMNS];

/* series_record_divergence: the largest |div u| h/U, h cube root of the mean cell volume, U largest speed; 0
 * of a flow at rest. */
double series_record_divergence(const struct flow *flow);
/* series_record_make: of the state after flow->clock's step, of which monitor, forcing and open faces are up
 * to date; wall_stress: of the faces, as wall_force_measure has it [U^2]. */
void series_record_make(const struct control *control, const struct step *step, const struct flow *flow,
                        const double wall_stress[FACES], double value[SERIES_RECORD_COLUMNS]);

#endif
