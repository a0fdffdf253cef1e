/* Reads planes of velocity in time. */
#include "planefile.h"

#include <fcntl.h>
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

static const char *const FORMAT = "kolmo-planes", *const VELOCITY = "/velocity";
static const char *const LINE[3] = {"/first_face", "/second_face", "/time"};

struct planefile {
    char path[DISK_PATH];
    int count, cells[2], bytes; /* bytes of a value */
    double *face[2], *time;
    long long place; /* of the first plane, in bytes */
    int descriptor;
    unsigned long long hash;
    double largest[3];
};

static size_t row_bytes(const struct planefile *f)
{
    return 3 * (size_t)f->cells[0] * (size_t)f->bytes;
}

static long long row_place(const struct planefile *f, int plane, int j)
{
    return f->place + ((long long)plane * f->cells[1] + j) * (long long)row_bytes(f);
}

static kol_status read_bytes(const struct planefile *f, void *to, size_t bytes, long long place)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got =
            pread(f->descriptor, (char *)to + done, bytes - done, (off_t)(place + (long long)done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            RAISE(KOL_ERR_IO, "%s: planes of velocity can't be read: %s", f->path,
                  got < 0 ? strerror(errno) : "the file ends too early");
        done += (size_t)got;
    }
    return KOL_OK;
}

/* Converts floats to doubles in place. It begins at the end, because the doubles overwrite the floats. */
static void widen(const struct planefile *f, size_t n, double *value)
{
    for (size_t i = f->bytes == (int)sizeof(float) ? n : 0; i-- > 0;) {
        float narrow;
        memcpy(&narrow, (char *)value + i * sizeof narrow, sizeof narrow);
        value[i] = narrow;
    }
}

kol_status planefile_row(const struct planefile *f, int plane, int j, double *value)
{
    TRY(read_bytes(f, value, row_bytes(f), row_place(f, plane, j)));
    widen(f, 3 * (size_t)f->cells[0], value);
    return KOL_OK;
}

void planefile_ahead(const struct planefile *f, int plane, int first, int last)
{
    if (plane >= f->count) return;
    (void)posix_fadvise(f->descriptor, (off_t)row_place(f, plane, first),
                        (off_t)row_bytes(f) * (last - first + 1), POSIX_FADV_WILLNEED);
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

static kol_status get_place(struct h5_file *h, struct planefile *f)
{
    struct h5_shape s;
    TRY(h5_get_place(h, VELOCITY, &s, &f->place));
    f->bytes = s.bytes;
    if (s.n_g[0] != f->cells[0] || s.n_g[1] != f->cells[1] || s.n_g[2] != f->count || s.ncomp != 3)
        RAISE(KOL_ERR_INPUT,
              "%s: error: '%s' is (%d, %d, %d, %d), but must be (times, second direction, first direction, "
              "3) = (%d, %d, %d, 3)",
              f->path, VELOCITY, s.n_g[2], s.n_g[1], s.n_g[0], s.ncomp, f->count, f->cells[1], f->cells[0]);
    return KOL_OK;
}

/* Finds the hash and the largest values of this rank's share of the planes. */
static kol_status look_through(struct planefile *f, int rank, int ranks)
{
    const size_t values = 3 * (size_t)f->cells[0] * (size_t)f->cells[1];
    double *plane = malloc(values * sizeof *plane);
    kol_status st = KOL_OK;
    if (plane == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a plane of %s", f->path);
    for (int n = rank; n < f->count && st == KOL_OK; n += ranks) {
        const struct io_view view = {.ncomp = 3,
                                     .n_g = {f->cells[0], f->cells[1], f->count},
                                     .offset = {0, 0, n},
                                     .n = {f->cells[0], f->cells[1], 1},
                                     .bytes = f->bytes,
                                     .data = plane};
        planefile_ahead(f, n + ranks, 0, f->cells[1] - 1);
        st = read_bytes(f, plane, row_bytes(f) * (size_t)f->cells[1], row_place(f, n, 0));
        if (st != KOL_OK) break;
        f->hash += hash_view(view);
        widen(f, values, plane);
        for (size_t i = 0; i < values; ++i) {
            if (!isfinite(plane[i])) {
                st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                                  "%s: error: plane %d, at t = %.10g, has a velocity of %g", f->path, n,
                                  f->time[n], plane[i]);
                break;
            }
            f->largest[i % 3] = fmax(f->largest[i % 3], fabs(plane[i]));
        }
    }
    free(plane);
    return st;
}

static kol_status look(MPI_Comm comm, struct h5_file *h, struct planefile *f)
{
    unsigned long long mine, wanted = 0;
    double largest[3];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const char *why;
    f->descriptor = regular_file_open(f->path, O_RDONLY, &why);
    SHARE_TRY(comm, f->descriptor >= 0
                        ? KOL_OK
                        : status_raise(KOL_ERR_IO, __FILE__, __LINE__, "%s: %s", f->path, why));
    SHARE_TRY(comm, look_through(f, rank, ranks));
    mine = f->hash;
    memcpy(largest, f->largest, sizeof largest);
    MPI_Allreduce(&mine, &f->hash, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
    MPI_Allreduce(largest, f->largest, 3, MPI_DOUBLE, MPI_MAX, comm);
    TRY(h5_get_hash(h, VELOCITY, &wanted));
    if (f->hash != wanted)
        RAISE(
            KOL_ERR_IO,
            "%s: '%s' has hash %016llx, but %016llx was stored with it: the file is damaged, or not finished",
            f->path, VELOCITY, f->hash, wanted);
    TRY(h5_get_hash(h, LINE[2], &wanted));
    f->hash += 3 * wanted; /* other times are another flow */
    return KOL_OK;
}

static kol_status read_file(MPI_Comm comm, struct planefile *f)
{
    struct h5_file *h = NULL;
    TRY(h5_open(comm, f->path, FORMAT, &h));
    kol_status st = io_share(comm, get_lines(h, f));
    if (st == KOL_OK) st = get_place(h, f);
    if (st == KOL_OK) st = look(comm, h, f);
    const kol_status closed = h5_close(&h);
    return st != KOL_OK ? st : closed;
}

kol_status planefile_open(MPI_Comm comm, const char *path, struct planefile **out)
{
    struct planefile *f = *out = calloc(1, sizeof *f);
    kol_status st = KOL_OK;
    if (f == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", path);
    else st = disk_check_given(path);
    if (f != NULL) {
        f->descriptor = -1;
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
    return f->largest[c];
}
