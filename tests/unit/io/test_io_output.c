/* ranks: 1 2 4 */
/* Tests the files that people look at: volumes with their XDMF, and the time series. Run on 1, 2 and 4 ranks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "io/fields.h"
#include "io/h5_arrays.h"
#include "io/h5_attributes.h"
#include "io/h5_file.h"
#include "io/h5_groups.h"
#include "io/h5_verify.h"
#include "io/nc.h"
#include "io/series.h"
#include "io/xdmf.h"
#include "tests/support/io_case.h"
#include "tests/support/mpi_main.h"

/* --- fields --- */

static struct io_view centred(const char *name, int ncomp, void *data)
{
    struct io_view v = make_view(widest(), world_rank, name, ncomp, 8, data);
    v.location = IO_CCC;
    return v;
}

static kol_status write_listed(long long step, int single, struct xdmf_index *index)
{
    static double p[CELLS], velocity[3 * CELLS];
    const struct io_text text[] = {{"version", "test"}};
    struct fields_file *f = NULL;
    const struct io_view vp = centred("pressure", 1, p), vu = centred("velocity", 3, velocity);
    walk(vp, 1, 1);
    walk(vu, 2, 1);
    TRY(fields_begin(MPI_COMM_WORLD, directory, "fields", step, 0.1 * (double)step, axis, single, text, 1,
                     &f));
    kol_status st = fields_add(f, vu);
    if (st == KOL_OK) st = fields_add(f, vp);
    const kol_status ended = fields_end(&f, index);
    return st == KOL_OK ? ended : st;
}

static kol_status write_fields(long long step, int single)
{
    return write_listed(step, single, NULL);
}

static const char *in_directory(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* whole text of fields.xdmf, to be freed */
static char *read_xdmf(void)
{
    char *text = calloc(1, 1 << 16);
    FILE *f = fopen(in_directory("fields.xdmf"), "r");
    if (f && fread(text, 1, (1 << 16) - 1, f) == 0) text[0] = '\0';
    if (f) fclose(f);
    return text;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); ++text) ++n;
    return n;
}

static void test_fields_values(void **state)
{
    (void)state;
    static double data[3 * CELLS];
    for (int single = 0; single <= 1; ++single) {
        const int bytes = single ? 4 : 8;
        struct h5_file *f = NULL;
        double time = 0;
        unsigned long long hash;
        CHECK_ALL(write_fields(12, single) == KOL_OK);
        CHECK_ALL(h5_open(MPI_COMM_WORLD, in_directory("fields_00000012.h5"), "kolmo-fields", &f) == KOL_OK);
        CHECK_ALL(h5_get_double(f, "/", "time", &time) == KOL_OK && time == 0.1 * 12);
        struct io_view vp = centred("pressure", 1, data), vu = centred("velocity", 3, data);
        vp.bytes = vu.bytes = bytes;
        CHECK_ALL(h5_get_view(f, "pressure", vp, H5_SLAB_BYTES, &hash) == KOL_OK && walk(vp, 1, 0) == 0);
        CHECK_ALL(h5_get_view(f, "velocity", vu, H5_SLAB_BYTES, &hash) == KOL_OK && walk(vu, 2, 0) == 0);
        for (int d = 0; d < 3; ++d) {
            int n = 0;
            double *face = NULL;
            CHECK_ALL(h5_get_grid(f, d, &n, &face) == KOL_OK && n == axis[d].n);
            CHECK_ALL(memcmp(face, axis[d].face, ((size_t)n + 1) * sizeof *face) == 0);
            free(face);
        }
        CHECK_ALL(h5_close(&f) == KOL_OK);
    }
}

