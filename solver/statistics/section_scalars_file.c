/* Computes what follows from averages of scalars over a cross-section, and writes it to files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/scalars.h"
#include "math/central_moments.h"
#include "section_scalars_internal.h"

#define M(Q) (mean + q->sum_first[LINE_T_##Q])
#define O(F) (out + q->field_first[ST_##F])

static void derive_centres(const struct section_scalars *q, const double *mean, double *out)
{
    const ptrdiff_t places = places_of_field(q->s->cells, ST_MEAN);
    const double scale = central_moments_largest(0, M(TT), places);
    for (ptrdiff_t k = 0; k < places; ++k) {
        const struct central c =
            central_moments((const double[]){M(T)[k], M(TT)[k], M(TTT)[k], M(TTTT)[k]}, scale);
        O(MEAN)[k] = M(T)[k];
        O(VARIANCE)[k] = c.variance;
        O(RMS)[k] = sqrt(c.variance);
        O(SKEWNESS)[k] = c.skewness;
        O(FLATNESS)[k] = c.flatness;
        O(S)[k] = M(TS)[k] - M(T)[k] * M(S)[k];
    }
}

/* The mean of the scalar on face k of direction d: half of the values on both sides. stride: of cells in that
 * direction. i: place along the other direction. */
static double on_face(const struct section_scalars *q, const struct section_scalar *t, const double *centre,
                      ptrdiff_t stride, int d, int k, int i)
{
    const int cells = q->s->cells[d], side = 2 * d + (k > 0);
    if (k > 0 && k < cells) return 0.5 * (centre[(k - 1) * stride] + centre[k * stride]);
    const double inside = centre[(k == 0 ? 0 : k - 1) * stride];
    return 0.5 * (inside + (t->factor[side] * inside + t->add[side][i]));
}

static void derive_faces(const struct section_scalars *q, const struct section_scalar *t, const double *mean,
                         double *out)
{
    const int wide = q->s->cells[0], high = q->s->cells[1];
    for (int j = 0; j < high; ++j) {
        for (int i = 0; i <= wide; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * (wide + 1) + i;
            O(A)[o] = M(TA)[o] - M(A)[o] * on_face(q, t, M(T) + (ptrdiff_t)j * wide, 1, 0, i, j);
        }
    }
    for (int j = 0; j <= high; ++j) {
        for (int i = 0; i < wide; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * wide + i;
            O(B)[o] = M(TB)[o] - M(B)[o] * on_face(q, t, M(T) + i, wide, 1, j, i);
        }
    }
}

/* wall: of a side the mean flux into the fluid, and the mean value of the scalar on it, times its length. */
struct wall {
    double length, flux, value;
};

static struct wall wall_at(const struct section_scalars *q, const struct section_scalar *t,
                           const double *mean, int side)
{
    const struct section_fields *s = q->s;
    const int d = side / 2, other = 1 - d, k = side % 2 ? s->cells[d] : 0;
    const ptrdiff_t along = d == 0 ? 1 : s->cells[0], across = d == 0 ? s->cells[0] : 1;
    struct wall w = {0, 0, 0};
    for (int n = 0; n < s->cells[other]; ++n) {
        const double *line = M(T) + n * across, inside = line[(k == 0 ? 0 : k - 1) * along],
                     beyond = t->factor[side] * inside + t->add[side][n], width = s->c[other][n];
        w.length += width;
        w.flux += width * t->kappa * (beyond - inside) / s->f[d][k];
        w.value += width * 0.5 * (beyond + inside);
    }
    return w;
}

static void derive_numbers(const struct section_scalars *q, const struct section_scalar *t,
                           const double *mean, double *number)
{
    const struct section_fields *s = q->s;
    double level = 0, square = 0, carried = 0, bulk = 0;
    struct wall walls = {0, 0, 0};
    for (int j = 0; j < s->cells[1]; ++j) {
        for (int i = 0; i < s->cells[0]; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * s->cells[0] + i;
            const double area = s->c[0][i] * s->c[1][j] / s->area;
            level += area * M(T)[o];
            square += area * M(TT)[o];
            carried += area * (M(TS)[o] - q->frame * M(T)[o]);
            bulk += area * (M(S)[o] - q->frame);
        }
    }
    number[ST_VOLUME_MEAN] = level;
    number[ST_VOLUME_VARIANCE] = fmax(square - level * level, 0);
    number[ST_BULK] = bulk != 0 ? carried / bulk : NAN;
    for (int side = 0; side < 4; ++side) {
        const struct wall w = wall_at(q, t, mean, side);
        number[ST_FLUX + side] = w.flux / w.length;
        if (!s->rough[side] || !t->held[side]) continue;
        walls.length += w.length;
        walls.flux += w.flux;
        walls.value += w.value;
    }
    const double drop = walls.value / walls.length - number[ST_BULK];
    number[ST_NUSSELT] =
        walls.length > 0 && drop != 0 ? walls.flux / walls.length * s->diameter / (t->kappa * drop) : NAN;
}

