/* Transport of a scalar at one cell, the layer beyond a face, buoyancy and the sums of a record, for both
 * backends. */
#ifndef KOL_POINT_SCALAR_H
#define KOL_POINT_SCALAR_H

#include "../scalar.h"
#include "wall.h"

/* scalar_star: a value and its six neighbours. scalar_winds: the velocities through the six faces of the
 * cell. l: low, h: high. */
struct scalar_star {
    real c, xl, xh, yl, yh, zl, zh;
};
struct scalar_winds {
    real ul, uh, vl, vh, wl, wh;
};

/* scalar_axis: of one direction, the inverse width of the cell and the inverse distances of its centre from
 * those below and above [1/L]. */
struct scalar_axis {
    real iw, il, ih;
};

HD struct scalar_axis point_scalar_axis(const real *iwc, const real *iwf, int i)
{
    const struct scalar_axis a = {iwc[i], iwf[i], iwf[i + 1]};
    return a;
}

HD struct scalar_star point_scalar_star(struct box b, const real *q, ptrdiff_t o)
{
    const struct scalar_star s = {q[o],        q[o - 1],    q[o + 1],   q[o - b.sy],
                                  q[o + b.sy], q[o - b.sz], q[o + b.sz]};
    return s;
}

HD struct scalar_winds point_scalar_winds(struct box b, const real *u, const real *v, const real *w,
                                          ptrdiff_t o)
{
    const struct scalar_winds s = {u[o], u[o + 1], v[o], v[o + b.sy], w[o], w[o + b.sz]};
    return s;
}

/* point_scalar_open: returns whether face f of the cell at index o is open. */
HD int point_scalar_open(const unsigned char *open, ptrdiff_t o, int f)
{
    return open == NULL || (open[o] >> f & 1u);
}

/* point_scalar_close: sets the values beside a cell such that nothing passes through its closed faces. bits:
 * bits of the open faces. */
HD void point_scalar_close(unsigned bits, struct scalar_star *s, struct scalar_winds *w)
{
    if (!(bits & 1u)) s->xl = s->c, w->ul = 0;
    if (!(bits & 2u)) s->xh = s->c, w->uh = 0;
    if (!(bits & 4u)) s->yl = s->c, w->vl = 0;
    if (!(bits & 8u)) s->yh = s->c, w->vh = 0;
    if (!(bits & 16u)) s->zl = s->c, w->wl = 0;
    if (!(bits & 32u)) s->zh = s->c, w->wh = 0;
}

/* point_scalar_convect: returns minus the sum of the convective fluxes out of the cell over its volume
 * [own/T]. */
HD real point_scalar_convect(struct scalar_star a, struct scalar_winds f, struct scalar_axis x,
                             struct scalar_axis y, struct scalar_axis z)
{
    return -(real)0.5 * ((f.uh * (a.c + a.xh) - f.ul * (a.c + a.xl)) * x.iw +
                         (f.vh * (a.c + a.yh) - f.vl * (a.c + a.yl)) * y.iw +
                         (f.wh * (a.c + a.zh) - f.wl * (a.c + a.zl)) * z.iw);
}

/* point_scalar_diffuse: returns the Laplacian in flux form [own/L^2]. */
HD real point_scalar_diffuse(struct scalar_star a, struct scalar_axis x, struct scalar_axis y,
                             struct scalar_axis z)
{
    return ((a.xh - a.c) * x.ih - (a.c - a.xl) * x.il) * x.iw +
           ((a.yh - a.c) * y.ih - (a.c - a.yl) * y.il) * y.iw +
           ((a.zh - a.c) * z.ih - (a.c - a.zl) * z.il) * z.iw;
}

/* point_scalar_source: returns source - gradient . u_centre [own/T]. */
HD real point_scalar_source(struct scalar_term t, struct scalar_winds f)
{
    return t.source - (real)0.5 * (t.gradient[X] * (f.ul + f.uh) + t.gradient[Y] * (f.vl + f.vh) +
                                   t.gradient[Z] * (f.wl + f.wh));
}

HD real point_scalar(struct scalar_star a, struct scalar_winds f, struct scalar_axis x, struct scalar_axis y,
                     struct scalar_axis z, struct scalar_term t)
{
    return point_scalar_convect(a, f, x, y, z) +
           (t.kappa * point_scalar_diffuse(a, x, y, z) + point_scalar_source(t, f));
}

/* point_scalar_masked: does the same in a cell whose open faces are `bits`. */
HD real point_scalar_masked(unsigned bits, struct scalar_star a, struct scalar_winds f, struct scalar_axis x,
                            struct scalar_axis y, struct scalar_axis z, struct scalar_term t)
{
    point_scalar_close(bits, &a, &f);
    return bits != 0 ? point_scalar(a, f, x, y, z, t) : 0;
}

