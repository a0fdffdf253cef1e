/* Writes series.nc and probes.nc.
 *
 * A file is never changed in place. A flush copies the file, appends to the copy, and renames the copy over
 * the file. HDF5 has no journal, so a kill in the middle of an append could cost all records; a kill during a
 * rename costs none. The price is one copy of the file for each flush, so a run flushes every few minutes,
 * not after every step.
 *
 * If there is enough memory, NetCDF works on a file in memory, without a name, and our own code copies it to
 * and from the disk. The reason is that nc_close of NetCDF 4.9 crashed when the last write of a file, or its
 * close, failed. A seal tells whether a file still has the bytes that were written, before NetCDF reads
 * it. */
#include "series.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "disk.h"
#include "log.h"
#include "nc.h"
#include "seal.h"
#include "shared_faults.h"

enum { CHUNK = 1024, NAME_BYTES = 64, MOST_DAMAGED = 1000 };
/* CF's `title` of a run that has none */
static const char UNTITLED[] = "time series of a flow", UNTITLED_POINTS[] = "time series at points of a flow";
static const char TIME[] = "time";
static const char MEMORY[] = "/dev/shm";
static const double MEMORY_SPARE = 1 << 24; /* bytes that stay free there, beyond twice the file */
static const double INTEGER_LIMIT = 9007199254740992.0; /* 2^53: up to here double holds every integer */

struct series {
    char path[DISK_PATH], temporary[DISK_PATH];
    char scratch[DISK_PATH]; /* what NetCDF works on: a file in memory, or temporary itself */
    int memory;              /* descriptor of the one in memory; -1: none */
    int columns;
    int *from; /* of each column, its variable in the file of an earlier run; -1: it is not there */
    char (*name)[NAME_BYTES];
    int *integer;
    int points;    /* of a column of points */
    int *width;    /* values per record of each column: 1, or points */
    int *first;    /* first value of each column in a record */
    int values;    /* number of values in a record of all columns */
    double *piece; /* one column, while it is copied */
    size_t piece_records;
    size_t records; /* in the file */
    double *value;  /* buffered records, one after another */
    size_t count, room;
};

static void series_free(struct series *s)
{
    if (!s) return;
    if (s->memory >= 0) close(s->memory);
    free(s->name);
    free(s->integer);
    free(s->from);
    free(s->width);
    free(s->first);
    free(s->piece);
    free(s->value);
    free(s);
}

static kol_status make_room(struct series *s, const struct series_column *column)
{
    const size_t points = s->points > 0 ? (size_t)s->points : 1;
    s->piece_records = points > CHUNK ? 1 : CHUNK / points;
    s->piece = calloc(s->piece_records * points, sizeof *s->piece);
    s->width = calloc((size_t)s->columns, sizeof *s->width);
    s->first = calloc((size_t)s->columns, sizeof *s->first);
    if (!s->piece || !s->width || !s->first)
        RAISE(KOL_ERR_MEMORY, "%s: no memory for %d columns", s->path, s->columns);
    for (int c = 0; c < s->columns; ++c) {
        s->width[c] = column[c].kind == SERIES_POINTS ? s->points : 1;
        s->first[c] = s->values;
        s->values += s->width[c];
    }
    return KOL_OK;
}

static kol_status series_new(const char *path, const struct series_column *column, int columns,
                             const struct series_points *points, struct series **out)
{
    struct series *s = calloc(1, sizeof *s);
    *out = s;
    if (s) s->memory = -1;
    if (columns < 1 || column[0].kind != SERIES_INTEGER)
        RAISE(KOL_ERR_INTERNAL, "%s: the first column must be the step, an integer", path);
    if (s) {
        s->name = calloc((size_t)columns, sizeof *s->name);
        s->integer = calloc((size_t)columns, sizeof *s->integer);
        s->from = calloc((size_t)columns, sizeof *s->from);
    }
    if (!s || !s->name || !s->integer || !s->from)
        RAISE(KOL_ERR_MEMORY, "%s: no memory for %d columns", path, columns);
    s->columns = columns;
    s->points = points ? points->count : 0;
    TRY(make_room(s, column));
    for (int c = 0; c < columns; ++c) {
        if (strlen(column[c].name) >= NAME_BYTES)
            RAISE(KOL_ERR_INTERNAL, "%s: the name %s has more than %d letters", path, column[c].name,
                  NAME_BYTES - 1);
        memcpy(s->name[c], column[c].name, strlen(column[c].name));
        s->integer[c] = column[c].kind == SERIES_INTEGER;
    }
    if (snprintf(s->path, sizeof s->path, "%s", path) >= DISK_PATH ||
        snprintf(s->temporary, sizeof s->temporary, "%s.tmp", path) >= DISK_PATH)
        RAISE(KOL_ERR_IO, "the path %.80s... is too long; choose a shorter directory", path);
    return KOL_OK;
}