static int is_buoyant(const struct section_scalars *q)
{
    return q->budgets > LINE_B_CALM;
}

static void derive_budgets(const struct section_scalars *q, const struct section_scalar *t,
                           const double *mean, double *out)
{
    const struct section_budgets_means m = {.t = M(T),
                                            .tt = M(TT),
                                            .us = M(S),
                                            .ts = M(TS),
                                            .face = {M(A), M(B)},
                                            .sum = mean + q->sum_first[LINE_T_COUNT],
                                            .buoyant = is_buoyant(q),
                                            .kappa = t->kappa,
                                            .gradient = {t->gradient[0], t->gradient[1], t->gradient[2]},
                                            .turn = section_turn_make(q->domain->in, q->s)};
    section_budgets_derive(q->s, &m, out);
}

void section_scalars_volume(const struct section_scalars *q, const double *sample,
                            struct volume_moments moments[SCALARS_MOST])
{
    const struct section_fields *s = q->s;
    for (int n = 0; n < q->count; ++n) {
        const double *mean = sample + n * values_each(q);
        moments[n] = (struct volume_moments){0, 0};
        for (int j = 0; j < s->cells[1]; ++j) {
            for (int i = 0; i < s->cells[0]; ++i) {
                const ptrdiff_t o = (ptrdiff_t)j * s->cells[0] + i;
                const double area = s->c[0][i] * s->c[1][j] / s->area;
                moments[n].mean += area * M(T)[o];
                moments[n].square += area * M(TT)[o];
            }
        }
    }
}

/* A function of type batch_means_derive. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct section_scalars *q = context;
    for (int n = 0; n < q->count; ++n, mean += values_each(q), out += derived_each(q)) {
        derive_centres(q, mean, out);
        derive_faces(q, &q->of[n], mean, out);
        derive_numbers(q, &q->of[n], mean, out + q->field_first[ST_FIELDS]);
        if (q->budgets > 0) derive_budgets(q, &q->of[n], mean, out + derived_first_of_budgets(q));
    }
}

/* --- the file --- */

/* entry: what follows the name of the scalar, as a pattern of section_fields_name(); the power of its unit,
 * and the rest of the unit. */
struct entry {
    const char *name, *words;
    int power;
    const char *unit;
};
static const struct entry FIELD[ST_FIELDS] = {
    [ST_MEAN] = {"", "mean", 1, ""},
    [ST_VARIANCE] = {"_variance", "variance", 2, ""},
    [ST_RMS] = {"_rms", "root mean square of the fluctuation", 1, ""},
    [ST_SKEWNESS] = {"_skewness", "skewness", 0, ""},
    [ST_FLATNESS] = {"_flatness", "flatness, 3 for a Gaussian", 0, ""},
    [ST_S] = {"_%S", "covariance with the velocity along %3", 1, "U"},
    [ST_A] = {"_%A", "covariance with the velocity along %1, as the equation of the scalar has it", 1, "U"},
    [ST_B] = {"_%B", "covariance with the velocity along %2, as the equation of the scalar has it", 1, "U"}};
static const struct entry NUMBER[ST_NUMBERS] = {
    [ST_VOLUME_MEAN] = {"_volume_mean", "volume mean", 1, ""},
    [ST_VOLUME_VARIANCE] = {"_volume_variance",
                            "mean square of the difference to the volume mean, over the section and time", 2,
                            ""},
    [ST_BULK] =
        {"_bulk",
         "mixed mean: the flux along the stream over the flow rate, both against walls that move alike", 1,
         ""},
    [ST_FLUX] = {"_flux_in_%1_low", "mean molecular flux into the fluid through the lower side in %1", 1,
                 "U"},
    {"_flux_in_%1_high", "mean molecular flux into the fluid through the upper side in %1", 1, "U"},
    {"_flux_in_%2_low", "mean molecular flux into the fluid through the lower side in %2", 1, "U"},
    {"_flux_in_%2_high", "mean molecular flux into the fluid through the upper side in %2", 1, "U"},
    [ST_NUSSELT] = {"_nusselt",
                    "Nusselt number: mean flux of the no-slip walls with a condition, over the difference "
                    "between their mean value and the mixed mean, with the hydraulic diameter",
                    0, ""}};
