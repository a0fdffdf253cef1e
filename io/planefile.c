/* Reads planes of velocity, and of scalars, in time. */
#include "planefile.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "disk.h"
#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_file.h"
#include "hash.h"
#include "kernels/base/regular_file.h"
#include "kernels/base/speed.h"

static const char *const FORMAT = "kolmo-planes", *const VELOCITY = "/velocity", *const SCALARS = "/scalars";
static const char *const LINE[3] = {"/first_face", "/second_face", "/time"};

/* series: the planes of one quantity: the velocity, or a scalar.
 *
 *   place          of the first plane, in bytes
 *   least, most    of each component */
struct series {
    char dataset[64], unit[PLANEFILE_UNIT];
    int parts, bytes; /* components; bytes of a value */
    long long place;
    unsigned long long hash;
    double least[3], most[3];
};

struct planefile {
    char path[DISK_PATH];
    int count, cells[2];
    double *face[2], *time;
    int descriptor;
    unsigned long long hash;
    int scalars;
    struct series of[1 + PLANEFILE_SCALARS]; /* the velocity first */
};

static size_t row_bytes(const struct planefile *f, const struct series *s)
{
    return (size_t)s->parts * (size_t)f->cells[0] * (size_t)s->bytes;
}

static long long row_place(const struct planefile *f, const struct series *s, int plane, int j)
{
    return s->place + ((long long)plane * f->cells[1] + j) * (long long)row_bytes(f, s);
}

static kol_status read_bytes(const struct planefile *f, void *to, size_t bytes, long long place)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got =
            pread(f->descriptor, (char *)to + done, bytes - done, (off_t)(place + (long long)done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            RAISE(KOL_ERR_IO, "%s: planes can't be read: %s", f->path,
                  got < 0 ? strerror(errno) : "the file ends too early");
        done += (size_t)got;
    }
    return KOL_OK;
}

/* Converts floats to doubles in place. It begins at the end, because the doubles overwrite the floats. */
static void widen(const struct series *s, size_t n, double *value)
{
    for (size_t i = s->bytes == (int)sizeof(float) ? n : 0; i-- > 0;) {
        float narrow;
        memcpy(&narrow, (char *)value + i * sizeof narrow, sizeof narrow);
        value[i] = narrow;
    }
}

static kol_status read_row(const struct planefile *f, const struct series *s, int plane, int j, double *value)
{
    TRY(read_bytes(f, value, row_bytes(f, s), row_place(f, s, plane, j)));
    widen(s, (size_t)s->parts * (size_t)f->cells[0], value);
    return KOL_OK;
}

kol_status planefile_row(const struct planefile *f, int plane, int j, double *value)
{
    return read_row(f, &f->of[0], plane, j, value);
}

kol_status planefile_scalar_row(const struct planefile *f, int scalar, int plane, int j, double *value)
{
    return read_row(f, &f->of[1 + scalar], plane, j, value);
}

void planefile_ahead(const struct planefile *f, int plane, int first, int last)
{
    if (plane >= f->count) return;
    for (int q = 0; q <= f->scalars; ++q)
        (void)posix_fadvise(f->descriptor, (off_t)row_place(f, &f->of[q], plane, first),
                            (off_t)row_bytes(f, &f->of[q]) * (last - first + 1), POSIX_FADV_WILLNEED);
}

/* --- what is there --- */

static kol_status get_lines(struct h5_file *h, struct planefile *f)
{
    int last;
    for (int n = 0; n < 2; ++n) TRY(h5_get_line(h, LINE[n], &f->cells[n], &f->face[n]));
    TRY(h5_get_line(h, LINE[2], &last, &f->time));
    f->count = last + 1;
    for (int n = 1; n < f->count; ++n)
        if (!(f->time[n] > f->time[n - 1]))
            RAISE(KOL_ERR_INPUT, "%s: error: the times of planes must increase, and %.10g follows %.10g",
                  f->path, f->time[n], f->time[n - 1]);
    return KOL_OK;
}

