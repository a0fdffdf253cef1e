/* Reads the velocity and the scalars that a run starts from, array by array, in planes. */
#include "flowfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "disk.h"
#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_file.h"
#include "h5_groups.h"
#include "kernels/base/speed.h"

/* SLAB: the size of the planes that are read at once [bytes]. */
enum { SLAB = 1 << 24 };
static const char *const COMPONENT[3] = {"u", "v", "w"}, *const AXIS[3] = {"x_face", "y_face", "z_face"};

struct flowfile {
    MPI_Comm comm; /* borrowed */
    struct h5_file *h;
    char path[DISK_PATH];
    const char *group; /* in which the arrays lie */
    int centred, cells[3], bytes;
    double *face[3];
};

static kol_status holds(struct flowfile *f, const char *group, const char *wanted, int *there)
{
    char **name = NULL;
    int count = 0;
    *there = 0;
    TRY(h5_list(f->h, group, &name, &count));
    for (int n = 0; n < count; ++n) *there |= strcmp(name[n], wanted) == 0;
    h5_list_free(&name, count);
    return KOL_OK;
}

static void dataset_of(const struct flowfile *f, int c, char name[FLOWFILE_NAME])
{
    snprintf(name, FLOWFILE_NAME, "%s%s", f->group, f->centred ? "velocity" : COMPONENT[c]);
}

/* Finds which arrays there are, and their sizes. */
static kol_status look(struct flowfile *f)
{
    const int checkpoint = strcmp(f->h->format, "kolmo-checkpoint") == 0;
    int there = 0;
    if (!checkpoint && strcmp(f->h->format, "kolmo-fields") != 0 && strcmp(f->h->format, "kolmo-flow") != 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: its format is '%s'; a flow can start from 'kolmo-flow', 'kolmo-fields' or "
              "'kolmo-checkpoint'",
              f->path, f->h->format);
    f->group = checkpoint ? "/fields/" : "/";
    if (!checkpoint) TRY(holds(f, "/", "velocity", &f->centred));
    for (int c = 0; c < 3 && !f->centred; ++c) {
        TRY(holds(f, checkpoint ? "/fields" : "/", COMPONENT[c], &there));
        if (!there)
            RAISE(
                KOL_ERR_INPUT,
                "%s: error: it has no array '%s'; a flow has 'velocity' at the centres of cells, or 'u', 'v' "
                "and 'w' on their lower faces",
                f->path, COMPONENT[c]);
    }
    for (int c = 0; c < (f->centred ? 1 : 3); ++c) {
        struct h5_shape s;
        char name[FLOWFILE_NAME];
        dataset_of(f, c, name);
        TRY(h5_get_shape(f->h, name, &s));
        if (c == 0) {
            memcpy(f->cells, s.n_g, sizeof f->cells);
            f->bytes = s.bytes;
        }
        if (s.ncomp != (f->centred ? 3 : 1) || memcmp(f->cells, s.n_g, sizeof s.n_g) != 0 ||
            s.bytes != f->bytes)
            RAISE(
                KOL_ERR_INPUT,
                "%s: error: '%s' is (%d, %d, %d) cells of %d values of %d bytes, but must be (nz, ny, nx) = "
                "(%d, %d, %d) cells of %d values of %d bytes",
                f->path, name, s.n_g[2], s.n_g[1], s.n_g[0], s.ncomp, s.bytes, f->cells[2], f->cells[1],
                f->cells[0], f->centred ? 3 : 1, f->bytes);
    }
    return KOL_OK;
}

static kol_status get_faces(struct flowfile *f)
{
    kol_status st = KOL_OK;
    int n;
    for (int d = 0; d < 3 && st == KOL_OK; ++d) {
        st = h5_get_grid(f->h, d, &n, &f->face[d]);
        if (st == KOL_OK && n != f->cells[d])
            st =
                status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                             "%s: error: '/grid/%s' has the faces of %d cells, but the velocity has %d in %c",
                             f->path, AXIS[d], n, f->cells[d], "xyz"[d]);
    }
    return st;
}

