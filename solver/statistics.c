#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../io/statsfile.h"
#include "batches.h"
#include "control.h"
#include "planes.h"
#include "rundir.h"
#include "wall_profiles.h"

enum { NAME_BYTES = 64, WORDS_BYTES = 160 };
enum { OTHERS = 16, VARIABLES_MOST = 2 * PROFILES + SCALARS + AVG_COUNT + OTHERS };
/* A sample in the step that reaches statistics.start but for rounding. */
static const double START_SLACK = 1e-12;

/* On rank 0 all of it; the other ranks have the planes alone. */
struct statistics {
    struct planes *planes;
    struct wall_profiles wall;
    struct batches *batches; /* NULL: another rank */
    double *sample;          /* plane averages, then the extras */
    double *image;           /* copy of the state for a checkpoint */
    long long written;       /* samples in the file; -1: none written */
    char note[256];
};

static int wanted(const struct input *in)
{
    return in->statistics.start >= 0;
}

static int sample_values(const struct wall_profiles *w)
{
    return AVG_COUNT * w->levels + PROFILE_EXTRAS;
}

static kol_status create_averages(struct statistics *s)
{
    TRY(batches_create(sample_values(&s->wall), &s->batches));
    s->sample = calloc((size_t)sample_values(&s->wall), sizeof *s->sample);
    s->image = calloc((size_t)batches_state_size(sample_values(&s->wall)), sizeof *s->image);
    if (s->sample == NULL || s->image == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics");
    return KOL_OK;
}

kol_status statistics_create(struct run *run)
{
    if (!wanted(&run->in)) return KOL_OK;
    struct statistics *s = run->statistics = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics");
    s->written = -1;
    TRY(profiles_create(&run->in, &run->grid, &s->wall));
    TRY(planes_create(&run->comm, &run->decomp, run->grid.box, reduction_blocks(run->reduction),
                      s->wall.normal, &s->planes));
    return run->comm.rank == 0 ? create_averages(s) : KOL_OK;
}

void statistics_destroy(struct statistics **statistics)
{
    struct statistics *s = *statistics;
    if (s == NULL) return;
    planes_destroy(&s->planes);
    profiles_destroy(&s->wall);
    batches_destroy(&s->batches);
    free(s->sample);
    free(s->image);
    free(s);
    *statistics = NULL;
}

double statistics_bytes(const struct run *run)
{
    const struct decomp *d = &run->decomp;
    const struct blocks counts = {.nx = d->blocks[X], .ny = d->blocks[Y], .nz = d->blocks[Z]};
    return wanted(&run->in) ? planes_bytes_wanted(run->grid.box, counts, profiles_normal(&run->in)) : 0;
}

/* A sample that is not finite would stay in the averages, and in checkpoints. Rank 0 alone has it: the ranks agree before the next step. */
static int sound(struct run *run)
{
    const struct statistics *s = run->statistics;
    const int values = AVG_COUNT * s->wall.levels;
    for (int n = 0; n < values; ++n) {
        if (isfinite(s->sample[n])) continue;
        char name[NAME_BYTES];
        profiles_name(&s->wall, profile_sums[n / s->wall.levels].long_name, name, sizeof name);
        control_pend(
            run,
            status_raise(KOL_ERR_NUMERICAL, __FILE__, __LINE__,
                         "the mean of %s is %g on level %d from wall to wall in step %lld, t = %.6g: the "
                         "averages are as they were before. Give other units, or refine the grid",
                         name, s->sample[n], n % s->wall.levels, run->clock.step, run->clock.t));
        return 0;
    }
    return 1;
}

kol_status statistics_step(struct run *run)
{
    struct statistics *s = run->statistics;
    const double start = run->in.statistics.start;
    if (s == NULL || run->clock.step % run->in.statistics.interval != 0 ||
        run->clock.t < start - START_SLACK * fabs(start))
        return KOL_OK;
    TRY(profile_phase(run->profile, "statistics"));
    TRY(planes_sample(s->planes, &run->grid, run->vel, run->pressure.p, s->sample));
    if (s->batches == NULL || !sound(run)) return KOL_OK;
    s->sample[AVG_COUNT * s->wall.levels + PROFILE_EXTRA_FORCE] = run->force.gradient;
    batches_add(s->batches, run->clock.t, s->sample);
    return KOL_OK;
}

/* --- the state in checkpoints --- */

static int held(const struct run *run)
{
    return run->statistics != NULL && run->statistics->batches != NULL;
}

ptrdiff_t statistics_size(const struct run *run)
{
    return run->statistics != NULL ? batches_state_size(sample_values(&run->statistics->wall)) : 0;
}

void statistics_take(const struct run *run)
{
    if (held(run)) batches_store(run->statistics->batches, run->statistics->image);
}

struct io_view statistics_view(const struct run *run)
{
    const int size = (int)statistics_size(run), own = held(run) ? size : 0;
    struct io_view v = {.name = "statistics",
                        .long_name = "state of the averages over time",
                        .unit = "1",
                        .location = IO_CCC,
                        .ncomp = 1,
                        .n_g = {size, 1, 1},
                        .n = {own, own > 0, own > 0},
                        .bytes = (int)sizeof(double),
                        .data = own > 0 ? run->statistics->image : NULL};
    return v;
}

kol_status statistics_given(struct run *run)
{
    struct statistics *s = run->statistics;
    const double start = run->in.statistics.start;
    if (!held(run)) return KOL_OK;
    TRY(batches_load(s->batches, s->image));
    if (batches_samples(s->batches) > 0 && batches_begin(s->batches) < start - START_SLACK * fabs(start)) {
        snprintf(s->note, sizeof s->note,
                 "statistics of the checkpoint, from t %.6g on, are dropped: statistics.start is %.6g",
                 batches_begin(s->batches), start);
        batches_destroy(&s->batches);
        return batches_create(sample_values(&s->wall), &s->batches);
    }
    snprintf(s->note, sizeof s->note, "statistics go on after %lld samples", batches_samples(s->batches));
    return KOL_OK;
}

void statistics_absent(struct run *run, ptrdiff_t size)
{
    if (run->statistics == NULL) return;
    snprintf(run->statistics->note, sizeof run->statistics->note,
             size == 0 ? "the checkpoint has no statistics: they begin now"
                       : "the checkpoint's statistics are of another kind: they begin anew");
}

const char *statistics_note(const struct run *run)
{
    return run->statistics != NULL ? run->statistics->note : "";
}

/* --- the file --- */

int statistics_due(const struct run *run)
{
    const int interval = run->in.statistics.write_interval;
    return run->statistics != NULL && interval > 0 && run->clock.step % interval == 0;
}

int statistics_news(const struct run *run)
{
    return held(run) && batches_samples(run->statistics->batches) > 0 &&
           batches_samples(run->statistics->batches) != run->statistics->written;
}

/* page: a file in the making. Words and numbers live here until it is written. */
struct page {
    const struct statistics *s;
    double *value, *error, *sum, *number; /* of profiles_derive; raw sums; numbers of their own */
    int numbers;
    int variables;
    struct stats_variable variable[VARIABLES_MOST];
    char name[VARIABLES_MOST][NAME_BYTES], words[VARIABLES_MOST][WORDS_BYTES];
};
enum { AXIS_CENTRES, AXIS_FACES, AXES };

static struct stats_variable *add(struct page *p, const struct profile_entry *e, const char *suffix, int axis,
                                  const double *value)
{
    const int n = p->variables++;
    char name[NAME_BYTES - 16];
    profiles_name(&p->s->wall, e->name, name, sizeof name);
    profiles_name(&p->s->wall, e->long_name, p->words[n], WORDS_BYTES);
    snprintf(p->name[n], NAME_BYTES, "%s%s", name, suffix);
    p->variable[n] = (struct stats_variable){.name = p->name[n],
                                             .long_name = p->words[n],
                                             .unit = suffix[0] != '\0' ? "1" : e->unit,
                                             .axis = axis,
                                             .value = value};
    return &p->variable[n];
}

static void add_profiles(struct page *p)
{
    const ptrdiff_t levels = p->s->wall.levels;
    for (int n = 0; n < PROFILES; ++n) {
        const int axis = n < PROFILE_CENTRES ? AXIS_CENTRES : AXIS_FACES;
        if (profile_is_zero(n)) continue;
        for (int plus = 0; plus < 2; ++plus) {
            const ptrdiff_t at = (n + plus * PROFILES) * levels;
            const struct profile_entry *e = &profile_table[n];
            if (plus && e->velocity == 0 && e->length == 0) continue; /* a pure number as it is */
            struct stats_variable *v = add(p, e, plus ? "_plus" : "", axis, p->value + at);
            v->error = p->error + at;
            v->methods = "area: mean time: mean";
        }
    }
    for (int n = 0; n < SCALARS; ++n) {
        const ptrdiff_t at = 2 * PROFILES * levels + n;
        add(p, &profile_scalars[n], "", -1, p->value + at)->error = p->error + at;
    }
    for (int n = 0; n < AVG_COUNT; ++n) {
        struct stats_variable *v =
            add(p, &profile_sums[n], "", n < AVG_CENTRES ? AXIS_CENTRES : AXIS_FACES, p->sum + n * levels);
        v->group = "raw";
        v->methods = "area: mean time: sum";
    }
}

static double *new_number(struct page *p, double value)
{
    p->number[p->numbers] = value;
    return &p->number[p->numbers++];
}

/* From the nearer no-slip wall; the only one, where the other is a slip wall. */
static double wall_distance(const struct wall_profiles *w, double at)
{
    const double low = at - w->low, high = w->low + w->height - at;
    return !w->rough[0] && w->rough[1] ? high : !w->rough[1] ? low : fmin(low, high);
}

static void add_distance(struct page *p, int axis)
{
    static const struct profile_entry WORDS[AXES] = {
        {"wall_distance", "distance of the centre from the nearer no-slip wall", "L", 0, 1},
        {"wall_distance_face", "distance of the face from the nearer no-slip wall", "L", 0, 1}};
    const struct wall_profiles *w = &p->s->wall;
    const int n = axis == AXIS_CENTRES ? w->cells : w->levels;
    const double *at = axis == AXIS_CENTRES ? w->centre : w->face;
    const double u_tau = p->value[2 * (ptrdiff_t)PROFILES * w->levels + SCALAR_U_TAU];
    double *here = p->number + p->numbers, *plus = here + n;
    for (int k = 0; k < n; ++k) {
        here[k] = wall_distance(w, at[k]);
        plus[k] = here[k] * u_tau / w->nu;
    }
    p->numbers += 2 * n;
    add(p, &WORDS[axis], "", axis, here);
    add(p, &WORDS[axis], "_plus", axis, plus);
}

static void add_numbers(struct page *p)
{
    const struct batches *b = p->s->batches;
    const struct {
        struct profile_entry words;
        double value;
        int integer;
    } number[] = {
        {{"n_samples", "samples in the averages, of equal weight", "1", 0, 0}, (double)batches_samples(b), 1},
        {{"n_batches", "complete batches of samples, for the errors", "1", 0, 0}, batches_count(b), 1},
        {{"batch_length", "samples of a batch", "1", 0, 0}, (double)batches_length(b), 1},
        {{"t_start", "time of the first sample", "L/U", 0, 0}, batches_begin(b), 0},
        {{"t_end", "time of the last sample", "L/U", 0, 0}, batches_end(b), 0},
        {{"nu", "kinematic viscosity", "U L", 0, 0}, p->s->wall.nu, 0},
        {{"delta", "half the distance of two no-slip walls, all of it beside one", "L", 0, 0},
         p->s->wall.delta,
         0}};
    for (size_t n = 0; n < sizeof number / sizeof *number; ++n)
        add(p, &number[n].words, "", -1, new_number(p, number[n].value))->integer = number[n].integer;
    add_distance(p, AXIS_CENTRES);
    add_distance(p, AXIS_FACES);
}

static kol_status fill(struct page *p, double *mean)
{
    const struct statistics *s = p->s;
    const int values = profiles_values(&s->wall);
    batches_mean(s->batches, mean);
    batches_sum(s->batches, p->sum);
    profiles_derive(&s->wall, mean, p->value);
    TRY(batches_errors(s->batches, profiles_derive, &s->wall, values, p->error));
    add_profiles(p);
    add_numbers(p);
    return KOL_OK;
}

static kol_status write_page(const struct page *p, const char *path, const struct io_text *text, int texts)
{
    enum { TEXTS_MOST = 40, OWN_TEXTS = 4 };
    const struct wall_profiles *w = &p->s->wall;
    const char letter[2] = {"xyz"[w->normal], 0}, stream[2] = {"xyz"[w->stream ? w->b : w->a], 0};
    const char face[] = {letter[0], '_', 'f', 'a', 'c', 'e', 0};
    const struct stats_axis axis[AXES] = {
        {letter, "cell centres in the direction normal to the walls", "L", w->cells, w->centre, w->face},
        {face, "cell faces in the direction normal to the walls", "L", w->levels, w->face, NULL}};
    struct io_text all[TEXTS_MOST] = {
        {"title", "profiles between walls, averaged over planes parallel to them and over time"},
        {"wall_normal_direction", letter},
        {"streamwise_direction", stream},
        {"scaling", "_plus: in units of u_tau and nu of this run; _error: standard error, from batch means"}};
    int count = OWN_TEXTS;
    for (int n = 0; n < texts && count < TEXTS_MOST; ++n)
        if (strcmp(text[n].name, "title") != 0) all[count++] = text[n];
    return statsfile_write(path, axis, AXES, p->variable, p->variables, all, count);
}

kol_status statistics_write(struct run *run, const struct io_text *text, int texts)
{
    struct statistics *s = run->statistics;
    char path[RUNDIR_TEXT + 32];
    if (!statistics_news(run)) return KOL_OK;
    const size_t values = (size_t)profiles_values(&s->wall), sample = (size_t)sample_values(&s->wall);
    const size_t numbers = 4 * (size_t)s->wall.levels + OTHERS;
    snprintf(path, sizeof path, "%s/statistics.nc", run->in.output.directory);
    struct page *p = calloc(1, sizeof *p);
    double *memory = malloc((2 * values + 2 * sample + numbers) * sizeof *memory);
    kol_status st = KOL_OK;
    if (p == NULL || memory == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory to write statistics");
    } else {
        p->s = s;
        p->value = memory;
        p->error = p->value + values;
        p->sum = p->error + values;
        p->number = p->sum + sample;
        st = fill(p, p->number + numbers);
        if (st == KOL_OK) st = write_page(p, path, text, texts);
    }
    free(p);
    free(memory);
    if (st == KOL_OK) s->written = batches_samples(s->batches);
    return st;
}
