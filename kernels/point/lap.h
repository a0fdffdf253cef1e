/* The 7-point operator of struct stencil at one point, from values and 1-D coefficients. */
#ifndef KOL_POINT_LAP_H
#define KOL_POINT_LAP_H

#include "../base/types.h"

/* Coefficients of the six neighbours, volume and diagonal at one point. */
struct lap_coef {
    real xl, xh, yl, yh, zl, zh;
    real vol, diag;
};

HD struct lap_coef point_lap_coef(struct stencil s, int i, int j, int k)
{
    struct lap_coef c;
    const real ax = s.scale * s.wy[j] * s.wz[k], ay = s.scale * s.wx[i] * s.wz[k],
               az = s.scale * s.wx[i] * s.wy[j];
    c.xl = ax * s.gx[i];
    c.xh = ax * s.gx[i + 1];
    c.yl = ay * s.gy[j];
    c.yh = ay * s.gy[j + 1];
    c.zl = az * s.gz[k];
    c.zh = az * s.gz[k + 1];
    c.vol = s.wx[i] * s.wy[j] * s.wz[k];
    c.diag = s.shift * c.vol + ((c.xl + c.xh) + (c.yl + c.yh) + (c.zl + c.zh));
    return c;
}

/* What of struct lap_coef does not change along z: scaled widths, area in z, inverse distances in x and y. */
struct lap_column {
    real wx, wy, wxy; /* times scale */
    real area;        /* not scaled */
    real xl, xh, yl, yh;
};

HD struct lap_column point_lap_column(struct stencil s, int i, int j)
{
    struct lap_column c;
    c.wx = s.scale * s.wx[i];
    c.wy = s.scale * s.wy[j];
    c.wxy = c.wx * s.wy[j];
    c.area = s.wx[i] * s.wy[j];
    c.xl = s.gx[i];
    c.xh = s.gx[i + 1];
    c.yl = s.gy[j];
    c.yh = s.gy[j + 1];
    return c;
}

/* point_lap_level: what point_lap_coef gives, in the same order of operations, at height wz with inverse distances zl, zh. */
HD struct lap_coef point_lap_level(struct lap_column column, real shift, real wz, real zl, real zh)
{
    struct lap_coef c;
    const real ax = column.wy * wz, ay = column.wx * wz;
    c.xl = ax * column.xl;
    c.xh = ax * column.xh;
    c.yl = ay * column.yl;
    c.yh = ay * column.yh;
    c.zl = column.wxy * zl;
    c.zh = column.wxy * zh;
    c.vol = column.area * wz;
    c.diag = shift * c.vol + ((c.xl + c.xh) + (c.yl + c.yh) + (c.zl + c.zh));
    return c;
}

/* point_lap_neighbours: sum of coefficient * neighbour. A x = diag * x - this. */
HD real point_lap_neighbours(struct lap_coef c, real xl, real xh, real yl, real yh, real zl, real zh)
{
    return (c.xl * xl + c.xh * xh) + (c.yl * yl + c.yh * yh) + (c.zl * zl + c.zh * zh);
}

/* point_lap_apply: A x in difference form: exact for a constant x, whatever the rounding of diag. */
HD real point_lap_apply(struct lap_coef c, real shift, real x, real xl, real xh, real yl, real yh, real zl,
                        real zh)
{
    return shift * c.vol * x + ((c.xl * (x - xl) + c.xh * (x - xh)) + (c.yl * (x - yl) + c.yh * (x - yh)) +
                                (c.zl * (x - zl) + c.zh * (x - zh)));
}

/* point_source: V (base + factor lap(x)) from factor * A x / factor, with shift 0 and scale 1. */
HD real point_source(struct lap_coef c, real base, real factor, real minus_lap)
{
    return c.vol * base - factor * minus_lap;
}

/* point_residual: rhs - mean V - A x. */
HD real point_residual(struct lap_coef c, real rhs, real mean, real ax)
{
    return (rhs - mean * c.vol) - ax;
}

/* point_polynomial: c0 y + c1 (I - A/D) y, sum: of coefficient times neighbour of y. */
HD real point_polynomial(real c0, real y, real c1, real sum, real inverse)
{
    return c0 * y + c1 * (sum * inverse);
}

/* point_chebyshev: z + momentum (z - z_prev) + step (r - A z) / D. */
HD real point_chebyshev(real z, real z_prev, real momentum, real step, real r, real az, real inverse)
{
    return z + momentum * (z - z_prev) + step * ((r - az) * inverse);
}

/* point_pressure: p + phi - mean + factor * (A phi) / V. [U^2] */
HD real point_pressure(struct lap_coef c, real p, real phi, real mean, real factor, real minus_lap)
{
    return p + (phi - mean + factor * (minus_lap / c.vol));
}

#endif
