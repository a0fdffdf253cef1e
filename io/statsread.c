/* Reads and compares statistics files. */
#include "statsread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "disk.h"
#include "h5_groups.h"
#include "nc.h"

/* Files up to this size are read whole when they are opened, and none of them stays open: NetCDF crashes if
 * the system can't close a file that it reads [bytes]. */
static const double WHOLE = 64.0 * 1024 * 1024;

struct stats_reader {
    char path[DISK_PATH];
    int id;
};

kol_status statsread_open(const char *path, struct stats_reader **out)
{
    double bytes;
    *out = NULL;
    TRY(disk_check_file(path, &bytes));
    TRY(h5_check_own_data(path));
    struct stats_reader *r = calloc(1, sizeof *r);
    if (!r) RAISE(KOL_ERR_MEMORY, "%s: no memory to read it", path);
    snprintf(r->path, sizeof r->path, "%s", path);
    errno = 0;
    const int rc = nc_open(path, NC_NOWRITE | (bytes <= WHOLE ? NC_DISKLESS : 0), &r->id);
    if (rc == NC_NOERR) {
        *out = r;
        return KOL_OK;
    }
    free(r);
    return nc_raise(__FILE__, __LINE__, path, "nc_open", rc);
}

kol_status statsread_close(struct stats_reader **reader)
{
    struct stats_reader *r = *reader;
    *reader = NULL;
    if (!r) return KOL_OK;
    const kol_status st = nc_drop(r->path, KOL_OK, &r->id);
    free(r);
    return st;
}

const char *statsread_path(const struct stats_reader *r)
{
    return r->path;
}

/* --- values --- */

/* Finds a variable. Group NULL is the root. A negative result means that there is no such group or
 * variable. */
static int find(const struct stats_reader *r, const char *group, const char *name, int *id)
{
    int variable;
    *id = r->id;
    if (group && nc_inq_ncid(r->id, group, id) != NC_NOERR) return -1;
    return nc_inq_varid(*id, name, &variable) == NC_NOERR ? variable : -1;
}

static kol_status count(const char *path, int id, int variable, size_t *n)
{
    int dimensions, dimension[NC_MAX_VAR_DIMS];
    *n = 1;
    NC_TRY(path, nc_inq_varndims(id, variable, &dimensions));
    NC_TRY(path, nc_inq_vardimid(id, variable, dimension));
    for (int d = 0; d < dimensions; ++d) {
        size_t length;
        NC_TRY(path, nc_inq_dimlen(id, dimension[d], &length));
        *n *= length;
    }
    return KOL_OK;
}

kol_status statsread_values(struct stats_reader *r, const char *group, const char *name, size_t n,
                            double *value)
{
    int id;
    size_t there;
    const int variable = find(r, group, name, &id);
    if (variable < 0)
        RAISE(KOL_ERR_IO, "%s: the file has no variable '%s%s%s'; it is of another kind or version", r->path,
              group ? group : "", group ? "/" : "", name);
    TRY(count(r->path, id, variable, &there));
    if (there != n)
        RAISE(KOL_ERR_IO,
              "%s: variable '%s' has %zu values, but %zu are needed; the file is of another kind or version",
              r->path, name, there, n);
    NC_TRY(r->path, nc_get_var_double(id, variable, value));
    return KOL_OK;
}

kol_status statsread_count(struct stats_reader *r, const char *name, size_t *n)
{
    int id;
    const int variable = find(r, NULL, name, &id);
    if (variable < 0)
        RAISE(KOL_ERR_IO, "%s: the file has no variable '%s'; it is of another kind or version", r->path,
              name);
    return count(r->path, id, variable, n);
}

kol_status statsread_number(struct stats_reader *r, const char *name, double *value)
{
    return statsread_values(r, NULL, name, 1, value);
}

int statsread_has(struct stats_reader *r, const char *group, const char *name)
{
    int id;
    return find(r, group, name, &id) >= 0;
}