/* --- the head of a file --- */

/* CF's `coordinates` of a column: time, and the places of points. */
static kol_status put_coordinates(const struct series *s, int id, int variable,
                                  const struct series_column *column, const struct series_points *points)
{
    const int count = column->kind == SERIES_POINTS ? points->coordinates : 0;
    char names[NAME_BYTES] = "";
    for (int c = 0; c < s->columns; ++c)
        if (strcmp(s->name[c], TIME) == 0 && strcmp(column->name, TIME) != 0) strcpy(names, TIME);
    for (int c = 0; c < count; ++c) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? " " : "", points->coordinate[c].name);
    }
    return names[0] != '\0' ? nc_put_text(s->path, id, variable, "coordinates", names) : KOL_OK;
}

/* The dimension is not called time: CF has that for a date. */
static kol_status define_columns(const struct series *s, int id, const struct series_column *column,
                                 const struct series_points *points)
{
    const size_t chunk[2] = {s->piece_records, (size_t)s->points}, all = CHUNK;
    int dimension[2] = {0, 0}, variable;
    NC_TRY(s->path, nc_def_dim(id, "record", NC_UNLIMITED, &dimension[0]));
    if (points) NC_TRY(s->path, nc_def_dim(id, points->name, (size_t)points->count, &dimension[1]));
    for (int c = 0; c < s->columns; ++c) {
        const int of_points = column[c].kind == SERIES_POINTS, integer = s->integer[c];
        NC_TRY(s->path, nc_def_var(id, column[c].name, integer ? NC_INT64 : NC_DOUBLE, 1 + of_points,
                                   dimension, &variable));
        NC_TRY(s->path, nc_def_var_chunking(id, variable, NC_CHUNKED, of_points ? chunk : &all));
        TRY(nc_put_text(s->path, id, variable, "long_name", column[c].long_name));
        TRY(nc_put_unit(s->path, id, variable, column[c].unit));
        TRY(put_coordinates(s, id, variable, &column[c], points));
    }
    return KOL_OK;
}

/* Defines the points after the columns, so that the number of a column is that of its variable. */
static kol_status define_points(const struct series *s, int id, const struct series_points *points)
{
    int dimension, variable;
    for (int c = 0; points && c < points->coordinates; ++c) {
        NC_TRY(s->path, nc_inq_dimid(id, points->name, &dimension));
        NC_TRY(s->path, nc_def_var(id, points->coordinate[c].name, NC_DOUBLE, 1, &dimension, &variable));
        TRY(nc_put_text(s->path, id, variable, "long_name", points->coordinate[c].long_name));
        TRY(nc_put_unit(s->path, id, variable, points->coordinate[c].unit));
    }
    return KOL_OK;
}

static kol_status put_points(const struct series *s, int id, const struct series_points *points)
{
    for (int c = 0; points && c < points->coordinates; ++c)
        NC_TRY(s->path, nc_put_var_double(id, s->columns + c, points->coordinate[c].value));
    return KOL_OK;
}

static kol_status copy_global(const struct series *s, int old, int id)
{
    int count;
    char name[NC_MAX_NAME + 1];
    NC_TRY(s->path, nc_inq_natts(old, &count));
    for (int n = 0; n < count; ++n) {
        NC_TRY(s->path, nc_inq_attname(old, NC_GLOBAL, n, name));
        NC_TRY(s->path, nc_copy_att(old, NC_GLOBAL, name, id, NC_GLOBAL));
    }
    return KOL_OK;
}

