/* Writes and reads checkpoints, and reads files of fields as such. */
#include "checkpoint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_file.h"
#include "h5_groups.h"
#include "h5_verify.h"
#include "log.h"

static const char STEM[] = "checkpoint", FORMAT[] = "kolmo-checkpoint", FIELDS_FORMAT[] = "kolmo-fields",
                  AVERAGES_FORMAT[] = "kolmo-averages";

struct checkpoint {
    MPI_Comm comm;
    struct h5_file *file; /* NULL after a fault */
    char directory[DISK_PATH];
    long long step;
    int value_bytes; /* of the first field put; 0: none yet */
    int fields;      /* whether it is a file of fields, with arrays and numbers in its root */
    int averages;    /* whether it is averages.h5, with sums in /sums and numbers in its root */
};

static kol_status hash_of_all(const struct h5_file *f, unsigned long long mine, unsigned long long *all)
{
    IO_MPI_TRY(MPI_Allreduce(&mine, all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, f->comm));
    return KOL_OK;
}

static const char *group_of_fields(const struct checkpoint *c)
{
    return c->averages ? "/sums" : c->fields ? "" : "/fields";
}

static const char *group_of_numbers(const struct checkpoint *c)
{
    return c->fields || c->averages ? "/" : "/state";
}

static kol_status field_path(const struct checkpoint *c, const char *name, char *path, size_t size)
{
    const int n = snprintf(path, size, "%s/%s", group_of_fields(c), name);
    if (n < 0 || n >= (int)size || strchr(name, '/'))
        RAISE(KOL_ERR_INTERNAL, "'%s' is not the name of a field", name);
    return KOL_OK;
}

static struct checkpoint *checkpoint_new(MPI_Comm comm)
{
    struct checkpoint *c = calloc(1, sizeof *c);
    kol_status st = KOL_OK;
    if (!c) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for a checkpoint");
    if (io_share(comm, st) != KOL_OK) {
        free(c);
        return NULL;
    }
    c->comm = comm;
    return c;
}

/* --- writing --- */

kol_status checkpoint_check_space(MPI_Comm comm, const char *directory, double bytes)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    SHARE_TRY(comm, rank == 0 ? disk_check_space(directory, bytes) : KOL_OK);
    return KOL_OK;
}

static kol_status write_head(struct h5_file *f, const struct io_axis axis[3], const struct io_text *text,
                             int texts)
{
    TRY(h5_put_run(f, text, texts));
    TRY(h5_put_grid(f, axis));
    TRY(h5_put_group(f, "/fields"));
    TRY(h5_put_group(f, "/state"));
    return KOL_OK;
}

kol_status checkpoint_begin(MPI_Comm comm, const char *directory, long long step,
                            const struct io_axis axis[3], const struct io_text *text, int texts,
                            struct checkpoint **out)
{
    *out = NULL;
    struct checkpoint *c = checkpoint_new(comm);
    if (!c) return KOL_ERR_MEMORY;
    snprintf(c->directory, sizeof c->directory, "%s", directory);
    c->step = step;
    kol_status st = KOL_OK;
    TRY_OR(failed, h5_create(comm, directory, STEM, step, &c->file));
    TRY_OR(failed, io_share(comm, write_head(c->file, axis, text, texts)));
    *out = c;
    return KOL_OK;
failed:
    h5_abandon(&c->file);
    free(c);
    return st;
}

static kol_status put_field(struct checkpoint *c, struct io_view v)
{
    char path[300];
    TRY(field_path(c, v.name, path, sizeof path));
    TRY(h5_check_view(c->file, &v));
    const double bytes = (double)v.n_g[0] * v.n_g[1] * v.n_g[2] * v.ncomp * v.bytes;
    TRY(checkpoint_check_space(c->comm, c->directory, bytes));
    TRY(h5_put_view(c->file, path, v, v.bytes, H5_SLAB_BYTES));
    if (c->value_bytes == 0) {
        c->value_bytes = v.bytes;
        TRY(h5_put_integer(c->file, "/", "value_bytes", v.bytes));
    }
    return KOL_OK;
}

