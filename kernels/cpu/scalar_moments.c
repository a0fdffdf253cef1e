/* Adds up the moments of a scalar over a periodic box. */
#include "../scalar_moments.h"
#include "../point/scalar_moments.h"
#include "rows.h"

static void row_of(int group, struct box b, struct metrics m, real *const vel[3], const real *theta, int j,
                   int k, double *row)
{
    const ptrdiff_t o = at(b, 0, j, k);
    const struct moment_spacings y = moment_spacings_y(m, j), z = moment_spacings_z(m, k);
    for (int i = 0; i < b.nx; ++i)
        point_scalar_moments(group, b, vel[X], vel[Y], vel[Z], theta, o + i, moment_spacings_x(m, i), y, z,
                             row + i, b.nx);
}

kol_status scalar_moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                              const real *theta)
{
    const int sums = scalar_moments_count(group);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, sums);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    row_of(group, b, m, vel, theta, j, k, rows_of(bl, b, 0));
                    for (int s = 0; s < sums; ++s) lanes_row_sum(bl, lanes_of(bl, s, by), rows_of(bl, b, s));
                }
            }
        }
        lanes_flush(bl, sums, 0, bz);
    }
    return KOL_OK;
}