static kol_status open_file(struct flowfile *f)
{
    TRY(h5_open(f->comm, f->path, NULL, &f->h));
    TRY(look(f));
    int there = 0;
    TRY(h5_has_grid(f->h, &there));
    return there ? get_faces(f) : KOL_OK;
}

kol_status flowfile_open(MPI_Comm comm, const char *path, struct flowfile **out)
{
    struct flowfile *f = *out = calloc(1, sizeof *f);
    kol_status st = KOL_OK;
    if (f == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", path);
    else st = disk_check_given(path);
    if (f != NULL) {
        f->comm = comm;
        snprintf(f->path, sizeof f->path, "%s", path);
    }
    SHARE_TRY(comm, st);
    return open_file(f);
}

kol_status flowfile_close(struct flowfile **file)
{
    struct flowfile *f = *file;
    if (f == NULL) return KOL_OK;
    const kol_status st = h5_close(&f->h);
    for (int d = 0; d < 3; ++d) free(f->face[d]);
    free(f);
    *file = NULL;
    return st;
}

int flowfile_centred(const struct flowfile *f)
{
    return f->centred;
}

int flowfile_cells(const struct flowfile *f, int direction)
{
    return f->cells[direction];
}

const double *flowfile_faces(const struct flowfile *f, int direction)
{
    return f->face[direction];
}

kol_status flowfile_scalar(struct flowfile *f, const char *scalar, int *there, char *unit, size_t size)
{
    struct h5_shape s;
    char name[FLOWFILE_NAME];
    int has_unit = 0;
    unit[0] = '\0';
    TRY(holds(f, f->group, scalar, there));
    if (!*there) return KOL_OK;
    snprintf(name, sizeof name, "%s%s", f->group, scalar);
    TRY(h5_get_shape(f->h, name, &s));
    if (s.ncomp != 1 || memcmp(f->cells, s.n_g, sizeof s.n_g) != 0)
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: the scalar '%s' is (%d, %d, %d) cells of %d values, but must be (nz, ny, nx) = (%d, "
            "%d, %d) cells of 1 value, as the velocity",
            f->path, scalar, s.n_g[2], s.n_g[1], s.n_g[0], s.ncomp, f->cells[2], f->cells[1], f->cells[0]);
    TRY(h5_has_attribute(f->h, name, "unit", &has_unit));
    return has_unit ? h5_get_text(f->h, name, "unit", unit, size) : KOL_OK;
}

/* Whether an array is a part of the flow, or one of the scalars. */
static int is_known(const char *name, const char (*scalar)[FLOWFILE_NAME], int count)
{
    int known = strcmp(name, "velocity") == 0 || strcmp(name, "p") == 0;
    for (int c = 0; c < 3; ++c) known |= strcmp(name, COMPONENT[c]) == 0;
    for (int n = 0; n < count; ++n) known |= strcmp(name, scalar[n]) == 0;
    return known;
}

kol_status flowfile_others(struct flowfile *f, const char (*scalar)[FLOWFILE_NAME], int count, char *text,
                           size_t size)
{
    char **name = NULL;
    int arrays = 0;
    size_t done = 0;
    text[0] = '\0';
    if (strcmp(f->h->format, "kolmo-flow") != 0) return KOL_OK;
    TRY(h5_list(f->h, f->group, &name, &arrays));
    for (int n = 0; n < arrays && done < size; ++n)
        if (!is_known(name[n], scalar, count))
            done += (size_t)snprintf(text + done, size - done, "%s'%s'", done > 0 ? ", " : "", name[n]);
    h5_list_free(&name, arrays);
    return KOL_OK;
}

/* unpack: what pass() needs: a slab of the file, and where one component of it goes. name: of a scalar; NULL:
 * it is the velocity. */
struct unpack {
    const char *path, *name;
    const double *slab;
    double *value;
    size_t plane; /* cells */
    int component, c, ncomp, first;
};

static kol_status pass(void *context, int first, int count)
{
    const struct unpack *p = context;
    double *value = p->value + (size_t)first * p->plane;
    for (size_t i = 0; i < (size_t)count * p->plane; ++i) {
        value[i] = p->slab[i * (size_t)p->ncomp + (size_t)p->c];
        if (p->name != NULL ? isfinite(value[i]) : fabs(value[i]) <= SPEED_MOST) continue;
        const int plane = p->first + first + (int)(i / p->plane);
        if (p->name != NULL)
            RAISE(KOL_ERR_INPUT, "%s: error: the scalar '%s' is %g in plane %d", p->path, p->name, value[i],
                  plane);
        if (!isfinite(value[i]))
            RAISE(KOL_ERR_INPUT, "%s: error: component %c of the velocity is %g in plane %d", p->path,
                  "uvw"[p->component], value[i], plane);
        RAISE(KOL_ERR_INPUT,
              "%s: error: component %c of the velocity is %g in plane %d, too fast for %s arithmetic, which "
              "takes speeds up to %g; choose another unit of length or time",
              p->path, "uvw"[p->component], value[i], plane, KOL_REAL_NAME, SPEED_MOST);
    }
    return KOL_OK;
}

static kol_status check_hash(struct flowfile *f, const char *name, unsigned long long mine)
{
    unsigned long long whole, wanted = 0;
    int there = 0;
    MPI_Allreduce(&mine, &whole, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, f->comm);
    TRY(h5_has_attribute(f->h, name, "hash", &there));
    if (!there) return KOL_OK;
    TRY(h5_get_hash(f->h, name, &wanted));
    kol_status st = KOL_OK;
    if (whole != wanted)
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s: '%s' differs from its hash: the file is damaged; write it again", f->path,
                          name);
    return io_share(f->comm, st); /* all ranks find the same */
}

