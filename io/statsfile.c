/* Writes statistics files.
 *
 * NetCDF works in memory, and our own code copies the file to the disk, because NetCDF crashed on a full
 * disk. All is defined before the first value is written: each change from one to the other takes as long as
 * there are variables. */
#include "statsfile.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "disk.h"
#include "kernels/base/regular_file.h"
#include "nc.h"

enum { NAME_BYTES = 96, FIRST_BYTES = 1 << 20 };

/* Finds the group of this name, and makes it if necessary. NULL stands for the root. */
static kol_status group_of(const char *path, int id, const char *name, int *group)
{
    *group = id;
    if (name != NULL && nc_inq_ncid(id, name, group) != NC_NOERR) NC_TRY(path, nc_def_grp(id, name, group));
    return KOL_OK;
}

/* Group of the variables over an axis; NULL for the root. */
static const char *group_over(int axis, const struct stats_variable *variable, int variables)
{
    for (int n = 0; n < variables; ++n)
        if (variable[n].axis == axis || variable[n].outer == 1 + axis) return variable[n].group;
    return NULL;
}

/* Along what an axis runs. */
static const char *dimension_name(const struct stats_axis *a)
{
    return a->dimension != NULL ? a->dimension : a->name;
}

static int scalar(const struct stats_axis *a)
{
    return a->n == 0;
}

static void bounds_name(char name[NAME_BYTES], const struct stats_axis *a)
{
    snprintf(name, NAME_BYTES, "%s_bounds", a->name);
}

static void error_name(char name[NAME_BYTES], const struct stats_variable *v)
{
    snprintf(name, NAME_BYTES, "%s_error", v->name);
}

/* --- definitions --- */

static kol_status define_axis(const char *path, int id, const struct stats_axis *a, int ends, int *dimension)
{
    int variable;
    char name[NAME_BYTES];
    if (!scalar(a)) NC_TRY(path, nc_def_dim(id, dimension_name(a), (size_t)a->n, dimension));
    if (a->value == NULL) return KOL_OK;
    NC_TRY(path, nc_def_var(id, a->name, NC_DOUBLE, !scalar(a), dimension, &variable));
    TRY(nc_put_text(path, id, variable, "long_name", a->long_name));
    TRY(nc_put_unit(path, id, variable, a->unit));
    if (a->bounds == NULL) return KOL_OK;
    if (scalar(a)) {
        NC_TRY(path, nc_put_att_double(id, variable, "extent", NC_DOUBLE, 2, a->bounds));
        return KOL_OK;
    }
    bounds_name(name, a);
    TRY(nc_put_text(path, id, variable, "bounds", name));
    const int both[2] = {*dimension, ends};
    NC_TRY(path, nc_def_var(id, name, NC_DOUBLE, 2, both, &variable));
    return KOL_OK;
}

/* Missing values are NaN, which marks them. */
static kol_status define_values(const char *path, int id, const struct stats_variable *v, const char *name,
                                const char *long_name, const int *dimension)
{
    const double missing = NAN;
    const char *methods = v->methods;
    int variable;
    int over[2], dimensions = 0;
    if (v->outer > 0) over[dimensions++] = dimension[v->outer - 1];
    if (v->axis >= 0) over[dimensions++] = dimension[v->axis];
    NC_TRY(path, nc_def_var(id, name, v->integer ? NC_INT64 : NC_DOUBLE, dimensions, over, &variable));
    if (!v->integer) NC_TRY(path, nc_def_var_fill(id, variable, NC_FILL, &missing));
    TRY(nc_put_text(path, id, variable, "long_name", long_name));
    TRY(nc_put_unit(path, id, variable, v->unit));
    if (methods != NULL) TRY(nc_put_text(path, id, variable, "cell_methods", methods));
    if (v->coordinates != NULL) TRY(nc_put_text(path, id, variable, "coordinates", v->coordinates));
    if (v->error != NULL) {
        char error[NAME_BYTES];
        error_name(error, v);
        TRY(nc_put_text(path, id, variable, "ancillary_variables", error));
    }
    return KOL_OK;
}

static kol_status define_variable(const char *path, int id, const struct stats_variable *v,
                                  const int *dimension)
{
    char name[NAME_BYTES], words[256];
    TRY(group_of(path, id, v->group, &id));
    TRY(define_values(path, id, v, v->name, v->long_name, dimension));
    if (v->error == NULL) return KOL_OK;
    struct stats_variable e = *v;
    error_name(name, v);
    snprintf(words, sizeof words, "standard error of: %s", v->long_name);
    e.methods = NULL;
    e.error = NULL;
    return define_values(path, id, &e, name, words, dimension);
}

/* CF's `history`: the file is written anew each time, by one command. */
static kol_status put_history(const char *path, int id, const char *when, const struct io_text *text,
                              int texts)
{
    const char *command = "written";
    for (int n = 0; n < texts; ++n)
        if (strcmp(text[n].name, "command") == 0 && text[n].text[0] != '\0') command = text[n].text;
    const size_t size = strlen(when) + strlen(command) + 4;
    char *line = malloc(size);
    if (!line) RAISE(KOL_ERR_MEMORY, "%s: no memory for its history", path);
    snprintf(line, size, "%s: %s\n", when, command);
    const kol_status st = nc_put_text(path, id, NC_GLOBAL, "history", line);
    free(line);
    return st;
}

