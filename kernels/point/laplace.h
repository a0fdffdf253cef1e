/* The 7-point operator of struct stencil at one point, from values and 1-D coefficients. */
#ifndef KOL_POINT_LAPLACE_H
#define KOL_POINT_LAPLACE_H

#include "../base/types.h"

/* Coefficients of the six neighbours, volume and diagonal at one point. */
struct lap_coef {
    real xl, xh, yl, yh, zl, zh;
    real vol, diag;
};

/* lap_axis: what one direction contributes to the coefficients. It has the width at the point, and the
 * inverse distances to the points below and above. */
struct lap_axis {
    real w, gl, gh;
};

HD struct lap_axis point_lap_axis(const real *w, const real *g, int i)
{
    const struct lap_axis a = {w[i], g[i], g[i + 1]};
    return a;
}

HD struct lap_coef point_lap_coef_of(real scale, real shift, struct lap_axis x, struct lap_axis y,
                                     struct lap_axis z)
{
    struct lap_coef c;
    const real ax = scale * y.w * z.w, ay = scale * x.w * z.w, az = scale * x.w * y.w;
    c.xl = ax * x.gl;
    c.xh = ax * x.gh;
    c.yl = ay * y.gl;
    c.yh = ay * y.gh;
    c.zl = az * z.gl;
    c.zh = az * z.gh;
    c.vol = x.w * y.w * z.w;
    c.diag = shift * c.vol + ((c.xl + c.xh) + (c.yl + c.yh) + (c.zl + c.zh));
    return c;
}

HD struct lap_coef point_lap_coef(struct stencil s, int i, int j, int k)
{
    return point_lap_coef_of(s.scale, s.shift, point_lap_axis(s.wx, s.gx, i), point_lap_axis(s.wy, s.gy, j),
                             point_lap_axis(s.wz, s.gz, k));
}

/* point_lap_neighbours: returns the sum of coefficient * neighbour. A x is diag * x minus this sum. */
HD real point_lap_neighbours(struct lap_coef c, real xl, real xh, real yl, real yh, real zl, real zh)
{
    return (c.xl * xl + c.xh * xh) + (c.yl * yl + c.yh * yh) + (c.zl * zl + c.zh * zh);
}

/* point_lap_apply: returns A x, computed from differences. The result is exact for a constant x, whatever the
 * rounding of diag. */
HD real point_lap_apply(struct lap_coef c, real shift, real x, real xl, real xh, real yl, real yh, real zl,
                        real zh)
{
    return shift * c.vol * x + ((c.xl * (x - xl) + c.xh * (x - xh)) + (c.yl * (x - yl) + c.yh * (x - yh)) +
                                (c.zl * (x - zl) + c.zh * (x - zh)));
}

/* With bodies (struct stencil, `open`): closed faces are left out of the sum.
 *
 * point_open: returns the value of a neighbour, or the point's own value if the face between them is closed.
 * The difference over that face is then 0, whatever the neighbour holds. point_lap_coef_open: returns the
 * coefficients without those of closed faces; the diagonal is that of the open faces. point_inverse_open:
 * returns 1 / D, or 0 at a point without open faces. */
HD real point_open(unsigned open, int face, real neighbour, real own)
{
    return open >> face & 1u ? neighbour : own;
}

HD struct lap_coef point_lap_coef_open(struct lap_coef c, real shift, unsigned open)
{
    c.xl = point_open(open, FACE_X_LOW, c.xl, 0);
    c.xh = point_open(open, FACE_X_HIGH, c.xh, 0);
    c.yl = point_open(open, FACE_Y_LOW, c.yl, 0);
    c.yh = point_open(open, FACE_Y_HIGH, c.yh, 0);
    c.zl = point_open(open, FACE_Z_LOW, c.zl, 0);
    c.zh = point_open(open, FACE_Z_HIGH, c.zh, 0);
    c.diag = shift * c.vol + ((c.xl + c.xh) + (c.yl + c.yh) + (c.zl + c.zh));
    return c;
}

HD real point_inverse_open(real diag)
{
    return diag > 0 ? 1 / diag : 0;
}