/* The form that ParaView's three readers were measured to read exactly, letter for letter. */
static void test_xdmf_form(void **state)
{
    (void)state;
    static const char wanted[] =
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n  "
        "<Domain>\n"
        "    <Information Name=\"provenance\" Value=\"in the group /run of each file\"/>\n"
        "    <Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n"
        "      <Grid Name=\"fields_00000012.h5\" GridType=\"Uniform\">\n"
        "        <Time Value=\"1.2000000000000002\"/>\n"
        "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"6 7 8\"/>\n"
        "        <Geometry GeometryType=\"VXVYVZ\">\n"
        "          <DataItem Dimensions=\"8\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"HDF\">fields_00000012.h5:/grid/x_face</DataItem>\n"
        "          <DataItem Dimensions=\"7\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"HDF\">fields_00000012.h5:/grid/y_face</DataItem>\n"
        "          <DataItem Dimensions=\"6\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"HDF\">fields_00000012.h5:/grid/z_face</DataItem>\n"
        "        </Geometry>\n"
        "        <Attribute Name=\"pressure\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
        "          <DataItem Dimensions=\"5 6 7\" NumberType=\"Float\" Precision=\"4\" "
        "Format=\"HDF\">fields_00000012.h5:/pressure</DataItem>\n        </Attribute>\n"
        "        <Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Cell\">\n"
        "          <DataItem Dimensions=\"5 6 7 3\" NumberType=\"Float\" Precision=\"4\" "
        "Format=\"HDF\">fields_00000012.h5:/velocity</DataItem>\n        </Attribute>\n"
        "      </Grid>\n    </Grid>\n  </Domain>\n</Xdmf>\n";
    CHECK_ALL(write_fields(12, 1) == KOL_OK);
    char *text = read_xdmf();
    CHECK_ALL(strcmp(text, wanted) == 0);
    free(text);
}

static void test_xdmf_collection(void **state)
{
    (void)state;
    CHECK_ALL(write_fields(5, 1) == KOL_OK && write_fields(20, 0) == KOL_OK &&
              write_fields(100, 1) == KOL_OK);
    char *text = read_xdmf();
    CHECK_ALL(count(text, "<Time Value=") == 3);
    CHECK_ALL(count(text, "Precision=\"4\"") == 4 && count(text, "Precision=\"8\"") == 2 + 9);
    const char *first = strstr(text, "fields_00000005.h5"), *second = strstr(text, "fields_00000020.h5");
    CHECK_ALL(first && second && first < second && second < strstr(text, "fields_00000100.h5"));
    free(text);
    if (world_rank == 0 && truncate(in_directory("fields_00000005.h5"), 1000) != 0) abort();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ALL(write_fields(60, 1) == KOL_OK); /* went back from 100, and one file is damaged */
    text = read_xdmf();
    CHECK_ALL(count(text, "<Time Value=") == 2 && !strstr(text, "00000100") && !strstr(text, "00000005"));
    CHECK_ALL(count(text, "<Grid ") == count(text, "</Grid>"));
    free(text);
    CHECK_ALL(!exists(in_directory("fields.xdmf.tmp")));
}

/* Tests that an index which remembers files is the same as one that reads all files again, also if a file
 * was replaced, is missing, or was written by an earlier run. */
static void test_xdmf_index(void **state)
{
    (void)state;
    struct xdmf_index index = {.count = 0};
    CHECK_ALL(write_fields(200, 1) == KOL_OK && write_listed(240, 1, &index) == KOL_OK);
    CHECK_ALL(write_listed(220, 0, &index) == KOL_OK && write_listed(230, 1, &index) == KOL_OK);
    CHECK_ALL(write_listed(220, 1, &index) == KOL_OK && write_listed(250, 0, &index) == KOL_OK);
    if (world_rank == 0 && unlink(in_directory("fields_00000200.h5")) != 0) abort();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ALL(write_listed(260, 1, &index) == KOL_OK);
    char *remembered = read_xdmf();
    CHECK_ALL(write_fields(260, 1) == KOL_OK);
    char *read = read_xdmf();
    CHECK_ALL(strcmp(read, remembered) == 0 && strstr(read, "fields_00000250.h5") &&
              !strstr(read, "fields_00000200.h5"));
    CHECK_ALL(world_rank == 0 ? index.count > 5 : index.count == 0);
    xdmf_index_drop(&index);
    CHECK_ALL(index.count == 0 && index.text == NULL);
    free(read);
    free(remembered);
}

