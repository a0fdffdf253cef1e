/* Makes the content of spectra.nc of a flow between walls. */
#include "wall_spectra.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "inputs/scalars.h"

/* Number of derived values: spectra of fluctuations and correlations, [pair or
 * square][direction][height][wave]. There are as many in wall units. */
static ptrdiff_t spectrum_values(const struct wall_spectra_plan *p, int pairs)
{
    return (ptrdiff_t)pairs * p->count * (p->waves[0] + p->waves[1]);
}

static ptrdiff_t derived_values(const struct wall_spectra_plan *p)
{
    return spectrum_values(p, p->pairs) + spectrum_values(p, wall_spectra_squares(p));
}

/* Place of the correlations of square number n along a direction. They are in the order of the spectra. */
static ptrdiff_t correlation_first(const struct wall_spectra_plan *p, int n, int s)
{
    return wall_spectra_first(p, n, s);
}

/* Correlations R(r) of all squares and heights along a direction: the sum over waves of the spectrum times
 * cos(k r). All squares and heights use the same cosines, so the outer loop is over waves. */
static void correlate(const struct wall_spectra_plan *p, int s, const double *from, double *to)
{
    const int n = p->n[s], waves = p->waves[s];
    for (int m = 0; m < waves; ++m) {
        for (int j = 0; j < waves; ++j) p->row[j] = p->step[s] * p->cosine[s][(long long)m * j % n];
        for (int q = 0; q < wall_spectra_squares(p); ++q) {
            const double *spectra = from + wall_spectra_first(p, wall_spectra_square(q), s);
            for (int h = 0; h < p->count; ++h) {
                const double e = spectra[(ptrdiff_t)h * waves + m];
                double *KOL_RESTRICT r = to + correlation_first(p, q, s) + (ptrdiff_t)h * waves;
                for (int j = 0; j < waves; ++j) r[j] += e * p->row[j];
            }
        }
    }
}

/* A function of type batch_means_derive. Wave 0 holds the product of the means over planes and time, which is
 * no fluctuation and is subtracted. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct wall_spectra_plan *p = context;
    memcpy(out, mean, (size_t)wall_spectra_size(p) * sizeof *out);
    for (int pair = 0; pair < p->pairs; ++pair) {
        const double *f = mean + wall_spectra_first_mean(p, pair, 0),
                     *g = mean + wall_spectra_first_mean(p, pair, 1);
        for (int s = 0; s < 2; ++s) {
            double *spectrum = out + wall_spectra_first(p, pair, s);
            for (int h = 0; h < p->count; ++h)
                spectrum[(ptrdiff_t)h * p->waves[s]] -= f[h] * g[h] / p->step[s];
        }
    }
    double *correlation = out + wall_spectra_size(p);
    memset(correlation, 0, (size_t)spectrum_values(p, wall_spectra_squares(p)) * sizeof *correlation);
    for (int s = 0; s < 2; ++s) correlate(p, s, out, correlation);
}

/* --- words --- */

/* Patterns of profiles_name(). velocity: power of u_tau in the square. */
static const struct {
    const char *pair, *words, *unit, *square;
    int velocity;
} WORDS[HEIGHT_PAIRS] = {{"%A%A", "the velocity along %1", "U2 L", "U2", 2},
                         {"%B%B", "the velocity along %2", "U2 L", "U2", 2},
                         {"pp", "the pressure over density", "U4 L", "U4", 4},
                         {"%N%N", "the velocity along %3", "U2 L", "U2", 2},
                         {"%A%N", "the velocities along %1 and %3", "U2 L", "U2", 2},
                         {"%B%N", "the velocities along %2 and %3", "U2 L", "U2", 2}};
static const struct netcdf_content_entry FACTOR[HEIGHT_PAIRS][2] = {
    {{"^A", "%A", "U"}, {NULL, NULL, NULL}},
    {{"^B", "%B", "U"}, {NULL, NULL, NULL}},
    {{"P", "p", "U2"}, {NULL, NULL, NULL}},
    {{"^N", "%N", "U"}, {NULL, NULL, NULL}},
    {{"^A_face", "%A on the face", "U"}, {"^N_at_%A", "%N at points of %A", "U"}},
    {{"^B_face", "%B on the face", "U"}, {"^N_at_%B", "%N at points of %B", "U"}}};

