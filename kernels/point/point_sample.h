/* The velocity gradient at a cell centre, and the quantities that show vortices in it, for both backends.
 * They are always in double precision. */
#ifndef KOL_POINT_POINT_SAMPLE_H
#define KOL_POINT_POINT_SAMPLE_H

#include <math.h>
#include "../point_sample.h"

/* point_sample_spacings: the inverse width of the cell, and the inverse distances of centres at its two
 * faces, in each direction [1/L]. */
struct point_sample_spacings {
    double inv_c[3], inv_f[3][2];
};

HD struct point_sample_spacings point_sample_spacings_make(struct metrics m, int i, int j, int k)
{
    struct point_sample_spacings s;
    s.inv_c[X] = m.dxi_c[i];
    s.inv_c[Y] = m.dyi_c[j];
    s.inv_c[Z] = m.dzi_c[k];
    for (int side = 0; side < 2; ++side) {
        s.inv_f[X][side] = m.dxi_f[i + side];
        s.inv_f[Y][side] = m.dyi_f[j + side];
        s.inv_f[Z][side] = m.dzi_f[k + side];
    }
    return s;
}

/* point_sample_across: returns a transverse derivative at the centre of cell o, as the mean of its four
 * edges. The component lies on the faces of the direction with stride sa. The derivative is taken along the
 * direction with stride sd. */
HD double point_sample_across(const real *u, ptrdiff_t o, ptrdiff_t sa, ptrdiff_t sd, const double inv_f[2])
{
    const double low = u[o] - (double)u[o - sd] + (u[o + sa] - (double)u[o + sa - sd]);
    const double high = u[o + sd] - (double)u[o] + (u[o + sa + sd] - (double)u[o + sa]);
    return 0.25 * (low * inv_f[0] + high * inv_f[1]);
}

/* point_sample_gradient: computes g[i][j] = d u_i / d x_j. */
HD void point_sample_gradient(struct box b, struct point_sample_spacings s, const real *u, const real *v,
                              const real *w, ptrdiff_t o, double g[3][3])
{
    g[X][X] = (u[o + 1] - (double)u[o]) * s.inv_c[X];
    g[X][Y] = point_sample_across(u, o, 1, b.sy, s.inv_f[Y]);
    g[X][Z] = point_sample_across(u, o, 1, b.sz, s.inv_f[Z]);
    g[Y][X] = point_sample_across(v, o, b.sy, 1, s.inv_f[X]);
    g[Y][Y] = (v[o + b.sy] - (double)v[o]) * s.inv_c[Y];
    g[Y][Z] = point_sample_across(v, o, b.sy, b.sz, s.inv_f[Z]);
    g[Z][X] = point_sample_across(w, o, b.sz, 1, s.inv_f[X]);
    g[Z][Y] = point_sample_across(w, o, b.sz, b.sy, s.inv_f[Y]);
    g[Z][Z] = (w[o + b.sz] - (double)w[o]) * s.inv_c[Z];
}

HD double point_sample_q(double g[3][3])
{
    return -0.5 * (g[X][X] * g[X][X] + g[Y][Y] * g[Y][Y] + g[Z][Z] * g[Z][Z]) -
           (g[X][Y] * g[Y][X] + g[X][Z] * g[Z][X] + g[Y][Z] * g[Z][Y]);
}

/* point_sample_rotate: does one Jacobi rotation of a symmetric matrix, which makes the element pq zero. r is
 * the third index. The function has no branches, so that loops over many matrices vectorise. TINY avoids 0/0
 * if the matrix is diagonal already. */
HD void point_sample_rotate(double *pp, double *qq, double *pq, double *pr, double *qr)
{
    const double TINY = 1e-290;
    const double d = *qq - *pp, o = *pq, root = sqrt(d * d + 4 * o * o) + TINY;
    const double t = 2 * o / (d < 0 ? d - root : d + root), c = 1 / sqrt(t * t + 1), s = t * c;
    const double p_r = c * *pr - s * *qr, q_r = s * *pr + c * *qr;
    *pp -= t * o;
    *qq += t * o;
    *pq = 0;
    *pr = p_r;
    *qr = q_r;
}

