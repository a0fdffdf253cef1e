/* The terms of the sums over a periodic box, at one cell, for both backends. */
#ifndef KOL_POINT_MOMENTS_H
#define KOL_POINT_MOMENTS_H

#include "../moments.h"

/* moment_spacings: spacings of a cell along one direction. They are its width, the distance of centres at its
 * low face, and their inverses; the inverse distance at its high face is there, too. */
struct moment_spacings {
    double c, f, inv_c, inv_f, inv_f_high;
};

HD struct moment_spacings moment_spacings_make(const real *c, const real *f, const real *inv_c,
                                               const real *inv_f, int i)
{
    struct moment_spacings s;
    s.c = c[i];
    s.f = f[i];
    s.inv_c = inv_c[i];
    s.inv_f = inv_f[i];
    s.inv_f_high = inv_f[i + 1];
    return s;
}

HD struct moment_spacings moment_spacings_x(struct metrics m, int i)
{
    return moment_spacings_make(m.dx_c, m.dx_f, m.dxi_c, m.dxi_f, i);
}

HD struct moment_spacings moment_spacings_y(struct metrics m, int j)
{
    return moment_spacings_make(m.dy_c, m.dy_f, m.dyi_c, m.dyi_f, j);
}

HD struct moment_spacings moment_spacings_z(struct metrics m, int k)
{
    return moment_spacings_make(m.dz_c, m.dz_f, m.dzi_c, m.dzi_f, k);
}

/* moment_fields: the fields, with their strides in y and z. o below is the index of the cell. */
struct moment_fields {
    const real *u, *v, *w, *p;
    ptrdiff_t sy, sz;
};

/* moment_powers: computes `a` to the powers 2, 3 and 4, times the volume. The three sums lie `apart` values
 * from each other. */
HD void moment_powers(double volume, double a, double *KOL_RESTRICT t, ptrdiff_t apart)
{
    const double square = a * a;
    t[0] = volume * square;
    t[apart] = volume * (square * a);
    t[2 * apart] = volume * (square * square);
}

HD void point_moments_velocity(struct moment_fields q, ptrdiff_t o, struct moment_spacings x,
                               struct moment_spacings y, struct moment_spacings z, double *KOL_RESTRICT t,
                               ptrdiff_t stride)
{
    const double u = q.u[o], v = q.v[o], w = q.w[o];
    const double fcc = x.f * (y.c * z.c), cfc = x.c * (y.f * z.c), ccf = x.c * (y.c * z.f);
    t[0] = fcc * u;
    t[stride] = cfc * v;
    t[2 * stride] = ccf * w;
    moment_powers(fcc, u, t + 3 * stride, 3 * stride);
    moment_powers(cfc, v, t + 4 * stride, 3 * stride);
    moment_powers(ccf, w, t + 5 * stride, 3 * stride);
}

/* moment_twist: returns the difference of `a` along one direction, which has the stride s and the spacings y.
 * The result is at the centre: it is the mean over the four edges round it. r: stride of the other direction
 * round the edges, on whose faces a lies. */
HD double moment_twist(const real *KOL_RESTRICT a, ptrdiff_t o, ptrdiff_t s, ptrdiff_t r,
                       struct moment_spacings y)
{
    const double here = (double)a[o] + (double)a[o + r];
    const double low = (double)a[o - s] + (double)a[o + r - s],
                 high = (double)a[o + s] + (double)a[o + r + s];
    return 0.25 * ((here - low) * y.inv_f + (high - here) * y.inv_f_high);
}

HD void point_moments_along(struct moment_fields q, ptrdiff_t o, struct moment_spacings x,
                            struct moment_spacings y, struct moment_spacings z, double *KOL_RESTRICT t,
                            ptrdiff_t stride)
{
    const double volume = x.c * (y.c * z.c), p = q.p[o];
    const double uh = q.u[o + 1], vh = q.v[o + q.sy], wh = q.w[o + q.sz];
    const double u = q.u[o], v = q.v[o], w = q.w[o];
    const double omega_x = moment_twist(q.w, o, q.sy, q.sz, y) - moment_twist(q.v, o, q.sz, q.sy, z);
    const double omega_y = moment_twist(q.u, o, q.sz, 1, z) - moment_twist(q.w, o, 1, q.sz, x);
    const double omega_z = moment_twist(q.v, o, 1, q.sy, x) - moment_twist(q.u, o, q.sy, 1, y);
    moment_powers(volume, (uh - u) * x.inv_c, t, 3 * stride);
    moment_powers(volume, (vh - v) * y.inv_c, t + stride, 3 * stride);
    moment_powers(volume, (wh - w) * z.inv_c, t + 2 * stride, 3 * stride);
    t[9 * stride] = volume * p;
    t[10 * stride] = volume * (p * p);
    t[11 * stride] = volume * (0.5 * ((u + uh) * omega_x + (v + vh) * omega_y + (w + wh) * omega_z));
}