#define BUDGET(NAME, OF, P, U)                                                                               \
    {NAME "_production", "production of " OF " by gradients of means", P, U},                                \
        {NAME "_gradient_production", "production of " OF " by the mean gradient of the input", P, U},       \
        {NAME "_mean_convection", "convection of " OF " by the mean velocity", P, U},                        \
        {NAME "_turbulent_transport", "turbulent transport of " OF, P, U},                                   \
        {NAME "_molecular_diffusion", "molecular diffusion of " OF, P, U},                                   \
        {NAME "_pressure_transport", "pressure transport of " OF, P, U},                                     \
        {NAME "_pressure_gradient", "pressure times gradient of the scalar, in the budget of " OF, P, U},    \
        {NAME "_buoyancy_production", "production of " OF " by buoyancy", P, U},                             \
        {NAME "_rotation", "gain of " OF " by the Coriolis force", P, U},                                    \
        {NAME "_dissipation", "dissipation of " OF ", positive", P, U},                                      \
    {                                                                                                        \
        NAME "_budget_residual", "sum of all gains less the dissipation of " OF, P, U                        \
    }
static const struct entry BUDGETS[SECTION_BUDGET_FIELDS] = {
    BUDGET("_variance", "the variance", 2, "U/L"), BUDGET("_%S", "the flux along %3", 1, "U2/L"),
    BUDGET("_%A", "the flux along %1", 1, "U2/L"), BUDGET("_%B", "the flux along %2", 1, "U2/L")};
static const struct entry SUM[LINE_T_COUNT] = {[LINE_T_T] = {"", "T", 1, ""},
                                               [LINE_T_TT] = {"_squared", "T^2", 2, ""},
                                               [LINE_T_TTT] = {"_cubed", "T^3", 3, ""},
                                               [LINE_T_TTTT] = {"_fourth", "T^4", 4, ""},
                                               [LINE_T_S] = {"_at_%S", "%S in the cell", 0, "U"},
                                               [LINE_T_TS] = {"_%S", "T times %S", 1, "U"},
                                               [LINE_T_A] = {"_at_%A", "%A", 0, "U"},
                                               [LINE_T_TA] = {"_%A", "flux of T along %1", 1, "U"},
                                               [LINE_T_B] = {"_at_%B", "%B", 0, "U"},
                                               [LINE_T_TB] = {"_%B", "flux of T along %2", 1, "U"}};

struct words {
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS], unit[NETCDF_CONTENT_NAME];
};

static struct words words_of(const struct section_fields *s, const char *name, const char *unit,
                             const struct entry *e, const char *before)
{
    struct words out;
    char end[32], words[160];
    section_fields_name(s, e->name, end, sizeof end);
    section_fields_name(s, e->words, words, sizeof words);
    snprintf(out.name, sizeof out.name, "%s%.*s%s", before, SCALAR_NAME, name, end);
    snprintf(out.words, sizeof out.words, "%.*s: %s", SCALAR_NAME, name, words);
    scalar_unit(unit, e->power, e->unit, out.unit, sizeof out.unit);
    return out;
}

static struct stats_variable *put(const struct section_scalars *q, struct netcdf_content *p, int n,
                                  const struct entry *e, const char *before, int axis, const double *value)
{
    const struct words w = words_of(q->s, q->of[n].name, q->of[n].unit, e, before);
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", w.unit);
    return netcdf_content_add(p, (struct netcdf_content_entry){w.name, w.words, unit}, "", axis, value);
}

/* Whether a number is written. Mixed mean and Nusselt number need a stream along the homogeneous direction,
 * which something drives. */
static int is_there(const struct section_scalars *q, int n, int number)
{
    const struct section_fields *s = q->s;
    int walls = 0;
    for (int side = 0; side < 4; ++side) walls |= s->rough[side] && q->of[n].held[side];
    if (number >= ST_FLUX && number < ST_FLUX + 4) return !s->open[number - ST_FLUX];
    if (number == ST_NUSSELT && (!walls || isnan(s->diameter) || !(q->of[n].kappa > 0))) return 0;
    return (s->stream == s->along && q->driven) || (number != ST_BULK && number != ST_NUSSELT);
}

