/* Trapezoidal diffusion in z between walls or open faces: a tridiagonal system for each column and component.
 * docs/numerics/time.md. */
#ifndef KOL_COLUMN_H
#define KOL_COLUMN_H

#include "base/status.h"
#include "wall.h"

KOL_BEGIN_C

/* columns: the systems, the same for all columns of a component. centre (u and v, rows 0 .. n-1) and face (w,
 * rows 1 .. n-1; those on the walls are given): `low`, `high` and `inverse` one after another, n values each,
 * in kernel memory; row k is
 *
 *     x[k] - low[k] (x[k-1] - x[k]) - high[k] (x[k+1] - x[k])
 *
 * beyond a wall x = factor x_inside + end. inverse: of the pivots of the elimination from below. Double in
 * both precisions. */
struct columns {
    int n; /* cells from wall to wall */
    const double *centre, *face;
    double end[3][2]; /* of each component beyond the lower and the upper wall, for w on it [U] */
    double weight;    /* of `before` on the right-hand side */
    double history;   /* times L of the sum of base and `before` is what `old` loses; 0: old is not touched
                         [1/T] */
};

/* column_fields: velocities [U], 3 arrays each: base, before: with the halo cells beyond both ends of the box
 * in z filled; base may be before; vel, and old [U/T] (NULL where history is 0): own points, none of the
 * other arrays; their halo is neither read nor written, nor the row of w on the lower wall. */
struct column_fields {
    real *base[3], *before[3], *vel[3], *old[3];
};

/* column_solve: with L x = low (x_below - x) + high (x_above - x) and q = base + weight before,
 *
 *     old = old - history L q ;     (1 - L) vel = vel + L q
 *
 * for three components in place. All of z lies in the box, between walls at both ends. Per cell of a
 * component: 4 reads (3 where base is before), 2 writes; with history 1 of each more. */
kol_status column_solve(struct box b, struct columns c, struct column_fields f);

/* column_open: what the plane (wall.h) of an open face at an end of z, side 0 or 1 of this box, adds to the
 * right-hand sides beside it,
 *
 *     vel += low part plane    in the lowest row,    vel += high part plane    in the highest
 *
 * part: of the plane in what lies beyond the end, for u, v and w; the component's `end` is 0 then. The face
 * is this box's, and it has two levels or more. */
kol_status column_open(struct box b, struct columns c, int side, const double part[3], const real *plane,
                       real *const vel[3]);

/* Where z is cut, for component d: column_source: the right-hand side vel + L q of the box's cells, of which
 * the lowest has number `offset`, packed in x, y, z (0 on the lower wall), and old. column_eliminate: the
 * solution in place of right-hand sides: `many` columns side by side, c.n levels of them one after another.
 * The two are column_solve, bit for bit. */
kol_status column_source(struct box b, struct columns c, int offset, int d, struct column_fields f,
                         double *source);
kol_status column_eliminate(struct columns c, int d, ptrdiff_t many, double *x);

KOL_END_C

#endif
