/* Averages history.nc of several runs at equal times. */
#include "merge_history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/compare.h"
#include "io/run_directory.h"
#include "io/series.h"
#include "io/statsread.h"
#include "solver/output/history.h"
#include "solver/statistics/box_history.h"

enum {
    FIRST = 3,
    COLUMNS = 2 + HISTORY_NUMBERS + HISTORY_CURVES,
    WORDS = 256,
    PATH = RUN_DIRECTORY_TEXT + 16
};

/* of the largest time: what rounding may make of equal times */
static const double SAME_TIME = 1e-9;

/* member: the records of one run that are averaged. */
struct member {
    char path[PATH];
    size_t records, *record; /* how many, and their numbers in the file */
    size_t all;              /* records in the file */
    double *time, *age;      /* of all records */
};

struct merged_history {
    const struct input *in; /* borrowed */
    struct member *member;
    int members;
    int aged;       /* whether times are counted from the end of the forcing */
    size_t records; /* that all runs have */
    size_t points;  /* of a curve; 0: there are none */
    size_t width;   /* values of a record */
    double *wavenumber, *distance;
    double *mean, *square, *first; /* of each value; of the first run */
    int differs;                   /* whether any run differs from the first one */
    struct lines differences;
};

/* --- columns --- */

static struct history_word word_of(int column)
{
    static const struct history_word OWN[] = {
        {"decay_exponent",
         "n of k ~ (t - t0)^-n, from the slope of k/dissipation over the last third of the time", "1"}};
    if (column == 0) return OWN[0];
    return column <= HISTORY_NUMBERS ? box_history_numbers[column - 1]
                                     : box_history_curves[column - 1 - HISTORY_NUMBERS];
}

static int columns_of(const struct merged_history *h)
{
    return 1 + HISTORY_NUMBERS + (h->points > 0 ? HISTORY_CURVES : 0);
}

static size_t width_of(const struct merged_history *h, int column)
{
    return column > HISTORY_NUMBERS ? h->points : 1;
}

/* --- reading --- */

static kol_status allocate(size_t n, const char *path, double **out)
{
    *out = calloc(n > 0 ? n : 1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu values", path, n);
    return KOL_OK;
}

static void note_change(void *context, const struct input_change *change)
{
    struct merged_history *h = context;
    const int begins = strncmp(change->name, "initial.", strlen("initial.")) == 0;
    if (change->known && change->physics && !begins &&
        lines_add(&h->differences, "\n  %s: %s and %s", change->name, change->now, change->was) != KOL_OK)
        status_clear(); /* a line less */
}

static kol_status check_flow(struct merged_history *h, const struct member *m, struct stats_reader *file)
{
    char *text = NULL;
    h->differences.used = 0;
    TRY(statsread_text(file, "input", &text));
    input_compare(text, h->in, note_change, h);
    free(text);
    if (h->differences.used == 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "%s: error: it belongs to another flow than %s:%s\nmerge histories of one flow",
          m->path, h->member[0].path, h->differences.text);
}

/* Reads the axes of the curves, or checks that they are those of the first run. */
static kol_status read_axes(struct merged_history *h, const struct member *m, struct stats_reader *file)
{
    static const char *const NAME[] = {"wavenumber", "distance"};
    double **axis[] = {&h->wavenumber, &h->distance};
    const int first = m == h->member, there = statsread_has(file, NULL, NAME[0]);
    if (first && there) TRY(statsread_count(file, NAME[0], &h->points));
    if (there != (h->points > 0))
        RAISE(KOL_ERR_INPUT, "%s: error: of it and %s only one has spectra; merge histories of one grid",
              m->path, h->member[0].path);
    for (int a = 0; a < 2 && there; ++a) {
        double *value;
        TRY(allocate(h->points, m->path, &value));
        kol_status st = statsread_values(file, NULL, NAME[a], h->points, value);
        const int same = first || (st == KOL_OK && memcmp(value, *axis[a], h->points * sizeof *value) == 0);
        if (st == KOL_OK && !same)
            st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                              "%s: error: its %s are not those of %s; merge histories of one grid", m->path,
                              NAME[a], h->member[0].path);
        if (first) *axis[a] = value;
        else free(value);
        if (st != KOL_OK) return st;
    }
    return KOL_OK;
}

static kol_status read_times(struct merged_history *h, struct member *m, struct stats_reader *file)
{
    TRY(statsread_count(file, "time", &m->all));
    TRY(allocate(m->all, m->path, &m->time));
    TRY(allocate(m->all, m->path, &m->age));
    m->record = calloc(m->all > 0 ? m->all : 1, sizeof *m->record);
    if (m->record == NULL) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu records", m->path, m->all);
    TRY(statsread_values(file, NULL, "time", m->all, m->time));
    TRY(statsread_values(file, NULL, "time_of_decay", m->all, m->age));
    for (size_t r = 0; r < m->all; ++r) h->aged |= !isnan(m->age[r]);
    return KOL_OK;
}