static kol_status given_up(const struct checkpoint *c)
{
    RAISE(KOL_ERR_IO, "the checkpoint of step %lld was given up after an earlier fault", c->step);
}

kol_status checkpoint_put(struct checkpoint *c, struct io_view v)
{
    if (!c->file) return io_share(c->comm, given_up(c));
    const kol_status st = io_share(c->comm, put_field(c, v));
    if (st != KOL_OK) h5_abandon(&c->file);
    return st;
}

/* Removes older checkpoints only. A newer one belongs to another history of the run, which this run must not
 * remove. */
static kol_status prune(const char *directory, long long step, int keep)
{
    long long *found;
    int count;
    TRY(disk_list(directory, STEM, &found, &count));
    int older = 0;
    kol_status st = KOL_OK;
    for (int n = 0; n < count && st == KOL_OK; ++n) {
        char path[DISK_PATH];
        st = disk_name(path, directory, STEM, found[n]);
        if (st != KOL_OK) break;
        if (found[n] > step)
            log_warn("%s belongs to a later step than this run's %lld, so restart = 'latest' would take it; "
                     "remove it if it is not needed",
                     path, step);
        if (found[n] < step && ++older >= keep && unlink(path) != 0)
            log_warn("the old checkpoint %s can't be removed", path);
    }
    free(found);
    return st;
}

static kol_status write_tail(struct checkpoint *c, const struct io_scalar *scalar, int scalars)
{
    unsigned long long hash;
    TRY(h5_sum_hashes(c->file, "/fields", &hash));
    hash += h5_number_hash("step", (double)c->step);
    for (int n = 0; n < scalars; ++n) {
        TRY(h5_put_double(c->file, "/state", scalar[n].name, 1, &scalar[n].value));
        hash += h5_number_hash(scalar[n].name, scalar[n].value);
    }
    /* the hash is that of the numbers of rank 0, which are those in the file */
    IO_MPI_TRY(MPI_Bcast(&hash, 1, MPI_UNSIGNED_LONG_LONG, 0, c->file->comm));
    return h5_put_hash(c->file, "/", hash);
}

kol_status checkpoint_end(struct checkpoint **checkpoint, const struct io_scalar *scalar, int scalars,
                          int keep)
{
    struct checkpoint *c = *checkpoint;
    *checkpoint = NULL;
    kol_status st = KOL_OK;
    if (!c->file) TRY_OR(done, io_share(c->comm, given_up(c)));
    TRY_OR(done, io_share(c->comm, write_tail(c, scalar, scalars)));
    const int rank = c->file->rank;
    TRY_OR(done, h5_commit(&c->file));
    TRY_OR(done, io_share(c->comm, rank == 0 ? prune(c->directory, c->step, keep > 1 ? keep : 1) : KOL_OK));
done:
    h5_abandon(&c->file);
    free(c);
    return st;
}

/* --- reading --- */

