/* Reads averages.h5 of several runs and joins their batches, each rank in its own cells. */
#include "merge_averages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/checkpoint.h"
#include "io/log.h"
#include "io/run_directory.h"
#include "merge_parts.h"
#include "solver/statistics/cell_averages.h"
#include "solver/statistics/cell_lines.h"
#include "solver/statistics/statistics.h"

/* Number of cells that are merged at a time. */
enum { NEAR = 1024 };

/* part: the file of one run.
 *
 *   numbers    of samples and batches
 *   used       slots that the file holds
 *   slot       their sums in the own cells, one cell after another
 *   latest     the latest sample, likewise */
struct part {
    char path[RUN_DIRECTORY_TEXT + 32];
    struct merge_part about;
    struct checkpoint *file;
    struct batch_means *numbers;
    int used;
    double *slot[BATCH_MEANS_MOST];
    real *latest;
};

struct merge {
    struct run *run; /* borrowed, as the averages and, on rank 0, their numbers */
    struct cell_averages *to;
    struct batch_means *numbers;
    struct part *part;
    int parts, overlap;
};

kol_status merge_averages_input(const char *path, char **text)
{
    struct checkpoint *file = NULL;
    TRY(checkpoint_look_averages(MPI_COMM_SELF, path, &file));
    const kol_status st = checkpoint_text(file, "input", text), closed = checkpoint_close(&file);
    return st != KOL_OK ? st : closed;
}

/* --- one file --- */

/* Compares input and grid of a part with those of the first. */
static kol_status compare(const struct merge *m, struct part *p)
{
    const struct domain *domain = &m->run->domain;
    struct checkpoint_differences d;
    struct lines found = {NULL, 0, 0};
    struct cell_lines lines;
    struct io_axis axis[3];
    double ends[3][2];
    char *text = NULL;
    cell_lines_set(domain, &lines);
    cell_lines_axes(&lines, ends, axis);
    TRY(checkpoint_whole(p->file));
    TRY(checkpoint_text(p->file, "input", &text));
    p->about.begun = merge_compare_inputs(text, &m->run->in, &found);
    free(text);
    kol_status st = checkpoint_compare(p->file, axis, 0, &d);
    if (st == KOL_OK && (found.used > 0 || d.count > 0))
        st = status_raise(
            KOL_ERR_INPUT, __FILE__, __LINE__,
            "%s: error: it belongs to another flow than %s:%s%s\nmerge files of one flow and one "
            "grid",
            p->path, m->part[0].path, found.used > 0 ? found.text : "", d.text);
    free(found.text);
    return st;
}

/* Reads the numbers on rank 0 and sends them to the others. */
static kol_status read_numbers(const struct merge *m, struct part *p, double *state, int size)
{
    const struct comm *comm = &m->run->domain.comm;
    const int own = comm->rank == 0 ? size : 0;
    const struct io_view view = {.name = "numbers",
                                 .location = IO_CCC,
                                 .ncomp = 1,
                                 .n_g = {size, 1, 1},
                                 .n = {own, own > 0, own > 0},
                                 .bytes = (int)sizeof *state,
                                 .data = state};
    TRY(checkpoint_get(p->file, view));
    MPI_TRY(MPI_Bcast(state, size, MPI_DOUBLE, 0, comm->mpi));
    return cell_averages_unpack(state, m->to->batches, p->path, &p->numbers);
}

static kol_status load_numbers(const struct merge *m, struct part *p)
{
    double batches;
    const int size = cell_averages_numbers_size(m->to->batches);
    TRY(checkpoint_scalar(p->file, "batches", &batches));
    if (batches != m->to->batches)
        RAISE(KOL_ERR_INPUT,
              "%s: error: it has sums over %g batches, and %s over %d; merge runs of one number "
              "statistics.batches",
              p->path, batches, m->part[0].path, m->to->batches);
    double *state = calloc((size_t)size, sizeof *state);
    kol_status st = state != NULL
                        ? read_numbers(m, p, state, size)
                        : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for averages");
    free(state);
    if (st != KOL_OK) return st;
    p->used = cell_averages_used(m->to, p->numbers);
    p->about.begin = batch_means_begin(p->numbers);
    p->about.end = batch_means_end(p->numbers);
    return KOL_OK;
}