static kol_status look(struct merged_history *h, struct member *m)
{
    struct stats_reader *file = NULL;
    TRY(statsread_open(m->path, &file));
    kol_status st = check_flow(h, m, file);
    if (st == KOL_OK) st = read_axes(h, m, file);
    if (st == KOL_OK) st = read_times(h, m, file);
    const kol_status closed = statsread_close(&file);
    return st != KOL_OK ? status_pass(st, __FILE__, __LINE__, "look") : closed;
}

static double time_of(const struct merged_history *h, const struct member *m, size_t n)
{
    return h->aged ? m->age[m->record[n]] : m->time[m->record[n]];
}

/* Finds the records that count, and checks that all runs have them at equal times. */
static kol_status match_times(struct merged_history *h)
{
    for (int i = 0; i < h->members; ++i) {
        struct member *m = &h->member[i];
        for (size_t r = 0; r < m->all; ++r)
            if (!h->aged || !isnan(m->age[r])) m->record[m->records++] = r;
        if (i == 0 || m->records < h->records) h->records = m->records;
    }
    if (h->records == 0)
        RAISE(KOL_ERR_INPUT, "error: one of the histories has no records%s; leave it out",
              h->aged ? " after the end of the forcing, which others have" : "");
    const double most = fabs(time_of(h, &h->member[0], h->records - 1));
    for (int i = 1; i < h->members; ++i)
        for (size_t n = 0; n < h->records; ++n) {
            const double t = time_of(h, &h->member[i], n), first = time_of(h, &h->member[0], n);
            if (fabs(t - first) <= SAME_TIME * most) continue;
            RAISE(KOL_ERR_INPUT,
                  "%s: error: its record %zu is of the time %.9g, that of %s of %.9g; give all runs the same "
                  "history.interval_time and output.cut_steps = .true.%s; or merge their other files one by "
                  "one, by "
                  "--only",
                  h->member[i].path, h->member[i].record[n] + 1, t, h->member[0].path, first,
                  h->aged ? ", and let their decay begin at the same time" : "");
        }
    return KOL_OK;
}

/* Adds the values of a run to the means and to the sums of squares about them (Welford). */
static kol_status add_column(struct merged_history *h, int i, struct stats_reader *file, int column,
                             size_t at)
{
    const struct member *m = &h->member[i];
    const size_t width = width_of(h, column);
    double *value;
    TRY(allocate(m->all * width, m->path, &value));
    const kol_status st = statsread_values(file, NULL, word_of(column).name, m->all * width, value);
    for (size_t n = 0; n < h->records && st == KOL_OK; ++n)
        for (size_t p = 0; p < width; ++p) {
            const size_t to = n * h->width + at + p;
            const double x = value[m->record[n] * width + p], off = x - h->mean[to];
            if (i == 0) h->first[to] = x;
            h->differs |= memcmp(&h->first[to], &x, sizeof x) != 0;
            h->mean[to] += off / (i + 1);
            h->square[to] += off * (x - h->mean[to]);
        }
    free(value);
    return st;
}

static kol_status add_member(struct merged_history *h, int i)
{
    struct stats_reader *file = NULL;
    size_t at = 0;
    kol_status st = KOL_OK;
    TRY(statsread_open(h->member[i].path, &file));
    h->differs = 0;
    for (int c = 0; c < columns_of(h) && st == KOL_OK; ++c) {
        st = add_column(h, i, file, c, at);
        at += width_of(h, c);
    }
    const kol_status closed = statsread_close(&file);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "add_member");
    if (i > 0 && !h->differs)
        RAISE(KOL_ERR_INPUT, "error: %s and %s hold the same records; leave one out", h->member[i].path,
              h->member[0].path);
    return closed;
}

