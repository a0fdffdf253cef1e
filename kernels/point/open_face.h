/* One place of an open face, for both backends. */
#ifndef KOL_POINT_OPEN_FACE_H
#define KOL_POINT_OPEN_FACE_H

#include "../open_face.h"
#include "momentum.h"
#include "projection.h"

/* open_face: geometry of a face.
 *
 *   d, a, b          the direction through the face, and the two directions along it
 *   n                the number of cells along a and b
 *   sign             the sign of the outward normal
 *   on, in,          the places that belong to (0, 0): on the face, in the first cell inside, just beyond,
 *                    and one
 *   beyond, next     cell further inside */
struct open_face {
    int d, a, b, high, n[2];
    real sign;
    ptrdiff_t sa, sb, sd;
    ptrdiff_t on, in, beyond,
        next; /* on: point of the component through the face; next: one cell further inside */
};

HD struct open_face open_face_make(struct box b, int face)
{
    const int cells[3] = {b.nx, b.ny, b.nz};
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    struct open_face f;
    f.d = face / 2;
    f.high = face % 2;
    f.a = f.d == X ? Y : X;
    f.b = f.d == Z ? Y : Z;
    f.n[0] = cells[f.a];
    f.n[1] = cells[f.b];
    f.sign = f.high ? (real)1 : (real)-1;
    f.sa = stride[f.a];
    f.sb = stride[f.b];
    f.sd = stride[f.d];
    f.on = b.start + (f.high ? cells[f.d] * f.sd : 0);
    f.next = f.high ? f.on - f.sd : f.on + f.sd;
    f.in = b.start + (f.high ? (cells[f.d] - 1) * f.sd : 0);
    f.beyond = f.high ? f.in + f.sd : f.in - f.sd;
    return f;
}

/* point_open_inner: returns index i along direction `dir` of the face. If i lies beyond a wall, it returns
 * the index on the inner side of the wall. */
HD int point_open_inner(struct walls w, int dir, int i, int n)
{
    if (i < 0 && (w.faces >> (2 * dir) & 1u)) return 0;
    return i >= n && (w.faces >> (2 * dir + 1) & 1u) ? n - 1 : i;
}

HD ptrdiff_t point_open_offset(struct walls w, struct open_face f, int i, int j)
{
    return point_open_inner(w, f.a, i, f.n[0]) * f.sa + point_open_inner(w, f.b, j, f.n[1]) * f.sb;
}

HD void point_open_fill(struct box b, struct walls w, struct open_face f, int i, int j, real *const vel[3],
                        real *plane)
{
    const ptrdiff_t o = point_open_offset(w, f, i, j);
    for (int c = 0; c < 3; ++c) plane[plane_at(b, f.d, c, i, j)] = vel[c][o + (c == f.d ? f.next : f.in)];
}

HD void point_open_convect(struct box b, struct metrics m, struct walls w, struct open_face f,
                           struct open_stage s, int i, int j, real *const vel[3], const real *base, real *old,
                           real *plane)
{
    const real *const inv_c[3] = {m.dxi_c, m.dyi_c, m.dzi_c}, *const inv_f[3] = {m.dxi_f, m.dyi_f, m.dzi_f};
    const int cells[3] = {b.nx, b.ny, b.nz}, last = f.high ? cells[f.d] - 1 : 0,
              face = f.high ? cells[f.d] : 0;
    const ptrdiff_t o = point_open_offset(w, f, i, j);
    for (int c = 0; c < 3; ++c) {
        const ptrdiff_t q = plane_at(b, f.d, c, i, j);
        const real outer = vel[c][o + (c == f.d ? f.on : f.beyond)],
                   inner = vel[c][o + (c == f.d ? f.next : f.in)];
        const real rate = -s.speed * ((outer - inner) * (c == f.d ? inv_c[f.d][last] : inv_f[f.d][face]));
        real value = base[q] + s.a * rate;
        if (s.a_old != 0) value += s.a_old * old[q];
        if (old != NULL) old[q] = rate;
        plane[q] = c == f.d && f.sign * value < 0 ? 0 : value;
    }
}

/* open_terms: what one place contributes to the sums. */
struct open_terms {
    double term[OPEN_SUMS], speed;
};

HD double point_open_flux(struct box b, struct metrics m, struct open_face f, const real *plane, int i, int j)
{
    const real *const width[3] = {m.dx_c, m.dy_c, m.dz_c};
    return f.sign * (double)plane[plane_at(b, f.d, f.d, i, j)] * ((double)width[f.a][i] * width[f.b][j]);
}