static void test_fields_faults(void **state)
{
    (void)state;
    static double data[CELLS];
    struct fields_file *f = NULL;
    check_fault(fields_begin(MPI_COMM_WORLD, "/nowhere", "fields", 1, 0.0, axis, 1, NULL, 0, &f), KOL_ERR_IO,
                "/nowhere");
    CHECK_ALL(f == NULL);
    CHECK_ALL(fields_begin(MPI_COMM_WORLD, directory, "fields", 1, 0.0, axis, 1, NULL, 0, &f) == KOL_OK);
    struct io_view v = centred("velocity", 3, data);
    v.location = IO_FCC;
    check_fault(fields_add(f, v), KOL_ERR_INTERNAL, "at fcc");
    CHECK_ALL(fields_end(&f, NULL) == KOL_ERR_IO && f == NULL);
    status_clear();
    CHECK_ALL(!exists(in_directory("fields_00000001.h5")) && !exists(in_directory("fields_00000001.h5.tmp")));
}

/* taken: planes that were read, put where they belong. */
struct taken {
    const struct io_view *view;
    double *to;
};

static kol_status take(void *context, int first, int count)
{
    const struct taken *t = context;
    const int plane = t->view->n[0] * t->view->n[1];
    memcpy(t->to + (ptrdiff_t)first * plane, t->view->data, (size_t)count * (size_t)plane * sizeof(double));
    return KOL_OK;
}

/* Tests an array on faces in either precision, which is read plane after plane into doubles, and the other
 * questions of a reader to the file. Catches values of another place or rank, a hash of the converted
 * values instead of those in the file, and an array of another location that is accepted. */
static void test_fields_read(void **state)
{
    (void)state;
    static double value[CELLS], plane[CELLS], got[CELLS];
    for (int single = 0; single < 2; ++single) {
        struct fields_file *f = NULL;
        struct checkpoint *c = NULL;
        struct io_view v = centred("u", 1, value);
        int there[2], wrong = 0;
        long long step = 0;
        double number = 0, time = 0;
        v.location = IO_FCC;
        walk(v, 1, 1);
        for (int i = 0; i < v.n[0] * v.n[1] * v.n[2]; ++i) value[i] += 0.1; /* no number of 4 bytes */
        CHECK_ALL(fields_begin(MPI_COMM_WORLD, directory, "fields", 3 + single, 0.7, axis, single, NULL, 0,
                               &f) == KOL_OK);
        CHECK_ALL(fields_number(f, "force", 0.25) == KOL_OK && fields_add(f, v) == KOL_OK &&
                  fields_end(&f, NULL) == KOL_OK);
        CHECK_ALL(checkpoint_look_flow(MPI_COMM_WORLD,
                                       in_directory(single ? "fields_00000004.h5" : "fields_00000003.h5"),
                                       &c) == KOL_OK);
        CHECK_ALL(checkpoint_is_fields(c) && checkpoint_has(c, "u", &there[0]) == KOL_OK &&
                  checkpoint_has(c, "velocity", &there[1]) == KOL_OK);
        CHECK_ALL(there[0] && !there[1] && checkpoint_step(c, &step) == KOL_OK && step == 3 + single);
        CHECK_ALL(checkpoint_scalar(c, "force", &number) == KOL_OK &&
                  checkpoint_scalar(c, "time", &time) == KOL_OK);
        CHECK_ALL(number == 0.25 && time == 0.7);
        struct taken taken = {&v, got};
        v.data = plane;
        v.planes = (struct io_planes){1, take, &taken};
        for (int i = 0; i < CELLS; ++i) got[i] = NAN;
        if (single) check_fault(checkpoint_get(c, v), KOL_ERR_IO, "of 4 bytes");
        v.widens = 1;
        CHECK_ALL(checkpoint_get(c, v) == KOL_OK);
        for (int i = 0; i < v.n[0] * v.n[1] * v.n[2]; ++i)
            wrong += got[i] != (single ? (double)(float)value[i] : value[i]);
        CHECK_ALL(wrong == 0);
        v.location = IO_CFC;
        check_fault(checkpoint_get(c, v), KOL_ERR_IO, "is at fcc, but cfc is needed");
        CHECK_ALL(checkpoint_close(&c) == KOL_OK);
    }
    struct checkpoint *c = NULL;
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 5, 8, 1) == KOL_OK);
    CHECK_ALL(checkpoint_look_flow(MPI_COMM_WORLD, path_of(5, ""), &c) == KOL_OK && !checkpoint_is_fields(c));
    CHECK_ALL(checkpoint_close(&c) == KOL_OK);
    check_fault(checkpoint_look_flow(MPI_COMM_WORLD, in_directory("fields_00000009.h5"), &c), KOL_ERR_IO,
                "fields_00000009.h5");
}

