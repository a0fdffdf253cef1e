/* Makes the content of phases.nc. */
#include "phase_netcdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "wall_netcdf.h"
#include "wall_scalars.h"

enum { AXIS_PHASE = WALL_AXES };
/* Number of variables besides profiles and scalars: those of netcdf_content_samples, the time of each phase,
 * the frequency, nu and delta. */
enum { OTHERS = NETCDF_CONTENT_SAMPLES + 4 };

static ptrdiff_t block_of(const struct phase_profiles *p)
{
    return phase_profiles_block(p->wall.levels, p->wall.scalars.count);
}

/* Number of profiles and of numbers of transported scalars. */
static int transported_profiles(const struct phase_profiles *p)
{
    return p->wall.scalars.count > 0 ? p->wall.scalars.count * WS_PROFILES + BUOYANCY_PROFILES : 0;
}

static int transported_numbers(const struct phase_profiles *p)
{
    return p->wall.scalars.count * WS_NUMBERS;
}

static kol_status create(struct memory *memory, const struct phase_profiles *p, struct netcdf_content **out)
{
    const int profiles = PROFILES + transported_profiles(p), numbers = SCALARS + transported_numbers(p);
    const ptrdiff_t each = 2 * ((ptrdiff_t)profiles * p->wall.levels + numbers) + 3;
    return netcdf_content_create(memory, profiles + numbers + OTHERS, p->phases * each + OTHERS + 1, out);
}

/* table: what profiles_derive() makes of each phase, and its errors, one phase after the other. */
struct table {
    const struct phase_profiles *p;
    ptrdiff_t values;
    double *value, *error;
};

/* Takes the memory of a table. */
static kol_status take_table(struct memory *memory, const struct phase_profiles *p, struct table *t)
{
    const ptrdiff_t values = profiles_values(&p->wall);
    *t = (struct table){.p = p, .values = values};
    TRY(memory_plain(memory, 2 * (size_t)(p->phases * values) * sizeof *t->value, (void **)&t->value));
    if (!memory_counts(memory)) t->error = t->value + p->phases * values;
    return KOL_OK;
}

/* Takes the memory in which a table is made: the means, and the room of find_errors(). */
static kol_status take_room(struct memory *memory, const struct table *t, int batches, double **mean,
                            double **room)
{
    const ptrdiff_t block = block_of(t->p), each = block + t->values;
    TRY(memory_plain(memory, (size_t)(t->p->phases * block) * sizeof **mean, (void **)mean));
    return memory_plain(memory, (size_t)((batches + 1) * each) * sizeof **room, (void **)room);
}

kol_status phase_netcdf_count(struct memory *memory, const struct phase_profiles *p, int most)
{
    struct netcdf_content *content = NULL;
    struct table t;
    double *mean, *room;
    const kol_status st = create(memory, p, &content);
    netcdf_content_destroy(&content);
    TRY(st);
    TRY(take_table(memory, p, &t));
    return take_room(memory, &t, most, &mean, &room);
}

/* Errors of the numbers of one phase. room: for the means and numbers without each of the batches, and with
 * all of them. */
static void find_errors(const struct table *t, const struct batch_means *b, int phase, double *room)
{
    const ptrdiff_t block = block_of(t->p);
    const int batches = batch_means_count(b);
    double *quantity = room + (batches + 1) * block;
    batch_means_means_without(b, phase * block, block, block, room);
    for (int m = 0; m <= batches; ++m)
        phase_profiles_derive(t->p, room + m * block, quantity + m * t->values);
    batch_means_errors_of(b, t->values, quantity, t->values, t->error + phase * t->values);
}