/* Adds to CF's `history`, which has a line for each run that wrote to the file. */
static kol_status add_history(const struct series *s, int old, int id, long long keep_through)
{
    char line[96], when[32];
    const time_t now = time(NULL);
    struct tm utc;
    size_t length = 0;
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (old >= 0) snprintf(line, sizeof line, "%s: continued after step %lld\n", when, keep_through);
    else snprintf(line, sizeof line, "%s: begun\n", when);
    if (old < 0 || nc_inq_attlen(old, NC_GLOBAL, "history", &length) != NC_NOERR) length = 0;
    char *all = calloc(length + sizeof line, 1);
    if (!all) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu bytes of history", s->path, length);
    kol_status st = KOL_OK;
    if (length > 0) NC_TRY_OR(done, s->path, nc_get_att_text(old, NC_GLOBAL, "history", all));
    strcat(all, line);
    TRY_OR(done, nc_put_text(s->path, id, NC_GLOBAL, "history", all));
done:
    free(all);
    return st;
}

/* --- a file of an earlier run --- */

static kol_status check_column(const struct series *s, int old, int variable,
                               const struct series_column *column)
{
    char name[NC_MAX_NAME + 1], unit[256];
    nc_type type;
    int dimensions;
    const char *own = column->unit != NULL && column->unit[0] != '\0' ? column->unit : "1";
    NC_TRY(s->path, nc_inq_var(old, variable, name, &type, &dimensions, NULL, NULL));
    nc_get_unit(old, variable, unit, sizeof unit);
    const char *kind = type == NC_INT64 ? "integer" : type == NC_DOUBLE ? "double" : "of another type";
    const char *wanted = column->kind == SERIES_INTEGER ? "integer" : "double";
    if (strcmp(kind, wanted) != 0 || dimensions != 1 + (column->kind == SERIES_POINTS))
        RAISE(KOL_ERR_IO,
              "%s: column '%s' is %s with %d dimensions, but this run writes %s with %d; move the file away "
              "to start a new one",
              s->path, name, kind, dimensions, wanted, 1 + (column->kind == SERIES_POINTS));
    if (strcmp(unit, own) != 0)
        RAISE(
            KOL_ERR_IO,
            "%s: column '%s' has unit '%s', but this run writes '%s'; move the file away to start a new one",
            s->path, name, unit, own);
    return KOL_OK;
}

/* Checks that the points of an earlier run are the same, bit for bit. */
static kol_status check_points(const struct series *s, int old, const struct series_points *points)
{
    int dimension;
    size_t count = 0;
    if (!points) return KOL_OK;
    NC_TRY(s->path, nc_inq_dimid(old, points->name, &dimension));
    NC_TRY(s->path, nc_inq_dimlen(old, dimension, &count));
    if (count != (size_t)points->count)
        RAISE(KOL_ERR_IO,
              "%s: the file has %zu of '%s', but this run writes %d; move the file away to start a new one",
              s->path, count, points->name, points->count);
    for (int c = 0; c < points->coordinates; ++c) {
        for (size_t n = 0; n < count; ++n) {
            double value;
            NC_TRY(s->path, nc_get_var1_double(old, s->columns + c, &n, &value));
            if (value != points->coordinate[c].value[n])
                RAISE(KOL_ERR_IO,
                      "%s: %s %zu has %s = %.17g, but in this run it is %.17g; move the file away to start a "
                      "new one",
                      s->path, points->name, n + 1, points->coordinate[c].name, value,
                      points->coordinate[c].value[n]);
        }
    }
    return KOL_OK;
}

/* Finds each column of the old file among those of this run, by its name: what a run writes besides may come
 * between them. */
static kol_status match_columns(const struct series *s, int old, int columns,
                                const struct series_column *column)
{
    for (int c = 0; c < s->columns; ++c) s->from[c] = -1;
    for (int v = 0; v < columns; ++v) {
        char name[NC_MAX_NAME + 1];
        int c = 0;
        NC_TRY(s->path, nc_inq_varname(old, v, name));
        while (c < s->columns && strcmp(s->name[c], name) != 0) ++c;
        if (c == s->columns)
            RAISE(KOL_ERR_IO,
                  "%s: this run does not write its column '%s'; move the file away to start a new one, or "
                  "choose another output.directory",
                  s->path, name);
        TRY(check_column(s, old, v, &column[c]));
        s->from[c] = v;
    }
    return KOL_OK;
}

