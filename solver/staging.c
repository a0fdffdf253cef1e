#include "staging.h"

#include <math.h>
#include <stdlib.h>

kol_status staging_create(const struct run *run, struct staging *s)
{
    const struct box b = run->grid.box;
    for (int c = 0; c < 3; ++c) TRY(mem_host_alloc((size_t)b.size * sizeof(real), (void **)&s->field[c]));
    s->packed = malloc((size_t)b.nx * (size_t)b.ny * (size_t)b.nz * 3 * sizeof(real));
    if (s->packed == NULL)
        RAISE(KOL_ERR_MEMORY, "no host memory to write fields of %d x %d x %d cells", b.nx, b.ny, b.nz);
    return KOL_OK;
}

void staging_destroy(struct staging *s)
{
    for (int c = 0; c < 3; ++c) {
        mem_host_free(s->field[c]);
        s->field[c] = NULL;
    }
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

kol_status staging_pack(const struct run *run, struct staging *s, const real *array)
{
    const struct box b = run->grid.box;
    real *to = s->packed;
    TRY(mem_to_host(s->field[0], array, (size_t)b.size * sizeof(real)));
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) *to++ = s->field[0][at(b, i, j, k)];
        }
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
    for (int c = 0; c < 3; ++c) {
        TRY(mem_to_host(s->field[c], run->vel[c], (size_t)run->grid.box.size * sizeof(real)));
    }
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