static void differ(struct checkpoint_differences *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void differ(struct checkpoint_differences *d, const char *fmt, ...)
{
    const size_t used = strlen(d->text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(d->text + used, sizeof d->text - used, fmt, args);
    va_end(args);
    ++d->count;
}

/* Ends of the same box may differ by rounding, because stretching laws compute them in different ways. */
static int same_end(double a, double b, double length)
{
    const double rounding = 1e-12;
    return fabs(a - b) <= rounding * length;
}

static void compare_axis(struct checkpoint_differences *d, char name, int n, const double *face,
                         struct io_axis axis)
{
    int unequal = 0, first = 0;
    const double length = fabs(axis.face[axis.n] - axis.face[0]);
    const int box = !same_end(face[0], axis.face[0], length) || !same_end(face[n], axis.face[axis.n], length);
    if (n != axis.n) differ(d, "\n  cells in %c: %d in the file, %d in the input", name, n, axis.n);
    for (int i = n; i >= 0 && n == axis.n; --i)
        if (memcmp(&face[i], &axis.face[i], sizeof face[i]) != 0) {
            ++unequal;
            first = i;
        }
    if (unequal)
        differ(d, "\n  %c coordinates: %d of %d faces, first face %d: %.17g in the file, %.17g in the input",
               name, unequal, n + 1, first, face[first], axis.face[first]);
    if (box)
        differ(d, "\n  the box in %c: from %.9g to %.9g in the file, from %.9g to %.9g in the input", name,
               face[0], face[n], axis.face[0], axis.face[axis.n]);
    d->grid += n != axis.n || unequal || box;
    d->box += box;
}

kol_status checkpoint_compare(struct checkpoint *c, const struct io_axis axis[3], int bytes,
                              struct checkpoint_differences *d)
{
    int stored = 0;
    memset(d, 0, sizeof *d);
    for (int direction = 0; direction < 3; ++direction) {
        int n;
        double *face;
        TRY(checkpoint_faces(c, direction, &n, &face));
        compare_axis(d, "xyz"[direction], n, face, axis[direction]);
        free(face);
    }
    if (bytes == 0) return KOL_OK;
    TRY(checkpoint_bytes(c, &stored));
    if (stored != bytes)
        differ(d, "\n  precision: %d bytes a value in the file, %d in this program", stored, bytes);
    return KOL_OK;
}

/* format: the kind of file; NULL for either kind. */
static kol_status look(MPI_Comm comm, const char *path, const char *format, struct checkpoint **out)
{
    *out = NULL;
    struct checkpoint *c = checkpoint_new(comm);
    if (!c) return KOL_ERR_MEMORY;
    const kol_status st = h5_open(comm, path, format, &c->file);
    if (st != KOL_OK) {
        free(c);
        return status_pass(st, __FILE__, __LINE__, "h5_open");
    }
    c->fields = strcmp(c->file->format, FIELDS_FORMAT) == 0;
    c->averages = strcmp(c->file->format, AVERAGES_FORMAT) == 0;
    *out = c;
    return KOL_OK;
}

kol_status checkpoint_look(MPI_Comm comm, const char *path, struct checkpoint **out)
{
    return look(comm, path, FORMAT, out);
}

kol_status checkpoint_look_averages(MPI_Comm comm, const char *path, struct checkpoint **out)
{
    return look(comm, path, AVERAGES_FORMAT, out);
}

static kol_status check_format(const struct h5_file *f)
{
    if (strcmp(f->format, FORMAT) == 0 || strcmp(f->format, FIELDS_FORMAT) == 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "%s: the file has the format '%s', but '%s' or '%s' is needed; check the name",
          f->path, f->format, FORMAT, FIELDS_FORMAT);
}

kol_status checkpoint_look_flow(MPI_Comm comm, const char *path, struct checkpoint **out)
{
    TRY(look(comm, path, NULL, out));
    const kol_status st = io_share(comm, check_format((*out)->file));
    if (st != KOL_OK) checkpoint_close(out);
    return st;
}

int checkpoint_is_fields(const struct checkpoint *c)
{
    return c->fields;
}

kol_status checkpoint_has(struct checkpoint *c, const char *name, int *there)
{
    char **all = NULL;
    int count = 0;
    *there = 0;
    TRY(h5_list(c->file, c->fields ? "/" : group_of_fields(c), &all, &count));
    for (int n = 0; n < count; ++n) *there |= strcmp(all[n], name) == 0;
    h5_list_free(&all, count);
    return KOL_OK;
}

static kol_status refuse(struct checkpoint *c, const struct io_axis axis[3], int bytes)
{
    struct checkpoint_differences d;
    TRY(checkpoint_compare(c, axis, bytes, &d));
    if (d.count)
        RAISE(KOL_ERR_INPUT,
              "%s does not fit this run:%s\nuse the input and the build that wrote it, or restart = 'none'",
              c->file->path, d.text);
    return KOL_OK;
}

kol_status checkpoint_open(MPI_Comm comm, const char *path, const struct io_axis axis[3], int bytes,
                           struct checkpoint **out)
{
    TRY(checkpoint_look(comm, path, out));
    const kol_status st = io_share(comm, refuse(*out, axis, bytes));
    if (st == KOL_OK) return KOL_OK;
    checkpoint_close(out);
    return st;
}

kol_status checkpoint_bytes(struct checkpoint *c, int *bytes)
{
    struct h5_shape shape;
    if (!c->fields) return h5_get_value_bytes(c->file, bytes);
    TRY(h5_get_shape(c->file, "/pressure", &shape));
    *bytes = shape.bytes;
    return KOL_OK;
}

kol_status checkpoint_faces(struct checkpoint *c, int direction, int *n, double **face)
{
    return h5_get_grid(c->file, direction, n, face);
}

kol_status checkpoint_text(struct checkpoint *c, const char *name, char **text)
{
    enum { LONGEST = 4 << 20 };
    *text = malloc(LONGEST);
    kol_status st = KOL_OK;
    if (!*text)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for a text of %d bytes", LONGEST);
    st = io_share(c->comm, st);
    if (st == KOL_OK) st = h5_get_text(c->file, "/run", name, *text, LONGEST);
    if (st != KOL_OK) {
        free(*text);
        *text = NULL;
    }
    return st;
}

static kol_status check_hash(struct h5_file *f, const char *path, unsigned long long found)
{
    unsigned long long wanted = 0;
    TRY(h5_get_hash(f, path, &wanted));
    if (found != wanted)
        RAISE(KOL_ERR_IO,
              "%s: field '%s' has hash %016llx, but %016llx was stored with it: the file is damaged; use an "
              "older one",
              f->path, path, found, wanted);
    return KOL_OK;
}

static kol_status get_field(const struct checkpoint *c, struct io_view v)
{
    struct h5_file *f = c->file;
    char path[300], location[8];
    unsigned long long mine = 0, all = 0;
    TRY(field_path(c, v.name, path, sizeof path));
    TRY(h5_check_view(f, &v));
    TRY(h5_get_view(f, path, v, H5_SLAB_BYTES, &mine));
    TRY(hash_of_all(f, mine, &all));
    TRY(check_hash(f, path, all));
    TRY(h5_get_text(f, path, "location", location, sizeof location));
    if (strcmp(location, h5_location(v.location)) != 0)
        RAISE(KOL_ERR_IO, "%s: field '%s' is at %s, but %s is needed; the file belongs to another case",
              f->path, v.name, location, h5_location(v.location));
    return KOL_OK;
}

kol_status checkpoint_get(struct checkpoint *c, struct io_view v)
{
    return io_share(c->comm, get_field(c, v));
}

kol_status checkpoint_scalar(struct checkpoint *c, const char *name, double *value)
{
    return h5_get_double(c->file, group_of_numbers(c), name, value);
}

kol_status checkpoint_step(struct checkpoint *c, long long *step)
{
    return h5_get_integer(c->file, "/", "step", step);
}

kol_status checkpoint_scalar_or(struct checkpoint *c, const char *name, double preset, double *value)
{
    int there = 0;
    *value = preset;
    TRY(h5_has_attribute(c->file, group_of_numbers(c), name, &there));
    return there ? checkpoint_scalar(c, name, value) : KOL_OK;
}

const char *checkpoint_path(const struct checkpoint *c)
{
    return c->file->path;
}

kol_status checkpoint_whole(struct checkpoint *c)
{
    const int texts = c->fields || c->averages;
    return io_share(c->comm, texts ? h5_check_texts(c->file, "/run") : h5_verify_whole(c->file));
}

kol_status checkpoint_close(struct checkpoint **checkpoint)
{
    struct checkpoint *c = *checkpoint;
    *checkpoint = NULL;
    if (!c) return KOL_OK;
    kol_status st = KOL_OK;
    if (c->file && c->file->writing) h5_abandon(&c->file);
    else if (c->file) st = h5_close(&c->file);
    free(c);
    return st;
}

size_t checkpoint_verify_bytes(const int n[3], int bytes, int ranks)
{
    return h5_verify_bytes(n, bytes, ranks);
}
