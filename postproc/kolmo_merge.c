/* Merges statistics files of several runs, or of segments of one, into those of one long run.
 * docs/statistics.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/log.h"
#include "io/statsread.h"
#include "solver/statistics/batch_means.h"
#include "solver/output/history.h"
#include "solver/output/provenance.h"
#include "io/run_directory.h"
#include "solver/statistics/statistics.h"
#include "merge_averages.h"
#include "merge_history.h"
#include "merge_parts.h"
#include "options.h"
#include "program.h"

static const char ABOUT[] =
    "usage: kolmo-merge [options] --out FOLDER RUN RUN...\n"
    "\n"
    "Merges statistics.nc, spectra.nc, pdf.nc, phases.nc and averages.h5 of several runs of one flow, or of\n"
    "segments of one run. The result is one average over all samples of these runs, with error bars. Each\n"
    "RUN is a folder with such files. Of history.nc it makes averages over the runs at equal times.\n"
    "\n";
static const char CODES[] = "\nexit codes: 0 done, 2 bad input, 4 file failure, 1 anything else\n";

/* Files that are merged: those of statistics_files, averages.h5 and history.nc. */
enum { CELLS = STATISTICS_FILES, HISTORY, FILES };

static const char *file_name(int n)
{
    return n == CELLS ? CELL_AVERAGES_FILE : n == HISTORY ? HISTORY_FILE : statistics_files[n];
}

struct settings {
    struct words words;
    const char *out, *only;
    int replace, overlap, help, version;
};

/* Number of averages in one file: fields over a section have two, with scalars three. */
enum { KINDS = 3 };
static const struct {
    const char *length, *count, *sum, *rest, *latest, *weight, *rest_weight, *weight_time, *last_interval,
        *t_before;
} NAMES[KINDS] = {
    {"batch_length", "n_batches", "sum", "rest", "latest", "weight", "rest_weight", "weight_time",
     "last_interval", "t_before"},
    {"batch_length_lines", "n_batches_lines", "lines_sum", "lines_rest", "lines_latest", "lines_weight",
     "lines_rest_weight", "lines_weight_time", "lines_last_interval", "lines_t_before"},
    {"batch_length", "n_batches", "scalars_sum", "scalars_rest", "scalars_latest", "scalars_weight",
     "scalars_rest_weight", "scalars_weight_time", "scalars_last_interval", "scalars_t_before"}};

/* part: a file of one of the runs. */
struct part {
    struct stats_reader *file;
    struct batch_means *average[KINDS];
    double samples, begin, end;
    unsigned begun; /* as in merge_parts.h */
};

/* merged: an average of the files that are written. */
struct merged {
    struct batch_means *average;
    int values;
};

struct work {
    struct settings o;
    char *text; /* of the first run's input */
    struct part *part;
    int parts;
    int kept[FILES]; /* which files are merged */
    struct merged_history *history;
    struct lines files, done, differences; /* done: what was merged, for the log */
    int made;                              /* whether this program made the folder of the files */
};

static kol_status read_options(const struct run *run, struct settings *o)
{
    const struct option table[] = {
        {"out", "FOLDER", "write the merged files into FOLDER", NULL, &o->out, NULL},
        {"only", "NAME",
         "merge only this file: statistics.nc, spectra.nc, pdf.nc, phases.nc, averages.h5 or history.nc",
         NULL, &o->only, NULL},
        {"replace", NULL, "replace files that are there already", &o->replace, NULL, NULL},
        {"overlap", NULL,
         "also merge runs that began in the same way and whose times overlap. Their flows must\n"
         "be independent of each other all the same",
         &o->overlap, NULL, NULL},
        {"version", NULL, "print version, compiler and libraries", &o->version, NULL, NULL},
        {"help", NULL, "print this text", &o->help, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL, NULL}};
    TRY(options_read(table, run->argc, run->argv, &o->words));
    if (program_tells(run, table, ABOUT, CODES, o->help, o->version)) return KOL_OK;
    if (o->words.count < 2)
        RAISE(KOL_ERR_INPUT, "error: %s is given, but two or more are needed; see --help",
              o->words.count == 1 ? "one run" : "no run");
    if (o->out == NULL) RAISE(KOL_ERR_INPUT, "error: no folder is given for the results; give --out FOLDER");
    return KOL_OK;
}

