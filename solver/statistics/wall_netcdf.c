/* Makes the content of statistics.nc of a flow between walls. */
#include "wall_netcdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "wall_scalars.h"

/* Number of variables and numbers besides profiles, scalars and raw sums: those of netcdf_content_samples,
 * nu, delta, holes, and two distances for each axis. */
enum { OTHERS = NETCDF_CONTENT_SAMPLES + 2 + QUADRANT_HOLES, DISTANCES = 2 * WALL_AXES };

struct stats_variable *wall_netcdf_add(struct netcdf_content *p, const struct wall_profiles *w,
                                       const struct profile_entry *e, const char *suffix, int axis,
                                       const double *value)
{
    char name[NETCDF_CONTENT_NAME - 16], words[NETCDF_CONTENT_WORDS];
    profiles_name(w, e->name, name, sizeof name);
    profiles_name(w, e->long_name, words, sizeof words);
    const struct netcdf_content_entry entry = {name, words, suffix[0] != '\0' ? "1" : e->unit};
    return netcdf_content_add(p, entry, suffix, axis, value);
}

/* Friction is written if there are no-slip walls, the stress of a side if it is a wall. */
int wall_netcdf_has(const struct wall_profiles *w, int scalar)
{
    for (int side = 0; side < 2; ++side)
        if (w->open[side] &&
            (scalar == SCALAR_STRESS_LOW + side || scalar == SCALAR_STRESS_RMS + side ||
             scalar == SCALAR_STRESS_ACROSS + side || scalar == SCALAR_STRESS_SKEWNESS + side))
            return 0;
    return profiles_walled(w) ||
           !(scalar == SCALAR_U_TAU || scalar == SCALAR_RE_TAU || scalar == SCALAR_FRICTION);
}

static void add_profiles(struct netcdf_content *p, const struct wall_profiles *w, const double *value,
                         const double *error)
{
    for (int n = 0; n < PROFILES; ++n) {
        const int axis = n < PROFILE_CENTRES ? WALL_CENTRES : WALL_FACES;
        if (!profile_is_there(w, n)) continue;
        for (int plus = 0; plus < 2; ++plus) {
            const ptrdiff_t at = (ptrdiff_t)(n + plus * PROFILES) * w->levels;
            const struct profile_entry *e = &profile_table[n];
            if (plus && (!profiles_walled(w) || (e->velocity == 0 && e->length == 0)))
                continue; /* no wall units, or a pure number */
            struct stats_variable *v = wall_netcdf_add(p, w, e, plus ? "_plus" : "", axis, value + at);
            v->error = error + at;
            v->methods = NETCDF_CONTENT_MEAN;
        }
    }
    for (int n = 0; n < SCALARS; ++n) {
        const ptrdiff_t at = 2 * (ptrdiff_t)PROFILES * w->levels + n;
        if (wall_netcdf_has(w, n))
            wall_netcdf_add(p, w, &profile_scalars[n], "", -1, value + at)->error = error + at;
    }
}

static void add_sums(struct netcdf_content *p, const struct wall_profiles *w,
                     const struct profile_entry *entry, int count, int centres, const double *sum)
{
    for (int n = 0; n < count; ++n) {
        struct stats_variable *v = wall_netcdf_add(
            p, w, &entry[n], "", n < centres ? WALL_CENTRES : WALL_FACES, sum + (ptrdiff_t)n * w->levels);
        v->group = "raw";
        v->methods = NETCDF_CONTENT_SUM;
    }
}

struct stats_variable *wall_netcdf_add_scalar(struct netcdf_content *p, const struct wall_profiles *w, int n,
                                              const struct wall_scalar_entry *e, const char *before, int axis,
                                              const double *value)
{
    struct wall_scalar_words words;
    wall_scalar_words(w, n, e, before, &words);
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", words.unit);
    return netcdf_content_add(p, (struct netcdf_content_entry){words.name, words.words, unit}, "", axis,
                              value);
}

static void add_scalar(struct netcdf_content *p, const struct wall_profiles *w, int n, const double *value,
                       const double *error)
{
    for (int i = 0; i < WS_PROFILES; ++i) {
        const ptrdiff_t at = wall_scalars_place(w, n) + (ptrdiff_t)i * w->levels;
        if (!wall_scalar_has(w, n, i)) continue;
        struct stats_variable *v = wall_netcdf_add_scalar(
            p, w, n, &wall_scalar_profiles[i], "", i < WS_CENTRES ? WALL_CENTRES : WALL_FACES, value + at);
        v->error = error + at;
        v->methods = NETCDF_CONTENT_MEAN;
    }
    for (int i = 0; i < WS_NUMBERS; ++i) {
        const ptrdiff_t at = wall_scalars_place(w, n) + (ptrdiff_t)WS_PROFILES * w->levels + i;
        if (wall_scalar_has_number(w, n, i))
            wall_netcdf_add_scalar(p, w, n, &wall_scalar_numbers[i], "", -1, value + at)->error = error + at;
    }
}