static kol_status get_place(struct h5_file *h, struct planefile *f, struct series *q)
{
    struct h5_shape s;
    TRY(h5_get_place(h, q->dataset, &s, &q->place));
    q->bytes = s.bytes;
    if (s.n_g[0] == f->cells[0] && s.n_g[1] == f->cells[1] && s.n_g[2] == f->count && s.ncomp == q->parts)
        return KOL_OK;
    if (q->parts == 1)
        RAISE(KOL_ERR_INPUT,
              "%s: error: '%s' is (%d, %d, %d), with %d numbers at a place, but must be (times, second "
              "direction, first direction) = (%d, %d, %d), with one",
              f->path, q->dataset, s.n_g[2], s.n_g[1], s.n_g[0], s.ncomp, f->count, f->cells[1], f->cells[0]);
    RAISE(KOL_ERR_INPUT,
          "%s: error: '%s' is (%d, %d, %d, %d), but must be (times, second direction, first direction, "
          "3) = (%d, %d, %d, 3)",
          f->path, q->dataset, s.n_g[2], s.n_g[1], s.n_g[0], s.ncomp, f->count, f->cells[1], f->cells[0]);
}

static kol_status refuse(const struct planefile *f, const struct series *q, int plane, double value)
{
    if (q->parts > 1 && !isfinite(value))
        RAISE(KOL_ERR_INPUT, "%s: error: plane %d, at t = %.10g, has a velocity of %g", f->path, plane,
              f->time[plane], value);
    if (q->parts > 1)
        RAISE(KOL_ERR_INPUT,
              "%s: error: plane %d, at t = %.10g, has a velocity of %g, too fast for %s arithmetic, which "
              "takes "
              "speeds up to %g; choose another unit of length or time",
              f->path, plane, f->time[plane], value, KOL_REAL_NAME, SPEED_MOST);
    RAISE(KOL_ERR_INPUT, "%s: error: plane %d of '%s', at t = %.10g, has a value of %g", f->path, plane,
          q->dataset, f->time[plane], value);
}

/* Takes one plane: its part of the hash, and its least and largest values. */
static kol_status look_at_plane(struct planefile *f, struct series *q, int n, double *plane)
{
    const size_t values = (size_t)q->parts * (size_t)f->cells[0] * (size_t)f->cells[1];
    const struct io_view view = {.ncomp = q->parts,
                                 .n_g = {f->cells[0], f->cells[1], f->count},
                                 .offset = {0, 0, n},
                                 .n = {f->cells[0], f->cells[1], 1},
                                 .bytes = q->bytes,
                                 .data = plane};
    TRY(read_bytes(f, plane, row_bytes(f, q) * (size_t)f->cells[1], row_place(f, q, n, 0)));
    q->hash += hash_view(view);
    widen(q, values, plane);
    const double most = q->parts > 1 ? SPEED_MOST : DBL_MAX;
    for (size_t i = 0; i < values; ++i) {
        const size_t c = i % (size_t)q->parts;
        if (!(fabs(plane[i]) <= most)) return refuse(f, q, n, plane[i]);
        q->least[c] = fmin(q->least[c], plane[i]);
        q->most[c] = fmax(q->most[c], plane[i]);
    }
    return KOL_OK;
}