static kol_status allocate(const struct merge *m, struct part *p)
{
    const size_t cells = (size_t)m->to->cells, sums = (size_t)m->to->sums, values = (size_t)m->to->values;
    int there = 1;
    for (int n = 0; n < p->used; ++n) {
        p->slot[n] = malloc(sums * cells * sizeof *p->slot[n]);
        there &= p->slot[n] != NULL;
    }
    p->latest = malloc(values * cells * sizeof *p->latest);
    if (there && p->latest != NULL) return KOL_OK;
    RAISE(KOL_ERR_MEMORY, "no memory for the %d batches of %s in %zu cells; take more ranks", p->used,
          p->path, cells);
}

static kol_status load_sums(const struct merge *m, struct part *p)
{
    char name[CELL_NAME];
    TRY(comm_agree(&m->run->domain.comm, allocate(m, p)));
    for (int slot = CELL_LATEST; slot < p->used; ++slot) {
        struct io_view view = cell_averages_into(m->to, slot, cell_averages_name(slot, name));
        view.planes = (struct io_planes){.most = 0};
        view.data = slot == CELL_LATEST ? (void *)p->latest : p->slot[slot];
        TRY(checkpoint_get(p->file, view));
    }
    return KOL_OK;
}

static kol_status load(struct merge *m, const char *folder)
{
    struct part *p = &m->part[m->parts];
    if (snprintf(p->path, sizeof p->path, "%s/%s", folder, CELL_AVERAGES_FILE) >= (int)sizeof p->path)
        RAISE(KOL_ERR_INPUT, "error: %.80s...: the name is too long", folder);
    p->about.path = p->path;
    TRY(checkpoint_look_averages(m->run->domain.comm.mpi, p->path, &p->file));
    ++m->parts;
    TRY(compare(m, p));
    TRY(load_numbers(m, p));
    TRY(load_sums(m, p));
    return checkpoint_close(&p->file);
}

/* --- all files --- */

static int by_time(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    return (a->about.begin > b->about.begin) - (a->about.begin < b->about.begin);
}

static int same_samples(const struct merge *m, const struct part *a, const struct part *b)
{
    const size_t values = (size_t)m->to->values * (size_t)m->to->cells,
                 sums = (size_t)m->to->sums * (size_t)m->to->cells;
    return batch_means_samples(a->numbers) == batch_means_samples(b->numbers) && a->used == b->used &&
           a->about.begin == b->about.begin && a->about.end == b->about.end &&
           memcmp(a->latest, b->latest, values * sizeof *a->latest) == 0 &&
           memcmp(a->slot[0], b->slot[0], sums * sizeof *a->slot[0]) == 0;
}

static kol_status check_times(const struct merge *m)
{
    for (int n = 1; n < m->parts; ++n)
        for (int k = 0; k < n; ++k) {
            const struct part *a = &m->part[k], *b = &m->part[n];
            int same = same_samples(m, a, b);
            MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, m->run->domain.comm.mpi));
            if (same)
                RAISE(KOL_ERR_INPUT, "error: %s and %s hold the same samples; leave one out", a->path,
                      b->path);
            TRY(merge_check_overlap(&a->about, &b->about, m->overlap));
        }
    return KOL_OK;
}

/* --- the sums --- */

