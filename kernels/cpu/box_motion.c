/* Adds up the energy and the momentum of a velocity. */
#include "../box_forcing.h"
#include "../point/projection.h"
#include "rows.h"

static void sums_row(struct box b, struct metrics m, struct blocks bl, int j, int k,
                     const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const struct monitor_spacings y = point_monitor_y(m, j), z = point_monitor_z(m, k);
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT energy = rows_of(bl, b, BOX_SUM_ENERGY),
                         *KOL_RESTRICT mx = rows_of(bl, b, BOX_SUM_MOMENTUM + X),
                         *KOL_RESTRICT my = rows_of(bl, b, BOX_SUM_MOMENTUM + Y),
                         *KOL_RESTRICT mz = rows_of(bl, b, BOX_SUM_MOMENTUM + Z);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct monitor_spacings x = point_monitor_x(m, i);
        const struct motion_terms add = point_motion_terms(u[o + i], v[o + i], w[o + i], x, y, z);
        energy[i] = add.energy;
        mx[i] = add.mx;
        my[i] = add.my;
        mz[i] = add.mz;
    }
}

kol_status box_motion(struct box b, struct metrics m, struct blocks bl, real *const vel[3])
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, BOX_SUMS);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    sums_row(b, m, bl, j, k, vel[X], vel[Y], vel[Z]);
                    for (int n = 0; n < BOX_SUMS; ++n)
                        lanes_row_sum(bl, lanes_of(bl, n, by), rows_of(bl, b, n));
                }
            }
        }
        lanes_flush(bl, BOX_SUMS, 0, bz);
    }
    return KOL_OK;
}