/* Finds the hashes and the extremes of this rank's share of the planes. */
static kol_status look_through(struct planefile *f, int rank, int ranks)
{
    double *plane = malloc(3 * (size_t)f->cells[0] * (size_t)f->cells[1] * sizeof *plane);
    kol_status st = KOL_OK;
    if (plane == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a plane of %s", f->path);
    for (int n = rank; n < f->count && st == KOL_OK; n += ranks) {
        planefile_ahead(f, n + ranks, 0, f->cells[1] - 1);
        for (int q = 0; q <= f->scalars && st == KOL_OK; ++q) st = look_at_plane(f, &f->of[q], n, plane);
    }
    free(plane);
    return st;
}

/* Adds up the hash of a quantity over the ranks, and compares it with that in the file. */
static kol_status compare_hash(MPI_Comm comm, struct h5_file *h, const struct planefile *f, struct series *q)
{
    unsigned long long mine = q->hash, wanted = 0;
    double least[3], most[3];
    memcpy(least, q->least, sizeof least);
    memcpy(most, q->most, sizeof most);
    MPI_Allreduce(&mine, &q->hash, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
    MPI_Allreduce(least, q->least, 3, MPI_DOUBLE, MPI_MIN, comm);
    MPI_Allreduce(most, q->most, 3, MPI_DOUBLE, MPI_MAX, comm);
    TRY(h5_get_hash(h, q->dataset, &wanted));
    if (q->hash != wanted)
        RAISE(
            KOL_ERR_IO,
            "%s: '%s' has hash %016llx, but %016llx was stored with it: the file is damaged, or not finished",
            f->path, q->dataset, q->hash, wanted);
    return KOL_OK;
}

static kol_status look(MPI_Comm comm, struct h5_file *h, struct planefile *f)
{
    unsigned long long wanted = 0;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const char *why;
    f->descriptor = regular_file_open(f->path, O_RDONLY, &why);
    SHARE_TRY(comm, f->descriptor >= 0
                        ? KOL_OK
                        : status_raise(KOL_ERR_IO, __FILE__, __LINE__, "%s: %s", f->path, why));
    SHARE_TRY(comm, look_through(f, rank, ranks));
    for (int q = 0; q <= f->scalars; ++q) {
        TRY(compare_hash(comm, h, f, &f->of[q]));
        f->hash += (q > 0 ? 2 * (unsigned long long)q + 3 : 1) * f->of[q].hash;
    }
    TRY(h5_get_hash(h, LINE[2], &wanted));
    f->hash += 3 * wanted; /* other times are another flow */
    return KOL_OK;
}

/* Prepares the series of a quantity. */
static struct series series_of(const char *group, const char *name, int parts)
{
    struct series q = {.parts = parts};
    snprintf(q.dataset, sizeof q.dataset, "%s%s%s", group, name != NULL ? "/" : "", name != NULL ? name : "");
    for (int c = 0; c < 3; ++c) {
        q.least[c] = INFINITY;
        q.most[c] = -INFINITY;
    }
    return q;
}

/* Finds the planes of the scalars that are asked for. */
static kol_status find_scalars(struct h5_file *h, struct planefile *f)
{
    for (int s = 1; s <= f->scalars; ++s) {
        struct series *q = &f->of[s];
        int there = 0;
        TRY(h5_has(h, SCALARS, &there));
        if (there) TRY(h5_has(h, q->dataset, &there));
        if (!there)
            RAISE(
                KOL_ERR_INPUT,
                "%s: error: there are no planes of the scalar '%s' ('%s'); write them, or choose 'value' for "
                "the scalar on this face",
                f->path, q->dataset + strlen(SCALARS) + 1, q->dataset);
        TRY(get_place(h, f, q));
        TRY(h5_has_attribute(h, q->dataset, "unit", &there));
        if (there) TRY(h5_get_text(h, q->dataset, "unit", q->unit, sizeof q->unit));
    }
    return KOL_OK;
}

static kol_status read_file(MPI_Comm comm, struct planefile *f)
{
    struct h5_file *h = NULL;
    TRY(h5_open(comm, f->path, FORMAT, &h));
    kol_status st = io_share(comm, get_lines(h, f));
    if (st == KOL_OK) st = get_place(h, f, &f->of[0]);
    if (st == KOL_OK) st = find_scalars(h, f);
    if (st == KOL_OK) st = look(comm, h, f);
    const kol_status closed = h5_close(&h);
    return st != KOL_OK ? st : closed;
}

kol_status planefile_open(MPI_Comm comm, const char *path, int count, const char *const *scalars,
                          struct planefile **out)
{
    struct planefile *f = *out = calloc(1, sizeof *f);
    kol_status st = KOL_OK;
    if (f == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", path);
    else st = disk_check_given(path);
    if (f != NULL) {
        f->descriptor = -1;
        f->of[0] = series_of(VELOCITY, NULL, 3);
        f->scalars = count;
        for (int s = 0; s < count; ++s) f->of[1 + s] = series_of(SCALARS, scalars[s], 1);
        snprintf(f->path, sizeof f->path, "%s", path);
    }
    SHARE_TRY(comm, st);
    return read_file(comm, f);
}

void planefile_close(struct planefile **file)
{
    struct planefile *f = *file;
    if (f == NULL) return;
    if (f->descriptor >= 0) close(f->descriptor);
    for (int n = 0; n < 2; ++n) free(f->face[n]);
    free(f->time);
    free(f);
    *file = NULL;
}

int planefile_count(const struct planefile *f)
{
    return f->count;
}

const double *planefile_times(const struct planefile *f)
{
    return f->time;
}

const double *planefile_faces(const struct planefile *f, int direction, int *cells)
{
    *cells = f->cells[direction];
    return f->face[direction];
}

unsigned long long planefile_hash(const struct planefile *f)
{
    return f->hash;
}

double planefile_largest(const struct planefile *f, int c)
{
    return fmax(fabs(f->of[0].least[c]), fabs(f->of[0].most[c]));
}

void planefile_scalar_range(const struct planefile *f, int scalar, double *least, double *most)
{
    *least = f->of[1 + scalar].least[0];
    *most = f->of[1 + scalar].most[0];
}

const char *planefile_scalar_unit(const struct planefile *f, int scalar)
{
    return f->of[1 + scalar].unit;
}