static kol_status find_all(const struct table *t, const struct batch_means *b)
{
    const ptrdiff_t block = block_of(t->p);
    const int batches = batch_means_count(b);
    double *mean = NULL, *room = NULL;
    const kol_status st = take_room(NULL, t, batches, &mean, &room);
    if (st == KOL_OK) {
        batch_means_mean(b, mean);
        for (int n = 0; n < t->p->phases; ++n) {
            double *error = t->error + n * t->values;
            phase_profiles_derive(t->p, mean + n * block, t->value + n * t->values);
            for (ptrdiff_t i = 0; i < t->values; ++i) error[i] = NAN;
            if (batches >= BATCH_MEANS_LEAST) find_errors(t, b, n, room);
        }
    }
    free(mean);
    free(room);
    return st;
}

/* Copies `count` numbers of each phase, from number `first` on, in memory of the page. */
static double *copy_of(struct netcdf_content *page, const struct table *t, const double *from,
                       ptrdiff_t first, int count)
{
    double *to = netcdf_content_numbers(page, (ptrdiff_t)t->p->phases * count);
    for (int n = 0; n < t->p->phases; ++n)
        memcpy(to + (ptrdiff_t)n * count, from + n * t->values + first, (size_t)count * sizeof *to);
    return to;
}

static void add_profiles(struct netcdf_content *page, const struct table *t)
{
    const struct wall_profiles *w = &t->p->wall;
    for (int n = 0; n < PROFILES; ++n) {
        const int axis = n < PROFILE_CENTRES ? WALL_CENTRES : WALL_FACES,
                  count = axis == WALL_CENTRES ? w->cells : w->levels;
        if (!profile_is_there(w, n)) continue;
        struct stats_variable *v =
            wall_netcdf_add(page, w, &profile_table[n], "", axis,
                            copy_of(page, t, t->value, (ptrdiff_t)n * w->levels, count));
        v->error = copy_of(page, t, t->error, (ptrdiff_t)n * w->levels, count);
        v->outer = 1 + AXIS_PHASE;
        v->methods = NETCDF_CONTENT_MEAN;
    }
}

static void add_scalars(struct netcdf_content *page, const struct table *t)
{
    const struct wall_profiles *w = &t->p->wall;
    for (int n = 0; n < SCALAR_STRESS_SKEWNESS; ++n) { /* the skewness needs other sums */
        const ptrdiff_t first = 2 * (ptrdiff_t)PROFILES * w->levels + n;
        if (!wall_netcdf_has(w, n)) continue;
        struct stats_variable *v = wall_netcdf_add(page, w, &profile_scalars[n], "", AXIS_PHASE,
                                                   copy_of(page, t, t->value, first, 1));
        v->error = copy_of(page, t, t->error, first, 1);
    }
}

/* Gives a profile its values, which are from number `first` on, and their errors. */
static void put_profile(struct netcdf_content *page, const struct table *t, ptrdiff_t first,
                        struct stats_variable *v)
{
    const int count = v->axis == WALL_CENTRES ? t->p->wall.cells : t->p->wall.levels;
    v->value = copy_of(page, t, t->value, first, count);
    v->error = copy_of(page, t, t->error, first, count);
    v->outer = 1 + AXIS_PHASE;
    v->methods = NETCDF_CONTENT_MEAN;
}

/* Adds the profiles and numbers of transported scalar n. */
static void add_transported(struct netcdf_content *page, const struct table *t, int n)
{
    const struct wall_profiles *w = &t->p->wall;
    const ptrdiff_t first = wall_scalars_place(w, n);
    for (int i = 0; i < WS_PROFILES; ++i)
        if (wall_scalar_has(w, n, i))
            put_profile(page, t, first + (ptrdiff_t)i * w->levels,
                        wall_netcdf_add_scalar(page, w, n, &wall_scalar_profiles[i], "",
                                               i < WS_CENTRES ? WALL_CENTRES : WALL_FACES, NULL));
    for (int i = 0; i < WS_NUMBERS; ++i) {
        const ptrdiff_t at = first + (ptrdiff_t)WS_PROFILES * w->levels + i;
        if (wall_scalar_has_number(w, n, i))
            wall_netcdf_add_scalar(page, w, n, &wall_scalar_numbers[i], "", AXIS_PHASE,
                                   copy_of(page, t, t->value, at, 1))
                ->error = copy_of(page, t, t->error, at, 1);
    }
}

