/* The values of a cell for the budgets of the Reynolds stresses, for both backends. */
#ifndef KOL_POINT_CELL_BUDGET_H
#define KOL_POINT_CELL_BUDGET_H

#include "../cell_budget.h"
#include "cell_average.h"

/* point_pair_first, point_pair_second: return the components of pair n, in the order xx, yy, zz, xy, xz, yz.
 */
HD int point_pair_first(int n)
{
    return n < 3 ? n : n < 5 ? (int)X : (int)Y;
}

HD int point_pair_second(int n)
{
    return n < 3 ? n : n == 3 ? (int)Y : (int)Z;
}

/* point_cell_gradient: returns the place among the gradients of that of component c along direction e. side:
 * 0 low, 1 high; along the component's own direction there is one for both. */
HD int point_cell_gradient(int c, int e, int side)
{
    const int other = e - (e > c);
    return e == c ? c : 3 + 2 * (2 * c + other) + side;
}

/* point_rate_at: returns the right-hand side of component d in the cell at index o, the mean over both faces.
 * wall: bits of the faces of the cell that are walls. */
HD real point_rate_at(const unsigned char *open, unsigned wall, const real *rate, ptrdiff_t o,
                      ptrdiff_t stride, int d)
{
    const unsigned passes = (open != NULL ? open[o] : 63u) & ~wall;
    const real low = passes >> (2 * d) & 1 ? rate[o] : 0,
               high = passes >> (2 * d + 1) & 1 ? rate[o + stride] : 0;
    return (real)0.5 * (low + high);
}

/* point_cell_walls: returns the bits of the faces of cell (i, j, k) that are among the walls of the box. */
HD unsigned point_cell_walls(struct box b, unsigned walls, int i, int j, int k)
{
    const unsigned at_box = (i == 0 ? 1u : 0) | (i == b.nx - 1 ? 2u : 0) | (j == 0 ? 4u : 0) |
                            (j == b.ny - 1 ? 8u : 0) | (k == 0 ? 16u : 0) | (k == b.nz - 1 ? 32u : 0);
    return walls & at_box;
}

/* point_budget_rate: computes the values of a right-hand side in the cell at index o. wall: its walls. */
HD void point_budget_rate(struct box b, const unsigned char *open, unsigned wall, const real *u,
                          const real *v, const real *w, const real *ru, const real *rv, const real *rw,
                          ptrdiff_t o, real value[CELL_RATE_VALUES])
{
    const real x = (real)0.5 * (u[o] + u[o + 1]), y = (real)0.5 * (v[o] + v[o + b.sy]),
               z = (real)0.5 * (w[o] + w[o + b.sz]);
    const real rx = point_rate_at(open, wall, ru, o, 1, X), ry = point_rate_at(open, wall, rv, o, b.sy, Y),
               rz = point_rate_at(open, wall, rw, o, b.sz, Z);
    value[X] = rx;
    value[Y] = ry;
    value[Z] = rz;
    value[3] = 2 * (x * rx);
    value[4] = 2 * (y * ry);
    value[5] = 2 * (z * rz);
    value[6] = x * ry + y * rx;
    value[7] = x * rz + z * rx;
    value[8] = y * rz + z * ry;
}

/* point_cell_steps: computes the gradients of component q along another direction in the cell at index o,
 * towards the cells below and above. Each is the difference of the values in the two cells.
 *
 *   own, along   strides in the direction of the component, and in that of the gradient
 *   low, high    inverse distances of the centres */
HD void point_cell_steps(const real *q, ptrdiff_t o, ptrdiff_t own, ptrdiff_t along, real low, real high,
                         real value[2])
{
    const real here = q[o] + q[o + own];
    value[0] = (real)0.5 * (here - (q[o - along] + q[o - along + own])) * low;
    value[1] = (real)0.5 * ((q[o + along] + q[o + along + own]) - here) * high;
}

/* point_cell_mean: returns the gradient of component c along e at the centre. g: the gradients. */
HD real point_cell_mean(const real *g, int c, int e)
{
    return (real)0.5 * (g[point_cell_gradient(c, e, 0)] + g[point_cell_gradient(c, e, 1)]);
}

/* point_cell_stretch: returns the sum over the directions of the products of the gradients of a and c, each
 * the mean of both sides. */
HD real point_cell_stretch(const real *g, int a, int c)
{
    real sum = 0;
    for (int e = 0; e < 3; ++e)
        sum += (real)0.5 * (g[point_cell_gradient(a, e, 0)] * g[point_cell_gradient(c, e, 0)] +
                            g[point_cell_gradient(a, e, 1)] * g[point_cell_gradient(c, e, 1)]);
    return sum;
}

enum { CELL_FLOW_VALUES = CELL_WALL_RATE - CELL_GRADIENT };

/* point_budget_flow: computes gradients, their products and the strain in cell (i, j, k), at index o. */
HD void point_budget_flow(struct box b, struct metrics m, real nu, const real *u, const real *v,
                          const real *w, const real *p, ptrdiff_t o, int i, int j, int k,
                          real value[CELL_FLOW_VALUES])
{
    const real x0 = m.dxi_f[i], x1 = m.dxi_f[i + 1], y0 = m.dyi_f[j], y1 = m.dyi_f[j + 1], z0 = m.dzi_f[k],
               z1 = m.dzi_f[k + 1];
    real *const stretch = value + (CELL_STRETCH - CELL_GRADIENT);
    real *const strain = value + (CELL_STRAIN - CELL_GRADIENT);
    value[X] = (u[o + 1] - u[o]) * m.dxi_c[i];
    value[Y] = (v[o + b.sy] - v[o]) * m.dyi_c[j];
    value[Z] = (w[o + b.sz] - w[o]) * m.dzi_c[k];
    point_cell_steps(u, o, 1, b.sy, y0, y1, value + point_cell_gradient(X, Y, 0));
    point_cell_steps(u, o, 1, b.sz, z0, z1, value + point_cell_gradient(X, Z, 0));
    point_cell_steps(v, o, b.sy, 1, x0, x1, value + point_cell_gradient(Y, X, 0));
    point_cell_steps(v, o, b.sy, b.sz, z0, z1, value + point_cell_gradient(Y, Z, 0));
    point_cell_steps(w, o, b.sz, 1, x0, x1, value + point_cell_gradient(Z, X, 0));
    point_cell_steps(w, o, b.sz, b.sy, y0, y1, value + point_cell_gradient(Z, Y, 0));
    for (int n = 0; n < CELL_PAIRS; ++n) {
        const int a = point_pair_first(n), c = point_pair_second(n);
        stretch[n] = 2 * nu * point_cell_stretch(value, a, c);
        strain[n] = p[o] * (point_cell_mean(value, a, c) + point_cell_mean(value, c, a));
    }
}

#endif