/* point_open_carried: returns the energy that convection carries through the face between pairs of points
 * of which one is prescribed. For each pair it is half of the flux times both values
 * (docs/numerics/open.md). Points that a wall prescribes do not count. along: direction of the component.
 * index: index of the point along it. across: width of its volume across. */
HD double point_open_carried(struct walls w, struct open_face f, const real *width, int along, int index,
                             double across, const real *u, const real *normal, ptrdiff_t o, ptrdiff_t stride)
{
    if (index == 0 && (w.faces >> (2 * along) & 1u)) return 0;
    const double flux = 0.5 * ((double)normal[o + f.on - stride] * width[index - 1] +
                               (double)normal[o + f.on] * width[index]);
    return f.sign * flux * across * 0.5 * ((double)u[o + f.in] * u[o + f.beyond]);
}

/* point_open_turned: returns the work of a rotating frame on a point on the face, for that half of its
 * volume which lies in the cell inside. It uses the velocities inside. The frame does no work on a complete
 * cell, so this part has to be taken into account. */
HD double point_open_turned(struct open_face f, struct open_look l, double area, double half, double now,
                            ptrdiff_t o)
{
    const struct turn t = point_turn_of(l.turn, f.d);
    const real *const e = l.vel[f.a] + o + f.in, *const g = l.vel[f.b] + o + f.in;
    return area * half * now * 0.5 * (t.e * ((double)e[0] + e[f.sa]) + t.f * ((double)g[0] + g[f.sb]));
}

HD struct open_terms point_open_terms(struct box b, struct metrics m, struct walls w, struct open_face f,
                                      struct open_look l, int i, int j)
{
    const real *const width[3] = {m.dx_c, m.dy_c, m.dz_c}, *const half[3] = {m.dx_e, m.dy_e, m.dz_e};
    const int cells[3] = {b.nx, b.ny, b.nz}, face = f.high ? cells[f.d] : 0;
    const ptrdiff_t o = i * f.sa + j * f.sb, q = plane_at(b, f.d, f.d, i, j);
    const double wa = width[f.a][i], wb = width[f.b][j], area = wa * wb, now = l.plane[q];
    const real *const u = l.vel[f.d];
    const double next = u[o + f.next], mean = 0.5 * (now + l.before[q]);
    struct open_terms t;
    t.term[OPEN_FLUX] = point_open_flux(b, m, f, l.plane, i, j);
    t.term[OPEN_ENERGY] = f.sign * area * 0.5 * (now + next) * 0.5 * (now * next) +
                          point_open_carried(w, f, width[f.a], f.a, i, wb, l.vel[f.a], u, o, f.sa) +
                          point_open_carried(w, f, width[f.b], f.b, j, wa, l.vel[f.b], u, o, f.sb) +
                          point_open_turned(f, l, area, half[f.d][face], now, o);
    t.term[OPEN_WORK] = -f.sign * area * mean * l.impulse[plane_at(b, f.d, 0, i, j)];
    t.term[OPEN_KINETIC] = 0.5 * area * half[f.d][face] * now * now;
    t.speed = 0;
    for (int c = 0; c < 3; ++c)
        t.speed = point_larger(point_abs((real)t.speed), point_abs(l.plane[plane_at(b, f.d, c, i, j)]));
    return t;
}

/* point_open_row: adds up all quantities over block `block` of row j. rows: as in open_sums. */
HD void point_open_row(struct box b, struct metrics m, struct walls w, struct blocks bl, struct open_face f,
                       int count, struct open_look l, int block, int j, double *rows)
{
    const int *const starts[3] = {bl.x, bl.y, bl.z}, number[3] = {bl.nx, bl.ny, bl.nz};
    const ptrdiff_t blocks = number[f.a], each = f.n[1] * blocks, place = j * blocks + block;
    double sum[OPEN_COUNT] = {0};
    for (int i = starts[f.a][block]; i < starts[f.a][block + 1]; ++i) {
        if (count == 1) {
            sum[OPEN_FLUX] += point_open_flux(b, m, f, l.plane, i, j);
            continue;
        }
        const struct open_terms t = point_open_terms(b, m, w, f, l, i, j);
        for (int n = 0; n < OPEN_SUMS; ++n) sum[n] += t.term[n];
        sum[OPEN_SPEED] = t.speed > sum[OPEN_SPEED] ? t.speed : sum[OPEN_SPEED];
    }
    for (int n = 0; n < count; ++n) rows[n * each + place] = sum[n];
}

#endif
