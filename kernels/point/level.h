/* One cell of the sweeps of ../level.h. What does not change along z is computed once for each column, and
 * what does not change in a plane once for each plane. Every kernel uses the same expressions, so that a cell
 * gets the same bits wherever it is computed. */
#ifndef KOL_POINT_LEVEL_H
#define KOL_POINT_LEVEL_H

#include <math.h>
#include "../level.h"

/* level_column: the area of a column, and the coefficients of its four neighbours in the plane, per unit of
 * height. cross is the sum of these coefficients. level_plane: the height of a plane, and the inverse
 * distances to the planes below and above. */
struct level_column {
    level_real area, xl, xh, yl, yh, cross;
};
struct level_plane {
    level_real w, zl, zh;
};

HD struct level_column point_level_column(struct level_stencil s, int i, int j)
{
    struct level_column c;
    c.area = s.wx[i] * s.wy[j];
    c.xl = s.wy[j] * s.gx[i];
    c.xh = s.wy[j] * s.gx[i + 1];
    c.yl = s.wx[i] * s.gy[j];
    c.yh = s.wx[i] * s.gy[j + 1];
    c.cross = (c.xl + c.xh) + (c.yl + c.yh);
    return c;
}

HD struct level_plane point_level_plane(struct level_stencil s, int k)
{
    struct level_plane h;
    h.w = s.wz[k];
    h.zl = s.gz[k];
    h.zh = s.gz[k + 1];
    return h;
}

/* point_level_inverse: returns 1 / D. */
HD level_real point_level_inverse(struct level_column c, struct level_plane h)
{
    return 1 / (h.w * c.cross + c.area * (h.zl + h.zh));
}

/* point_level_apply: returns A z, computed from differences. The result is exact for a constant z. Where no
 * flux passes, the caller may pass z itself as the neighbour. */
HD level_real point_level_apply(struct level_column c, struct level_plane h, level_real z, level_real xl,
                                level_real xh, level_real yl, level_real yh, level_real zl, level_real zh)
{
    const level_real plane = (c.xl * (z - xl) + c.xh * (z - xh)) + (c.yl * (z - yl) + c.yh * (z - yh));
    return h.w * plane + c.area * (h.zl * (z - zl) + h.zh * (z - zh));
}

/* point_level_start: returns c0 y + c1 (1 - A/D) y. It needs y and its six neighbours. inverse: 1 / D. */
HD level_real point_level_start(struct level_column c, struct level_plane h, level_real inverse,
                                level_real c0, level_real c1, level_real y, level_real xl, level_real xh,
                                level_real yl, level_real yh, level_real zl, level_real zh)
{
    const level_real plane = (c.xl * xl + c.xh * xh) + (c.yl * yl + c.yh * yh);
    const level_real sum = h.w * plane + c.area * (h.zl * zl + h.zh * zh);
    return c0 * y + c1 * (sum * inverse);
}

/* point_level_smooth: returns z + step * correction, where correction = (r - A z) / D. */
HD level_real point_level_smooth(level_real z, level_real step, level_real correction)
{
    return z + step * correction;
}

/* point_level_scale: returns the power of two of level_enter. The exponent is limited, so that neither the
 * scale nor its inverse overflows. */
enum { LEVEL_EXPONENT_MOST = 1000 };

HD double point_level_scale(const struct cg_state *cg, double volume)
{
    const double most = cg != NULL ? cg->most * volume : 0;
    int e = 0;
    if (!(most > 0) || !cg_finite(most)) return 1;
    (void)frexp(most, &e);
    if (e > LEVEL_EXPONENT_MOST) e = LEVEL_EXPONENT_MOST;
    if (e < -LEVEL_EXPONENT_MOST) e = -LEVEL_EXPONENT_MOST;
    return ldexp(1.0, -e);
}

/* level_dense adds up a row in LEVEL_LANES sums: value n goes to sum n modulo LEVEL_LANES. Then it adds the
 * upper half of the sums to the lower half, until one sum is left. */
enum { LEVEL_LANES = 32 };

/* point_level_own: returns the weight of the parent in the value interpolated at fine cell i. */
HD level_real point_level_own(struct level_transfer t, int i)
{
    return (1 - t.low[i]) - t.high[i];
}

/* A coarse cell restricts from at most LEVEL_FINE fine cells, in ascending order. point_level_fine: returns
 * the index of one of them. point_level_weight: returns its weight. A cell of weight 0 must not be read. */
enum { LEVEL_FINE = 4 };

HD int point_level_fine(struct level_transfer t, int coarse, int n)
{
    const int first = t.first[coarse], end = t.first[coarse + 1];
    return n == LEVEL_FINE - 1 ? end : first - 1 + n;
}

HD level_real point_level_weight(struct level_transfer t, int coarse, int n)
{
    const int first = t.first[coarse], end = t.first[coarse + 1];
    if (n == 0) return t.high[first - 1];
    if (n == LEVEL_FINE - 1) return t.low[end];
    return first - 1 + n < end ? point_level_own(t, first - 1 + n) : 0;
}

/* level_parents: the coarse cells from which a fine cell interpolates. They are its parent with the weight
 * `own`, and, if beside is not 0, the cell `other` with the weight `beside`. */
struct level_parents {
    int parent, other;
    level_real own, beside;
};

HD struct level_parents point_level_parents(struct level_transfer t, int i)
{
    struct level_parents p;
    p.parent = t.parent[i];
    p.other = t.low[i] != 0 ? p.parent - 1 : p.parent + 1;
    p.own = point_level_own(t, i);
    p.beside = t.low[i] + t.high[i];
    return p;
}

#endif
