/* Trapezoidal diffusion in z between walls: a tridiagonal system for each column and component. docs/numerics/time.md. */
#ifndef KOL_COLUMN_H
#define KOL_COLUMN_H

#include "base/status.h"

KOL_BEGIN_C

/* columns: the systems, the same for all columns of a component. centre (u and v, rows 0 .. nz-1) and face (w, rows 1 .. nz-1; those
 * on the walls are given): `low`, `high` and `inverse` one after another, nz values each, in kernel memory; row k is
 *
 *     x[k] - low[k] (x[k-1] - x[k]) - high[k] (x[k+1] - x[k])
 *
 * beyond a wall x = factor x_inside + end. inverse: of the pivots of the elimination from below. Double in both precisions. */
struct columns {
    const double *centre, *face;
    double end[3][2]; /* of each component beyond the lower and the upper wall, for w on it [U] */
};

/* column_solve: with L x = low (x_below - x) + high (x_above - x),
 *
 *     (1 - L) vel = vel + L (base - 2 before)
 *
 * for three components in place. All of z lies in the box, between walls at both ends.
 *
 *   base, before   velocities [U], 3 arrays each, the halo cells beyond both walls filled; base may be before
 *   vel            in and out [U], 3 arrays, none of the others; halo and the row of w on the lower wall neither read nor written
 *
 * Arrays in kernel memory. Per cell of a component: 4 reads (3 where base is before), 2 writes. */
kol_status column_solve(struct box b, struct columns c, real *const base[3], real *const before[3],
                        real *const vel[3]);

KOL_END_C

#endif
