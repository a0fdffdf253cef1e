/* Columns of series.nc on the decay of the turbulence in a periodic box: k over dissipation, and the exponent
 * n of k ~ (t - t0)^-n with its error bar, as history.nc has them. docs/output.md. */
#ifndef KOL_OUTPUT_DECAY_SERIES_H
#define KOL_OUTPUT_DECAY_SERIES_H

#include "io/series.h"
#include "math/sliding_slope.h"
#include "state/flow.h"

enum { DECAY_SERIES_COLUMNS = 3 };

/* decay_series: what the exponent is fitted to. It may be all zero. */
struct decay_series {
    struct sliding_slope slope;
    double exponent, error; /* of the last fit */
};
/* decay_series_columns: puts the columns into column. Returns their number: 0 if a face is not periodic or
 * the fluid has no viscosity. */
int decay_series_columns(const struct flow *flow, struct series_column column[DECAY_SERIES_COLUMNS]);
/* decay_series_read: reads the records that series.nc has from before a restart. path: its path. */
kol_status decay_series_read(struct decay_series *d, const struct flow *flow, const char *path,
                             size_t records);
/* decay_series_values: computes the values of the columns for the present flow, whose monitor must be up to
 * date. Exponent and error are NaN while something drives the flow, and until the window has enough records.
 */
kol_status decay_series_values(struct decay_series *d, const struct flow *flow,
                               double value[DECAY_SERIES_COLUMNS]);
/* decay_series_forget: frees what d holds. */
void decay_series_forget(struct decay_series *d);

/* decay_age: returns how long the flow has decayed at time t: since the forcing was switched off or the
 * bodies vanished (`since`, which is NaN if neither has happened), otherwise since t = 0. NaN if something
 * drives the flow, or did so at that time. */
double decay_age(const struct flow *flow, double t, double since);

#endif