static kol_status read_all(struct merged_history *h, const struct words *folders, struct lines *files,
                           struct lines *done)
{
    h->member = calloc((size_t)folders->count, sizeof *h->member);
    if (h->member == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d runs", folders->count);
    h->members = folders->count;
    for (int i = 0; i < h->members; ++i)
        snprintf(h->member[i].path, PATH, "%s/%s", folders->word[i], HISTORY_FILE);
    for (int i = 0; i < h->members; ++i) TRY(look(h, &h->member[i]));
    TRY(match_times(h));
    for (int c = 0; c < columns_of(h); ++c) h->width += width_of(h, c);
    TRY(allocate(h->records * h->width, HISTORY_FILE, &h->mean));
    TRY(allocate(h->records * h->width, HISTORY_FILE, &h->square));
    TRY(allocate(h->records * h->width, HISTORY_FILE, &h->first));
    for (int i = 0; i < h->members; ++i) {
        const struct member *m = &h->member[i];
        TRY(add_member(h, i));
        if (m->records > h->records)
            TRY(lines_add(done, "  %s: %zu records are left out, as not all runs have these times\n", m->path,
                          m->records - h->records));
        TRY(lines_add(files, "%s%s: %zu records, t %.9g to %.9g", files->used > 0 ? "\n" : "", m->path,
                      h->records, m->time[m->record[0]], m->time[m->record[h->records - 1]]));
    }
    return lines_add(done, "  %s: %zu records of %d runs, t %.6g to %.6g%s\n", HISTORY_FILE, h->records,
                     h->members, time_of(h, &h->member[0], 0), time_of(h, &h->member[0], h->records - 1),
                     h->aged ? " after the end of the forcing" : "");
}

kol_status merge_history_read(const struct input *in, const struct words *folders, struct lines *files,
                              struct lines *done, struct merged_history **out)
{
    struct merged_history *h = *out = calloc(1, sizeof *h);
    if (h == NULL) RAISE(KOL_ERR_MEMORY, "no memory for histories");
    h->in = in;
    return read_all(h, folders, files, done);
}

void merge_history_destroy(struct merged_history **history)
{
    struct merged_history *h = *history;
    if (h == NULL) return;
    for (int i = 0; i < h->members; ++i) {
        free(h->member[i].record);
        free(h->member[i].time);
        free(h->member[i].age);
    }
    free(h->member);
    free(h->wavenumber);
    free(h->distance);
    free(h->mean);
    free(h->square);
    free(h->first);
    free(h->differences.text);
    free(h);
    *history = NULL;
}

/* --- writing --- */

/* The names of means and errors, for series_open(). */
struct names {
    struct series_column column[FIRST + 2 * COLUMNS];
    char error[COLUMNS][WORDS], of_error[COLUMNS][WORDS];
};

static int name_columns(const struct merged_history *h, struct names *names)
{
    struct series_column *c = names->column;
    int n = 0;
    c[n++] = (struct series_column){"runs", "number of runs that are averaged", "1", SERIES_INTEGER};
    c[n++] = (struct series_column){"time", "time, the mean of the runs", "L/U", SERIES_REAL};
    c[n++] = (struct series_column){
        "time_of_decay",
        "time since the forcing was switched off or the bodies vanished; NaN if neither has happened", "L/U",
        SERIES_REAL};
    for (int i = 0; i < columns_of(h); ++i) {
        const struct history_word w = word_of(i);
        const int kind = i > HISTORY_NUMBERS ? SERIES_POINTS : SERIES_REAL;
        snprintf(names->error[i], WORDS, "%s_error", w.name);
        snprintf(names->of_error[i], WORDS, "standard error of %s, from the scatter of the runs", w.name);
        c[n++] = (struct series_column){w.name, w.long_name, w.unit, kind};
        c[n++] = (struct series_column){names->error[i], names->of_error[i], w.unit, kind};
    }
    return n;
}

static void make_record(const struct merged_history *h, size_t n, double *record)
{
    const double runs = h->members;
    size_t at = 0, to = FIRST;
    record[0] = runs;
    record[1] = 0;
    for (int i = 0; i < h->members; ++i) record[1] += h->member[i].time[h->member[i].record[n]] / runs;
    record[2] = h->aged ? time_of(h, &h->member[0], n) : NAN;
    for (int c = 0; c < columns_of(h); ++c) {
        const size_t width = width_of(h, c);
        for (size_t p = 0; p < width; ++p) {
            const size_t v = n * h->width + at + p;
            record[to + p] = h->mean[v];
            record[to + width + p] = sqrt(h->square[v] / (runs - 1) / runs);
        }
        at += width;
        to += 2 * width;
    }
}

static kol_status write_records(const struct merged_history *h, struct series *series)
{
    double *record;
    kol_status st = KOL_OK;
    TRY(allocate(FIRST + 2 * h->width, HISTORY_FILE, &record));
    for (size_t n = 0; n < h->records && st == KOL_OK; ++n) {
        make_record(h, n, record);
        st = series_append(series, record);
    }
    free(record);
    return st;
}

static kol_status write_file(const struct merged_history *h, struct names *names, const struct io_text *text,
                             int texts)
{
    char path[PATH];
    struct series *series = NULL;
    const int columns = name_columns(h, names);
    const struct series_coordinate coordinate[] = {
        {"wavenumber", "wavenumber in the middle of the shell, of E, T, D", "L-1", h->wavenumber},
        {"distance", "distance of the two points, of the structure functions", "L", h->distance}};
    const struct series_points points = {"shell", (int)h->points, coordinate, 2};
    snprintf(path, sizeof path, "%s/%s", h->in->output.directory, HISTORY_FILE);
    TRY(series_open(path, names->column, columns, h->points > 0 ? &points : NULL, -1, text, texts, &series));
    const kol_status st = write_records(h, series), closed = series_close(&series);
    return st != KOL_OK ? st : closed;
}

kol_status merge_history_write(void *history, const struct io_text *text, int texts)
{
    if (history == NULL) return KOL_OK;
    struct names *names = calloc(1, sizeof *names);
    if (names == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the names of columns");
    const kol_status st = write_file(history, names, text, texts);
    free(names);
    return st;
}
