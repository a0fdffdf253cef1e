/* Computes the viscous term of faces beside bodies, and orders these faces by the blocks of sums. */
#include "wall_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A wall whose distance from a face of the volume is less than this part of the width lies on it. */
static const double ON_FACE = 1e-9;

/* Distances of the points on both sides along direction e from a face of component d, and the width of its
 * volume in e. */
struct around {
    double low, high, width;
};

static struct around around_of(const struct grid *g, int d, int e, int at_grid)
{
    const int n = g->n_g[e], before = at_grid > 0 ? at_grid - 1 : n - 1;
    if (e == d)
        return (struct around){grid_width(g, e, before), grid_width(g, e, at_grid),
                               grid_centre_distance(g, e, at_grid)};
    return (struct around){grid_centre_distance(g, e, at_grid), grid_centre_distance(g, e, at_grid + 1),
                           grid_width(g, e, at_grid)};
}

/* Adds the viscous term in direction e of a face to *t, without what the plain stencil has of it. If a and b
 * are the distances of the wall or neighbour on the two sides, the term is
 *
 *     r nu / width [(u_low - u) / a + (u_high - u) / b],   r = (low + high) / (a + b)
 *
 * (Shortley and Weller, J. Appl. Phys. 9 (1938) 334, in a form that is the plain stencil where there is no
 * wall). drag[]: the part of each wall.
 *
 * There is one exception. If the velocity is along the wall, and a single wall lies on the face of the
 * volume, it is mirrored as the walls of the grid are. So bodies whose surfaces lie on faces of cells are the
 * same as walls of the grid. */
static void add_direction(struct wall_terms *t, double nu, int d, int e, struct around s, const double xi[2],
                          const int wall[2], double drag[2])
{
    const double h[2] = {s.low, s.high}, *speed = &t->speed[2 * e];
    for (int side = 0; side < 2; ++side) {
        if (e == d || !wall[side] || wall[1 - side] ||
            fabs(xi[side] * h[side] - s.width / 2) > ON_FACE * s.width)
            continue;
        t->mirror |= 1u << (2 * e + side);
        t->rest -= nu / s.width * (2 / s.width - 1 / h[side]) * speed[side];
        return;
    }
    const double r = (s.low + s.high) / (xi[0] * s.low + xi[1] * s.high), scale = nu / s.width;
    for (int side = 0; side < 2; ++side) {
        if (wall[side]) {
            drag[side] += scale * (r / xi[side] - 1) / h[side];
        } else { /* (r - 1) (u_neighbour - u) / h, split at the velocity of the wall */
            const double half = scale * (r - 1) / h[side];
            drag[1 - side] += half;
            /* as the kernels have it: what they subtract and what the force adds are the same then */
            t->half[e] = (float)half;
            t->rest += t->half[e] * speed[1 - side];
        }
    }
}

/* Sets drag and wall, and the shares of the walls. The last share is what the others leave of 1. */
static void add_walls(struct wall_terms *t, const int wall[6], const double drag[6])
{
    double left = 1;
    int last = -1;
    for (int q = 0; q < 6; ++q) {
        t->drag += drag[q];
        t->wall += drag[q] * t->speed[q];
        if (wall[q]) last = q;
    }
    if (t->drag > 0) t->wall /= t->drag;
    for (int q = 0; q < last; ++q) {
        t->share[q] = t->drag > 0 ? drag[q] / t->drag : 0;
        left -= t->share[q];
    }
    if (last >= 0) t->share[last] = left;
}

struct wall_terms wall_terms_of(const struct domain *domain, const struct body_geometry *geometry, int d,
                                const struct body_wall_face *face)
{
    const struct grid *g = &domain->grid;
    struct wall_terms t = {0};
    double point[3], drag[6] = {0, 0, 0, 0, 0, 0};
    int wall[6];
    for (int e = 0; e < 3; ++e) {
        const int cell = domain->decomp.offset[e] + face->cell[e];
        point[e] = e == d ? g->face[e][cell] : g->centre[e][cell];
    }
    for (int e = 0; e < 3; ++e) {
        const double xi[2] = {face->xi[2 * e], face->xi[2 * e + 1]};
        const struct around s = around_of(g, d, e, domain->decomp.offset[e] + face->cell[e]);
        for (int side = 0; side < 2; ++side) {
            const int q = 2 * e + side;
            double u[3], x[3];
            wall[q] = face->body[q] >= 0;
            if (!wall[q]) continue;
            t.closed |= 1u << q;
            memcpy(t.at[q], point, sizeof point);
            t.at[q][e] += side == 0 ? -xi[0] * s.low : xi[1] * s.high;
            body_geometry_velocity(geometry, face->body[q], t.at[q], u);
            t.speed[q] = u[d];
            /* the plain stencil has the velocity of the neighbour, which lies deeper in a body that turns */
            memcpy(x, point, sizeof x);
            x[e] += side == 0 ? -s.low : s.high;
            body_geometry_velocity(geometry, face->body[q], x, u);
            t.lead[q] = domain->in->fluid.nu / (s.width * (side == 0 ? s.low : s.high)) * (t.speed[q] - u[d]);
            t.rest -= t.lead[q];
        }
        if (wall[2 * e] || wall[2 * e + 1])
            add_direction(&t, domain->in->fluid.nu, d, e, s, xi, &wall[2 * e], &drag[2 * e]);
    }
    add_walls(&t, wall, drag);
    return t;
}

/* The block of sums, of this rank, in which a local index lies. */
static int block_of(const struct decomp *d, int dir, int i)
{
    const long long cell = (long long)d->offset[dir] + i;
    /* never above the block, and at most a few below it */
    int b = i > 0 ? (int)(cell * d->blocks_g[dir] / d->n_g[dir]) - d->first_block[dir] : 0;
    while (decomp_block_start(d, dir, d->first_block[dir] + b + 1) <= cell) ++b;
    return b;
}

int block_count(const struct decomp *d)
{
    return d->blocks[X] * d->blocks[Y] * d->blocks[Z];
}

int block_number(const struct decomp *d, const int cell[3])
{
    return (block_of(d, Z, cell[Z]) * d->blocks[Y] + block_of(d, Y, cell[Y])) * d->blocks[X] +
           block_of(d, X, cell[X]);
}

kol_status block_order(const struct decomp *decomp, const void *cell, int n, size_t stride, int *place,
                       int *start)
{
    const int blocks = block_count(decomp);
    int *next = calloc((size_t)blocks + 1, sizeof *next);
    if (next == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the lists of the bodies");
    memset(start, 0, ((size_t)blocks + 1) * sizeof *start);
    for (int i = 0; i < n; ++i) { /* for now place holds the block */
        int at_cell[3];
        memcpy(at_cell, (const char *)cell + (size_t)i * stride, sizeof at_cell);
        place[i] = block_number(decomp, at_cell);
        ++start[place[i] + 1];
    }
    for (int q = 0; q < blocks; ++q) start[q + 1] += start[q];
    memcpy(next, start, ((size_t)blocks + 1) * sizeof *next);
    for (int i = 0; i < n; ++i) place[i] = next[place[i]]++;
    free(next);
    return KOL_OK;
}
