/* The layer beyond a wall at one place, written once for both backends. */
#ifndef KOL_POINT_WALL_H
#define KOL_POINT_WALL_H

#include "../wall.h"

/* wall_plane: one direction's walls: cells lo .. hi-1 of the other two directions, a and b. */
struct wall_plane {
    int d, a, b;
    int lo[2], hi[2];
};

HD int wall_there(struct walls w, int d)
{
    return (int)(w.faces >> (2 * d) & 3u);
}

HD struct wall_plane wall_plane_make(struct box b, unsigned remote, int d)
{
    const int n[3] = {b.nx, b.ny, b.nz};
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

HD real point_beyond(real factor, real wall, real inside)
{
    return factor * inside + (1 - factor) * wall;
}

/* point_wall: the place (i, j) of plane p at one side, 0 or 1, of its direction. A component that is given there by a wall of its own
 * direction, in a corner of two, has no gradient across this one. */
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

#endif
