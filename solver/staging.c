#include "staging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../kernels/base/device.h"
#include "restart.h"

/* Of a rank's part of the free host memory, what copies for files may take. */
static const double HOST_SHARE = 0.5;

static int writes_fields(const struct input *in)
{
    return in->output.field_interval > 0 || in->output.field_interval_time > 0;
}

static int most_packed(const struct input *in)
{
    return writes_fields(in) ? 3 : 1;
}

/* One array at a time goes through one host array; centre values of vectors want all of the velocity. */
static int slots(const struct input *in, int ahead)
{
    const int state = restart_arrays(in), centred = writes_fields(in) ? 4 : 1;
    if (!ahead) return writes_fields(in) ? 3 : 1;
    return state > centred ? state : centred;
}

int staging_arrays(const struct input *in, int ahead)
{
    return slots(in, ahead) + most_packed(in);
}

static void drop_slots(struct staging *s)
{
    for (int n = 0; n < STAGING_MOST; ++n) {
        mem_host_free(s->field[n]);
        s->field[n] = NULL;
    }
    s->slots = 0;
}

/* Touched now where the system gives pages at the first touch, so that it does not when the solver waits for the copy; page-locked
 * memory has them. */
static kol_status take_slots(const struct run *run, struct staging *s, int count)
{
    const size_t bytes = (size_t)run->grid.box.size * sizeof(real);
    for (; s->slots < count; ++s->slots) {
        TRY(mem_host_alloc(bytes, (void **)&s->field[s->slots]));
        if (strcmp(device_backend(), "cpu") == 0) memset(s->field[s->slots], 0, bytes);
    }
    return KOL_OK;
}

/* Whether a rank's share of the host's memory takes the copies and leaves something. */
static int fits(const struct run *run, int count)
{
    const double wanted = (double)run->grid.box.size * (double)sizeof(real) * count;
    size_t bytes = 0;
    if (mem_host_available(&bytes) != KOL_OK) {
        status_clear();
        return 0;
    }
    return wanted < HOST_SHARE * (double)bytes / run->comm.node_size;
}

/* Copies of everything where all ranks have the memory. */
static kol_status take_ahead(const struct run *run, struct staging *s)
{
    const int count = slots(&run->in, 1);
    int have = fits(run, count), all = 0;
    MPI_TRY(MPI_Allreduce(&have, &all, 1, MPI_INT, MPI_MIN, run->comm.mpi)); /* before a node swaps */
    have = all && take_slots(run, s, count) == KOL_OK;
    MPI_TRY(MPI_Allreduce(&have, &s->ahead, 1, MPI_INT, MPI_MIN, run->comm.mpi));
    if (s->ahead) return KOL_OK;
    if (all && !have) status_clear();
    drop_slots(s);
    return KOL_OK;
}

kol_status staging_create(const struct run *run, int ahead, struct staging *s)
{
    const struct box b = run->grid.box;
    if (ahead) TRY(take_ahead(run, s));
    if (!s->ahead) TRY(take_slots(run, s, slots(&run->in, 0)));
    s->packed =
        malloc((size_t)b.nx * (size_t)b.ny * (size_t)b.nz * (size_t)most_packed(&run->in) * sizeof(real));
    if (s->packed == NULL)
        RAISE(KOL_ERR_MEMORY, "no host memory to write fields of %d x %d x %d cells", b.nx, b.ny, b.nz);
    return KOL_OK;
}

void staging_destroy(struct staging *s)
{
    drop_slots(s);
    free(s->packed);
    s->packed = NULL;
}

struct io_view staging_view(const struct run *run, const struct staging *s, const char *name,
                            const char *long_name, const char *unit, enum io_location location, int ncomp)
{
    struct io_view v = {.name = name,
                        .long_name = long_name,
                        .unit = unit,
                        .location = location,
                        .ncomp = ncomp,
                        .bytes = (int)sizeof(real),
                        .data = s->packed};
    for (int d = 0; d < 3; ++d) {
        v.n_g[d] = run->decomp.n_g[d];
        v.offset[d] = run->decomp.offset[d];
        v.n[d] = run->decomp.n[d];
    }
    return v;
}