/* Of a scalar T: %s is its name, which stands before a component of the velocity. */
static const struct {
    const char *component, *words;
} SCALAR_WORDS[SCALAR_PAIRS] = {{NULL, "%s"},
                                {"%A", "%s and the velocity along %1"},
                                {"%B", "%s and the velocity along %2"},
                                {"%N", "%s and the velocity along %3"}};

struct words {
    char name[NETCDF_CONTENT_NAME], words[NETCDF_CONTENT_WORDS], unit[NETCDF_CONTENT_NAME];
};

static void scalar_words(const struct wall_profiles *w, const struct wall_spectra_plan *q, int correlation,
                         int pair, int direction, struct words *out)
{
    const int n = (pair - HEIGHT_PAIRS) / SCALAR_PAIRS, of = (pair - HEIGHT_PAIRS) % SCALAR_PAIRS;
    const char axis = "xyz"[direction == 0 ? w->a : w->b];
    char second[SCALAR_NAME + 1], pattern[SCALAR_NAME + 64], with[64] = "";
    snprintf(second, sizeof second, "%.*s", SCALAR_NAME, q->name[n]);
    if (of != PAIR_TT) {
        profiles_name(w, SCALAR_WORDS[of].component, second, sizeof second);
        profiles_name(w, SCALAR_WORDS[of].words + strlen("%s"), with, sizeof with);
    }
    snprintf(pattern, sizeof pattern, "%.*s%s", SCALAR_NAME, q->name[n], with);
    snprintf(out->name, sizeof out->name, "%c_%.*s_%s_%c", correlation ? 'R' : 'E', SCALAR_NAME, q->name[n],
             second, axis);
    if (correlation)
        snprintf(out->words, sizeof out->words, "two-point correlation of %s along %c", pattern, axis);
    else
        snprintf(out->words, sizeof out->words, "%s of %s by wavenumber along %c",
                 of == PAIR_TT ? "variance" : "co-spectrum", pattern, axis);
    const char *rest = of == PAIR_TT ? (correlation ? "" : "L") : correlation ? "U" : "U L";
    scalar_unit(q->unit[n], of == PAIR_TT ? 2 : 1, rest, out->unit, sizeof out->unit);
}

static struct words words_of(const struct wall_profiles *w, const struct wall_spectra_plan *q,
                             int correlation, int pair, int direction)
{
    struct words out;
    char name[16], of[64];
    const char axis = "xyz"[direction == 0 ? w->a : w->b];
    if (pair >= HEIGHT_PAIRS) {
        scalar_words(w, q, correlation, pair, direction, &out);
        return out;
    }
    profiles_name(w, WORDS[pair].pair, name, sizeof name);
    profiles_name(w, WORDS[pair].words, of, sizeof of);
    snprintf(out.name, sizeof out.name, "%c_%s_%c", correlation ? 'R' : 'E', name, axis);
    snprintf(out.unit, sizeof out.unit, "%s", correlation ? WORDS[pair].square : WORDS[pair].unit);
    if (correlation) snprintf(out.words, sizeof out.words, "two-point correlation of %s along %c", of, axis);
    else
        snprintf(out.words, sizeof out.words, "%s of %s by wavenumber along %c",
                 pair < HEIGHT_SQUARES ? "twice the energy" : "co-spectrum", of, axis);
    return out;
}

/* --- the file --- */

enum { AXIS_HEIGHT, AXIS_WAVES, AXIS_DISTANCES = AXIS_WAVES + 2, AXES = AXIS_DISTANCES + 2 };
/* Number of variables: in own and in wall units; raw sums; coordinates of heights, waves and distances;
 * numbers. */
enum { PLACES = 8 };