/* moment_edges: differences of velocity on the low edges of the cell, and the volumes of these edges. */
struct moment_edges {
    double uy, uz, vx, vz, wx, wy;
    double along_x, along_y, along_z;
};

HD struct moment_edges moment_edges_make(struct moment_fields q, ptrdiff_t o, struct moment_spacings x,
                                         struct moment_spacings y, struct moment_spacings z)
{
    const double u = q.u[o], v = q.v[o], w = q.w[o];
    struct moment_edges e;
    e.uy = (u - (double)q.u[o - q.sy]) * y.inv_f;
    e.uz = (u - (double)q.u[o - q.sz]) * z.inv_f;
    e.vx = (v - (double)q.v[o - 1]) * x.inv_f;
    e.vz = (v - (double)q.v[o - q.sz]) * z.inv_f;
    e.wx = (w - (double)q.w[o - 1]) * x.inv_f;
    e.wy = (w - (double)q.w[o - q.sy]) * y.inv_f;
    e.along_x = x.c * (y.f * z.f);
    e.along_y = x.f * (y.c * z.f);
    e.along_z = x.f * (y.f * z.c);
    return e;
}

/* moment_pair: for the two differences of a component, adds up their third powers, and their fourth powers,
 * each times the volume. */
HD void moment_pair(double volume_a, double a, double volume_b, double b, double *KOL_RESTRICT t,
                    ptrdiff_t stride)
{
    const double aa = a * a, bb = b * b;
    t[0] = volume_a * (aa * a) + volume_b * (bb * b);
    t[3 * stride] = volume_a * (aa * aa) + volume_b * (bb * bb);
}

HD void point_moments_across(struct moment_fields q, ptrdiff_t o, struct moment_spacings x,
                             struct moment_spacings y, struct moment_spacings z, double *KOL_RESTRICT t,
                             ptrdiff_t stride)
{
    const struct moment_edges e = moment_edges_make(q, o, x, y, z);
    t[0] = e.along_z * (e.uy * e.uy);
    t[stride] = e.along_y * (e.uz * e.uz);
    t[2 * stride] = e.along_z * (e.vx * e.vx);
    t[3 * stride] = e.along_x * (e.vz * e.vz);
    t[4 * stride] = e.along_y * (e.wx * e.wx);
    t[5 * stride] = e.along_x * (e.wy * e.wy);
    moment_pair(e.along_z, e.uy, e.along_y, e.uz, t + 6 * stride, stride);
    moment_pair(e.along_z, e.vx, e.along_x, e.vz, t + 7 * stride, stride);
    moment_pair(e.along_y, e.wx, e.along_x, e.wy, t + 8 * stride, stride);
}

HD void point_moments_edges(struct moment_fields q, ptrdiff_t o, struct moment_spacings x,
                            struct moment_spacings y, struct moment_spacings z, double *KOL_RESTRICT t,
                            ptrdiff_t stride)
{
    const struct moment_edges e = moment_edges_make(q, o, x, y, z);
    const double volume[3] = {e.along_x, e.along_y, e.along_z},
                 omega[3] = {e.wy - e.vz, e.uz - e.wx, e.vx - e.uy};
    const double u = q.u[o], v = q.v[o], w = q.w[o], p = q.p[o], cell = x.c * (y.c * z.c);
    for (int d = 0; d < 3; ++d) {
        const double square = omega[d] * omega[d];
        t[d * stride] = volume[d] * square;
        t[(3 + d) * stride] = volume[d] * (square * square);
    }
    t[6 * stride] = e.along_z * (0.25 * (u + (double)q.u[o - q.sy]) * (v + (double)q.v[o - 1]));
    t[7 * stride] = e.along_y * (0.25 * (u + (double)q.u[o - q.sz]) * (w + (double)q.w[o - 1]));
    t[8 * stride] = e.along_x * (0.25 * (v + (double)q.v[o - q.sz]) * (w + (double)q.w[o - q.sy]));
    t[9 * stride] = cell * (p * p * p);
    t[10 * stride] = cell * (p * p * (p * p));
}

/* point_moments: puts the terms of a group at index o into t[sum * stride]. */
HD void point_moments(int group, struct moment_fields q, ptrdiff_t o, struct moment_spacings x,
                      struct moment_spacings y, struct moment_spacings z, double *KOL_RESTRICT t,
                      ptrdiff_t stride)
{
    if (group == 0) point_moments_velocity(q, o, x, y, z, t, stride);
    if (group == 1) point_moments_along(q, o, x, y, z, t, stride);
    if (group == 2) point_moments_across(q, o, x, y, z, t, stride);
    if (group == 3) point_moments_edges(q, o, x, y, z, t, stride);
}

#endif