static kol_status put_texts(const char *path, int id, const struct io_text *text, int texts)
{
    char when[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    TRY(nc_put_text(path, id, NC_GLOBAL, "Conventions", "CF-1.11"));
    TRY(nc_put_text(path, id, NC_GLOBAL, "date_modified", when));
    TRY(put_history(path, id, when, text, texts));
    for (int n = 0; n < texts; ++n) TRY(nc_put_text(path, id, NC_GLOBAL, text[n].name, text[n].text));
    return KOL_OK;
}

static kol_status define_all(const char *path, int id, const struct stats_axis *axis, int axes,
                             const struct stats_variable *variable, int variables)
{
    int ends = -1, dimension[16], bounds = 0;
    if (axes > (int)(sizeof dimension / sizeof *dimension))
        RAISE(KOL_ERR_INTERNAL, "%s: %d axes are too many", path, axes);
    for (int n = 0; n < axes; ++n) bounds += !scalar(&axis[n]) && axis[n].bounds != NULL;
    if (bounds > 0) NC_TRY(path, nc_def_dim(id, "ends", 2, &ends));
    for (int n = 0; n < axes; ++n) {
        int group = id;
        if (axis[n].value == NULL) TRY(group_of(path, id, group_over(n, variable, variables), &group));
        TRY(define_axis(path, group, &axis[n], ends, &dimension[n]));
    }
    for (int n = 0; n < variables; ++n) TRY(define_variable(path, id, &variable[n], dimension));
    return KOL_OK;
}

/* --- values --- */

static kol_status put_values(const char *path, int id, const char *name, const double *value)
{
    int variable;
    NC_TRY(path, nc_inq_varid(id, name, &variable));
    NC_TRY(path, nc_put_var_double(id, variable, value));
    return KOL_OK;
}

/* CF wants both ends of each cell. */
static kol_status put_bounds(const char *path, int id, const struct stats_axis *a)
{
    char name[NAME_BYTES];
    const size_t cells = (size_t)a->n;
    double *both = malloc(2 * cells * sizeof *both);
    if (!both) RAISE(KOL_ERR_MEMORY, "%s: no memory for the bounds of %zu cells", path, cells);
    for (size_t n = 0; n < cells; ++n) memcpy(both + 2 * n, a->bounds + n, 2 * sizeof *both);
    bounds_name(name, a);
    const kol_status st = put_values(path, id, name, both);
    free(both);
    return st;
}

static kol_status put_all(const char *path, int id, const struct stats_axis *axis, int axes,
                          const struct stats_variable *variable, int variables)
{
    for (int n = 0; n < axes; ++n) {
        const struct stats_axis *a = &axis[n];
        if (a->value == NULL) continue;
        TRY(put_values(path, id, a->name, a->value));
        if (!scalar(a) && a->bounds != NULL) TRY(put_bounds(path, id, a));
    }
    for (int n = 0; n < variables; ++n) {
        const struct stats_variable *v = &variable[n];
        char name[NAME_BYTES];
        int group;
        TRY(group_of(path, id, v->group, &group));
        TRY(put_values(path, group, v->name, v->value));
        if (v->error == NULL) continue;
        error_name(name, v);
        TRY(put_values(path, group, name, v->error));
    }
    return KOL_OK;
}

static kol_status write_all(const char *path, int id, const struct stats_axis *axis, int axes,
                            const struct stats_variable *variable, int variables, const struct io_text *text,
                            int texts)
{
    TRY(put_texts(path, id, text, texts));
    TRY(define_all(path, id, axis, axes, variable, variables));
    NC_TRY(path, nc_enddef(id));
    return put_all(path, id, axis, axes, variable, variables);
}

/* --- files --- */

static kol_status write_bytes(const char *path, const void *from, size_t bytes)
{
    const char *at = from;
    const char *why;
    const int file = regular_file_open(path, O_WRONLY | O_CREAT | O_TRUNC, &why);
    int fault = file < 0 ? errno : 0;
    while (fault == 0 && bytes > 0) {
        const ssize_t done = write(file, at, bytes);
        if (done < 0 && errno != EINTR) fault = errno;
        if (done <= 0) continue;
        at += done;
        bytes -= (size_t)done;
    }
    if (file >= 0 && close(file) != 0 && fault == 0) fault = errno;
    if (fault != 0)
        RAISE(KOL_ERR_IO, "can't write %s: %s; check free space, quota and permissions", path,
              strerror(fault));
    return KOL_OK;
}

kol_status statsfile_write(const char *path, const struct stats_axis *axis, int axes,
                           const struct stats_variable *variable, int variables, const struct io_text *text,
                           int texts)
{
    char temporary[DISK_PATH];
    NC_memio memory = {0, NULL, 0};
    int id = -1;
    kol_status st = KOL_OK;
    if (snprintf(temporary, sizeof temporary, "%s.tmp", path) >= DISK_PATH)
        RAISE(KOL_ERR_IO, "the path %.80s... is too long; choose a shorter directory", path);
    NC_TRY(path, nc_create_mem(path, NC_NETCDF4, FIRST_BYTES, &id));
    st = write_all(path, id, axis, axes, variable, variables, text, texts);
    const int rc = nc_close_memio(id, &memory);
    if (rc != NC_NOERR && st == KOL_OK) st = nc_raise(__FILE__, __LINE__, path, "nc_close_memio", rc);
    if (st == KOL_OK) st = write_bytes(temporary, memory.memory, memory.size);
    if (st == KOL_OK) st = disk_commit(temporary, path);
    if (st != KOL_OK) unlink(temporary);
    free(memory.memory);
    return st;
}