/* point_sample_sweep: does one sweep of Jacobi's method. Any plane flow has equal eigenvalues. This method
 * computes also these to rounding, while formulas with arc cosines lose half of the digits. It converges
 * quadratically: after four sweeps nothing was left for any gradient that was tried. SAMPLE_SWEEPS is one
 * more. */
enum { SAMPLE_SWEEPS = 5 };

HD void point_sample_sweep(double *xx, double *yy, double *zz, double *xy, double *xz, double *yz)
{
    point_sample_rotate(xx, yy, xy, xz, yz);
    point_sample_rotate(xx, zz, xz, xy, yz);
    point_sample_rotate(yy, zz, yz, xy, xz);
}

/* point_sample_square: computes the symmetric part of g_ik g_kj, in the order xx, yy, zz, xy, xz, yz. */
HD void point_sample_square(double g[3][3], double out[6])
{
    out[0] = g[X][X] * g[X][X] + g[X][Y] * g[Y][X] + g[X][Z] * g[Z][X];
    out[1] = g[Y][X] * g[X][Y] + g[Y][Y] * g[Y][Y] + g[Y][Z] * g[Z][Y];
    out[2] = g[Z][X] * g[X][Z] + g[Z][Y] * g[Y][Z] + g[Z][Z] * g[Z][Z];
    out[3] = 0.5 * ((g[X][X] + g[Y][Y]) * (g[X][Y] + g[Y][X]) + g[X][Z] * g[Z][Y] + g[Y][Z] * g[Z][X]);
    out[4] = 0.5 * ((g[X][X] + g[Z][Z]) * (g[X][Z] + g[Z][X]) + g[X][Y] * g[Y][Z] + g[Z][Y] * g[Y][X]);
    out[5] = 0.5 * ((g[Y][Y] + g[Z][Z]) * (g[Y][Z] + g[Z][Y]) + g[Y][X] * g[X][Z] + g[Z][X] * g[X][Y]);
}

/* point_sample_middle: returns the middle one of three values. */
HD double point_sample_middle(double a, double b, double c)
{
    const double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

HD double point_sample_lambda2(double g[3][3])
{
    double a[6];
    point_sample_square(g, a);
    for (int n = 0; n < SAMPLE_SWEEPS; ++n) point_sample_sweep(&a[0], &a[1], &a[2], &a[3], &a[4], &a[5]);
    return point_sample_middle(a[0], a[1], a[2]);
}

/* point_sample: computes the values of cell (i, j, k). */
HD void point_sample(struct box b, struct metrics m, enum point_sample_quantity q, const real *u,
                     const real *v, const real *w, const real *p, int i, int j, int k, real *out)
{
    const ptrdiff_t o = at(b, i, j, k);
    double g[3][3];
    if (q == SAMPLE_VELOCITY) {
        out[X] = (real)0.5 * (u[o] + u[o + 1]);
        out[Y] = (real)0.5 * (v[o] + v[o + b.sy]);
        out[Z] = (real)0.5 * (w[o] + w[o + b.sz]);
        return;
    }
    if (q == SAMPLE_PRESSURE) {
        out[0] = p[o];
        return;
    }
    point_sample_gradient(b, point_sample_spacings_make(m, i, j, k), u, v, w, o, g);
    if (q == SAMPLE_VORTICITY) {
        out[X] = (real)(g[Z][Y] - g[Y][Z]);
        out[Y] = (real)(g[X][Z] - g[Z][X]);
        out[Z] = (real)(g[Y][X] - g[X][Y]);
    } else {
        out[0] = (real)(q == SAMPLE_Q ? point_sample_q(g) : point_sample_lambda2(g));
    }
}

#endif
