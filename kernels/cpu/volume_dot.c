/* Adds up dot products over the own cells, and volume-weighted sums of values and squares. */
#include "../volume_dot.h"
#include "rows.h"

static void product_row(struct box b, struct blocks bl, int j, int k, const real *a, const real *c)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) sum[i] = (double)a[o + i] * c[o + i];
}

kol_status volume_dot_product(struct box b, struct blocks bl, const struct cg_state *cg, const real *a,
                              const real *c)
{
    if (cg != NULL && cg->outcome != CG_RUNNING) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    product_row(b, bl, j, k, a, c);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

kol_status volume_dot_weighted(struct box b, struct blocks bl, struct stencil s, const real *a)
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    rows_volume(bl, b, 0, s.wx, s.wy, s.wz, j, k, a);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

static void square_row(struct box b, struct blocks bl, struct stencil s, int j, int k, const real *a)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) sum[i] = (double)s.wx[i] * s.wy[j] * s.wz[k] * a[o + i] * a[o + i];
}

kol_status volume_dot_square(struct box b, struct blocks bl, struct stencil s, const real *a)
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    square_row(b, bl, s, j, k, a);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}