static int variables_of(const struct wall_spectra_plan *q)
{
    const int spectra = 2 * q->pairs, correlations = 2 * wall_spectra_squares(q), means = 2 * q->pairs;
    return 2 * (spectra + correlations) + spectra + means + PLACES + NETCDF_CONTENT_SAMPLES + 2;
}

static void add_axes(struct netcdf_content *p, const struct wall_spectra_plan *q)
{
    static const char *const WAVE[3] = {"kx", "ky", "kz"}, *const DISTANCE[3] = {"rx", "ry", "rz"};
    double *height = netcdf_content_numbers(p, q->count);
    memcpy(height, q->asked, (size_t)q->count * sizeof *height);
    netcdf_content_axis(p, (struct stats_axis){"height", "distance from the lower wall that was asked for",
                                               "L", q->count, height, NULL, "level"});
    for (int distance = 0; distance < 2; ++distance) {
        for (int s = 0; s < 2; ++s) {
            double *at = netcdf_content_numbers(p, q->waves[s]);
            for (int m = 0; m < q->waves[s]; ++m) at[m] = m * (distance ? q->h[s] : q->step[s]);
            netcdf_content_axis(p, (struct stats_axis){(distance ? DISTANCE : WAVE)[q->dir[s]],
                                                       distance ? "distance of the two points"
                                                                : "wavenumber along the direction",
                                                       distance ? "L" : "L-1", q->waves[s], at, NULL, NULL});
        }
    }
}

/* Adds the coordinates of the planes, and wavenumbers, distances and heights in wall units. */
static void add_places(struct netcdf_content *p, const struct wall_spectra_plan *q,
                       const struct wall_profiles *w, double length)
{
    const char letter[2] = {"xyz"[q->normal], '\0'};
    double *centre = netcdf_content_numbers(p, q->count), *face = netcdf_content_numbers(p, q->count),
           *centre_plus = netcdf_content_numbers(p, q->count),
           *face_plus = netcdf_content_numbers(p, q->count);
    for (int h = 0; h < q->count; ++h) {
        centre[h] = w->centre[q->centre[h]];
        face[h] = w->face[q->face[h]];
        centre_plus[h] = (centre[h] - w->low) / length;
        face_plus[h] = (face[h] - w->low) / length;
    }
    netcdf_content_add(p,
                       (struct netcdf_content_entry){letter, "coordinate of the plane of cell centres", "L"},
                       "", AXIS_HEIGHT, centre);
    netcdf_content_add(p, (struct netcdf_content_entry){letter, "coordinate of the plane of faces", "L"},
                       "_face", AXIS_HEIGHT, face);
    netcdf_content_add(p,
                       (struct netcdf_content_entry){
                           "height", "distance of the plane of cell centres from the lower wall", "1"},
                       "_plus", AXIS_HEIGHT, centre_plus);
    netcdf_content_add(p,
                       (struct netcdf_content_entry){
                           "height_face", "distance of the plane of faces from the lower wall", "1"},
                       "_plus", AXIS_HEIGHT, face_plus);
    for (int a = AXIS_WAVES; a < AXES; ++a) {
        const struct stats_axis *axis = &p->axis[a];
        double *plus = netcdf_content_numbers(p, axis->n);
        for (int m = 0; m < axis->n; ++m)
            plus[m] = a < AXIS_DISTANCES ? axis->value[m] * length : axis->value[m] / length;
        netcdf_content_add(p, (struct netcdf_content_entry){axis->name, axis->long_name, "1"}, "_plus", a,
                           plus);
    }
}

static struct stats_variable *over_heights(struct stats_variable *v)
{
    v->outer = 1 + AXIS_HEIGHT;
    return v;
}

/* Adds one variable with its error. The unit is copied. */
static void put(struct netcdf_content *p, const struct words *words, int axis, const double *value,
                const double *error, const char *name_end, const char *methods)
{
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", words->unit);
    struct stats_variable *v = over_heights(netcdf_content_add(
        p, (struct netcdf_content_entry){words->name, words->words, unit}, name_end, axis, value));
    v->error = error;
    v->methods = methods;
    if (error == NULL) v->group = "raw";
}