/* Adds the work of buoyancy in the budgets of the velocity. */
static void add_buoyancy(struct netcdf_content *page, const struct table *t)
{
    const struct wall_profiles *w = &t->p->wall;
    for (int i = 0; i < BUOYANCY_PROFILES && w->scalars.count > 0; ++i)
        if (wall_buoyancy_has(w, i))
            put_profile(page, t, wall_scalars_place(w, w->scalars.count) + (ptrdiff_t)i * w->levels,
                        wall_netcdf_add(page, w, &wall_buoyancy[i], "",
                                        i < BUOYANCY_CENTRES ? WALL_CENTRES : WALL_FACES, NULL));
}

static void add_phases(struct netcdf_content *page, const struct phase_profiles *p)
{
    double *centre = netcdf_content_numbers(page, p->phases),
           *end = netcdf_content_numbers(page, p->phases + 1);
    for (int n = 0; n <= p->phases; ++n) end[n] = 2 * PI * n / p->phases;
    for (int n = 0; n < p->phases; ++n) centre[n] = 2 * PI * (n + 0.5) / p->phases;
    netcdf_content_axis(page, (struct stats_axis){"phase",
                                                  "phase of the drive, whose oscillating part is "
                                                  "forcing.amplitude cos(phase)",
                                                  "rad", p->phases, centre, end, NULL});
}

static kol_status add_times(struct netcdf_content *page, const struct phase_profiles *p,
                            const struct batch_means *b)
{
    static const struct netcdf_content_entry TIME = {"phase_time",
                                                     "time that the samples of a phase stand for", "L/U"};
    const ptrdiff_t block = block_of(p);
    double *mean = malloc((size_t)batch_means_values(b) * sizeof *mean),
           *time = netcdf_content_numbers(page, p->phases);
    if (mean == NULL) RAISE(KOL_ERR_MEMORY, "no memory for times of %d phases", p->phases);
    batch_means_mean(b, mean);
    for (int n = 0; n < p->phases; ++n) time[n] = mean[n * block] * batch_means_time(b);
    free(mean);
    netcdf_content_add(page, TIME, "", AXIS_PHASE, time);
    return KOL_OK;
}

static kol_status fill(struct netcdf_content *page, const struct phase_profiles *p,
                       const struct batch_means *b)
{
    static const struct netcdf_content_entry
        FREQUENCY = {"frequency", "cycles of the drive over time", "U/L"},
        NU = {"nu", "kinematic viscosity", "U L"},
        DELTA = {"delta", "half the distance of two no-slip walls, all of it beside one", "L"};
    struct table t;
    TRY(take_table(NULL, p, &t));
    const kol_status st = find_all(&t, b);
    wall_netcdf_frame(page, &p->wall,
                      "profiles averaged over planes and by the phase of the oscillating drive");
    add_phases(page, p);
    if (st == KOL_OK) add_profiles(page, &t);
    if (st == KOL_OK) add_scalars(page, &t);
    for (int n = 0; n < p->wall.scalars.count && st == KOL_OK; ++n) add_transported(page, &t, n);
    if (st == KOL_OK) add_buoyancy(page, &t);
    free(t.value);
    TRY(st);
    TRY(add_times(page, p, b));
    netcdf_content_text(page, "scaling", "_error: standard error, from the scatter of cycles");
    netcdf_content_samples(page, b);
    netcdf_content_number(page, FREQUENCY, p->frequency);
    netcdf_content_number(page, NU, p->wall.nu);
    if (profiles_walled(&p->wall)) netcdf_content_number(page, DELTA, p->wall.delta);
    return KOL_OK;
}

kol_status phase_netcdf(const struct phase_profiles *p, const struct batch_means *b,
                        struct netcdf_content **out)
{
    TRY(create(NULL, p, out));
    return fill(*out, p, b);
}
