/* Grids, layouts and judgements for tests of the exact inverse. */
#include "direct_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "check.h"
#include "solver/parallel/peer_memory.h"
#include "solver/poisson/direct_single.h"

enum { U = STRETCHING_UNIFORM, T = STRETCHING_TANH, S = STRETCHING_SINE };

const struct direct_case direct_cases[DIRECT_CASES] = {
    {{"periodic", {12, 10, 8}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    {{"periodic, odd", {15, 13, 11}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    {{"channel", {16, 12, 17}, {U, U, T}, {0, 0, 1.4}}, {0, 0, 1}},
    {{"channel in y", {13, 19, 10}, {U, T, U}, {0, 1.1, 0}}, {0, 1, 0}},
    {{"channel in x", {21, 9, 12}, {T, U, U}, {1.2, 0, 0}}, {1, 0, 0}},
    {{"box of walls", {11, 14, 9}, {U, U, U}, {0, 0, 0}}, {1, 1, 1}},
    {{"walls in x and z", {17, 8, 10}, {U, U, U}, {0, 0, 0}}, {1, 0, 1}},
    {{"duct", {10, 16, 13}, {U, T, T}, {0, 0.9, 1.3}}, {0, 1, 1}},
    {{"stretched box of walls", {13, 11, 12}, {T, T, S}, {1.0, 0.7, 0.4}}, {1, 1, 1}},
    {{"stretched and periodic", {14, 9, 15}, {S, S, S}, {0.5, 0.3, 0.6}}, {0, 0, 0}},
    {{"a periodic sine", {9, 8, 22}, {U, U, S}, {0, 0, 0.7}}, {0, 0, 0}},
    {{"mixed", {12, 15, 8}, {S, U, U}, {0.5, 0, 0}}, {0, 1, 0}},
    {{"one stretched, walls elsewhere", {8, 13, 18}, {U, S, U}, {0, 0.4, 0}}, {1, 0, 1}},
    {{"thin", {5, 4, 31}, {U, U, U}, {0, 0, 0}}, {0, 1, 0}},
    {{"flat", {29, 23, 4}, {T, U, U}, {0.8, 0, 0}}, {1, 0, 0}},
    /* levels in chunks: uneven ones, two a block, more columns than a warp has threads */
    {{"a tall channel", {10, 7, 37}, {U, U, T}, {0, 0, 1.2}}, {0, 0, 1}},
    {{"a ring of levels", {9, 6, 140}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    {{"a stretched ring of levels", {16, 18, 35}, {U, U, S}, {0, 0, 0.6}}, {0, 0, 0}},
};

kol_status direct_case_grid(const struct direct_case *c, const struct comm *on, const int layout[3],
                            struct direct_setting *t)
{
    struct input in = case_settings(&c->in);
    memset(t, 0, sizeof *t);
    for (int d = 0; d < 3; ++d)
        if (c->wall[d]) in.boundary.face[2 * d] = in.boundary.face[2 * d + 1] = BOUNDARY_WALL;
    t->cells = (ptrdiff_t)c->in.n[X] * c->in.n[Y] * c->in.n[Z];
    TRY(decomp_create(c->in.n, layout, on->size, on->rank, &t->d));
    return grid_create(&in, &t->d, &t->g);
}

/* with messages that go so, in double or in single precision */
kol_status direct_case_open(const struct direct_case *c, const struct comm *on, const int layout[3],
                            int transport, int single, struct direct_setting *t)
{
    TRY(direct_case_grid(c, on, layout, t));
    t->domain = (struct domain){.comm = *on, .decomp = t->d, .grid = t->g};
    TRY(halo_create(NULL, HALO_FIELDS, on, &t->d, t->g.box, transport, &t->domain.halo));
    if (single && direct_single_obstacle(&t->domain) != NULL) return KOL_OK; /* t->s stays NULL */
    return direct_create(&t->domain, single, &t->s);
}

/* whether each rank has a GPU of its own that can write to the others' */
int direct_case_peers(const struct comm *c)
{
    char obstacle[256] = "";
    int sharing = 1;
    if (strcmp(device_backend(), "cpu") == 0 || c->size == 1) return 0;
    return peer_memory_obstacle(c, obstacle, sizeof obstacle, &sharing) == KOL_OK && obstacle[0] == '\0' &&
           sharing == 1;
}

void direct_case_close(struct direct_setting *t)
{
    direct_destroy(&t->s);
    halo_destroy(&t->domain.halo);
    grid_destroy(&t->g);
}

double *direct_case_array(const struct direct_setting *t)
{
    double *f = calloc((size_t)t->cells, sizeof *f);
    if (f == NULL) abort();
    return f;
}

ptrdiff_t direct_case_place(const struct direct_setting *t, int i, int j, int k)
{
    const int *n = t->d.n_g;
    return ((ptrdiff_t)((k + n[Z]) % n[Z]) * n[Y] + (j + n[Y]) % n[Y]) * n[X] + (i + n[X]) % n[X];
}

/* random values, exact in `real`, that sum to zero: in pairs */
double *direct_case_rhs(const struct direct_setting *t, unsigned seed)
{
    double *r = direct_case_array(t);
    uint64_t x = seed * 0x9E3779B97F4A7C15u + 1;
    for (ptrdiff_t n = 0; n + 1 < t->cells; ++n) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        const double v = (double)(x >> 44) / 1048576.0;
        const ptrdiff_t other = n + 1 + (ptrdiff_t)((x >> 20) % (uint64_t)(t->cells - n - 1));
        r[n] += v;
        r[other] -= v;
    }
    return r;
}

real *direct_case_field(const struct direct_setting *t, const double *global, real fill)
{
    const struct box b = t->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    void *field = NULL;
    if (host == NULL || mem_kernel_alloc((size_t)b.size * sizeof(real), &field) != KOL_OK) abort();
    for (ptrdiff_t n = 0; n < b.size; ++n) host[n] = fill;
    for (int k = 0; global != NULL && k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                host[at(b, i, j, k)] = (real)
                    global[direct_case_place(t, i + t->d.offset[X], j + t->d.offset[Y], k + t->d.offset[Z])];
    if (mem_to_kernel(field, host, (size_t)b.size * sizeof(real)) != KOL_OK) abort();
    free(host);
    return field;
}

/* own cells of all ranks into one global array, on every rank; values outside that are not `fill` are counted
 * in *changed */
double *direct_case_gather(const struct direct_setting *t, MPI_Comm on, const real *field, real fill,
                           int *changed)
{
    const struct box b = t->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    double *global = direct_case_array(t);
    if (host == NULL || mem_to_host(host, field, (size_t)b.size * sizeof(real)) != KOL_OK) abort();
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                real *v = &host[at(b, i, j, k)];
                global[direct_case_place(t, i + t->d.offset[X], j + t->d.offset[Y], k + t->d.offset[Z])] = *v;
                *v = fill;
            }
    for (ptrdiff_t n = 0; n < b.size; ++n) *changed += memcmp(&host[n], &fill, sizeof fill) != 0;
    MPI_Allreduce(MPI_IN_PLACE, global, (int)t->cells, MPI_DOUBLE, MPI_SUM, on);
    free(host);
    return global;
}

/* apply once, and once more: the second time on the memory that the first one left */
double *direct_case_apply(const struct direct_setting *t, MPI_Comm on, const double *r, int *wrong)
{
    real *from = direct_case_field(t, r, NAN), *to = direct_case_field(t, NULL, 77);
    double *first, *second;
    const kol_status st = direct_apply(t->s, from, to);
    if (st != KOL_OK) print_error("%s\n", status_message());
    *wrong += st != KOL_OK;
    first = direct_case_gather(t, on, to, 77, wrong);
    *wrong += direct_apply(t->s, from, to) != KOL_OK;
    second = direct_case_gather(t, on, to, 77, wrong);
    *wrong += memcmp(first, second, (size_t)t->cells * sizeof *first) != 0;
    mem_kernel_free(from);
    mem_kernel_free(to);
    free(second);
    return first;
}

static double width(const struct direct_setting *t, int d, int i)
{
    const int n = t->d.n_g[d];
    return t->g.uniform[d] ? t->g.length[d] / n : t->g.face[d][(i + n) % n + 1] - t->g.face[d][(i + n) % n];
}

/* conductance of the face below index i of direction d, for area 1 */
static double across(const struct direct_setting *t, int d, int i)
{
    const int n = t->d.n_g[d];
    if (!t->g.periodic[d] && (i == 0 || i == n)) return 0;
    return 1 / grid_centre_distance(&t->g, d, i % n);
}

/* row (i, j, k) of A z */
double direct_case_row(const struct direct_setting *t, const double *z, const int i[3])
{
    const double c = z[direct_case_place(t, i[X], i[Y], i[Z])];
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        int low[3] = {i[X], i[Y], i[Z]}, high[3] = {i[X], i[Y], i[Z]};
        --low[d];
        ++high[d];
        sum += width(t, e, i[e]) * width(t, f, i[f]) *
               (across(t, d, i[d]) * (c - z[direct_case_place(t, low[X], low[Y], low[Z])]) +
                across(t, d, i[d] + 1) * (c - z[direct_case_place(t, high[X], high[Y], high[Z])]));
    }
    return sum;
}

/* |A z - r| / |r|, and the volume mean of z against its magnitude */
double direct_case_residual(const struct direct_setting *t, const double *z, const double *r, double *mean)
{
    const int *n = t->d.n_g;
    double wrong = 0, size = 0, sum = 0, magnitude = 0;
    int i[3];
    for (i[Z] = 0; i[Z] < n[Z]; ++i[Z])
        for (i[Y] = 0; i[Y] < n[Y]; ++i[Y])
            for (i[X] = 0; i[X] < n[X]; ++i[X]) {
                const ptrdiff_t p = direct_case_place(t, i[X], i[Y], i[Z]);
                const double e = direct_case_row(t, z, i) - r[p];
                const double v = width(t, X, i[X]) * width(t, Y, i[Y]) * width(t, Z, i[Z]);
                wrong += e * e;
                size += r[p] * r[p];
                sum += v * z[p];
                magnitude += v * fabs(z[p]);
            }
    *mean = fabs(sum) / magnitude;
    return sqrt(wrong / size);
}

kol_status direct_case_part(const struct comm *of, int size, struct comm *part)
{
    *part = (struct comm){.rank = of->rank, .size = size, .node_rank = of->rank, .node_size = size};
    MPI_TRY(MPI_Comm_split(of->mpi, of->rank < size ? 0 : MPI_UNDEFINED, of->rank, &part->mpi));
    return KOL_OK;
}

int direct_case_any_number(const struct direct_case *c, const struct comm *all, const struct comm *self,
                           direct_case_run *run, int *solved)
{
    static const int whole[3] = {1, 1, 1};
    struct direct_setting alone;
    double *first = NULL;
    int wrong = direct_case_grid(c, self, whole, &alone) != KOL_OK;
    double *r = direct_case_rhs(&alone, 6);
    for (int size = 2; size <= all->size; ++size) {
        struct comm part;
        if (direct_case_part(all, size, &part) != KOL_OK) return wrong + 1;
        wrong += run(c, &part, r, &first);
        if (part.mpi != MPI_COMM_NULL) MPI_Comm_free(&part.mpi);
    }
    *solved += first != NULL;
    direct_case_close(&alone);
    free(first);
    free(r);
    return wrong;
}