/* Adds the variable in wall units, which is the value over scale. */
static void put_plus(struct netcdf_content *p, struct words words, int axis, ptrdiff_t n, const double *value,
                     const double *error, double scale)
{
    double *plus = netcdf_content_numbers(p, n), *plus_error = netcdf_content_numbers(p, n);
    for (ptrdiff_t i = 0; i < n; ++i) {
        plus[i] = value[i] / scale;
        plus_error[i] = error[i] / scale;
    }
    snprintf(words.unit, sizeof words.unit, "1");
    put(p, &words, axis, plus, plus_error, "_plus", NETCDF_CONTENT_MEAN);
}

static void add_derived(struct netcdf_content *p, const struct wall_spectra_plan *q,
                        const struct wall_profiles *w, double u_tau, const double *value, const double *error)
{
    const int spectra = 2 * q->pairs, all = spectra + 2 * wall_spectra_squares(q);
    for (int n = 0; n < all; ++n) {
        const int correlation = n >= spectra,
                  pair = correlation ? wall_spectra_square((n - spectra) / 2) : n / 2, s = n % 2,
                  axis = s + (correlation ? AXIS_DISTANCES : AXIS_WAVES);
        const struct words words = words_of(w, q, correlation, pair, s);
        const ptrdiff_t count = (ptrdiff_t)q->count * q->waves[s];
        put(p, &words, axis, value, error, "", NETCDF_CONTENT_MEAN);
        if (pair < HEIGHT_PAIRS) {
            const double square = pow(u_tau, WORDS[pair].velocity);
            put_plus(p, words, axis, count, value, error, correlation ? square : square * w->nu / u_tau);
        }
        value += count;
        error += count;
    }
}

/* Adds the sums of a factor of a pair of planes. That of a scalar's square is its mean at centres. The means
 * of the velocity in pairs with a scalar are those of other pairs. */
static void add_mean(struct netcdf_content *p, const struct wall_spectra_plan *q,
                     const struct wall_profiles *w, int pair, int factor, const double *sum)
{
    static const char *const PLACE[SCALAR_PAIRS] = {"", "_at_%A", "_at_%B", "_face"},
                             *const WHERE[SCALAR_PAIRS] = {"", " at points of %A", " at points of %B",
                                                           " on the face"};
    struct words words;
    if (pair < HEIGHT_PAIRS) {
        const struct netcdf_content_entry *e = &FACTOR[pair][factor];
        if (e->name == NULL) return;
        profiles_name(w, e->name, words.name, sizeof words.name);
        profiles_name(w, e->long_name, words.words, sizeof words.words);
        snprintf(words.unit, sizeof words.unit, "%s", e->unit);
    } else {
        const int n = (pair - HEIGHT_PAIRS) / SCALAR_PAIRS, of = (pair - HEIGHT_PAIRS) % SCALAR_PAIRS;
        char place[16], where[32];
        if (factor == 1) return;
        profiles_name(w, PLACE[of], place, sizeof place);
        profiles_name(w, WHERE[of], where, sizeof where);
        snprintf(words.name, sizeof words.name, "%.*s%s", SCALAR_NAME, q->name[n], place);
        snprintf(words.words, sizeof words.words, "%.*s%s", SCALAR_NAME, q->name[n], where);
        snprintf(words.unit, sizeof words.unit, "%.40s", q->unit[n]);
    }
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", words.unit);
    struct stats_variable *v =
        netcdf_content_add(p, (struct netcdf_content_entry){words.name, words.words, unit}, "_sum",
                           AXIS_HEIGHT, sum + wall_spectra_first_mean(q, pair, factor));
    v->group = "raw";
    v->methods = NETCDF_CONTENT_SUM;
}

static void add_raw(struct netcdf_content *p, const struct wall_spectra_plan *q,
                    const struct wall_profiles *w, const double *sum)
{
    for (int n = 0; n < 2 * q->pairs; ++n) {
        const struct words words = words_of(w, q, 0, n / 2, n % 2);
        put(p, &words, n % 2 + AXIS_WAVES, sum + wall_spectra_first(q, n / 2, n % 2), NULL, "_sum",
            NETCDF_CONTENT_SUM);
    }
    for (int n = 0; n < 2 * q->pairs; ++n) add_mean(p, q, w, n / 2, n % 2, sum);
}

