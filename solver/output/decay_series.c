/* Fits the exponent of a decay to the records of series.nc. */
#include "decay_series.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/drives.h"
#include "io/statsread.h"

/* Of records that are closer together than this share of their time, only one is fitted to. So a window has a
 * few hundred records, however short the steps are, and a fit costs next to nothing. */
static const double APART = 1.0 / 1024;

/* What k/dissipation is computed from. */
enum { TIME, ENERGY, MEAN, DISSIPATION = MEAN + 3, SOURCES };

double decay_age(const struct flow *flow, double t, double since)
{
    const struct input *in = flow->domain->in;
    if (!isnan(since)) return since;
    return drive_any(in) || in->forcing.decay ? NAN : t;
}

int decay_series_columns(const struct flow *flow, struct series_column column[DECAY_SERIES_COLUMNS])
{
    const int *periodic = flow->domain->grid.periodic;
    if (!(periodic[X] && periodic[Y] && periodic[Z] && flow->domain->in->fluid.nu > 0)) return 0;
    column[0] = (struct series_column){
        "dissipation_time", "kinetic energy about the mean velocity of the instant, over dissipation", "L/U",
        SERIES_REAL};
    column[1] = (struct series_column){
        "decay_exponent",
        "n of k ~ (t - t0)^-n, from the slope of k/dissipation over the last third of the time", "1",
        SERIES_REAL};
    column[2] = (struct series_column){"decay_exponent_error",
                                       "its standard error, from the scatter about a straight line", "1",
                                       SERIES_REAL};
    return DECAY_SERIES_COLUMNS;
}

static double ratio_of(const double source[SOURCES])
{
    double k = source[ENERGY];
    for (int d = X; d <= Z; ++d) k -= 0.5 * source[MEAN + d] * source[MEAN + d];
    return source[DISSIPATION] > 0 ? k / source[DISSIPATION] : NAN;
}

/* Adds a record and fits the line anew, if it is far enough from the last one. */
static kol_status add(struct decay_series *d, const struct flow *flow, double t, double ratio)
{
    struct sliding_slope *s = &d->slope;
    const double begin = flow->clock.decays_since;
    const double age = flow->bodies != NULL ? NAN : decay_age(flow, t, begin >= 0 ? t - begin : NAN);
    const size_t before = s->count;
    if (before == 0) d->exponent = d->error = NAN;
    if (before > 0 && !(age >= s->t[before - 1] * (1 + APART))) return KOL_OK;
    TRY(sliding_slope_add(s, age, ratio));
    if (s->count == before) return KOL_OK;
    d->exponent = 1 / sliding_slope_fit(s, &d->error);
    d->error *= d->exponent * d->exponent;
    return KOL_OK;
}

kol_status decay_series_read(struct decay_series *d, const struct flow *flow, const char *path,
                             size_t records)
{
    static const char *const NAME[SOURCES] = {"time",       "kinetic_energy", "momentum_x",
                                              "momentum_y", "momentum_z",     "dissipation"};
    struct stats_reader *file = NULL;
    double *value = malloc(SOURCES * records * sizeof *value + 1);
    if (value == NULL) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu records", path, records);
    kol_status st = records > 0 ? statsread_open(path, &file) : KOL_OK;
    for (size_t n = 0; n < SOURCES && st == KOL_OK && records > 0; ++n)
        st = statsread_values(file, NULL, NAME[n], records, value + n * records);
    for (size_t r = 0; r < records && st == KOL_OK; ++r) {
        double source[SOURCES];
        for (size_t n = 0; n < SOURCES; ++n) source[n] = value[n * records + r];
        st = add(d, flow, source[TIME], ratio_of(source));
    }
    const kol_status closed = statsread_close(&file);
    free(value);
    return st == KOL_OK ? closed : status_pass(st, __FILE__, __LINE__, "decay_series_read");
}

kol_status decay_series_values(struct decay_series *d, const struct flow *flow,
                               double value[DECAY_SERIES_COLUMNS])
{
    const struct monitor *m = &flow->now;
    const double source[SOURCES] = {flow->clock.t,  m->energy,      m->momentum[X],
                                    m->momentum[Y], m->momentum[Z], m->dissipation};
    value[0] = ratio_of(source);
    TRY(add(d, flow, flow->clock.t, value[0]));
    value[1] = d->exponent;
    value[2] = d->error;
    return KOL_OK;
}

void decay_series_forget(struct decay_series *d)
{
    sliding_slope_forget(&d->slope);
}