static kol_status name_of(const struct work *w, int run, int file, char *path, size_t size)
{
    if (snprintf(path, size, "%s/%s", w->o.words.word[run], file_name(file)) < (int)size) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "error: %.80s...: the name is too long", w->o.words.word[run]);
}

/* --- which files --- */

static kol_status choose_only(struct work *w)
{
    for (int n = 0; n < FILES; ++n) w->kept[n] = strcmp(w->o.only, file_name(n)) == 0;
    for (int n = 0; n < FILES; ++n)
        if (w->kept[n]) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "error: --only %s: %s, %s, %s, %s, %s or %s is needed", w->o.only, file_name(0),
          file_name(1), file_name(2), file_name(3), file_name(CELLS), file_name(HISTORY));
}

/* Chooses the files. All runs must have what one has. */
static kol_status choose_files(struct work *w)
{
    char path[RUN_DIRECTORY_TEXT];
    const char *with[FILES] = {NULL}, *without[FILES] = {NULL};
    for (int r = 0; r < w->o.words.count; ++r) {
        struct stat found;
        if (stat(w->o.words.word[r], &found) != 0 || !S_ISDIR(found.st_mode))
            RAISE(KOL_ERR_INPUT, "error: %s: no such folder", w->o.words.word[r]);
    }
    if (w->o.only != NULL) return choose_only(w);
    for (int n = 0; n < FILES; ++n) {
        for (int r = 0; r < w->o.words.count; ++r) {
            TRY(name_of(w, r, n, path, sizeof path));
            *(access(path, F_OK) == 0 ? &with[n] : &without[n]) = w->o.words.word[r];
        }
        w->kept[n] = with[n] != NULL;
        if (with[n] != NULL && without[n] != NULL)
            RAISE(KOL_ERR_INPUT,
                  "error: %s is in %s, not in %s; merge the files that all have, one by one, by --only",
                  file_name(n), with[n], without[n]);
    }
    for (int n = 0; n < FILES; ++n)
        if (w->kept[n]) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "error: none of the folders holds %s, %s, %s, %s, %s or %s", file_name(0),
          file_name(1), file_name(2), file_name(3), file_name(CELLS), file_name(HISTORY));
}

/* --- the grid and the flow, of the first run --- */

static kol_status load_input(struct work *w)
{
    char path[RUN_DIRECTORY_TEXT];
    struct stats_reader *r = NULL;
    int first = 0;
    while (!w->kept[first]) ++first;
    TRY(name_of(w, 0, first, path, sizeof path));
    if (first == CELLS) return merge_averages_input(path, &w->text);
    TRY(statsread_open(path, &r));
    const kol_status st = statsread_text(r, "input", &w->text), closed = statsread_close(&r);
    return st != KOL_OK ? st : closed;
}

static kol_status create(struct run *run, struct work *w)
{
    static const char *const SET[] = {"grid.ranks=0,0,0"};
    char name[RUN_DIRECTORY_TEXT];
    unsigned long length = 0;
    TRY(comm_agree(&run->domain.comm, run->domain.comm.rank == 0 ? load_input(w) : KOL_OK));
    if (run->domain.comm.rank == 0) length = strlen(w->text);
    MPI_TRY(MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, run->domain.comm.mpi));
    if (run->domain.comm.rank != 0) w->text = calloc(length + 1, 1);
    if (w->text == NULL) RAISE(KOL_ERR_MEMORY, "no memory for an input of %lu bytes", length);
    MPI_TRY(MPI_Bcast(w->text, (int)length, MPI_CHAR, 0, run->domain.comm.mpi));
    snprintf(name, sizeof name, "%s: input", w->o.words.word[0]);
    TRY(input_read(name, w->text, length, &(struct input_settings){1, SET, NULL}, run->domain.comm.size,
                   &run->in, &run->source));
    return run_create_bare(run);
}

/* --- one file of all runs; on rank 0 --- */

static kol_status check_numbers(const struct part *p, double length, double count, int most)
{
    const double power = log2(length), doubles_count_to = 9007199254740992.0;
    if (count >= 0 && count < most && count == floor(count) && length >= 1 && length < doubles_count_to &&
        power == floor(power) && p->samples >= count * length && p->samples >= 1 &&
        p->samples < doubles_count_to && p->samples == floor(p->samples) && isfinite(p->begin) &&
        isfinite(p->end) && p->begin <= p->end)
        return KOL_OK;
    RAISE(KOL_ERR_IO,
          "%s: %g samples in %g batches of %g, from t = %g to %g are not those of an average; the file is "
          "damaged",
          statsread_path(p->file), p->samples, count, length, p->begin, p->end);
}

