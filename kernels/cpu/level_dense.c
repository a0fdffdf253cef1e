/* Solves a small level exactly with the inverse of its matrix. */
#include "../level.h"
#include "../point/level.h"

kol_status level_dense(struct box cb, const level_real *inverse, const level_real *r, level_real *e)
{
    const ptrdiff_t cells = (ptrdiff_t)cb.nx * cb.ny * cb.nz;
    const int n = (int)cells;
    level_real packed[LEVEL_DENSE_MOST];
    if (cells > LEVEL_DENSE_MOST)
        RAISE(KOL_ERR_INTERNAL, "a dense level has %td cells, but at most %d are possible", cells,
              LEVEL_DENSE_MOST);
    for (int m = 0; m < n; ++m) packed[m] = r[at(cb, m % cb.nx, m / cb.nx % cb.ny, m / cb.nx / cb.ny)];
    for (int m = 0; m < n; ++m) {
        const level_real *KOL_RESTRICT row = inverse + (ptrdiff_t)m * n;
        level_real lane[LEVEL_LANES] = {0};
        int i = 0;
        for (; i + LEVEL_LANES <= n; i += LEVEL_LANES) {
#pragma omp simd
            for (int l = 0; l < LEVEL_LANES; ++l) lane[l] += row[i + l] * packed[i + l];
        }
        for (int l = 0; i + l < n; ++l) lane[l] += row[i + l] * packed[i + l];
        for (int half = LEVEL_LANES / 2; half > 0; half /= 2) {
            for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
        }
        e[at(cb, m % cb.nx, m / cb.nx % cb.ny, m / cb.nx / cb.ny)] = lane[0];
    }
    return KOL_OK;
}
