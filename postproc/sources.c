/* Finds the stored flows that statistics are made of, and chooses among them. */
#include "sources.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "io/disk.h"
#include "io/log.h"

/* Tolerance, for rounding, of the bounds in time. */
static const double SLACK = 1e-12;

static int by_step(const void *left, const void *right)
{
    const struct stored_flow *a = left, *b = right;
    return (a->step > b->step) - (a->step < b->step);
}

static kol_status make_room(struct sources *s, int count)
{
    s->file = calloc((size_t)count + 1, sizeof *s->file);
    if (s->file == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a list of %d files", count);
    return KOL_OK;
}

static kol_status sort(struct sources *s)
{
    qsort(s->file, (size_t)s->count, sizeof *s->file, by_step);
    for (int n = 1; n < s->count; ++n)
        if (s->file[n].step == s->file[n - 1].step)
            RAISE(KOL_ERR_INPUT, "error: %s and %s both belong to step %lld; give one of them",
                  s->file[n - 1].path, s->file[n].path, s->file[n].step);
    for (int n = 1; n < s->count; ++n)
        if (!(s->file[n].t > s->file[n - 1].t))
            RAISE(KOL_ERR_INPUT,
                  "error: %s belongs to a later step, but its time %.9g is not later than that of %s, %.9g: "
                  "they belong to different runs",
                  s->file[n].path, s->file[n].t, s->file[n - 1].path, s->file[n - 1].t);
    return KOL_OK;
}

kol_status sources_name(const struct comm *c, const char *const *path, int paths, struct sources *s)
{
    TRY(make_room(s, paths));
    for (int n = 0; n < paths; ++n) TRY(stored_flow_look(c, path[n], &s->file[s->count++]));
    return sort(s);
}

/* --- a folder --- */

struct found {
    long long *step;
    int count;
};

/* Lists on all ranks what rank 0 finds in the folder. */
static kol_status list(const struct comm *c, const char *folder, const char *stem, struct found *f)
{
    f->step = NULL;
    f->count = 0;
    TRY(comm_agree(c, c->rank == 0 ? disk_list(folder, stem, &f->step, &f->count) : KOL_OK));
    MPI_TRY(MPI_Bcast(&f->count, 1, MPI_INT, 0, c->mpi));
    if (c->rank != 0) f->step = malloc(((size_t)f->count + 1) * sizeof *f->step);
    if (f->step == NULL && f->count > 0) RAISE(KOL_ERR_MEMORY, "no memory for a list of %d files", f->count);
    MPI_TRY(MPI_Bcast(f->step, f->count, MPI_LONG_LONG, 0, c->mpi));
    return KOL_OK;
}

static int holds(const struct found *f, long long step)
{
    for (int n = 0; n < f->count; ++n)
        if (f->step[n] == step) return 1;
    return 0;
}

struct passed {
    int centred, first;
};

/* Lists the files of one kind, except those whose steps `but` has. */
static kol_status look_at(const struct comm *c, const char *folder, const char *stem, const struct found *f,
                          const struct found *but, struct sources *s, struct passed *over)
{
    char path[DISK_PATH];
    for (int n = 0; n < f->count; ++n) {
        struct stored_flow *at = &s->file[s->count];
        if (but != NULL && holds(but, f->step[n])) continue;
        TRY(disk_name(path, folder, stem, f->step[n]));
        TRY(stored_flow_look(c, path, at));
        over->first += at->step == 0;
        over->centred += at->centred && at->step > 0;
        s->count += at->step > 0 && !at->centred;
    }
    return KOL_OK;
}

static kol_status find_both(const struct comm *c, const char *folder, struct found *checkpoints,
                            struct found *fields, struct sources *s)
{
    struct passed over = {0, 0};
    TRY(list(c, folder, "checkpoint", checkpoints));
    TRY(list(c, folder, "fields", fields));
    TRY(make_room(s, checkpoints->count + fields->count));
    TRY(look_at(c, folder, "checkpoint", checkpoints, NULL, s, &over));
    TRY(look_at(c, folder, "fields", fields, checkpoints, s, &over));
    if (c->rank == 0 && over.first > 0)
        log_info("  the flow before the first step is left out: it has no pressure yet");
    if (s->count == 0)
        RAISE(KOL_ERR_INPUT,
              "error: %s holds no stored flow to take statistics of: %d checkpoints; %d files of fields, %d "
              "of them with the velocity "
              "interpolated to cell centres. Let the run write checkpoints (checkpoint.interval, .keep), or "
              "fields with output.field_places = 'faces'",
              folder, checkpoints->count, fields->count, over.centred);
    if (c->rank == 0 && over.centred > 0)
        log_warn("%d files of fields have the velocity interpolated to cell centres and are passed over; "
                 "output.field_places = "
                 "'faces' writes it as it is",
                 over.centred);
    return sort(s);
}

kol_status sources_find(const struct comm *c, const char *folder, struct sources *s)
{
    struct found checkpoints = {NULL, 0}, fields = {NULL, 0};
    const kol_status st = find_both(c, folder, &checkpoints, &fields, s);
    free(checkpoints.step);
    free(fields.step);
    return st;
}

void sources_destroy(struct sources *s)
{
    free(s->file);
    s->file = NULL;
    s->count = 0;
}

kol_status sources_choose(struct sources *s, double from, double to, int every, double *before)
{
    int kept = 0, within = 0;
    *before = -INFINITY;
    for (int n = 0; n < s->count; ++n) {
        const double t = s->file[n].t;
        if (t < from - SLACK * fabs(from)) *before = fmax(*before, t);
        if (t < from - SLACK * fabs(from) || t > to + SLACK * fabs(to)) continue;
        if (within++ % every == 0) s->file[kept++] = s->file[n];
    }
    if (kept == 0) {
        char until[40] = " or later";
        if (isfinite(to)) snprintf(until, sizeof until, " to %.9g", to);
        RAISE(KOL_ERR_INPUT,
              "error: of %d stored flows, of t = %.9g to %.9g, none is of t = %.9g%s; give other times by "
              "--from and --to",
              s->count, s->file[0].t, s->file[s->count - 1].t, from, until);
    }
    s->count = kept;
    return KOL_OK;
}
