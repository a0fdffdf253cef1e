/* Names the columns of scalars in series.nc, and puts their numbers into them. */
#include "scalar_series.h"

#include <stdio.h>
#include <string.h>
#include "inputs/buoyancy.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"

/* One column of each scalar. unit: what follows the unit of the scalar; squared: whether this is taken
 * twice. */
static const struct row {
    const char *name, *long_name, *unit;
    int squared;
} ROWS[] = {{"mean", "volume mean", "", 0},
            {"variance", "volume mean of the squared deviation from the volume mean", "", 1},
            {"least", "least value of a cell", "", 0},
            {"largest", "largest value of a cell", "", 0},
            {"dissipation", "dissipation of half the variance by the diffusion operator", "U/L", 1},
            {"flux_x", "volume mean of u times the scalar", "U", 0},
            {"flux_y", "volume mean of v times the scalar", "U", 0},
            {"flux_z", "volume mean of w times the scalar", "U", 0}};
/* Of scalars with a limiter. */
static const struct row LOSS = {"numerical_dissipation", "dissipation of half the variance by the limiter",
                                "U/L", 1};
/* Of scalars with values on bodies. */
static const struct row FROM_BODIES = {"flux_bodies", "flux from all bodies into the fluid, over the step",
                                       "U L2", 0};
enum { ROWS_EACH = sizeof ROWS / sizeof *ROWS };
_Static_assert((int)ROWS_EACH + 2 + (int)FACES == (int)SCALAR_SERIES_EACH, "there is room for each column");

static void add(struct scalar_series *s, const struct input *in, int n, struct row row, const char *before)
{
    struct scalar_series_words *w = &s->words[s->count];
    const char *name = in->scalars.name[n];
    snprintf(w->name, sizeof w->name, "%.*s_%s%s", SCALAR_NAME, name, before, row.name);
    snprintf(w->long_name, sizeof w->long_name, "%.*s: %s", SCALAR_NAME, name, row.long_name);
    scalar_unit(in->scalars.unit[n], row.squared ? 2 : 1, row.unit, w->unit, sizeof w->unit);
    s->column[s->count++] = (struct series_column){w->name, w->long_name, w->unit, SERIES_REAL};
}

/* Whether the flux from bodies is measured. */
static int flux_known(const struct input *in, int n)
{
    return scalar_on_bodies(in, n) && in->output.bodies_interval > 0;
}

void scalar_series_make(const struct input *in, struct scalar_series *s)
{
    s->count = 0;
    if (buoyancy_wanted(in))
        s->column[s->count++] =
            (struct series_column){"buoyancy_work", "work of buoyancy, over the volume", "U3/L", SERIES_REAL};
    for (int n = 0; n < scalar_count(in); ++n) {
        for (int i = 0; i < ROWS_EACH; ++i) add(s, in, n, ROWS[i], "");
        if (scalar_limited(in, n)) add(s, in, n, LOSS, "");
        if (flux_known(in, n)) add(s, in, n, FROM_BODIES, "");
        for (int f = 0; f < FACES; ++f)
            if (!face_is_periodic(in, f))
                add(s, in, n,
                    (struct row){FACE_NAME[f], "mean flux into the fluid through this face", "U", 0},
                    "flux_in_");
    }
}

void scalar_series_values(const struct flow *flow, const struct scalar_number *of,
                          const double from_bodies[SCALARS_MOST], double *value)
{
    const struct input *in = flow->domain->in;
    if (buoyancy_wanted(in)) *value++ = flow->now.buoyancy;
    for (int n = 0; n < scalar_count(in); ++n) {
        const struct scalar_number *s = &of[n];
        const double now[ROWS_EACH] = {s->mean,        s->variance, s->least,   s->largest,
                                       s->dissipation, s->flux[X],  s->flux[Y], s->flux[Z]};
        for (int i = 0; i < ROWS_EACH; ++i) *value++ = now[i];
        if (scalar_limited(in, n)) *value++ = s->loss;
        if (flux_known(in, n)) *value++ = from_bodies[n];
        for (int f = 0; f < FACES; ++f)
            if (!face_is_periodic(in, f)) *value++ = s->face[f];
    }
}
