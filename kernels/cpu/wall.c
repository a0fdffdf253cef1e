/* Fills the layer of halo cells beyond walls, and sums the shear on a wall. */
#include "../wall.h"
#include "../point/wall.h"

static void fill_plane(struct box b, struct walls w, struct cells c, struct wall_plane p, real *const vel[3])
{
    for (int side = 0; side < 2; ++side) {
        if (!(w.faces >> (2 * p.d + side) & 1u)) continue;
        for (int j = p.lo[1]; j < p.hi[1]; ++j)
            for (int i = p.lo[0]; i < p.hi[0]; ++i)
                if (wall_wanted(b, c, p, side, i, j)) point_wall(b, w, p, side, i, j, vel);
    }
}

/* One direction is filled after the other. Where two walls meet, the later one uses what the earlier one has
 * filled. */
kol_status wall_fill(struct box b, struct walls w, struct cells c, real *const vel[3])
{
    for (int d = 0; d < 3; ++d)
        if (wall_there(w, d)) fill_plane(b, w, c, wall_plane_make(b, c, d), vel);
    return KOL_OK;
}

kol_status wall_shear(struct box b, struct metrics m, struct blocks bl, int face, int c, const real *u,
                      double *rows)
{
    const struct wall_row r = wall_row_make(b, face);
    const int blocks = r.a == X ? bl.nx : bl.ny;
    for (int j = 0; j < r.n[1]; ++j)
        for (int block = 0; block < blocks; ++block)
            rows[(ptrdiff_t)j * blocks + block] = point_wall_shear(b, m, bl, r, c, u, block, j);
    return KOL_OK;
}
