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

#endif