kol_status staging_list(const struct run *run, struct staging *s, const real *array)
{
    const int n = s->listed;
    if (n == STAGING_MOST || (s->ahead && n == s->slots))
        RAISE(KOL_ERR_INTERNAL, "%d fields for files, more than there is host memory for", n + 1);
    s->array[n] = array;
    ++s->listed;
    return s->ahead ? mem_to_host_begin(s->field[n], array, (size_t)run->grid.box.size * sizeof(real))
                    : KOL_OK;
}

kol_status staging_listed(const struct staging *s)
{
    return s->ahead ? device_wait() : KOL_OK;
}

/* Array n of the list, in slot n or in the one given. */
static kol_status fetch(const struct run *run, struct staging *s, int n, int slot, const real **host)
{
    *host = s->field[s->ahead ? n : slot];
    if (s->ahead) return KOL_OK;
    return mem_to_host(s->field[slot], s->array[n], (size_t)run->grid.box.size * sizeof(real));
}

kol_status staging_pack(const struct run *run, struct staging *s, int n)
{
    const struct box b = run->grid.box;
    const real *from = NULL;
    real *to = s->packed;
    TRY(fetch(run, s, n, 0, &from));
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j, to += b.nx)
            memcpy(to, &from[at(b, 0, j, k)], (size_t)b.nx * sizeof *to);
    }
    return KOL_OK;
}

kol_status staging_unpack(const struct run *run, struct staging *s, real *array)
{
    const struct box b = run->grid.box;
    const real *from = s->packed;
    for (ptrdiff_t i = 0; i < b.size; ++i) s->field[0][i] = (real)NAN;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) s->field[0][at(b, i, j, k)] = *from++;
        }
    }
    return mem_to_kernel(array, s->field[0], (size_t)b.size * sizeof(real));
}

static kol_status fetch_velocity(const struct run *run, struct staging *s)
{
    const real *host;
    for (int c = 0; c < 3; ++c) TRY(fetch(run, s, c, c, &host));
    return KOL_OK;
}

kol_status staging_centre_velocity(const struct run *run, struct staging *s)
{
    const struct box b = run->grid.box;
    const ptrdiff_t up[3] = {1, b.sy, b.sz};
    real *to = s->packed;
    TRY(fetch_velocity(run, s));
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t o = at(b, i, j, k);
                for (int c = 0; c < 3; ++c) *to++ = (real)0.5 * (s->field[c][o] + s->field[c][o + up[c]]);
            }
        }
    }
    return KOL_OK;
}

/* Vorticity component c at the edge below cell o in the other two directions d and e (c, d, e cyclic). */
static double edge_vorticity(const struct staging *s, ptrdiff_t o, int d, int e, const ptrdiff_t up[3],
                             const double distance[3])
{
    return (s->field[e][o] - s->field[e][o - up[d]]) / distance[d] -
           (s->field[d][o] - s->field[d][o - up[e]]) / distance[e];
}

kol_status staging_centre_vorticity(const struct run *run, struct staging *s)
{
    const struct box b = run->grid.box;
    const ptrdiff_t up[3] = {1, b.sy, b.sz};
    const int n_own[3] = {b.nx, b.ny, b.nz};
    double *df[3] = {NULL, NULL, NULL}; /* centre distances at faces 0 .. n */
    kol_status st = fetch_velocity(run, s);
    for (int d = 0; d < 3 && st == KOL_OK; ++d) {
        df[d] = malloc(((size_t)n_own[d] + 1) * sizeof **df);
        if (df[d] == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for spacings");
        for (int i = 0; i <= n_own[d] && st == KOL_OK; ++i)
            df[d][i] = grid_centre_distance(&run->grid, d, run->decomp.offset[d] + i);
    }
    real *to = s->packed;
    for (int k = 0; k < b.nz && st == KOL_OK; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) {
                const int cell[3] = {i, j, k};
                for (int c = 0; c < 3; ++c) {
                    const int d = (c + 1) % 3, e = (c + 2) % 3;
                    double sum = 0;
                    for (int q = 0; q < 4; ++q) {
                        const int qd = q & 1, qe = q >> 1;
                        double distance[3] = {0, 0, 0};
                        distance[d] = df[d][cell[d] + qd];
                        distance[e] = df[e][cell[e] + qe];
                        sum +=
                            edge_vorticity(s, at(b, i, j, k) + qd * up[d] + qe * up[e], d, e, up, distance);
                    }
                    *to++ = (real)(0.25 * sum);
                }
            }
        }
    }
    for (int d = 0; d < 3; ++d) free(df[d]);
    return st;
}