/* What this run writes besides must be reals, which are NaN in the earlier records. */
static kol_status check_added(const struct series *s)
{
    int added = 0, first = 0;
    for (int c = s->columns - 1; c >= 0; --c) {
        if (s->from[c] >= 0) continue;
        ++added;
        first = c;
        if (s->integer[c] || s->points > 0)
            RAISE(KOL_ERR_IO,
                  "%s: the file has no column '%s', which this run writes; move the file away to start a new "
                  "one",
                  s->path, s->name[c]);
    }
    if (added > 0)
        log_info("%s has no '%s' so far%s: in its earlier records this is NaN", s->path, s->name[first],
                 added > 1 ? ", and further columns" : "");
    return KOL_OK;
}

static kol_status check_columns(struct series *s, int old, const struct series_column *column,
                                const struct series_points *points, size_t *records)
{
    int columns, unlimited;
    NC_TRY(s->path, nc_inq_nvars(old, &columns));
    columns -= points ? points->coordinates : 0;
    TRY(match_columns(s, old, columns, column));
    TRY(check_added(s));
    TRY(check_points(s, old, points));
    NC_TRY(s->path, nc_inq_unlimdim(old, &unlimited));
    if (unlimited < 0)
        RAISE(KOL_ERR_IO, "%s: the file has no unlimited dimension, so it is no series; move the file away",
              s->path);
    NC_TRY(s->path, nc_inq_dimlen(old, unlimited, records));
    return KOL_OK;
}

/* Counts the records before the first one whose step is beyond keep_through. */
static kol_status count_kept(const struct series *s, int old, size_t records, long long keep_through,
                             size_t *kept)
{
    long long step[CHUNK];
    for (*kept = 0; *kept < records;) {
        const size_t size = records - *kept < CHUNK ? records - *kept : CHUNK;
        NC_TRY(s->path, nc_get_vara_longlong(old, 0, kept, &size, step));
        for (size_t n = 0; n < size; ++n, ++*kept)
            if (step[n] > keep_through) return KOL_OK;
    }
    return KOL_OK;
}

/* Takes a piece of a column: the records from start on, as many as there is room for. */
static void piece_of(const struct series *s, int column, size_t start, size_t end, size_t at[2],
                     size_t size[2])
{
    at[0] = start;
    at[1] = 0;
    size[0] = end - start < s->piece_records ? end - start : s->piece_records;
    size[1] = (size_t)s->width[column];
}

static kol_status copy_records(const struct series *s, int old, int id)
{
    size_t at[2], size[2];
    for (int c = 0; c < s->columns; ++c)
        for (size_t start = 0; start < s->records; start += size[0]) {
            piece_of(s, c, start, s->records, at, size);
            if (s->from[c] >= 0) NC_TRY(s->path, nc_get_vara_double(old, s->from[c], at, size, s->piece));
            else
                for (size_t n = 0; n < size[0] * size[1]; ++n) s->piece[n] = NAN;
            NC_TRY(s->path, nc_put_vara_double(id, c, at, size, s->piece));
        }
    return KOL_OK;
}

/* Renames the file to the first free name of path.damaged, path.damaged-2, ... So nothing is lost. */
static kol_status set_aside(const struct series *s, const char *damage)
{
    char name[DISK_PATH + 32];
    int n = 1;
    do snprintf(name, sizeof name, n > 1 ? "%s.damaged-%d" : "%s.damaged", s->path, n);
    while (access(name, F_OK) == 0 && ++n < MOST_DAMAGED);
    if (rename(s->path, name) != 0)
        RAISE(KOL_ERR_IO, "%s is damaged: %s; it could not be renamed: %s; move it away to begin a new one",
              s->path, damage, strerror(errno));
    log_warn("%s is not continued: %s; it is now called %s, and a new one begins", s->path, damage, name);
    return KOL_OK;
}

/* Opens the file of an earlier run. If it is not sound, old stays -1. NetCDF gets a copy in memory, *image,
 * because it crashes if the close of a file fails. */