static kol_status check_values(const struct part *p, const char *what, size_t n, const double *value)
{
    for (size_t i = 0; i < n; ++i)
        if (!isfinite(value[i]))
            RAISE(KOL_ERR_IO, "%s: value %zu of batches/%s is %g; the file is damaged",
                  statsread_path(p->file), i, what, value[i]);
    return KOL_OK;
}

/* The weights of an average whose batches are there; with none, an earlier version wrote the file, and all
 * samples are of equal weight. */
static kol_status load_weights(struct part *p, int kind)
{
    struct batch_means *b = p->average[kind];
    struct batch_means_times times;
    double weight[BATCH_MEANS_MOST], rest;
    const int count = batch_means_count(b);
    if (!statsread_has(p->file, "batches", NAMES[kind].rest_weight)) return KOL_OK;
    TRY(statsread_values(p->file, "batches", NAMES[kind].rest_weight, 1, &rest));
    TRY(statsread_values(p->file, "batches", NAMES[kind].weight_time, 1, &times.unit));
    TRY(statsread_values(p->file, "batches", NAMES[kind].last_interval, 1, &times.interval));
    TRY(statsread_values(p->file, "batches", NAMES[kind].t_before, 1, &times.before));
    if (count > 0) TRY(statsread_values(p->file, "batches", NAMES[kind].weight, (size_t)count, weight));
    times.latest = !isnan(times.interval);
    times.follows = !isnan(times.before);
    if (!times.latest) times.interval = 1;
    if (!times.follows) times.before = 0;
    double all = rest;
    for (int n = 0; n < count; ++n) all += weight[n] >= 0 ? weight[n] : NAN;
    if (!(rest >= 0 && all > 0 && isfinite(all) && times.unit >= 0 && isfinite(times.unit) &&
          times.interval >= 0 && isfinite(times.interval) && isfinite(times.before)))
        RAISE(KOL_ERR_IO,
              "%s: the weights of the samples add up to %g, and a weight of 1 stands for the time %g: the "
              "file is damaged",
              statsread_path(p->file), all, times.unit);
    batch_means_set_weights(b, times, weight, rest);
    return KOL_OK;
}

/* Makes it an average of cycles, if it is merged into one, and counts them. */
static kol_status load_cycles(struct part *p, struct batch_means *b)
{
    double cycles;
    const double counted = (double)batch_means_length(b) * batch_means_count(b);
    if (!batch_means_has_cycles(b)) return KOL_OK;
    TRY(statsread_number(p->file, "n_cycles", &cycles));
    if (!(cycles >= counted && cycles <= p->samples && cycles == floor(cycles)))
        RAISE(KOL_ERR_IO,
              "%s: %g cycles with %g samples, of which %g are in batches, are not possible: the file is "
              "damaged",
              statsread_path(p->file), cycles, p->samples, counted);
    batch_means_set_cycles(b, (long long)cycles);
    return KOL_OK;
}

/* Reads a file's average. */
static kol_status load_batches(struct part *p, int kind, const struct merged *m)
{
    const size_t n = (size_t)m->values, most = (size_t)batch_means_most(m->average);
    double length, count;
    TRY(statsread_number(p->file, NAMES[kind].length, &length));
    TRY(statsread_number(p->file, NAMES[kind].count, &count));
    TRY(check_numbers(p, length, count, (int)most));
    double *batch = calloc(most * n, sizeof *batch), *rest = calloc(2 * n, sizeof *rest), *latest = rest + n;
    kol_status st = KOL_OK;
    if (batch == NULL || rest == NULL)
        st =
            status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for batches of %d values", m->values);
    TRY_OR(done, st);
    if (count > 0)
        TRY_OR(done, statsread_values(p->file, "batches", NAMES[kind].sum, (size_t)count * n, batch));
    TRY_OR(done, statsread_values(p->file, "batches", NAMES[kind].rest, n, rest));
    TRY_OR(done, statsread_values(p->file, "batches", NAMES[kind].latest, n, latest));
    TRY_OR(done, check_values(p, NAMES[kind].sum, (size_t)count * n, batch));
    TRY_OR(done, check_values(p, NAMES[kind].rest, n, rest));
    TRY_OR(done, check_values(p, NAMES[kind].latest, n, latest));
    TRY_OR(done, batch_means_create(NULL, m->values, (int)most, &p->average[kind]));
    if (batch_means_has_cycles(m->average)) batch_means_use_cycles(p->average[kind]);
    batch_means_set(p->average[kind], (long long)p->samples, (long long)length, (int)count, p->begin, p->end,
                    batch, rest);
    TRY_OR(done, load_cycles(p, p->average[kind]));
    batch_means_set_latest(p->average[kind], latest);
    st = load_weights(p, kind);
done:
    free(batch);
    free(rest);
    return st;
}