/* Reads planes of the array that p describes. */
static kol_status read_planes(struct flowfile *f, const char *name, struct unpack p, int last)
{
    const size_t bytes = p.plane * (size_t)p.ncomp * sizeof(double);
    const int most = bytes < SLAB ? (int)(SLAB / bytes) : 1;
    struct io_view view = {.ncomp = p.ncomp,
                           .n_g = {f->cells[0], f->cells[1], f->cells[2]},
                           .offset = {0, 0, p.first},
                           .n = {f->cells[0], f->cells[1], last - p.first},
                           .bytes = 8,
                           .widens = 1,
                           .planes = {most, pass, &p}};
    unsigned long long hash = 0;
    double *slab = malloc(bytes * (size_t)most);
    view.data = slab;
    p.slab = slab;
    SHARE_TRY(f->comm, slab != NULL ? KOL_OK
                                    : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                                   "no memory for planes of %s", f->path));
    kol_status st = h5_get_view(f->h, name, view, H5_SLAB_BYTES, &hash);
    if (st == KOL_OK) st = check_hash(f, name, hash);
    free(slab);
    return st;
}

static struct unpack unpack_of(const struct flowfile *f, int first, double *value)
{
    return (struct unpack){.path = f->path,
                           .value = value,
                           .plane = (size_t)f->cells[0] * (size_t)f->cells[1],
                           .ncomp = 1,
                           .first = first};
}

kol_status flowfile_read(struct flowfile *f, int component, int first, int last, double *value)
{
    struct unpack p = unpack_of(f, first, value);
    char name[FLOWFILE_NAME];
    p.component = component;
    p.c = f->centred ? component : 0;
    p.ncomp = f->centred ? 3 : 1;
    dataset_of(f, component, name);
    return read_planes(f, name, p, last);
}

kol_status flowfile_read_scalar(struct flowfile *f, const char *scalar, int first, int last, double *value)
{
    struct unpack p = unpack_of(f, first, value);
    char name[FLOWFILE_NAME];
    p.name = scalar;
    snprintf(name, sizeof name, "%s%s", f->group, scalar);
    return read_planes(f, name, p, last);
}