/* --- series: each rank its own file, for the series belongs to one rank --- */

static const struct series_column columns[] = {{"step", "time step", "1", 1},
                                               {"time", "time", "T", 0},
                                               {"energy", "kinetic energy", "U^2", 0},
                                               {"iterations", "iterations of the pressure solver", "", 1}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };
static const struct io_text texts[] = {{"version", "test"}, {"input", "&run /"}};

static const char *series_path(void)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/series_%d.nc", directory, world_rank);
    return path;
}

static kol_status append(struct series *s, long long first, long long last)
{
    for (long long step = first; step <= last; ++step) {
        const double value[COLUMNS] = {(double)step, 0.1 * (double)step, 1.0 / (1.0 + (double)step),
                                       9007199254740992.0};
        TRY(series_append(s, value));
    }
    return KOL_OK;
}

/* number of records, -1 where any is not what append wrote for steps first, first + 1, ... */
static int read_series(long long first)
{
    int id, n = -1, dimension;
    size_t records = 0;
    if (nc_open(series_path(), NC_NOWRITE, &id) != NC_NOERR) return -2;
    if (nc_inq_unlimdim(id, &dimension) != NC_NOERR || nc_inq_dimlen(id, dimension, &records) != NC_NOERR)
        return -3;
    long long *step = calloc(records + 1, sizeof *step), *iterations = calloc(records + 1, sizeof *step);
    double *time = calloc(records + 1, sizeof *time), *energy = calloc(records + 1, sizeof *time);
    int bad = nc_get_var_longlong(id, 0, step) || nc_get_var_double(id, 1, time) ||
              nc_get_var_double(id, 2, energy) || nc_get_var_longlong(id, 3, iterations) || nc_close(id);
    for (size_t r = 0; r < records; ++r) {
        const long long s = first + (long long)r;
        bad |= step[r] != s || time[r] != 0.1 * (double)s || energy[r] != 1.0 / (1.0 + (double)s) ||
               iterations[r] != 9007199254740992LL;
    }
    if (!bad) n = (int)records;
    free(step);
    free(iterations);
    free(time);
    free(energy);
    return n;
}

static int has_text(int variable, const char *name, const char *words)
{
    int id, found = 0;
    char text[1000] = "";
    size_t length = 0;
    if (nc_open(series_path(), NC_NOWRITE, &id) != NC_NOERR) return 0;
    if (nc_inq_attlen(id, variable, name, &length) == NC_NOERR && length < sizeof text &&
        nc_get_att_text(id, variable, name, text) == NC_NOERR)
        found = strstr(text, words) != NULL;
    nc_close(id);
    return found;
}

static void test_series_append_and_reopen(void **state)
{
    (void)state;
    struct series *s = NULL;
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, -1, texts, 2, &s) == KOL_OK);
    CHECK_ALL(read_series(0) == 0); /* there from the start */
    CHECK_ALL(append(s, 0, 2999) == KOL_OK && series_flush(s) == KOL_OK);
    CHECK_ALL(read_series(0) == 3000);
    CHECK_ALL(append(s, 3000, 3004) == KOL_OK && series_flush(s) == KOL_OK && series_flush(s) == KOL_OK);
    CHECK_ALL(read_series(0) == 3005);
    CHECK_ALL(append(s, 3005, 3005) == KOL_OK && series_close(&s) == KOL_OK && s == NULL);
    CHECK_ALL(read_series(0) == 3006);
    /* restart from step 2500: what came after is cut off; the first run's texts stay where the second has
     * none */
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, 2500, texts, 1, &s) == KOL_OK);
    CHECK_ALL(read_series(0) == 2501);
    CHECK_ALL(append(s, 2501, 2510) == KOL_OK && series_close(&s) == KOL_OK);
    CHECK_ALL(read_series(0) == 2511);
    CHECK_ALL(has_text(NC_GLOBAL, "Conventions", "CF-1.11") && has_text(NC_GLOBAL, "input", "&run /"));
    CHECK_ALL(has_text(NC_GLOBAL, "history", "begun") &&
              has_text(NC_GLOBAL, "history", "continued after step 2500"));
    CHECK_ALL(has_text(2, "units", "1") && has_text(2, "scaling", "U^2") &&
              has_text(2, "long_name", "kinetic energy") && has_text(3, "units", "1"));
    /* further than the file goes: nothing to cut; before its first step: nothing to keep; anew */
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, 99999, texts, 1, &s) == KOL_OK);
    CHECK_ALL(series_close(&s) == KOL_OK && read_series(0) == 2511);
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, -1, texts, 1, &s) == KOL_OK);
    CHECK_ALL(series_close(&s) == KOL_OK && read_series(0) == 0);
}