static void add_one(const struct section_scalars *q, int n, const int axis[4], struct netcdf_content *p,
                    const double *value, const double *error)
{
    for (int i = 0; i < ST_FIELDS; ++i) {
        struct stats_variable *v =
            put(q, p, n, &FIELD[i], "", axis[on_face_a(i) ? 2 : 0], value + q->field_first[i]);
        v->outer = 1 + axis[on_face_b(i) ? 3 : 1];
        v->error = error + q->field_first[i];
        v->methods = NETCDF_CONTENT_MEAN;
    }
    for (int i = 0; i < SECTION_BUDGET_FIELDS && q->budgets > 0; ++i) {
        const double *const g = q->of[n].gradient;
        const ptrdiff_t at = derived_first_of_budgets(q) + i * cells_of(q);
        if (!section_budgets_there(i, is_buoyant(q), g[0] != 0 || g[1] != 0 || g[2] != 0,
                                   section_turn_make(q->domain->in, q->s)))
            continue;
        struct stats_variable *v = put(q, p, n, &BUDGETS[i], "", axis[0], value + at);
        v->outer = 1 + axis[1];
        v->error = error + at;
        v->methods = NETCDF_CONTENT_MEAN;
    }
    for (int i = 0; i < ST_NUMBERS; ++i) {
        const ptrdiff_t at = q->field_first[ST_FIELDS] + i;
        if (is_there(q, n, i)) put(q, p, n, &NUMBER[i], "", -1, value + at)->error = error + at;
    }
}

static void add_sums(const struct section_scalars *q, int n, const int axis[4], struct netcdf_content *p,
                     const double *sum)
{
    for (int i = 0; i < LINE_T_COUNT; ++i) {
        struct stats_variable *v =
            put(q, p, n, &SUM[i], "sum_", axis[line_scalar_on_face_a(i) ? 2 : 0], sum + q->sum_first[i]);
        v->outer = 1 + axis[line_scalar_on_face_b(i) ? 3 : 1];
        v->group = "raw";
        v->methods = NETCDF_CONTENT_SUM;
    }
}

struct section_scalars_room section_scalars_room(const struct section_scalars *q)
{
    if (q == NULL) return (struct section_scalars_room){0, 0};
    const int budgets = q->budgets > 0 ? SECTION_BUDGET_FIELDS : 0;
    return (struct section_scalars_room){q->count * (ST_FIELDS + ST_NUMBERS + LINE_T_COUNT + budgets),
                                         q->count * (2 * derived_each(q) + 2 * values_each(q))};
}

kol_status section_scalars_add(const struct section_scalars *q, const struct batch_means *average,
                               const int axis[4], struct netcdf_content *p)
{
    if (q == NULL) return KOL_OK;
    const ptrdiff_t derived = q->count * derived_each(q), sample = q->count * values_each(q);
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *mean = netcdf_content_numbers(p, sample), *sum = netcdf_content_numbers(p, sample);
    batch_means_mean(average, mean);
    batch_means_sum(average, sum);
    derive(q, mean, value);
    TRY(batch_means_errors(average, derive, q, (int)derived, error));
    for (int n = 0; n < q->count; ++n) {
        add_one(q, n, axis, p, value + n * derived_each(q), error + n * derived_each(q));
        add_sums(q, n, axis, p, sum + n * values_each(q));
    }
    return KOL_OK;
}

/* numbers: 1: of numbers; -1: of fields at centres; 0: of FIELD. */
static void print_rows(FILE *out, const struct entry *e, int count, int numbers)
{
    const struct section_fields s = {.along = X, .a = Y, .b = Z, .stream = X};
    for (int i = 0; i < count; ++i) {
        const struct words w = words_of(&s, "T", "own", &e[i], "");
        fprintf(out, "| `%s` | %s | %s | %s |\n", w.name,
                numbers > 0    ? ""
                : numbers < 0  ? "`z`, `y`"
                : on_face_a(i) ? "`z`, `y_face`"
                : on_face_b(i) ? "`z_face`, `y`"
                               : "`z`, `y`",
                w.unit, w.words + strlen("T: "));
    }
}

void section_scalars_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    print_rows(out, FIELD, ST_FIELDS, 0);
    print_rows(out, NUMBER, ST_NUMBERS, 1);
    fputs("\nWith `scalar_budgets` also:\n\n| variable | over | unit | what |\n| --- | --- | --- | --- |\n",
          out);
    const struct section_turn turn = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}; /* any */
    for (int i = 0; i < SECTION_BUDGET_FIELDS; ++i)
        if (section_budgets_there(i, 1, 1, turn)) print_rows(out, &BUDGETS[i], 1, -1);
}