/* Makes the average of `count` cells of a part, from cell `first` on. batch: room for all of its batches. */
static kol_status average_of(const struct merge *m, const struct part *p, ptrdiff_t first, int count,
                             double *batch, struct batch_means **out)
{
    const int sums = m->to->sums, values = count * sums, several = m->to->batches > 0;
    const int complete = several ? batch_means_count(p->numbers) : 0;
    const size_t vector = (size_t)values;
    double *rest = batch + (size_t)complete * vector, *latest = malloc(vector * sizeof *latest);
    if (latest == NULL) RAISE(KOL_ERR_MEMORY, "no memory to merge averages");
    memset(rest, 0, vector * sizeof *rest);
    for (int n = 0; n < p->used; ++n)
        memcpy(batch + (size_t)n * vector, p->slot[n] + first * sums, vector * sizeof *batch);
    for (int i = 0; i < count; ++i)
        cell_averages_products(m->to, p->latest + (first + i) * m->to->values, latest + i * sums);
    const kol_status st = batch_means_create(NULL, values, batch_means_most(p->numbers), out);
    if (st != KOL_OK) free(latest);
    TRY(st);
    batch_means_set(*out, batch_means_samples(p->numbers), several ? batch_means_length(p->numbers) : 1,
                    complete, p->about.begin, p->about.end, batch, rest);
    batch_means_set_weights(*out, batch_means_times(p->numbers), batch_means_weights(p->numbers),
                            several ? batch_means_rest_weight(p->numbers) : batch_means_weight(p->numbers));
    batch_means_set_latest(*out, latest);
    free(latest);
    return KOL_OK;
}

/* Puts the merged batches of these cells into their places. room: for one sum of the cells. */
static kol_status put_slot(const struct merge *m, int slot, ptrdiff_t first, int count, const double *vector)
{
    double room[NEAR];
    for (int q = 0; q < m->to->sums; ++q) {
        for (int i = 0; i < count; ++i) room[i] = vector[i * m->to->sums + q];
        TRY(cell_averages_set(m->to, slot, q, first, count, room));
    }
    return KOL_OK;
}

static kol_status put(const struct merge *m, ptrdiff_t first, int count, const struct batch_means *merged)
{
    const int complete = m->to->batches > 0 ? batch_means_count(merged) : 0;
    for (int n = 0; n < complete; ++n)
        TRY(put_slot(m, n, first, count, batch_means_complete(merged) + (ptrdiff_t)n * count * m->to->sums));
    double *rest = malloc((size_t)(count * m->to->sums) * sizeof *rest);
    if (rest == NULL) RAISE(KOL_ERR_MEMORY, "no memory to merge averages");
    batch_means_rest(merged, rest);
    const kol_status st = put_slot(m, complete, first, count, rest);
    free(rest);
    return st;
}

