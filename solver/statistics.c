#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "batches.h"
#include "box_moments.h"
#include "control.h"
#include "planes.h"
#include "rundir.h"
#include "wall_page.h"

enum { NAME_BYTES = 128 };
/* A sample in the step that reaches statistics.start but for rounding. */
static const double START_SLACK = 1e-12;

/* average: over time, of samples of some values. On rank 0; the other ranks know the number of values alone. */
struct average {
    int values;
    struct batches *batches; /* NULL: another rank */
    double *sample;
    long long written; /* samples in the file; -1: none written */
};

struct statistics {
    int walled; /* profiles between walls; else a periodic box */
    struct planes *planes;
    struct wall_profiles wall;
    struct box_moments box;
    struct average average;
    double *image; /* copy of the state for a checkpoint */
    char note[256];
};

static int wanted(const struct input *in)
{
    return in->statistics.start >= 0;
}

static int is_walled(const struct input *in)
{
    return profiles_normal(in) >= 0;
}

static kol_status create_average(struct average *a)
{
    a->written = -1;
    TRY(batches_create(a->values, &a->batches));
    a->sample = calloc((size_t)a->values, sizeof *a->sample);
    if (a->sample == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics of %d values", a->values);
    return KOL_OK;
}

static kol_status create_memory(struct statistics *s)
{
    TRY(create_average(&s->average));
    s->image = calloc((size_t)batches_state_size(s->average.values), sizeof *s->image);
    if (s->image == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics");
    return KOL_OK;
}

static kol_status create_walled(struct run *run, struct statistics *s)
{
    TRY(profiles_create(&run->in, &run->grid, &s->wall));
    s->average.values = AVG_COUNT * s->wall.levels + PROFILE_EXTRAS;
    return planes_create(&run->comm, &run->decomp, run->grid.box, reduction_blocks(run->reduction),
                         s->wall.normal, &s->planes);
}

kol_status statistics_create(struct run *run)
{
    if (!wanted(&run->in)) return KOL_OK;
    struct statistics *s = run->statistics = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics");
    s->walled = is_walled(&run->in);
    s->box = box_moments_make(&run->in, &run->grid);
    s->average.values = BOX_VALUES;
    if (s->walled) TRY(create_walled(run, s));
    return run->comm.rank == 0 ? create_memory(s) : KOL_OK;
}

void statistics_destroy(struct statistics **statistics)
{
    struct statistics *s = *statistics;
    if (s == NULL) return;
    planes_destroy(&s->planes);
    profiles_destroy(&s->wall);
    batches_destroy(&s->average.batches);
    free(s->average.sample);
    free(s->image);
    free(s);
    *statistics = NULL;
}

double statistics_bytes(const struct run *run)
{
    const struct decomp *d = &run->decomp;
    const struct blocks counts = {.nx = d->blocks[X], .ny = d->blocks[Y], .nz = d->blocks[Z]};
    if (!wanted(&run->in) || !is_walled(&run->in)) return 0;
    return planes_bytes_wanted(run->grid.box, counts, profiles_normal(&run->in));
}

/* --- samples --- */

static kol_status sample_walled(struct run *run, struct statistics *s)
{
    TRY(planes_sample(s->planes, &run->grid, run->vel, run->pressure.p, s->average.sample));
    if (s->average.sample != NULL)
        s->average.sample[AVG_COUNT * s->wall.levels + PROFILE_EXTRA_FORCE] = run->force.gradient;
    return KOL_OK;
}

static kol_status sample_box(struct run *run, struct statistics *s)
{
    double value[BOX_VALUES];
    TRY(box_sample(&s->box, &run->grid, run->reduction, run->vel, run->pressure.p, value));
    value[BOX_EXTRA_POWER] = run->force.power;
    if (s->average.sample != NULL) memcpy(s->average.sample, value, sizeof value);
    return KOL_OK;
}

/* A sample that is not finite would stay in the averages, and in checkpoints. Rank 0 alone has it: the ranks agree before the next step. */
static int sound(struct run *run)
{
    const struct statistics *s = run->statistics;
    for (int n = 0; n < s->average.values; ++n) {
        if (isfinite(s->average.sample[n])) continue;
        char name[NAME_BYTES], where[NAME_BYTES] = "";
        if (s->walled && n / s->wall.levels < AVG_COUNT) {
            profiles_name(&s->wall, profile_sums[n / s->wall.levels].long_name, name, sizeof name);
            snprintf(where, sizeof where, " on level %d from wall to wall", n % s->wall.levels);
        } else {
            snprintf(name, sizeof name, "%s", s->walled ? "the force" : box_sums[n].long_name);
        }
        control_pend(run,
                     status_raise(KOL_ERR_NUMERICAL, __FILE__, __LINE__,
                                  "the mean of %s is %g%s in step %lld, t = %.6g: the averages are as they "
                                  "were before. Give other units, or refine the grid",
                                  name, s->average.sample[n], where, run->clock.step, run->clock.t));
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
    TRY(s->walled ? sample_walled(run, s) : sample_box(run, s));
    if (s->average.batches != NULL && sound(run))
        batches_add(s->average.batches, run->clock.t, s->average.sample);
    return KOL_OK;
}

/* --- the state in checkpoints --- */

static int held(const struct run *run)
{
    return run->statistics != NULL && run->statistics->average.batches != NULL;
}

ptrdiff_t statistics_size(const struct run *run)
{
    return run->statistics != NULL ? batches_state_size(run->statistics->average.values) : 0;
}

void statistics_take(const struct run *run)
{
    if (held(run)) batches_store(run->statistics->average.batches, run->statistics->image);
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
    struct batches *b = s->average.batches;
    TRY(batches_load(b, s->image));
    if (batches_samples(b) > 0 && batches_begin(b) < start - START_SLACK * fabs(start)) {
        snprintf(s->note, sizeof s->note,
                 "statistics of the checkpoint, from t %.6g on, are dropped: statistics.start is %.6g",
                 batches_begin(b), start);
        batches_destroy(&s->average.batches);
        return batches_create(s->average.values, &s->average.batches);
    }
    snprintf(s->note, sizeof s->note, "statistics go on after %lld samples", batches_samples(b));
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

static int has_news(const struct average *a)
{
    return a->batches != NULL && batches_samples(a->batches) > 0 && batches_samples(a->batches) != a->written;
}

int statistics_news(const struct run *run)
{
    return held(run) && has_news(&run->statistics->average);
}

kol_status statistics_write(struct run *run, const struct io_text *text, int texts)
{
    struct statistics *s = run->statistics;
    char path[RUNDIR_TEXT + 32];
    struct page *p = NULL;
    if (!statistics_news(run)) return KOL_OK;
    const struct batches *b = s->average.batches;
    snprintf(path, sizeof path, "%s/statistics.nc", run->in.output.directory);
    kol_status st = s->walled ? wall_page(&s->wall, b, &p) : box_page(&s->box, b, &p);
    if (st == KOL_OK) st = page_write(p, path, text, texts);
    page_destroy(&p);
    if (st == KOL_OK) s->average.written = batches_samples(b);
    return st;
}