/* The same operator for a thread that stays in its column (i, j). Factors that do not change along z are
 * multiplied once. The four neighbours in the plane share the height of the plane.
 *
 *   lap_pillar   coefficients of a column
 *   lap_height   coefficients of a plane, with inverse distances to the planes below and above */
struct lap_pillar {
    real area, scaled;   /* wx wy; times scale */
    real xl, xh, yl, yh; /* scale times width times inverse distance */
    real cross;          /* their sum */
};
struct lap_height {
    real w, inverse; /* wz, 1 / wz */
    real zl, zh;
};

HD struct lap_pillar point_lap_pillar(struct stencil s, int i, int j)
{
    struct lap_pillar c;
    c.area = s.wx[i] * s.wy[j];
    c.scaled = s.scale * c.area;
    c.xl = s.scale * s.wy[j] * s.gx[i];
    c.xh = s.scale * s.wy[j] * s.gx[i + 1];
    c.yl = s.scale * s.wx[i] * s.gy[j];
    c.yh = s.scale * s.wx[i] * s.gy[j + 1];
    c.cross = (c.xl + c.xh) + (c.yl + c.yh);
    return c;
}

HD real point_pillar_diag(struct lap_pillar c, struct lap_height h, real shift)
{
    return h.w * (shift * c.area + c.cross) + c.scaled * (h.zl + h.zh);
}

HD real point_pillar_neighbours(struct lap_pillar c, struct lap_height h, real xl, real xh, real yl, real yh,
                                real zl, real zh)
{
    return h.w * ((c.xl * xl + c.xh * xh) + (c.yl * yl + c.yh * yh)) + c.scaled * (h.zl * zl + h.zh * zh);
}

/* point_pillar_apply: returns A x, computed from differences, as point_lap_apply does. */
HD real point_pillar_apply(struct lap_pillar c, struct lap_height h, real shift, real x, real xl, real xh,
                           real yl, real yh, real zl, real zh)
{
    const real plane = (c.xl * (x - xl) + c.xh * (x - xh)) + (c.yl * (x - yl) + c.yh * (x - yh));
    return h.w * (shift * c.area * x + plane) + c.scaled * (h.zl * (x - zl) + h.zh * (x - zh));
}

/* point_pillar_diag_open: returns the diagonal of the open faces. */
HD real point_pillar_diag_open(struct lap_pillar c, struct lap_height h, real shift, unsigned open)
{
    const real plane = (point_open(open, FACE_X_LOW, c.xl, 0) + point_open(open, FACE_X_HIGH, c.xh, 0)) +
                       (point_open(open, FACE_Y_LOW, c.yl, 0) + point_open(open, FACE_Y_HIGH, c.yh, 0));
    const real column = point_open(open, FACE_Z_LOW, h.zl, 0) + point_open(open, FACE_Z_HIGH, h.zh, 0);
    return h.w * (shift * c.area + plane) + c.scaled * column;
}

/* point_source: returns V (base + factor lap(x)). minus_lap: A x with shift 0 and scale 1. */
HD real point_source(struct lap_coef c, real base, real factor, real minus_lap)
{
    return c.vol * base - factor * minus_lap;
}

/* point_residual: returns rhs - mean V - A x. */
HD real point_residual(real volume, real rhs, real mean, real ax)
{
    return (rhs - mean * volume) - ax;
}

/* point_polynomial: returns c0 y + c1 (I - A/D) y. sum: the sum of coefficient times neighbour of y. */
HD real point_polynomial(real c0, real y, real c1, real sum, real inverse)
{
    return c0 * y + c1 * (sum * inverse);
}

/* point_chebyshev: returns z + momentum (z - z_prev) + step (r - A z) / D. */
HD real point_chebyshev(real z, real z_prev, real momentum, real step, real r, real az, real inverse)
{
    return z + momentum * (z - z_prev) + step * ((r - az) * inverse);
}

/* point_pressure: returns p + phi - mean + factor * (A phi) / V [U^2]. */
HD real point_pressure(struct lap_coef c, real p, real phi, real mean, real factor, real minus_lap)
{
    return p + (phi - mean + factor * (minus_lap / c.vol));
}

#endif