static kol_status open_old(const struct series *s, int *old, void **image)
{
    char damage[SEAL_WORDS] = "";
    size_t size = 0;
    TRY(seal_check(s->path, damage, image, &size));
    if (damage[0] != '\0') return set_aside(s, damage);
    NC_TRY(s->path, nc_open_mem(s->path, NC_NOWRITE, size, *image, old));
    return KOL_OK;
}

/* --- making a file --- */

/* Opens the file on which NetCDF works. It is in memory if there is room for the series and for what is
 * added. */
static void scratch_open(struct series *s)
{
    double bytes = 0;
    if (disk_check_file(s->path, &bytes) != KOL_OK) status_clear(); /* no series yet */
    bytes += (double)s->count * s->values * (double)sizeof *s->value;
    if (disk_check_space(MEMORY, 2 * bytes + MEMORY_SPARE) == KOL_OK) {
        snprintf(s->scratch, sizeof s->scratch, "%s/kolmo-series-XXXXXX", MEMORY);
        s->memory = mkostemp(s->scratch, O_CLOEXEC);
    } else {
        status_clear();
    }
    if (s->memory < 0) snprintf(s->scratch, sizeof s->scratch, "%s", s->temporary);
}

/* Removes the name of the file in memory, once NetCDF has opened it. If the run is killed from now on,
 * nothing stays in memory. */
static void scratch_hide(const struct series *s)
{
    if (s->memory >= 0) unlink(s->scratch);
}

static kol_status scratch_save(struct series *s, kol_status st)
{
    char name[64];
    if (s->memory < 0) return st;
    snprintf(name, sizeof name, "/proc/self/fd/%d", s->memory);
    if (st == KOL_OK) st = disk_copy(name, s->temporary);
    else unlink(s->scratch); /* it was not opened */
    close(s->memory);
    s->memory = -1;
    return st;
}

/* Closes NetCDF's file, and if all went well, replaces the series by it. On a full disk the file is cut
 * first, so that HDF5 can close it. */
static kol_status finish(struct series *s, kol_status st, int *id)
{
    if (st == KOL_OK && *id >= 0) {
        errno = 0;
        const int rc = nc_sync(*id);
        if (rc != NC_NOERR) st = nc_raise(__FILE__, __LINE__, s->path, "nc_sync", rc);
    }
    if (st != KOL_OK && *id >= 0 && s->memory < 0 && truncate(s->scratch, 0) != 0) io_set_exit_unsafe();
    const int open = *id >= 0;
    errno = 0;
    const int rc = open ? nc_close(*id) : NC_NOERR;
    *id = -1;
    if (rc != NC_NOERR) {
        io_set_exit_unsafe();
        if (st == KOL_OK) st = nc_raise(__FILE__, __LINE__, s->path, "nc_close", rc);
    }
    st = scratch_save(s, st);
    if (st == KOL_OK) st = seal_write(s->temporary);
    if (st == KOL_OK) st = disk_commit(s->temporary, s->path);
    if (st != KOL_OK) unlink(s->temporary);
    return st;
}

static kol_status make(struct series *s, const struct series_column *column,
                       const struct series_points *points, long long keep_through, const struct io_text *text,
                       int texts)
{
    kol_status st = KOL_OK;
    int old = -1, id = -1;
    void *image = NULL;
    size_t records = 0;
    if (keep_through >= 0 && access(s->path, F_OK) == 0) TRY_OR(done, open_old(s, &old, &image));
    if (old >= 0) {
        TRY_OR(done, check_columns(s, old, column, points, &records));
        TRY_OR(done, count_kept(s, old, records, keep_through, &s->records));
    }
    TRY_OR(done, disk_create(s->temporary)); /* its message is clearer than NetCDF's */
    scratch_open(s);
    NC_TRY_OR(done, s->path, nc_create(s->scratch, NC_NETCDF4 | NC_CLOBBER, &id));
    scratch_hide(s);
    TRY_OR(done, define_columns(s, id, column, points));
    TRY_OR(done, define_points(s, id, points));
    if (old >= 0) TRY_OR(done, copy_global(s, old, id));
    TRY_OR(done, nc_put_text(s->path, id, NC_GLOBAL, "Conventions", "CF-1.11"));
    for (int n = 0; n < texts; ++n) {
        const int untitled = strcmp(text[n].name, "title") == 0 && text[n].text[0] == '\0';
        TRY_OR(done, nc_put_text(s->path, id, NC_GLOBAL, text[n].name,
                                 !untitled ? text[n].text
                                 : points  ? UNTITLED_POINTS
                                           : UNTITLED));
    }
    TRY_OR(done, add_history(s, old, id, keep_through));
    NC_TRY_OR(done, s->path, nc_enddef(id));
    TRY_OR(done, put_points(s, id, points));
    if (old >= 0) TRY_OR(done, copy_records(s, old, id));
done:
    st = nc_drop(s->path, st, &old);
    free(image);
    return finish(s, st, &id);
}