/* scalar_run: four values in a row along a direction, two on each side of a face, with the widths of the
 * inner two cells and the inverse distances of neighbours. */
struct scalar_run {
    real ll, l, h, hh;     /* values below and above */
    real wl, wh;           /* widths of l and h [L] */
    real i_ll, i_lh, i_hh; /* inverse distances of ll and l, of l and h, of h and hh [1/L] */
};

/* point_scalar_limited: returns the value on the face that a flow with this wind carries. */
HD real point_scalar_limited(struct scalar_run r, real wind)
{
    const real from = wind < 0 ? r.h : r.l, to = wind < 0 ? r.l : r.h, behind = wind < 0 ? r.hh : r.ll;
    const real width = wind < 0 ? r.wh : r.wl;
    const real up = (from - behind) * (wind < 0 ? r.i_hh : r.i_ll), down = (to - from) * r.i_lh;
    const real a = up < 0 ? -up : up, b = down < 0 ? -down : down, step = b / r.i_lh;
    const real third = width * (a + 2 * b) * (real)(1.0 / 6), most = width * a;
    real least = step < third ? step : third;
    least = least < most ? least : most;
    if (!(up * down > 0)) return from;
    return down < 0 ? from - least : from + least;
}

/* point_scalar_run: reads the values round the face below index i of a direction. o: index of the cell above
 * it. stride, wc, iwf: stride, widths and inverse distances of the direction. */
HD struct scalar_run point_scalar_run(const real *q, ptrdiff_t o, ptrdiff_t stride, const real *wc,
                                      const real *iwf, int i)
{
    const struct scalar_run r = {q[o - 2 * stride], q[o - stride], q[o],      q[o + stride], wc[i - 1], wc[i],
                                 iwf[i - 1],        iwf[i],        iwf[i + 1]};
    return r;
}

/* point_scalar_face: returns the value on the face below index i of direction d, of n cells. */
HD real point_scalar_face(const real *q, ptrdiff_t o, ptrdiff_t stride, const real *wc, const real *iwf,
                          int i, int n, int d, unsigned faces, real wind)
{
    if ((i == 0 && (faces >> (2 * d) & 1u)) || (i == n && (faces >> (2 * d + 1) & 1u)))
        return (real)0.5 * (q[o] + q[o - stride]);
    return point_scalar_limited(point_scalar_run(q, o, stride, wc, iwf, i), wind);
}

/* point_scalar_convect_limited: returns the same as point_scalar_convect() with limited values. */
HD real point_scalar_convect_limited(struct box b, struct metrics m, unsigned faces, const real *q,
                                     struct scalar_winds f, int i, int j, int k)
{
    const ptrdiff_t o = at(b, i, j, k);
    const real xl = point_scalar_face(q, o, 1, m.dx_c, m.dxi_f, i, b.nx, X, faces, f.ul),
               xh = point_scalar_face(q, o + 1, 1, m.dx_c, m.dxi_f, i + 1, b.nx, X, faces, f.uh),
               yl = point_scalar_face(q, o, b.sy, m.dy_c, m.dyi_f, j, b.ny, Y, faces, f.vl),
               yh = point_scalar_face(q, o + b.sy, b.sy, m.dy_c, m.dyi_f, j + 1, b.ny, Y, faces, f.vh),
               zl = point_scalar_face(q, o, b.sz, m.dz_c, m.dzi_f, k, b.nz, Z, faces, f.wl),
               zh = point_scalar_face(q, o + b.sz, b.sz, m.dz_c, m.dzi_f, k + 1, b.nz, Z, faces, f.wh);
    return -((f.uh * xh - f.ul * xl) * m.dxi_c[i] + (f.vh * yh - f.vl * yl) * m.dyi_c[j] +
             (f.wh * zh - f.wl * zl) * m.dzi_c[k]);
}

/* point_scalar_rhs_limited: returns the right-hand side of a cell. */
HD real point_scalar_rhs_limited(struct box b, struct metrics m, unsigned faces, const real *q,
                                 struct scalar_winds f, struct scalar_term t, int i, int j, int k)
{
    const struct scalar_axis x = point_scalar_axis(m.dxi_c, m.dxi_f, i),
                             y = point_scalar_axis(m.dyi_c, m.dyi_f, j),
                             z = point_scalar_axis(m.dzi_c, m.dzi_f, k);
    return point_scalar_convect_limited(b, m, faces, q, f, i, j, k) +
           (t.kappa * point_scalar_diffuse(point_scalar_star(b, q, at(b, i, j, k)), x, y, z) +
            point_scalar_source(t, f));
}