/* --- series of points --- */

enum { POINTS = 7 };
static const struct series_column point_columns[] = {{"step", "time step", "1", SERIES_INTEGER},
                                                     {"u", "velocity", "U", SERIES_POINTS},
                                                     {"time", "time", "T", SERIES_REAL},
                                                     {"p", "pressure", "U2", SERIES_POINTS}};
enum { POINT_COLUMNS = sizeof point_columns / sizeof point_columns[0] };

static kol_status open_points(double last, int count, long long keep_through, struct series **s)
{
    const double x[POINTS] = {1, 2, 3, 4, 5, 6, last}, y[POINTS] = {0};
    const struct series_coordinate coordinate[] = {{"x", "position in x", "L", x},
                                                   {"y", "position in y", "L", y}};
    const struct series_points points = {"point", count, coordinate, 2};
    return series_open(series_path(), point_columns, POINT_COLUMNS, &points, keep_through, texts, 2, s);
}

static double value_of(int column, long long step, int point)
{
    return column + 10 * (double)point + 0.25 * (double)step;
}

static kol_status append_points(struct series *s, long long first, long long last)
{
    for (long long step = first; step <= last; ++step) {
        double value[2 * POINTS + 2] = {(double)step};
        for (int n = 0; n < POINTS; ++n) {
            value[1 + n] = value_of(1, step, n);
            value[POINTS + 2 + n] = value_of(3, step, n);
        }
        value[POINTS + 1] = value_of(2, step, 0);
        TRY(series_append(s, value));
    }
    return KOL_OK;
}

/* number of records, -1 where any is not what append_points wrote for steps 0, 1, ... */
static int read_points(void)
{
    int id, bad = 0, points, dimension;
    size_t records = 0, count = 0;
    if (nc_open(series_path(), NC_NOWRITE, &id) != NC_NOERR) return -2;
    bad |= nc_inq_unlimdim(id, &dimension) || nc_inq_dimlen(id, dimension, &records);
    bad |= nc_inq_dimid(id, "point", &points) || nc_inq_dimlen(id, points, &count) || count != POINTS;
    for (size_t r = 0; r < records && !bad; ++r) {
        for (int c = 0; c < POINT_COLUMNS && !bad; ++c) {
            const size_t at[2] = {r, 0}, size[2] = {1, POINTS};
            double value[POINTS];
            const int of_points = point_columns[c].kind == SERIES_POINTS;
            bad |= nc_get_vara_double(id, c, at, size, value) != NC_NOERR;
            for (int n = 0; n < (of_points ? POINTS : 1); ++n)
                bad |= value[n] != (c == 0 ? (double)r : value_of(c, (long long)r, n));
        }
    }
    nc_close(id);
    return bad ? -1 : (int)records;
}