static kol_status open_part(const char *path, struct part *p)
{
    TRY(statsread_open(path, &p->file));
    if (!statsread_has(p->file, "batches", "rest"))
        RAISE(KOL_ERR_INPUT,
              "%s: error: it has no group `batches`: an earlier version wrote the file, or its batches "
              "belong to a cross-section and would take more than 128 MiB. If an earlier version wrote it, "
              "make it anew from the checkpoints by kolmo-stats, or let the run go on by a step",
              path);
    TRY(statsread_number(p->file, "n_samples", &p->samples));
    TRY(statsread_number(p->file, "t_start", &p->begin));
    return statsread_number(p->file, "t_end", &p->end);
}

static int by_time(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Compares the inputs of a part with run->in, which is that of the first part. */
static kol_status compare(const struct run *run, struct work *w, struct part *p)
{
    char *text = NULL, found[4096] = "";
    w->differences.used = 0;
    TRY(statsread_text(p->file, "input", &text));
    p->begun = merge_compare_inputs(text, &run->in, &w->differences);
    free(text);
    TRY(statsread_compare(w->part[0].file, p->file, found, sizeof found));
    if (w->differences.used == 0 && found[0] == '\0') return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: it belongs to another flow than %s:%s%s\nmerge files of one flow, one grid, one "
          "statistics.pressure and one version",
          statsread_path(p->file), statsread_path(w->part[0].file),
          w->differences.used > 0 ? w->differences.text : "", found);
}

static int same_samples(const struct part *a, const struct part *b, int values)
{
    const struct batch_means *of_a = a->average[0], *of_b = b->average[0];
    const size_t bytes = (size_t)values * (size_t)batch_means_count(of_a) * sizeof(double);
    return a->samples == b->samples && batch_means_count(of_a) == batch_means_count(of_b) &&
           a->begin == b->begin && a->end == b->end &&
           memcmp(batch_means_complete(of_a), batch_means_complete(of_b), bytes) == 0;
}

static struct merge_part span_of(const struct part *p)
{
    return (struct merge_part){statsread_path(p->file), p->begin, p->end, p->begun};
}

static kol_status check_overlap(const struct work *w, const struct part *a, const struct part *b)
{
    const struct merge_part first = span_of(a), second = span_of(b);
    return merge_check_overlap(&first, &second, w->o.overlap);
}

static kol_status check_times(const struct work *w, int values)
{
    for (int n = 1; n < w->parts; ++n) {
        const struct part *b = &w->part[n];
        for (int m = 0; m < n; ++m)
            if (same_samples(&w->part[m], b, values))
                RAISE(KOL_ERR_INPUT, "error: %s and %s hold the same samples; leave one out",
                      statsread_path(w->part[m].file), statsread_path(b->file));
        for (int m = 0; m < n; ++m) TRY(check_overlap(w, &w->part[m], b));
    }
    return KOL_OK;
}

/* Lists the averages of file number `file`, and returns how many there are. */
static int averages_of(struct run *run, int file, struct merged m[KINDS])
{
    m[0].average = statistics_average(run->statistics, file, &m[0].values);
    m[1].average = statistics_average(run->statistics, STATISTICS_LINES, &m[1].values);
    m[2].average = statistics_average(run->statistics, STATISTICS_SCALARS, &m[2].values);
    return file > 0 || m[1].average == NULL ? 1 : m[2].average == NULL ? 2 : KINDS;
}

static kol_status load_parts(struct work *w, const struct merged *m, int kinds)
{
    for (int n = 0; n < w->parts; ++n) {
        struct part *p = &w->part[n];
        for (int k = 0; k < kinds; ++k) TRY(load_batches(p, k, &m[k]));
        TRY(lines_add(&w->files, "%s%s: %.0f samples, t %.9g to %.9g", w->files.used > 0 ? "\n" : "",
                      statsread_path(p->file), p->samples, p->begin, p->end));
    }
    return KOL_OK;
}

