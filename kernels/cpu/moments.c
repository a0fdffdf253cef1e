/* Adds up the moments of velocity, pressure, gradients and vorticity over a periodic box. */
#include "../moments.h"
#include "../point/moments.h"
#include "rows.h"

/* The compiler does not inline so long formulas unless told to, and then the loops would not vectorise. */
#define ROW_LOOP __attribute__((flatten, always_inline)) static inline void

ROW_LOOP moments_row(const int group, struct box b, struct metrics m, struct moment_fields q, int j, int k,
                     double *KOL_RESTRICT row)
{
    const ptrdiff_t o = at(b, 0, j, k);
    const struct moment_spacings y = moment_spacings_y(m, j), z = moment_spacings_z(m, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i)
        point_moments(group, q, o + i, moment_spacings_x(m, i), y, z, row + i, b.nx);
}

/* A loop for each group. */
static void row_of(int group, struct box b, struct metrics m, struct moment_fields q, int j, int k,
                   double *row)
{
    if (group == 0) moments_row(0, b, m, q, j, k, row);
    else if (group == 1) moments_row(1, b, m, q, j, k, row);
    else if (group == 2) moments_row(2, b, m, q, j, k, row);
    else moments_row(3, b, m, q, j, k, row);
}

kol_status moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                       const real *p)
{
    const struct moment_fields q = {vel[X], vel[Y], vel[Z], p, b.sy, b.sz};
    const int sums = moments_count(group);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, sums);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    row_of(group, b, m, q, j, k, rows_of(bl, b, 0));
                    for (int s = 0; s < sums; ++s) lanes_row_sum(bl, lanes_of(bl, s, by), rows_of(bl, b, s));
                }
            }
        }
        lanes_flush(bl, sums, 0, bz);
    }
    return KOL_OK;
}