static void test_series_of_points(void **state)
{
    (void)state;
    struct series *s = NULL;
    CHECK_ALL(open_points(7, POINTS, -1, &s) == KOL_OK && read_points() == 0);
    CHECK_ALL(append_points(s, 0, 399) == KOL_OK && series_flush(s) == KOL_OK && read_points() == 400);
    CHECK_ALL(append_points(s, 400, 401) == KOL_OK && series_close(&s) == KOL_OK && read_points() == 402);
    CHECK_ALL(open_points(7, POINTS, 299, &s) == KOL_OK &&
              read_points() == 300); /* two pieces, then a part of one */
    CHECK_ALL(append_points(s, 300, 310) == KOL_OK && series_close(&s) == KOL_OK && read_points() == 311);
    CHECK_ALL(has_text(1, "units", "1") && has_text(1, "scaling", "U") && has_text(1, "coordinates", "x") &&
              has_text(POINT_COLUMNS, "long_name", "position in x"));
    CHECK_ALL(open_points(7.5, POINTS, 5, &s) == KOL_ERR_IO && s == NULL);
    CHECK_ALL(strstr(status_message(), "point 7 has x = 7, but in this run it is 7.5"));
    status_clear();
    CHECK_ALL(open_points(7, POINTS - 1, 5, &s) == KOL_ERR_IO &&
              strstr(status_message(), "has 7 of 'point'"));
    status_clear();
    CHECK_ALL(series_open(series_path(), point_columns, POINT_COLUMNS, NULL, 5, texts, 2, &s) == KOL_ERR_IO);
    status_clear();
    CHECK_ALL(read_points() == 311);
}

static void test_series_refuses(void **state)
{
    (void)state;
    struct series *s = NULL;
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, -1, texts, 2, &s) == KOL_OK &&
              append(s, 0, 3) == KOL_OK);
    const double half[COLUMNS] = {4, 0.4, 0, 0.5}, nan_step[COLUMNS] = {NAN, 0, 0, 0};
    CHECK_ALL(series_append(s, half) == KOL_ERR_INTERNAL && strstr(status_message(), "'iterations'"));
    status_clear();
    CHECK_ALL(series_append(s, nan_step) == KOL_ERR_INTERNAL);
    status_clear();
    CHECK_ALL(series_close(&s) == KOL_OK && read_series(0) == 4);
    struct series_column other[COLUMNS];
    memcpy(other, columns, sizeof other);
    other[2].name = "enstrophy";
    CHECK_ALL(series_open(series_path(), other, COLUMNS, NULL, 2, texts, 2, &s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), "'energy'") && strstr(status_message(), "another output.directory") &&
              s == NULL);
    status_clear();
    memcpy(other, columns, sizeof other);
    other[3].kind = SERIES_REAL;
    CHECK_ALL(series_open(series_path(), other, COLUMNS, NULL, 2, texts, 2, &s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), "'iterations' is integer"));
    status_clear();
    memcpy(other, columns, sizeof other);
    other[2].unit = "1";
    CHECK_ALL(series_open(series_path(), other, COLUMNS, NULL, 2, texts, 2, &s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), "unit 'U^2'"));
    status_clear();
    CHECK_ALL(series_open(series_path(), columns, COLUMNS - 1, NULL, 2, texts, 2, &s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), "'iterations'"));
    status_clear();
    CHECK_ALL(read_series(0) == 4); /* as it was after every refusal */
    struct series_column more[COLUMNS + 1];
    memcpy(more, columns, sizeof columns);
    more[COLUMNS] = (struct series_column){"count", "a count", "1", SERIES_INTEGER};
    CHECK_ALL(series_open(series_path(), more, COLUMNS + 1, NULL, 2, texts, 2, &s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), "'count'"));
    status_clear();
    CHECK_ALL(read_series(0) == 4);
    CHECK_ALL(series_open("/nowhere/series.nc", columns, COLUMNS, NULL, -1, texts, 2, &s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), "No such file or directory"));
    status_clear();
}

static size_t take_bytes(const char *path, char **bytes)
{
    size_t size = 0;
    FILE *f = fopen(path, "rb");
    *bytes = NULL;
    if (!f) return 0;
    fseek(f, 0, SEEK_END);
    size = (size_t)ftell(f);
    rewind(f);
    *bytes = calloc(size + 1, 1);
    if (fread(*bytes, 1, size, f) != size) size = 0;
    fclose(f);
    return size;
}

static void put_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    CHECK_ALL(fwrite(bytes, 1, size, f) == size);
    fclose(f);
}

