/* Computes moments and scales of scalars in a periodic box. */
#include "box_scalars.h"

#include <math.h>
#include <string.h>
#include "inputs/scalars.h"
#include "math/central_moments.h"

struct box_scalars box_scalars_make(const struct input *in)
{
    struct box_scalars s = {.count = scalar_count(in)};
    for (int n = 0; n < s.count; ++n) {
        s.of[n].name = in->scalars.name[n];
        s.of[n].unit = in->scalars.unit[n];
        s.of[n].kappa = scalar_diffusivity(in, n);
        scalar_gradient(in, n, s.of[n].gradient);
    }
    return s;
}

kol_status box_scalars_sample(const struct box_scalars *s, const struct flow *flow, double *value)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    for (int n = 0; n < s->count; ++n) {
        double *own = value + n * THETA_MOMENT_COUNT;
        for (int group = 0; group < THETA_MOMENT_GROUPS; ++group) {
            TRY(scalar_moments_sum(group, g->box, g->m, reduction_blocks(domain->reduction), flow->vel,
                                   flow->scalar[n]));
            TRY(reduction_finish(domain->reduction, scalar_moments_count(group), 0,
                                 own + scalar_moments_first(group)));
        }
        for (int q = 0; q < THETA_MOMENT_COUNT; ++q)
            own[q] = own[q] / g->volume + 0.0; /* no negative zeros */
    }
    return KOL_OK;
}

/* --- quantities --- */

#define M(Q) mean[THETA_MOMENT_##Q]

