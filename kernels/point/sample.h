/* Velocity gradient at a cell centre and what shows vortices in it, written once for both backends; in double precision always. */
#ifndef KOL_POINT_SAMPLE_H
#define KOL_POINT_SAMPLE_H

#include <math.h>
#include "../sample.h"

/* sample_spacings: inverse width of the cell, and inverse distances of centres at its two faces, of each direction [1/L]. */
struct sample_spacings {
    double inv_c[3], inv_f[3][2];
};

HD struct sample_spacings sample_spacings_make(struct metrics m, int i, int j, int k)
{
    struct sample_spacings s;
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

/* Component on faces of the direction with stride sa: its derivative along another, stride sd, by the mean of the four edges of cell o. */
HD double point_sample_across(const real *u, ptrdiff_t o, ptrdiff_t sa, ptrdiff_t sd, const double inv_f[2])
{
    const double low = u[o] - (double)u[o - sd] + (u[o + sa] - (double)u[o + sa - sd]);
    const double high = u[o + sd] - (double)u[o] + (u[o + sa + sd] - (double)u[o + sa]);
    return 0.25 * (low * inv_f[0] + high * inv_f[1]);
}

/* g[i][j] = d u_i / d x_j */
HD void point_sample_gradient(struct box b, struct sample_spacings s, const real *u, const real *v,
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

/* One Jacobi rotation that makes a[p][q] of a symmetric matrix zero; r: the third index. */
HD void point_sample_rotate(double a[3][3], int p, int q, int r)
{
    if (a[p][q] == 0) return;
    const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
    const double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c, h = t * a[p][q];
    const double rp = c * a[r][p] - s * a[r][q], rq = s * a[r][p] + c * a[r][q];
    a[p][p] -= h;
    a[q][q] += h;
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = rp;
    a[r][q] = a[q][r] = rq;
}

/* The middle of three. */
HD double point_sample_middle(double a, double b, double c)
{
    const double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Jacobi's method: also equal eigenvalues, which any plane flow has, come out to rounding; formulas with arc cosines lose half of the
 * digits there. It converges quadratically; SWEEPS leave nothing (test_sample.c). */
HD double point_sample_lambda2(double g[3][3])
{
    enum { SWEEPS = 6 };
    double a[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double sum = 0;
            for (int k = 0; k < 3; ++k) sum += g[i][k] * g[k][j];
            a[i][j] = sum;
        }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j) a[i][j] = a[j][i] = 0.5 * (a[i][j] + a[j][i]);
    for (int n = 0; n < SWEEPS; ++n) {
        point_sample_rotate(a, 0, 1, 2);
        point_sample_rotate(a, 0, 2, 1);
        point_sample_rotate(a, 1, 2, 0);
    }
    return point_sample_middle(a[0][0], a[1][1], a[2][2]);
}

/* point_sample: the values of cell (i, j, k). */
HD void point_sample(struct box b, struct metrics m, enum sample_quantity q, const real *u, const real *v,
                     const real *w, const real *p, int i, int j, int k, real *out)
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
    point_sample_gradient(b, sample_spacings_make(m, i, j, k), u, v, w, o, g);
    if (q == SAMPLE_VORTICITY) {
        out[X] = (real)(g[Z][Y] - g[Y][Z]);
        out[Y] = (real)(g[X][Z] - g[Z][X]);
        out[Z] = (real)(g[Y][X] - g[X][Y]);
    } else {
        out[0] = (real)(q == SAMPLE_Q ? point_sample_q(g) : point_sample_lambda2(g));
    }
}

#endif