/* Whether the series begins anew beside what it was, which has another name. */
static int begins_anew(const char *damaged, const char *bytes, size_t size)
{
    struct series *s = NULL;
    char aside[1100], *found = NULL;
    snprintf(aside, sizeof aside, "%s%s", series_path(), damaged);
    int good = series_open(series_path(), columns, COLUMNS, NULL, 2, texts, 2, &s) == KOL_OK;
    good = good && append(s, 3, 4) == KOL_OK && series_close(&s) == KOL_OK;
    good = good && has_text(NC_GLOBAL, "history", "begun");
    good = good && take_bytes(aside, &found) == size && memcmp(found, bytes, size) == 0;
    free(found);
    return good && unlink(aside) == 0;
}

/* Tests a series in which any byte may be changed, also in the structures of HDF5 itself, at which libhdf5
 * may crash. The file may also be cut off, lengthened, or be another file. */
static void test_series_damaged(void **state)
{
    (void)state;
    struct series *s = NULL;
    char *whole;
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, -1, texts, 2, &s) == KOL_OK);
    CHECK_ALL(append(s, 0, 3) == KOL_OK && series_close(&s) == KOL_OK);
    const size_t size = take_bytes(series_path(), &whole);
    CHECK_ALL(size > 1000);
    for (size_t at = 0; at < size; at += size / 60) {
        whole[at] ^= (char)(1 << at % 8);
        put_bytes(series_path(), whole, size);
        CHECK_ALL(begins_anew(".damaged", whole, size));
        whole[at] ^= (char)(1 << at % 8);
    }
    const size_t length[] = {0, 1, 63, 64, 65, size / 2, size - 64, size - 1};
    for (size_t n = 0; n < sizeof length / sizeof *length; ++n) {
        put_bytes(series_path(), whole, length[n]);
        CHECK_ALL(begins_anew(".damaged", whole, length[n]));
    }
    put_bytes(series_path(), whole, size + 1); /* with a zero behind it */
    CHECK_ALL(begins_anew(".damaged", whole, size + 1));
    /* what is called so already keeps its name */
    char aside[1100];
    snprintf(aside, sizeof aside, "%s.damaged", series_path());
    put_bytes(aside, "older", 5);
    put_bytes(series_path(), "no NetCDF at all", 16);
    CHECK_ALL(begins_anew(".damaged-2", "no NetCDF at all", 16));
    CHECK_ALL(unlink(aside) == 0);
    /* changed while a run writes it: the run does not build on it */
    put_bytes(series_path(), whole, size);
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, 2, texts, 2, &s) == KOL_OK);
    put_bytes(series_path(), whole, size / 2);
    CHECK_ALL(append(s, 3, 3) == KOL_OK && series_close(&s) == KOL_ERR_IO);
    CHECK_ALL(strstr(status_message(), series_path()) &&
              strstr(status_message(), "changed by something else"));
    status_clear();
    free(whole);
}

/* Tests a run that is killed after a flush: what was flushed is there, and the series can be continued. */
static void test_series_survives_a_kill(void **state)
{
    (void)state;
    struct series *s = NULL;
    int status = -1;
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, -1, texts, 2, &s) == KOL_OK);
    const pid_t child = fork();
    if (child == 0) {
        const int good =
            append(s, 0, 49) == KOL_OK && series_flush(s) == KOL_OK && append(s, 50, 59) == KOL_OK;
        _exit(good ? 7 : 1);
    }
    waitpid(child, &status, 0);
    CHECK_ALL(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK_ALL(read_series(0) == 50);
    CHECK_ALL(series_close(&s) == KOL_OK);
    CHECK_ALL(series_open(series_path(), columns, COLUMNS, NULL, 39, texts, 2, &s) == KOL_OK);
    CHECK_ALL(append(s, 40, 44) == KOL_OK && series_close(&s) == KOL_OK && read_series(0) == 45);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_fields_values),
        CASE(test_xdmf_form),
        CASE(test_xdmf_collection),
        CASE(test_xdmf_index),
        CASE(test_fields_faults),
        CASE(test_fields_read),
        CASE(test_series_append_and_reopen),
        CASE(test_series_of_points),
        CASE(test_series_refuses),
        CASE(test_series_damaged),
        CASE(test_series_survives_a_kill),
    };
    return MPI_MAIN(argc, argv, "io_output", tests);
}
