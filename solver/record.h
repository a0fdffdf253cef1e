/* A record of series.nc: its columns, and their values after a step. */
#ifndef KOL_RECORD_H
#define KOL_RECORD_H

#include "../io/series.h"
#include "run.h"

enum { RECORD_COLUMNS = 28 };
extern const struct series_column record_columns[RECORD_COLUMNS];

/* record_divergence: the largest |div u| h/U, h cube root of the mean cell volume, U largest speed; 0 of a flow at rest. */
double record_divergence(const struct run *run);
/* record_make: of the state after run->clock's step, of which monitor, forcing and open faces are up to date; wall_stress: of the faces, as friction_measure
 * has it [U^2]. */
void record_make(const struct run *run, const double wall_stress[FACES], double value[RECORD_COLUMNS]);

#endif
