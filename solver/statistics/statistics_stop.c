/* Decides whether an error bar is small enough for the run to end. */
#include <stddef.h>
#include <stdlib.h>
#include "inputs/statistics_wanted.h"
#include "io/log.h"
#include "statistics_internal.h"
#include "wall_scalars.h"

/* The fewest complete batches with which a run may end. With fewer, the scatter of the batches is not known
 * well enough. */
enum { STOP_BATCHES = BATCH_MEANS_MOST / 2 };

/* judged: the quantities derived from an average, and the one that decides. */
struct judged {
    const struct average *average;
    batch_means_derive *derive;
    const void *context;
    int quantities, quantity;
};

/* The number of a scalar between walls that a name from STOP_NUSSELT_LOW on stands for. */
static int wall_number(int name)
{
    static const int NUMBER[] = {WS_NU_LOW,         WS_NU_HIGH,   WS_NU_FLUX,
                                 WS_NU_DISSIPATION, WS_NU_ENERGY, WS_NU_BULK};
    return NUMBER[name - STOP_NUSSELT_LOW];
}

/* The place of a number of scalar n among the quantities. */
static int place_of_scalar(const struct statistics *s, int name, int n)
{
    if (s->kind == KIND_WALLED)
        return wall_scalars_place(&s->wall, n) + WS_PROFILES * s->wall.levels + wall_number(name);
    return BOX_SCALARS + n * BOX_SCALAR_VALUES +
           (name == STOP_SCALAR_VARIANCE ? BS_VARIANCE : BS_DISSIPATION);
}

/* n: the scalar, if the name is that of a number of a scalar; otherwise -1. */
static struct judged judged_of(const struct statistics *s, int name, int n)
{
    static const int BOX[] = {[STOP_K] = BOX_K,
                              [STOP_DISSIPATION] = BOX_DISSIPATION,
                              [STOP_RE_LAMBDA] = BOX_RE_LAMBDA,
                              [STOP_ENSTROPHY] = BOX_ENSTROPHY,
                              [STOP_TAYLOR] = BOX_TAYLOR,
                              [STOP_ETA] = BOX_ETA,
                              [STOP_SKEWNESS] = BOX_ALL_ALONG_SKEWNESS,
                              [STOP_FLATNESS] = BOX_ALL_ALONG_FLATNESS};
    static const int WALL[] = {[STOP_U_TAU] = SCALAR_U_TAU,
                               [STOP_RE_TAU] = SCALAR_RE_TAU,
                               [STOP_U_B] = SCALAR_U_B,
                               [STOP_FRICTION] = SCALAR_FRICTION};
    static const int SECTION[] = {[STOP_DISSIPATION] = SECTION_DISSIPATION,
                                  [STOP_U_TAU] = SECTION_U_TAU,
                                  [STOP_RE_TAU] = SECTION_RE_TAU,
                                  [STOP_U_B] = SECTION_U_B,
                                  [STOP_FRICTION] = SECTION_FRICTION};
    const struct average *means = &s->average[MEANS];
    const int lines = (int)s->section.line_first[LINES];
    if (s->kind == KIND_WALLED)
        return (struct judged){means, profiles_derive, &s->wall, profiles_values(&s->wall),
                               n >= 0 ? place_of_scalar(s, name, n)
                                      : 2 * PROFILES * s->wall.levels + WALL[name]};
    if (s->kind == KIND_SECTION)
        return (struct judged){&s->average[LINE_MEANS], section_fields_derive_numbers, &s->section,
                               lines + SECTION_SCALARS, lines + SECTION[name]};
    return (struct judged){means, box_derive, &s->box, box_moments_values(&s->box),
                           n >= 0 ? place_of_scalar(s, name, n) : BOX[name]};
}

/* Finds the number and its error, from all samples so far. */
static kol_status judge(struct judged j, double *value, double *error)
{
    const struct batch_means *b = j.average->batches;
    double *memory = malloc((2 * (size_t)j.quantities + (size_t)j.average->values) * sizeof *memory);
    if (memory == NULL) RAISE(KOL_ERR_MEMORY, "no memory for errors of statistics");
    double *errors = memory + j.quantities, *mean = errors + j.quantities;
    batch_means_mean(b, mean);
    j.derive(j.context, mean, memory);
    const kol_status st = batch_means_errors(b, j.derive, j.context, j.quantities, errors);
    *value = memory[j.quantity];
    *error = errors[j.quantity];
    free(memory);
    return st;
}

kol_status statistics_look(const struct domain *domain, struct statistics *s)
{
    const struct input *in = domain->in;
    const int n = stop_of_scalar(in) ? in->statistics.stop_scalar - 1 : -1;
    const struct judged j = judged_of(s, in->statistics.stop_when, n);
    const struct batch_means *b = j.average->batches;
    const double limit = in->statistics.stop_error;
    double value = 0, error = INFINITY;
    if (in->statistics.stop_when == STOP_NONE || b == NULL || batch_means_count(b) < STOP_BATCHES ||
        batch_means_count(b) == s->looked)
        return KOL_OK;
    s->looked = batch_means_count(b);
    TRY(judge(j, &value, &error));
    s->enough = value != 0 && error <= limit * fabs(value); /* a flow at rest tells nothing */
    if (s->enough)
        log_info("statistics.stop_when is met: %.6g +- %.2g after %lld samples%s%s", value, error,
                 batch_means_samples(b), n >= 0 ? ", of the scalar " : "", n >= 0 ? in->scalars.name[n] : "");
    return KOL_OK;
}

kol_status statistics_stop_check(const struct domain *domain, const struct statistics *s)
{
    const struct input *in = domain->in;
    const int name = in->statistics.stop_when, n = in->statistics.stop_scalar - 1;
    if (s->kind != KIND_WALLED || name < STOP_NUSSELT_LOW ||
        wall_scalar_has_number(&s->wall, n, wall_number(name)))
        return KOL_OK;
    const struct input_place by =
        input_place(domain->source, offsetof(struct input, statistics.stop_when), 0);
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s: statistics.nc has no '%s%s' in this flow: %s; choose another number, or 'none'",
          by.at, by.name, in->scalars.name[n], wall_scalar_numbers[wall_number(name)].name,
          name == STOP_NUSSELT_BULK
              ? "it needs a drive or a moving wall, and no-slip walls whose values do not differ"
          : name == STOP_NUSSELT_ENERGY ? "it needs values that differ on two walls, buoyancy by this "
                                          "scalar, gravity along their normal, "
                                          "and nothing else that drives the flow"
                                        : "it needs values that differ on two walls");
}

int statistics_enough(const struct statistics *s)
{
    return s != NULL && s->enough;
}