/* Reads a text attribute of a variable; NULL if there is none. */
static kol_status get_text(const struct stats_reader *r, int variable, const char *name, char **text)
{
    size_t length;
    nc_type type;
    *text = NULL;
    if (nc_inq_att(r->id, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR) return KOL_OK;
    *text = calloc(length + 1, 1);
    if (!*text) RAISE(KOL_ERR_MEMORY, "%s: no memory for a text of %zu bytes", r->path, length);
    NC_TRY(r->path, nc_get_att_text(r->id, variable, name, *text));
    return KOL_OK;
}

kol_status statsread_text(struct stats_reader *r, const char *name, char **text)
{
    TRY(get_text(r, NC_GLOBAL, name, text));
    if (*text) return KOL_OK;
    RAISE(KOL_ERR_IO, "%s: the file has no attribute '%s'; it is of another kind or version", r->path, name);
}

/* --- two files --- */

struct comparison {
    struct stats_reader *a, *b;
    char *text;
    size_t size;
};

static void differ(const struct comparison *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void differ(const struct comparison *c, const char *fmt, ...)
{
    const size_t used = strlen(c->text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(c->text + used, c->size - used, fmt, args);
    va_end(args);
}

/* of variables, NC_GLOBAL: of the files */
static kol_status compare_text(const struct comparison *c, const char *of, int va, int vb, const char *name)
{
    char *a = NULL, *b = NULL;
    kol_status st = get_text(c->a, va, name, &a);
    if (st == KOL_OK) st = get_text(c->b, vb, name, &b);
    if (st == KOL_OK && strcmp(a ? a : "", b ? b : "") != 0)
        differ(c, "\n  %s%s%s: '%s' and '%s'", of, of[0] ? ", " : "", name, a ? a : "", b ? b : "");
    free(a);
    free(b);
    return st;
}

/* Those of an earlier version stand in another attribute. */
static void compare_units(const struct comparison *c, const char *of, int va, int vb)
{
    char a[64], b[64];
    nc_get_unit(c->a->id, va, a, sizeof a);
    nc_get_unit(c->b->id, vb, b, sizeof b);
    if (strcmp(a, b) != 0) differ(c, "\n  %s, units: '%s' and '%s'", of, a, b);
}

/* What the variables are averages over: files of earlier versions don't name it, and segments of a run
 * differ in time. */
static int is_averaged(int id, const char *name)
{
    int variable, dimensions;
    return (strcmp(name, "x") == 0 || strcmp(name, "y") == 0 || strcmp(name, "z") == 0 ||
            strcmp(name, "time") == 0) &&
           nc_inq_varid(id, name, &variable) == NC_NOERR &&
           nc_inq_varndims(id, variable, &dimensions) == NC_NOERR && dimensions == 0;
}

static int is_coordinate(int id, const char *name)
{
    int dimension;
    const size_t n = strlen(name), end = strlen("_bounds");
    return nc_inq_dimid(id, name, &dimension) == NC_NOERR || strcmp(name, "height") == 0 ||
           (n > end && strcmp(name + n - end, "_bounds") == 0);
}

/* Numbers that define others, in addition to coordinates: sizes of holes. */
static const char HOLE[] = "quadrant_hole_";

static kol_status compare_values(const struct comparison *c, const char *name, size_t n)
{
    double *a = malloc((2 * n + 1) * sizeof *a), *b = a + n;
    if (!a) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu values", c->b->path, n);
    kol_status st = statsread_values(c->a, NULL, name, n, a);
    if (st == KOL_OK) st = statsread_values(c->b, NULL, name, n, b);
    size_t i = 0;
    while (st == KOL_OK && i < n && a[i] == b[i]) ++i;
    if (st == KOL_OK && i < n) differ(c, "\n  %s: value %zu is %.17g and %.17g", name, i, a[i], b[i]);
    free(a);
    return st;
}

static kol_status compare_variable(const struct comparison *c, const char *name, int va, int vb)
{
    size_t na, nb;
    TRY(compare_text(c, name, va, vb, "long_name"));
    compare_units(c, name, va, vb);
    TRY(count(c->a->path, c->a->id, va, &na));
    TRY(count(c->b->path, c->b->id, vb, &nb));
    if (na != nb) differ(c, "\n  %s: %zu and %zu values", name, na, nb);
    const int defines = is_coordinate(c->a->id, name) || strncmp(name, HOLE, sizeof HOLE - 1) == 0;
    return na == nb && defines ? compare_values(c, name, na) : KOL_OK;
}

/* Numbers of the samples of a file, which its flow does not have; earlier versions lack one of them. */
static int is_of_samples(const char *name)
{
    return strcmp(name, "n_samples") == 0 || strcmp(name, "averaging_time") == 0;
}

/* Compares the variables that both files have. */
static kol_status compare_variables(const struct comparison *c)
{
    int variables;
    char name[NC_MAX_NAME + 1];
    NC_TRY(c->a->path, nc_inq_nvars(c->a->id, &variables));
    for (int va = 0; va < variables; ++va) {
        int vb;
        NC_TRY(c->a->path, nc_inq_varname(c->a->id, va, name));
        if (is_of_samples(name) || is_averaged(c->a->id, name)) continue;
        if (nc_inq_varid(c->b->id, name, &vb) == NC_NOERR) TRY(compare_variable(c, name, va, vb));
    }
    return KOL_OK;
}

/* Lists the variables of one file that the other one does not have: the first few names. */
static kol_status list_alone(const struct comparison *c, struct stats_reader *one, struct stats_reader *other)
{
    enum { NAMED = 4 };
    int variables, alone = 0;
    char name[NC_MAX_NAME + 1];
    NC_TRY(one->path, nc_inq_nvars(one->id, &variables));
    for (int v = 0; v < variables; ++v) {
        int there;
        NC_TRY(one->path, nc_inq_varname(one->id, v, name));
        if (nc_inq_varid(other->id, name, &there) == NC_NOERR || is_averaged(one->id, name) ||
            is_of_samples(name))
            continue;
        if (alone == 0) differ(c, "\n  in %s alone:", one->path);
        if (alone++ < NAMED) differ(c, " %s", name);
    }
    if (alone > NAMED) differ(c, " and %d more", alone - NAMED);
    return KOL_OK;
}

kol_status statsread_compare(struct stats_reader *a, struct stats_reader *b, char *text, size_t size)
{
    static const char *const TEXT[] = {"wall_normal_direction", "normal_direction", "homogeneous_direction",
                                       "streamwise_direction", "scaling"};
    const struct comparison c = {a, b, text, size};
    for (size_t n = 0; n < sizeof TEXT / sizeof *TEXT; ++n)
        TRY(compare_text(&c, "", NC_GLOBAL, NC_GLOBAL, TEXT[n]));
    TRY(compare_variables(&c));
    TRY(list_alone(&c, a, b));
    return list_alone(&c, b, a);
}