static kol_status merge_opened(struct run *run, struct work *w, int file)
{
    struct merged m[KINDS];
    struct batch_means *from[WORDS_MOST];
    char path[RUN_DIRECTORY_TEXT];
    const int kinds = averages_of(run, file, m);
    for (int r = 0; r < w->o.words.count; ++r) {
        TRY(name_of(w, r, file, path, sizeof path));
        TRY(open_part(path, &w->part[w->parts++]));
    }
    if (m[0].average == NULL)
        RAISE(KOL_ERR_INPUT, "%s: error: the input of its run asks for no such file",
              statsread_path(w->part[0].file));
    for (int n = 0; n < w->parts; ++n) TRY(compare(run, w, &w->part[n]));
    qsort(w->part, (size_t)w->parts, sizeof *w->part, by_time);
    TRY(load_parts(w, m, kinds));
    TRY(check_times(w, m[0].values));
    for (int k = 0; k < kinds; ++k) {
        for (int n = 0; n < w->parts; ++n) from[n] = w->part[n].average[k];
        TRY(batch_means_merge(from, w->parts, m[k].average));
    }
    return lines_add(&w->done, "  %s: %lld samples of %d files, t %.6g to %.6g, %d batches of %lld\n",
                     statistics_files[file], batch_means_samples(m[0].average), w->parts,
                     batch_means_begin(m[0].average), batch_means_end(m[0].average),
                     batch_means_count(m[0].average), batch_means_length(m[0].average));
}

static kol_status merge_file(struct run *run, struct work *w, int file)
{
    w->parts = 0;
    w->part = calloc((size_t)w->o.words.count, sizeof *w->part);
    if (w->part == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d files", w->o.words.count);
    kol_status st = merge_opened(run, w, file);
    for (int n = 0; n < w->parts; ++n) {
        const kol_status closed = statsread_close(&w->part[n].file);
        for (int k = 0; k < KINDS; ++k) batch_means_destroy(&w->part[n].average[k]);
        if (st == KOL_OK) st = closed;
    }
    free(w->part);
    w->part = NULL;
    return st;
}

static kol_status merge_all(struct run *run, struct work *w)
{
    for (int n = 0; n < STATISTICS_FILES; ++n)
        if (w->kept[n]) TRY(merge_file(run, w, n));
    if (!w->kept[HISTORY]) return KOL_OK;
    return merge_history_read(&run->in, &w->o.words, &w->files, &w->done, &w->history);
}

/* Merges averages.h5. All ranks need the names of the files as provenance. */
static kol_status merge_cells(struct run *run, struct work *w)
{
    MPI_TRY(MPI_Bcast(w->kept, FILES, MPI_INT, 0, run->domain.comm.mpi));
    if (!w->kept[CELLS]) return KOL_OK;
    return merge_averages(run, w->o.words.word, w->o.words.count, w->o.overlap, &w->files, &w->done);
}

static kol_status work(struct run *run, struct work *w)
{
    TRY(read_options(run, &w->o));
    if (w->o.help || w->o.version) return KOL_OK;
    TRY(comm_agree(&run->domain.comm, run->domain.comm.rank == 0 ? choose_files(w) : KOL_OK));
    TRY(create(run, w));
    TRY(program_folder(run, w->o.out, w->o.replace, &w->made));
    TRY(comm_agree(&run->domain.comm, run->domain.comm.rank == 0 ? merge_all(run, w) : KOL_OK));
    TRY(merge_cells(run, w));
    TRY(program_write(run, "kolmo-merge", w->files.text, merge_history_write, w->history));
    log_info("%skolmo-merge %s: written to %s", w->done.used > 0 ? w->done.text : "", provenance_version(),
             run->in.output.directory);
    return KOL_OK;
}

static kol_status body(struct run *run)
{
    struct work *w = calloc(1, sizeof *w);
    if (w == NULL) RAISE(KOL_ERR_MEMORY, "no memory");
    const kol_status st = work(run, w);
    if (st != KOL_OK) program_unmake(run, w->made);
    merge_history_destroy(&w->history);
    free(w->files.text);
    free(w->done.text);
    free(w->differences.text);
    free(w->text);
    free(w);
    return st;
}

int main(int argc, char **argv)
{
    return program_main(argc, argv, body);
}