static void add_scalar_sums(struct netcdf_content *p, const struct wall_profiles *w, int n, const double *sum)
{
    const double *own = sum + profiles_scalar(w, n);
    for (int i = 0; i < profiles_scalar_sums(w); ++i) {
        const int j = i - THETA_COUNT, centres = j < 0 ? i < THETA_CENTRES : j < FLUXES_CENTRES;
        struct stats_variable *v =
            wall_netcdf_add_scalar(p, w, n, j < 0 ? &wall_scalar_means[i] : &wall_scalar_fluxes[j], "sum_",
                                   centres ? WALL_CENTRES : WALL_FACES, own + (ptrdiff_t)i * w->levels);
        v->group = "raw";
        v->methods = NETCDF_CONTENT_SUM;
    }
}

static void add_scalars(struct netcdf_content *p, const struct wall_profiles *w, const double *value,
                        const double *error, const double *sum)
{
    for (int n = 0; n < w->scalars.count; ++n) {
        add_scalar(p, w, n, value, error);
        add_scalar_sums(p, w, n, sum);
    }
    for (int i = 0; i < BUOYANCY_PROFILES && w->scalars.count > 0; ++i) {
        const ptrdiff_t at = wall_scalars_place(w, w->scalars.count) + (ptrdiff_t)i * w->levels;
        if (!wall_buoyancy_has(w, i)) continue;
        struct stats_variable *v = wall_netcdf_add(
            p, w, &wall_buoyancy[i], "", i < BUOYANCY_CENTRES ? WALL_CENTRES : WALL_FACES, value + at);
        v->error = error + at;
        v->methods = NETCDF_CONTENT_MEAN;
    }
}

/* Number of variables of a scalar. */
enum { OF_SCALAR = WS_PROFILES + WS_NUMBERS + THETA_COUNT + FLUXES_COUNT };

/* Distance from the nearer no-slip wall; if the other wall is a slip wall, from the only one. */
static double wall_distance(const struct wall_profiles *w, double at)
{
    const double low = at - w->low, high = w->low + w->height - at;
    return !w->rough[0] && w->rough[1] ? high : !w->rough[1] ? low : fmin(low, high);
}

static void add_distance(struct netcdf_content *p, const struct wall_profiles *w, int axis, double u_tau)
{
    static const struct profile_entry WORDS[WALL_AXES] = {
        {"wall_distance", "distance of the centre from the nearer no-slip wall", "L", 0, 1},
        {"wall_distance_face", "distance of the face from the nearer no-slip wall", "L", 0, 1}};
    const int n = axis == WALL_CENTRES ? w->cells : w->levels;
    const double *at = axis == WALL_CENTRES ? w->centre : w->face;
    double *here = netcdf_content_numbers(p, n), *plus = netcdf_content_numbers(p, n);
    for (int k = 0; k < n; ++k) {
        here[k] = wall_distance(w, at[k]);
        plus[k] = here[k] * u_tau / w->nu;
    }
    wall_netcdf_add(p, w, &WORDS[axis], "", axis, here);
    wall_netcdf_add(p, w, &WORDS[axis], "_plus", axis, plus);
}

void wall_netcdf_frame(struct netcdf_content *p, const struct wall_profiles *w, const char *title)
{
    static const char *const LETTER[3] = {"x", "y", "z"}, *const FACE[3] = {"x_face", "y_face", "z_face"};
    netcdf_content_axis(p, (struct stats_axis){LETTER[w->normal],
                                               "cell centres in the direction normal to the walls", "L",
                                               w->cells, w->centre, w->face, NULL});
    netcdf_content_axis(p, (struct stats_axis){FACE[w->normal],
                                               "cell faces in the direction normal to the walls", "L",
                                               w->levels, w->face, NULL, NULL});
    netcdf_content_text(p, "title", title);
    netcdf_content_text(p, profiles_walled(w) ? "wall_normal_direction" : "normal_direction",
                        LETTER[w->normal]);
    netcdf_content_text(p, "streamwise_direction", LETTER[w->across ? w->normal : w->stream ? w->b : w->a]);
}