/* Merges `count` cells from number `first` on. */
static kol_status merge_cells(const struct merge *m, ptrdiff_t first, int count, double *batch)
{
    struct batch_means **from = calloc((size_t)m->parts, sizeof *from), *merged = NULL;
    if (from == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d files", m->parts);
    kol_status st = KOL_OK;
    for (int n = 0; n < m->parts && st == KOL_OK; ++n)
        st = average_of(m, &m->part[n], first, count, batch, &from[n]);
    if (st == KOL_OK)
        st = batch_means_create(NULL, count * m->to->sums, batch_means_most(m->part[0].numbers), &merged);
    if (st == KOL_OK) st = batch_means_merge(from, m->parts, merged);
    if (st == KOL_OK) st = put(m, first, count, merged);
    for (int n = 0; n < m->parts; ++n) batch_means_destroy(&from[n]);
    batch_means_destroy(&merged);
    free(from);
    return st;
}

/* The latest sample of all is that of the part that ends last. */
static kol_status put_latest(const struct merge *m)
{
    const struct part *last = &m->part[0];
    real room[NEAR];
    for (int n = 1; n < m->parts; ++n)
        if (m->part[n].about.end > last->about.end) last = &m->part[n];
    for (int q = 0; q < m->to->values; ++q)
        for (ptrdiff_t first = 0; first < m->to->cells; first += NEAR) {
            const ptrdiff_t count = m->to->cells - first < NEAR ? m->to->cells - first : NEAR;
            for (ptrdiff_t i = 0; i < count; ++i) room[i] = last->latest[(first + i) * m->to->values + q];
            TRY(cell_averages_set_latest(m->to, q, first, count, room));
        }
    return KOL_OK;
}

static kol_status merge_own(const struct merge *m)
{
    double *batch = malloc((BATCH_MEANS_MOST + 1) * (size_t)(NEAR * m->to->sums) * sizeof *batch);
    kol_status st =
        batch != NULL ? KOL_OK : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for batches");
    for (ptrdiff_t first = 0; first < m->to->cells && st == KOL_OK; first += NEAR) {
        const ptrdiff_t left = m->to->cells - first;
        st = merge_cells(m, first, left < NEAR ? (int)left : NEAR, batch);
    }
    free(batch);
    return st == KOL_OK ? put_latest(m) : st;
}

/* Merges the numbers, which rank 0 keeps. */
static kol_status merge_numbers(const struct merge *m)
{
    struct batch_means **from = calloc((size_t)m->parts, sizeof *from);
    if (m->numbers == NULL) {
        free(from);
        return KOL_OK;
    }
    if (from == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d files", m->parts);
    for (int n = 0; n < m->parts; ++n) from[n] = m->part[n].numbers;
    const kol_status st = batch_means_merge(from, m->parts, m->numbers);
    free(from);
    return st;
}

static kol_status merge_all(struct merge *m, const char *const *folder, int count, struct lines *files,
                            struct lines *done)
{
    const struct comm *comm = &m->run->domain.comm;
    for (int n = 0; n < count; ++n) TRY(load(m, folder[n]));
    qsort(m->part, (size_t)m->parts, sizeof *m->part, by_time);
    for (int n = 0; n < m->parts; ++n) m->part[n].about.path = m->part[n].path; /* they have moved */
    TRY(check_times(m));
    for (int n = 0; n < m->parts; ++n) {
        const struct part *p = &m->part[n];
        TRY(lines_add(files, "%s%s: %lld samples, t %.9g to %.9g", files->used > 0 ? "\n" : "", p->path,
                      batch_means_samples(p->numbers), p->about.begin, p->about.end));
    }
    TRY(comm_agree(comm, merge_own(m)));
    TRY(comm_agree(comm, merge_numbers(m)));
    if (m->numbers == NULL) return KOL_OK;
    return lines_add(done, "  %s: %lld samples of %d files, t %.6g to %.6g\n", CELL_AVERAGES_FILE,
                     batch_means_samples(m->numbers), m->parts, batch_means_begin(m->numbers),
                     batch_means_end(m->numbers));
}

static void part_close(struct part *p)
{
    if (p->file != NULL && checkpoint_close(&p->file) != KOL_OK) status_clear();
    batch_means_destroy(&p->numbers);
    for (int n = 0; n < BATCH_MEANS_MOST; ++n) free(p->slot[n]);
    free(p->latest);
}

kol_status merge_averages(struct run *run, const char *const *folder, int count, int overlap,
                          struct lines *files, struct lines *done)
{
    struct merge m = {.run = run, .overlap = overlap};
    m.to = statistics_cells(run->statistics, &m.numbers);
    if (m.to == NULL)
        RAISE(KOL_ERR_INPUT, "%s/%s: error: the input of its run asks for no such file", folder[0],
              CELL_AVERAGES_FILE);
    m.part = calloc((size_t)count, sizeof *m.part);
    kol_status st =
        comm_agree(&run->domain.comm,
                   m.part != NULL ? KOL_OK : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory"));
    if (st == KOL_OK) st = merge_all(&m, folder, count, files, done);
    for (int n = 0; n < m.parts; ++n) part_close(&m.part[n]);
    free(m.part);
    return st;
}