/* point_scalar_lost: returns the numerical dissipation at the face below index i of direction d [own^2 U]. */
HD double point_scalar_lost(const real *q, ptrdiff_t o, ptrdiff_t stride, const real *wc, const real *iwf,
                            int i, int n, int d, unsigned faces, real wind)
{
    const double l = q[o - stride], h = q[o];
    return wind * (0.5 * (l + h) - point_scalar_face(q, o, stride, wc, iwf, i, n, d, faces, wind)) * (h - l);
}

/* point_scalar_loss: returns the sum over the three low faces of a cell [own^2 U L^2]. */
HD double point_scalar_loss(struct box b, struct metrics m, unsigned faces, const real *u, const real *v,
                            const real *w, const real *q, int i, int j, int k)
{
    const ptrdiff_t o = at(b, i, j, k);
    const double dx = m.dx_c[i], dy = m.dy_c[j], dz = m.dz_c[k];
    return dy * dz * point_scalar_lost(q, o, 1, m.dx_c, m.dxi_f, i, b.nx, X, faces, u[o]) +
           dx * dz * point_scalar_lost(q, o, b.sy, m.dy_c, m.dyi_f, j, b.ny, Y, faces, v[o]) +
           dx * dy * point_scalar_lost(q, o, b.sz, m.dz_c, m.dzi_f, k, b.nz, Z, faces, w[o]);
}

/* point_scalar_beyond: fills the place (i, j) of the layer beyond face f. r: its geometry. */
HD void point_scalar_beyond(struct box b, const struct scalar_faces *w, struct wall_row r, int f, int n,
                            int i, int j, real *theta)
{
    const ptrdiff_t o = i * r.sa + j * r.sb;
    const ptrdiff_t place = plane_at(b, r.d, 0, i, j);
    const real *const plane = w->plane[f][n];
    const real add = plane != NULL ? plane[place] : w->add[f][n];
    const int closed = w->wind[f] != NULL && w->wind[f][place] == 0;
    theta[r.beyond + o] = closed ? theta[r.in + o] : w->factor[f][n] * theta[r.in + o] + add;
}

/* point_scalar_excess: returns the deviation of scalar n from its state of rest, at the face of direction d
 * below cell o [own]. x, y, z: coordinates of the centre of the cell. below: coordinate of the centre below
 * it along d. */
HD real point_scalar_excess(const struct scalar_lift *l, int n, const real *theta, ptrdiff_t o,
                            ptrdiff_t stride, int d, const real x[3], real below)
{
    real rest = l->rest[n] + (real)0.5 * l->slope[n][d] * (x[d] + below);
    for (int e = 0; e < 3; ++e)
        if (e != d) rest += l->slope[n][e] * x[e];
    return (real)0.5 * (theta[o] + theta[o - stride]) - rest;
}

/* point_scalar_lift: returns the buoyancy along d at the face below cell (i, j, k) [U/T]. */
HD real point_scalar_lift(struct box b, const struct scalar_lift *l, real *const *theta, int d, int i, int j,
                          int k)
{
    const ptrdiff_t stride = d == X ? 1 : d == Y ? b.sy : b.sz, o = at(b, i, j, k);
    const real x[3] = {l->x[X][i], l->x[Y][j], l->x[Z][k]};
    const real below = l->x[d][(d == X ? i : d == Y ? j : k) - 1];
    real sum = 0;
    for (int n = 0; n < l->count; ++n)
        sum += l->lift[n][d] * point_scalar_excess(l, n, theta[n], o, stride, d, x, below);
    return sum;
}

/* point_scalar_lifts: returns whether there is any buoyancy along d. */
HD int point_scalar_lifts(const struct scalar_lift *l, int d)
{
    int any = 0;
    for (int n = 0; n < l->count; ++n) any |= l->lift[n][d] != 0;
    return any;
}

/* point_scalar_work: returns the power of the buoyancy at the three low faces of a cell, without faces of the
 * box. */