static void add_words(struct netcdf_content *p, const struct wall_profiles *w)
{
    static const char *const LETTER[3] = {"x", "y", "z"};
    netcdf_content_text(p, "title",
                        "spectra and two-point correlations at heights between walls, averaged over time");
    netcdf_content_text(p, "wall_normal_direction", LETTER[w->normal]);
    netcdf_content_text(p, "streamwise_direction", LETTER[w->stream ? w->b : w->a]);
    netcdf_content_text(
        p, "scaling",
        "_plus: in units of u_tau and nu of this run, u_tau of statistics.nc; _error: standard error, from "
        "batch means, u_tau held");
}

kol_status wall_spectra_netcdf(const struct wall_spectra *h, const struct wall_profiles *w,
                               const struct batch_means *average, double u_tau, struct netcdf_content **out)
{
    static const struct netcdf_content_entry NU = {"nu", "kinematic viscosity", "U L"},
                                             U_TAU = {"u_tau", "friction velocity of statistics.nc", "U"};
    const struct wall_spectra_plan *q = wall_spectra_planned(h);
    const ptrdiff_t derived = derived_values(q), sample = wall_spectra_values(h),
                    waves = q->waves[0] + q->waves[1];
    TRY(netcdf_content_create(
        NULL, variables_of(q),
        4 * derived + 2 * sample + 5 * q->count + 4 * waves + NETCDF_CONTENT_SAMPLES + 2, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *sum = netcdf_content_numbers(p, sample), *mean = netcdf_content_numbers(p, sample);
    batch_means_mean(average, mean);
    batch_means_sum(average, sum);
    derive(q, mean, value);
    TRY(batch_means_errors(average, derive, q, (int)derived, error));
    add_axes(p, q);
    add_words(p, w);
    add_places(p, q, w, w->nu / u_tau);
    add_derived(p, q, w, u_tau, value, error);
    add_raw(p, q, w, sum);
    netcdf_content_samples(p, average);
    netcdf_content_number(p, NU, w->nu);
    netcdf_content_number(p, U_TAU, u_tau);
    return KOL_OK;
}

/* Prints the pairs of a plan from `first` on. */
static void print_pairs(FILE *out, const struct wall_spectra_plan *q, int first, const char *plus)
{
    const struct wall_profiles w = {.a = X, .b = Y, .normal = Z};
    for (int correlation = 0; correlation < 2; ++correlation) {
        for (int n = 2 * first; n < 2 * q->pairs; ++n) {
            const struct words words = words_of(&w, q, correlation, n / 2, n % 2);
            if (correlation && !wall_spectra_is_square(n / 2)) continue;
            fprintf(out, "| `%s`%s | `height`, `%c%c` | %s | %s |\n", words.name, plus,
                    correlation ? 'r' : 'k', "xy"[n % 2], words.unit, words.words);
        }
    }
}

void wall_spectra_print(FILE *out)
{
    const struct wall_spectra_plan flow = {.pairs = HEIGHT_PAIRS};
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    print_pairs(out, &flow, 0, ", `_plus`");
    fputs("| `z`, `z_face` | `height` | L | coordinates of the planes of centres and of faces |\n"
          "| `height_plus`, `height_face_plus` | `height` | 1 | their distances from the lower wall |\n"
          "| `kx_plus`, `ky_plus`, `rx_plus`, `ry_plus` | themselves | 1 | wavenumbers and distances |\n"
          "| `u_tau`, `nu` |  | U, U L | of the wall units |\n",
          out);
}

void wall_spectra_print_scalars(FILE *out)
{
    const struct wall_spectra_plan one = {
        .pairs = HEIGHT_PAIRS + SCALAR_PAIRS, .scalars = 1, .name = {"T"}, .unit = {"own"}};
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    print_pairs(out, &one, HEIGHT_PAIRS, "");
}