/* Says why a scalar that makes buoyancy between two values has no Nusselt number by dissipation of energy. */
static void add_reason(struct netcdf_content *p, const struct wall_profiles *w)
{
    for (int n = 0; n < w->scalars.count; ++n) {
        const struct wall_scalar *s = &w->scalars.of[n];
        const int lifts = s->lift[0] != 0 || s->lift[1] != 0 || s->lift[2] != 0;
        if (!lifts || s->drop == 0 || w->open[0] || w->open[1] || wall_scalar_has_number(w, n, WS_NU_ENERGY))
            continue;
        netcdf_content_text(
            p, "nusselt_energy_left_out",
            w->scalars.stream ? "buoyancy is not all that drives the flow, so that its dissipation does not "
                                "tell the flux of a scalar"
                              : "gravity is not normal to the walls, so that the dissipation of kinetic "
                                "energy does not tell the flux of a scalar between them");
        return;
    }
}

static void add_frame(struct netcdf_content *p, const struct wall_profiles *w)
{
    wall_netcdf_frame(p, w,
                      profiles_walled(w)
                          ? "profiles between walls, averaged over planes parallel to them and over time"
                          : "profiles, averaged over planes and over time");
    netcdf_content_text(
        p, "scaling",
        "_plus: in units of u_tau and nu of this run; _error: standard error, from batch means");
    add_reason(p, w);
}

static void add_holes(struct netcdf_content *p, const struct wall_profiles *w)
{
    static const struct netcdf_content_entry HOLE[QUADRANT_HOLES] = {
        {NULL, NULL, NULL},
        {"quadrant_hole_1", "size of the hole number 1, over the magnitude of the stress of the plane", "1"},
        {"quadrant_hole_2", "size of the hole number 2", "1"},
        {"quadrant_hole_3", "size of the hole number 3", "1"}};
    for (int h = 1; h < QUADRANT_HOLES && w->quadrants && w->hole[h] >= 0; ++h)
        netcdf_content_number(p, HOLE[h], w->hole[h]);
}

kol_status wall_netcdf(const struct wall_profiles *w, const struct batch_means *b,
                       struct netcdf_content **out)
{
    static const struct netcdf_content_entry
        NU = {"nu", "kinematic viscosity", "U L"},
        DELTA = {"delta", "half the distance of two no-slip walls, all of it beside one", "L"};
    const ptrdiff_t values = profiles_values(w), sample = profiles_sample(w);
    TRY(netcdf_content_create(NULL,
                              2 * PROFILES + SCALARS + AVG_COUNT + STRESS_COUNT + QUADRANT_SUMS + OTHERS +
                                  DISTANCES + w->scalars.count * OF_SCALAR + BUOYANCY_PROFILES,
                              2 * values + 2 * sample + DISTANCES * (ptrdiff_t)w->levels + OTHERS, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, values), *error = netcdf_content_numbers(p, values),
           *sum = netcdf_content_numbers(p, sample), *mean = netcdf_content_numbers(p, sample);
    batch_means_mean(b, mean);
    batch_means_sum(b, sum);
    profiles_derive(w, mean, value);
    TRY(batch_means_errors(b, profiles_derive, w, (int)values, error));
    add_frame(p, w);
    add_profiles(p, w, value, error);
    add_sums(p, w, profile_sums, AVG_COUNT, AVG_CENTRES, sum);
    if (w->stresses)
        add_sums(p, w, profile_stress_sums, STRESS_COUNT, STRESS_CENTRES,
                 sum + (ptrdiff_t)AVG_COUNT * w->levels);
    for (int h = 0; h < QUADRANT_HOLES && w->quadrants && w->hole[h] >= 0; ++h)
        add_sums(p, w, profile_quadrant_sums + 2 * QUADRANTS * h, 2 * QUADRANTS, 0,
                 sum + profiles_quadrants(w) + (ptrdiff_t)(2 * QUADRANTS * h) * w->levels);
    add_scalars(p, w, value, error, sum);
    netcdf_content_samples(p, b);
    netcdf_content_number(p, NU, w->nu);
    add_holes(p, w);
    if (!profiles_walled(w)) return KOL_OK;
    netcdf_content_number(p, DELTA, w->delta);
    const double u_tau = value[2 * (ptrdiff_t)PROFILES * w->levels + SCALAR_U_TAU];
    add_distance(p, w, WALL_CENTRES, u_tau);
    add_distance(p, w, WALL_FACES, u_tau);
    return KOL_OK;
}

kol_status wall_netcdf_friction(const struct wall_profiles *w, const struct batch_means *b, double *u_tau)
{
    const ptrdiff_t sample = profiles_sample(w);
    *u_tau = NAN;
    if (batch_means_samples(b) == 0) return KOL_OK;
    double *mean = malloc((size_t)(sample + profiles_values(w)) * sizeof *mean);
    if (mean == NULL) RAISE(KOL_ERR_MEMORY, "no memory to write spectra");
    batch_means_mean(b, mean);
    profiles_derive(w, mean, mean + sample);
    *u_tau = mean[sample + 2 * (ptrdiff_t)PROFILES * w->levels + SCALAR_U_TAU];
    free(mean);
    return KOL_OK;
}