HD double point_scalar_work(struct box b, struct metrics m, const struct scalar_lift *l, real *const *theta,
                            const real *u, const real *v, const real *w, int i, int j, int k)
{
    const double wx = m.dx_c[i], wy = m.dy_c[j], wz = m.dz_c[k];
    const ptrdiff_t o = at(b, i, j, k);
    double sum = 0;
    if (point_scalar_lifts(l, X) && i >= l->first[X])
        sum += (double)u[o] * point_scalar_lift(b, l, theta, X, i, j, k) * m.dx_f[i] * wy * wz;
    if (point_scalar_lifts(l, Y) && j >= l->first[Y])
        sum += (double)v[o] * point_scalar_lift(b, l, theta, Y, i, j, k) * m.dy_f[j] * wx * wz;
    if (point_scalar_lifts(l, Z) && k >= l->first[Z])
        sum += (double)w[o] * point_scalar_lift(b, l, theta, Z, i, j, k) * m.dz_f[k] * wx * wy;
    return sum;
}

/* scalar_numbers: the terms of scalar_record() at one cell. ALL_OPEN: the bits of a cell without closed
 * faces. */
enum { ALL_OPEN = 63 };
struct scalar_numbers {
    double term[SCALAR_SUMS], above, below;
};

HD double point_scalar_half(double low, double high, double inverse, double area)
{
    return 0.5 * area * inverse * (high - low) * (high - low);
}

HD struct scalar_numbers point_scalar_numbers(struct box b, struct metrics m, const unsigned char *open,
                                              const unsigned char *live, double mean, const real *u,
                                              const real *v, const real *w, const real *q, int i, int j,
                                              int k)
{
    const ptrdiff_t o = at(b, i, j, k);
    const double dx = m.dx_c[i], dy = m.dy_c[j], dz = m.dz_c[k], c = q[o], off = c - mean;
    struct scalar_star a = point_scalar_star(b, q, o), carried = a;
    struct scalar_winds f = {u[o], 0, v[o], 0, w[o], 0}, none = f;
    const unsigned bits = live != NULL ? live[o] : (unsigned)ALL_OPEN;
    const double volume = bits != 0 ? dx * dy * dz : 0;
    struct scalar_numbers n;
    point_scalar_close(bits, &a, &none);
    point_scalar_close(open != NULL ? open[o] : (unsigned)ALL_OPEN, &carried, &f);
    n.term[SCALAR_SUM] = volume * off;
    n.term[SCALAR_VOLUME] = volume;
    n.term[SCALAR_SQUARE] = volume * off * off;
    n.term[SCALAR_SCATTER] = point_scalar_half(a.xl, c, m.dxi_f[i], dy * dz) +
                             point_scalar_half(c, a.xh, m.dxi_f[i + 1], dy * dz) +
                             point_scalar_half(a.yl, c, m.dyi_f[j], dx * dz) +
                             point_scalar_half(c, a.yh, m.dyi_f[j + 1], dx * dz) +
                             point_scalar_half(a.zl, c, m.dzi_f[k], dx * dy) +
                             point_scalar_half(c, a.zh, m.dzi_f[k + 1], dx * dy);
    n.term[SCALAR_FLUX_X] = 0.5 * f.ul * (c + carried.xl) * m.dx_f[i] * dy * dz;
    n.term[SCALAR_FLUX_Y] = 0.5 * f.vl * (c + carried.yl) * m.dy_f[j] * dx * dz;
    n.term[SCALAR_FLUX_Z] = 0.5 * f.wl * (c + carried.zl) * m.dz_f[k] * dx * dy;
    n.above = off > 0 && bits != 0 ? off : 0;
    n.below = off < 0 && bits != 0 ? -off : 0;
    return n;
}

/* point_scalar_face_flux: returns the flux on a piece of a row, for scalar_face_flux(). */
HD double point_scalar_face_flux(struct metrics m, struct blocks bl, const unsigned char *open,
                                 struct wall_row r, struct box b, real kappa, const real *vel,
                                 const real *theta, int block, int j)
{
    const real *const width[3] = {m.dx_c, m.dy_c, m.dz_c}, *const inverse[3] = {m.dxi_f, m.dyi_f, m.dzi_f};
    const int *const start[3] = {bl.x, bl.y, bl.z};
    const int cells[3] = {b.nx, b.ny, b.nz};
    const double over = (double)kappa * inverse[r.d][r.high ? cells[r.d] : 0], sign = r.high ? -1 : 1;
    double sum = 0;
    for (int i = start[r.a][block]; i < start[r.a][block + 1]; ++i) {
        const ptrdiff_t o = i * r.sa + j * r.sb;
        if (!point_scalar_open(open, r.in + o, 2 * r.d + r.high)) continue;
        const double in = theta[r.in + o], beyond = theta[r.beyond + o],
                     wind = vel[r.high ? r.beyond + o : r.in + o];
        sum += (double)width[r.a][i] * (over * (beyond - in) + sign * wind * 0.5 * (in + beyond));
    }
    return sum * width[r.b][j];
}

#endif