kol_status series_open(const char *path, const struct series_column *column, int columns,
                       const struct series_points *points, long long keep_through, const struct io_text *text,
                       int texts, struct series **out)
{
    struct series *s = NULL;
    *out = NULL;
    kol_status st = KOL_OK;
    TRY_OR(failed, series_new(path, column, columns, points, &s));
    TRY_OR(failed, make(s, column, points, keep_through, text, texts));
    *out = s;
    return KOL_OK;
failed:
    series_free(s);
    return st;
}

/* --- records --- */

size_t series_records(const struct series *s)
{
    return s->records;
}

kol_status series_append(struct series *s, const double *value)
{
    const size_t values = (size_t)s->values;
    for (int c = 0; c < s->columns; ++c) {
        const double first = value[s->first[c]];
        if (s->integer[c] && !(fabs(first) <= INTEGER_LIMIT && floor(first) == first))
            RAISE(KOL_ERR_INTERNAL, "%s: %.17g in column '%s', which holds integers up to 2^53", s->path,
                  first, s->name[c]);
    }
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 256;
        double *more = realloc(s->value, room * values * sizeof *more);
        if (!more) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu records", s->path, room);
        s->value = more;
        s->room = room;
    }
    memcpy(s->value + s->count * values, value, values * sizeof *value);
    ++s->count;
    return KOL_OK;
}

static kol_status put_column(const struct series *s, int id, int column)
{
    const size_t width = (size_t)s->width[column];
    size_t at[2], size[2];
    int variable;
    NC_TRY(s->path, nc_inq_varid(id, s->name[column], &variable));
    for (size_t done = 0; done < s->count; done += size[0]) {
        piece_of(s, column, done, s->count, at, size);
        at[0] += s->records;
        for (size_t n = 0; n < size[0]; ++n)
            memcpy(s->piece + n * width, s->value + (done + n) * (size_t)s->values + s->first[column],
                   width * sizeof *s->piece);
        NC_TRY(s->path, nc_put_vara_double(id, variable, at, size, s->piece));
    }
    return KOL_OK;
}

/* Copies the last file, without its seal, for NetCDF to work on. */
static kol_status copy_sound(const struct series *s)
{
    char damage[SEAL_WORDS] = "";
    size_t size = 0;
    TRY(seal_check(s->path, damage, NULL, &size));
    if (damage[0] != '\0')
        RAISE(KOL_ERR_IO,
              "%s was changed by something else since this run wrote it: %s; after a restart the run goes on "
              "with a new one",
              s->path, damage);
    TRY(disk_copy(s->path, s->scratch));
    if (truncate(s->scratch, (off_t)size) != 0)
        RAISE(KOL_ERR_IO, "%s can't be cut off (truncate): %s", s->scratch, strerror(errno));
    return KOL_OK;
}

kol_status series_flush(struct series *s)
{
    if (s->count == 0) return KOL_OK;
    kol_status st = KOL_OK;
    int id = -1;
    scratch_open(s);
    TRY_OR(done, copy_sound(s));
    NC_TRY_OR(done, s->path, nc_open(s->scratch, NC_WRITE, &id));
    scratch_hide(s);
    for (int c = 0; c < s->columns; ++c) TRY_OR(done, put_column(s, id, c));
done:
    st = finish(s, st, &id);
    if (st != KOL_OK) return st; /* the records stay in the buffer, and the file is unchanged */
    s->records += s->count;
    s->count = 0;
    return KOL_OK;
}

kol_status series_close(struct series **s)
{
    if (!*s) return KOL_OK;
    const kol_status st = series_flush(*s);
    series_free(*s);
    *s = NULL;
    return st;
}
