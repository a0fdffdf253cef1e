/* Trapezoidal diffusion in z between walls or open faces: one tridiagonal system for each column and
 * component. docs/numerics/time.md. */
#ifndef KOL_COLUMN_DIFFUSION_H
#define KOL_COLUMN_DIFFUSION_H

#include "base/status.h"
#include "wall.h"

KOL_BEGIN_C

/* columns: the tridiagonal systems. They are the same for all columns of a component. Row k is
 *
 *     x[k] - low[k] (x[k-1] - x[k]) - high[k] (x[k+1] - x[k])
 *
 *   centre   coefficients for u and v, rows 0 .. n-1
 *   face     coefficients for w, rows 1 .. n-1; the rows on the walls are given
 *
 * Each of the two holds the arrays `low`, `high` and `inverse` one after another, n values each, in kernel
 * memory. `inverse` holds the inverse pivots of the elimination from below. Beyond a wall x = factor
 * x_inside + end. All values are double in both precisions. */
struct columns {
    int n; /* from wall to wall */
    const double *centre, *face;
    double end[3][2]; /* of each component beyond the lower and the upper wall; for w the value on the wall
                         [U] */
    double weight;    /* weight of `before` on the right-hand side */
    double history;   /* `old` loses history times L (base + weight before) [1/T]; 0: `old` is not touched */
};

/* column_fields: velocities [U], three arrays each.
 *
 *   base, before   the halo cells beyond both ends of the box in z must be filled; base may be before. If
 *                  both are NULL, L q counts as 0, and history is 0
 *   vel            own points only
 *   old            [U/T], own points only; NULL if history is 0
 *
 * vel and old must be none of the other arrays. Their halo is neither read nor written, and neither is the
 * row of w on the lower wall. */
struct column_fields {
    real *base[3], *before[3], *vel[3], *old[3];
};

/* column_solve: takes one step of diffusion, in place, for three components. With L x = low (x_below - x) +
 * high (x_above - x) and q = base + weight before,
 *
 *     (1 - L) vel = vel + L q
 *
 * The box must hold all cells in z, with a wall at both ends. base must be before, and history 0. Per cell of
 * a component: 3 reads (2 if base is NULL) and 2 writes. A launch shape of the CUDA build can hold the upper
 * levels in shared memory; there it is one read and one write less. */
kol_status column_solve(struct box b, struct columns c, struct column_fields f);

/* column_open: adds what an open face at one end of z contributes to the right-hand sides beside it,
 *
 *     vel += low part plane    in the lowest row,    vel += high part plane    in the highest
 *
 *   side    0 or 1, the end of this box that the face lies at
 *   part    weight of the plane in the value beyond the end, for u, v and w; the component's `end` is then 0
 *   plane   velocity on the face (wall.h)
 *
 * The face belongs to this box, which has two levels or more. */
kol_status column_open(struct box b, struct columns c, int side, const double part[3], const real *plane,
                       real *const vel[3]);

/* column_given: does the same for one field at centres, whose values beyond the end have `plane` added to
 * them at each place, component 0 of plane_at(). */
kol_status column_given(struct box b, struct columns c, int side, const real *plane, real *field);

/* column_source and column_eliminate solve for component d if z is divided between ranks. Together they
 * give the same bits as column_solve.
 *
 * column_source: computes the right-hand side vel + L q in the cells of the box, packed in the order x, y,
 * z, and takes history L q from `old`. L and q are those of column_solve; base and before may differ. The
 * lowest cell of the box has the number `offset` in its column. On the lower wall the right-hand side is 0.
 *
 * column_eliminate: replaces right-hand sides by the solution. x holds `many` columns, which lie side by
 * side. Their c.n levels follow one another. */
kol_status column_source(struct box b, struct columns c, int offset, int d, struct column_fields f,
                         double *source);
kol_status column_eliminate(struct columns c, int d, ptrdiff_t many, double *x);

KOL_END_C

#endif