static double over(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static void derive_gradients(const double *mean, struct box_scalars_flow flow, double scale, double *out)
{
    for (int d = 0; d < 3; ++d) {
        const double square = mean[THETA_MOMENT_GRADIENT_2 + d];
        out[BS_GRADIENT + d] = square;
        out[BS_GRADIENT_SKEWNESS + d] = skewness_of(square, mean[THETA_MOMENT_GRADIENT_3 + d], scale);
        out[BS_GRADIENT_FLATNESS + d] = flatness_of(square, mean[THETA_MOMENT_GRADIENT_4 + d], scale);
        out[BS_MIXED_SKEWNESS + d] = over(mean[THETA_MOMENT_MIXED + d], sqrt(flow.along[d]) * square);
    }
}

static void derive_one(const struct box_scalars *s, int n, struct box_scalars_flow flow, const double *mean,
                       double *out)
{
    const struct central c = central_moments((const double[]){M(T), M(TT), M(TTT), M(TTTT)}, M(TT));
    const double kappa = s->of[n].kappa;
    double squares = 0, production = 0;
    out[BS_MEAN] = M(T);
    out[BS_VARIANCE] = c.variance;
    out[BS_RMS] = sqrt(c.variance);
    out[BS_SKEWNESS] = c.skewness;
    out[BS_FLATNESS] = c.flatness;
    for (int d = 0; d < 3; ++d) {
        out[BS_FLUX + d] = mean[THETA_MOMENT_FLUX + d] - M(T) * flow.mean[d];
        out[BS_CORRELATION + d] = over(out[BS_FLUX + d], sqrt(c.variance * flow.variance[d]));
        production -= 2 * s->of[n].gradient[d] * out[BS_FLUX + d];
        squares += mean[THETA_MOMENT_GRADIENT_2 + d];
    }
    out[BS_PRODUCTION] = production;
    out[BS_DISSIPATION] = 2 * kappa * squares;
    out[BS_TIME] = over(c.variance, out[BS_DISSIPATION]);
    out[BS_TIME_RATIO] = over(over(flow.k, flow.dissipation), out[BS_TIME]);
    out[BS_TAYLOR] = sqrt(over(3 * c.variance, squares));
    out[BS_BATCHELOR] = flow.nu > 0 ? flow.eta * sqrt(kappa / flow.nu) : NAN;
    derive_gradients(mean, flow, squares, out);
}

void box_scalars_derive(const struct box_scalars *s, struct box_scalars_flow flow, const double *mean,
                        double *out)
{
    for (int n = 0; n < s->count; ++n)
        derive_one(s, n, flow, mean + n * THETA_MOMENT_COUNT, out + n * BOX_SCALAR_VALUES);
}

void box_scalars_volume(const struct box_scalars *s, const double *sample,
                        struct volume_moments moments[SCALARS_MOST])
{
    for (int n = 0; n < s->count; ++n) {
        const double *mean = sample + n * THETA_MOMENT_COUNT;
        moments[n] = (struct volume_moments){M(T), M(TT)};
    }
}

/* --- the file --- */

/* entry: what follows the name of the scalar, a description, the power of its unit (-1: a pure number),
 * and the rest of the unit. */
struct entry {
    const char *name, *words;
    int power;
    const char *unit;
};
#define EACH(NAME, END, WORDS, POWER, UNIT)                                                                  \
    {NAME "x" END, WORDS " x", POWER, UNIT}, {NAME "y" END, WORDS " y", POWER, UNIT},                        \
    {                                                                                                        \
        NAME "z" END, WORDS " z", POWER, UNIT                                                                \
    }
#define FLUXES(END, WORDS, POWER, UNIT)                                                                      \
    {"_u" END, WORDS " x", POWER, UNIT}, {"_v" END, WORDS " y", POWER, UNIT},                                \
    {                                                                                                        \
        "_w" END, WORDS " z", POWER, UNIT                                                                    \
    }
static const struct entry QUANTITY[BOX_SCALAR_VALUES] = {
    [BS_MEAN] = {"", "mean", 1, ""},
    [BS_VARIANCE] = {"_variance", "variance", 2, ""},
    [BS_RMS] = {"_rms", "root mean square of the fluctuation", 1, ""},
    [BS_SKEWNESS] = {"_skewness", "skewness", -1, ""},
    [BS_FLATNESS] = {"_flatness", "flatness, 3 for a Gaussian", -1, ""},
    [BS_FLUX] = FLUXES("", "covariance with the velocity along", 1, "U"),
    [BS_CORRELATION] = FLUXES("_correlation", "correlation with the velocity along", -1, ""),
    [BS_PRODUCTION] = {"_variance_gradient_production",
                       "production of the variance by the mean gradient of the input", 2, "U/L"},
    [BS_DISSIPATION] = {"_variance_dissipation", "dissipation of the variance, positive", 2, "U/L"},
    [BS_TIME] = {"_time", "variance over its dissipation", -1, "L/U"},
    [BS_TIME_RATIO] = {"_time_ratio", "k over dissipation, over this time", -1, ""},
    [BS_TAYLOR] = {"_taylor_length", "Taylor scale, from the mean square of the gradient", -1, "L"},
    [BS_BATCHELOR] = {"_batchelor_length", "Batchelor scale, the Kolmogorov length over sqrt(Pr)", -1, "L"},
    [BS_GRADIENT] = EACH("_d", "_squared", "mean square of the derivative along", 2, "1/L2"),
    [BS_GRADIENT_SKEWNESS] = EACH("_d", "_skewness", "skewness of the derivative along", -1, ""),
    [BS_GRADIENT_FLATNESS] = EACH("_d", "_flatness", "flatness of the derivative along", -1, ""),
    [BS_MIXED_SKEWNESS] =
        EACH("_d", "_mixed_skewness",
             "mean of strain times squared derivative, over the rms of the strain and the mean square, along",
             -1, "")};

static const struct entry SUM[THETA_MOMENT_COUNT] = {
    [THETA_MOMENT_T] = {"", "T", 1, ""},
    [THETA_MOMENT_TT] = {"_squared", "T^2", 2, ""},
    [THETA_MOMENT_TTT] = {"_cubed", "T^3", 3, ""},
    [THETA_MOMENT_TTTT] = {"_fourth", "T^4", 4, ""},
    [THETA_MOMENT_FLUX] = FLUXES("", "flux of T along", 1, "U"),
    [THETA_MOMENT_GRADIENT_2] = EACH("_d", "_2", "square of the derivative along", 2, "1/L2"),
    [THETA_MOMENT_GRADIENT_3] = EACH("_d", "_3", "cube of the derivative along", 3, "1/L3"),
    [THETA_MOMENT_GRADIENT_4] = EACH("_d", "_4", "fourth power of the derivative along", 4, "1/L4"),
    [THETA_MOMENT_MIXED] = EACH("_d", "_mixed", "strain times squared derivative, along", 2, "U/L3")};

struct words {
    char name[64], words[200], unit[64];
};

static void put_words(const char *name, const char *own, const struct entry *e, const char *before,
                      struct words *out)
{
    snprintf(out->name, sizeof out->name, "%s%.*s%s", before, SCALAR_NAME, name, e->name);
    snprintf(out->words, sizeof out->words, "%.*s: %s", SCALAR_NAME, name, e->words);
    scalar_unit(own, e->power, e->unit, out->unit, sizeof out->unit);
}

static struct stats_variable *add(const struct box_scalars *s, int n, const struct entry *e,
                                  const char *before, struct netcdf_content *p, const double *value)
{
    struct words w;
    put_words(s->of[n].name, s->of[n].unit, e, before, &w);
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", w.unit);
    return netcdf_content_add(p, (struct netcdf_content_entry){w.name, w.words, unit}, "", -1, value);
}

int box_scalars_room(const struct box_scalars *s)
{
    return s->count * (2 * BOX_SCALAR_VALUES + THETA_MOMENT_COUNT);
}

/* The production is there if there is a mean gradient. */
static int is_there(const struct box_scalars *s, int n, int quantity)
{
    const double *g = s->of[n].gradient;
    return quantity != BS_PRODUCTION || g[0] != 0 || g[1] != 0 || g[2] != 0;
}

void box_scalars_add(const struct box_scalars *s, struct netcdf_content *p, const double *value,
                     const double *error, const double *now, const double *sum)
{
    for (int n = 0; n < s->count; ++n) {
        for (int i = 0; i < BOX_SCALAR_VALUES; ++i) {
            const int at = n * BOX_SCALAR_VALUES + i;
            if (!is_there(s, n, i)) continue;
            struct stats_variable *v = add(s, n, &QUANTITY[i], "", p, value + at);
            v->error = error + at;
            v->methods = NETCDF_CONTENT_MEAN;
            v = add(s, n, &QUANTITY[i], "", p, now + at);
            v->group = NETCDF_CONTENT_LATEST;
            v->methods = NETCDF_CONTENT_POINT;
        }
        for (int i = 0; i < THETA_MOMENT_COUNT; ++i) {
            struct stats_variable *v = add(s, n, &SUM[i], "sum_", p, sum + n * THETA_MOMENT_COUNT + i);
            v->group = "raw";
            v->methods = NETCDF_CONTENT_SUM;
        }
    }
}

void box_scalars_name_sum(const struct box_scalars *s, int n, char *out, size_t size)
{
    struct words w;
    const int scalar = n / THETA_MOMENT_COUNT;
    put_words(s->of[scalar].name, s->of[scalar].unit, &SUM[n % THETA_MOMENT_COUNT], "", &w);
    snprintf(out, size, "%s", w.words);
}

static void print_rows(FILE *out, const struct entry *e, int count, const char *before)
{
    fputs("| variable | unit | what |\n| --- | --- | --- |\n", out);
    for (int i = 0; i < count; ++i) {
        struct words w;
        put_words("T", "own", &e[i], before, &w);
        fprintf(out, "| `%s` | %s | %s |\n", w.name, w.unit, w.words + strlen("T: "));
    }
}

void box_scalars_print(FILE *out)
{
    print_rows(out, QUANTITY, BOX_SCALAR_VALUES, "");
    fputs("\nIn the group `raw`:\n\n", out);
    print_rows(out, SUM, THETA_MOMENT_COUNT, "sum_");
}
