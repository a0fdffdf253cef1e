/* The layer beyond a wall at one place, for both backends. */
#ifndef KOL_POINT_WALL_H
#define KOL_POINT_WALL_H

#include "../wall.h"

/* wall_plane: the walls of direction d. a and b are the other two directions; in them, the cells lo .. hi-1
 * are filled. */
struct wall_plane {
    int d, a, b;
    int lo[2], hi[2];
};

HD int wall_there(struct walls w, int d)
{
    return (int)(w.faces >> (2 * d) & 3u);
}

HD struct wall_plane wall_plane_make(struct box b, struct cells c, int d)
{
    const int n[3] = {b.nx, b.ny, b.nz};
    const unsigned remote = c.which == CELLS_INNER ? c.remote : 0;
    struct wall_plane p;
    p.d = d;
    p.a = d == 0 ? 1 : 0;
    p.b = d == 2 ? 1 : 2;
    for (int e = 0; e < 2; ++e) {
        const int dir = e == 0 ? p.a : p.b;
        p.lo[e] = remote >> (2 * dir) & 1u ? 0 : -1;
        p.hi[e] = n[dir] + (remote >> (2 * dir + 1) & 1u ? 0 : 1);
    }
    return p;
}

/* wall_wanted: returns whether wall_fill() fills the place (i, j) of plane p at a side of its direction. */
HD int wall_wanted(struct box b, struct cells c, struct wall_plane p, int side, int i, int j)
{
    const int n[3] = {b.nx, b.ny, b.nz};
    unsigned beyond = 1u << (2 * p.d + side);
    if (c.which != CELLS_RIM) return 1;
    if (i < 0 || i >= n[p.a]) beyond |= 1u << (2 * p.a + (i >= 0));
    if (j < 0 || j >= n[p.b]) beyond |= 1u << (2 * p.b + (j >= 0));
    return (beyond & c.remote) != 0;
}

HD real point_beyond(real factor, real wall, real inside)
{
    return factor * inside + (1 - factor) * wall;
}

/* point_wall: fills the place (i, j) of plane p at one side, 0 or 1, of its direction. In a corner of two
 * walls, a component may be prescribed by the wall that it is normal to. Such a component has no gradient
 * across the other wall. */
HD void point_wall(struct box b, struct walls w, struct wall_plane p, int side, int i, int j,
                   real *const vel[3])
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    const int cells[3] = {b.nx, b.ny, b.nz}, d = p.d, n = cells[d], f = 2 * d + side;
    const ptrdiff_t sd = stride[d], o = b.start + i * stride[p.a] + j * stride[p.b];
    const ptrdiff_t beyond = o + (side == 0 ? -sd : n * sd), inside = o + (side == 0 ? 0 : (n - 1) * sd);
    for (int c = 0; c < 3; ++c) {
        const real wall = w.plane[f] != NULL ? w.plane[f][plane_at(b, d, c, i, j)] : w.velocity[f][c];
        const int at_c = c == p.a ? i : j;
        const int given =
            (at_c == 0 && (w.faces >> (2 * c) & 1u)) || (at_c == cells[c] && (w.faces >> (2 * c + 1) & 1u));
        if (c != d) {
            vel[c][beyond] = given ? vel[c][inside] : point_beyond(w.factor[f], wall, vel[c][inside]);
        } else if (side == 0) {
            vel[c][o] = wall;
            vel[c][beyond] = point_beyond(-1, wall, vel[c][o + sd]);
        } else {
            vel[c][beyond] = wall;
        }
    }
}

/* wall_row: geometry of a face. It has the directions along the face, whether it is the upper one, the places
 * of the first cell inside and beyond, and strides. */
struct wall_row {
    int d, a, b, high, n[2];
    ptrdiff_t in, beyond, sa, sb;
};

HD struct wall_row wall_row_make(struct box b, int face)
{
    const int cells[3] = {b.nx, b.ny, b.nz};
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    struct wall_row r;
    r.d = face / 2;
    r.high = face % 2;
    r.a = r.d == X ? Y : X;
    r.b = r.d == Z ? Y : Z;
    r.n[0] = cells[r.a];
    r.n[1] = cells[r.b];
    r.in = b.start + (r.high ? (cells[r.d] - 1) * stride[r.d] : 0);
    r.beyond = r.high ? r.in + stride[r.d] : r.in - stride[r.d];
    r.sa = stride[r.a];
    r.sb = stride[r.b];
    return r;
}

/* point_wall_shear: returns the shear on a piece of a row, for wall_shear(). */
HD double point_wall_shear(struct box b, struct metrics m, struct blocks bl, struct wall_row r, int c,
                           const real *u, int block, int j)
{
    const real *const width[3] = {m.dx_c, m.dy_c, m.dz_c}, *const distance[3] = {m.dx_f, m.dy_f, m.dz_f},
                      *const inverse[3] = {m.dxi_f, m.dyi_f, m.dzi_f};
    const int *const start[3] = {bl.x, bl.y, bl.z};
    const int cells[3] = {b.nx, b.ny, b.nz};
    const double across = c == r.a ? width[r.b][j] : distance[r.b][j],
                 over = inverse[r.d][r.high ? cells[r.d] : 0];
    double sum = 0;
    for (int i = start[r.a][block]; i < start[r.a][block + 1]; ++i) {
        const double along = c == r.a ? distance[r.a][i] : width[r.a][i];
        const ptrdiff_t o = i * r.sa + j * r.sb;
        sum += along * ((double)u[r.in + o] - (double)u[r.beyond + o]);
    }
    return sum * across * over;
}

#endif
