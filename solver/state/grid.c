/* Computes the coordinates of the staggered grid, its spacings and the stencils of its operators. */
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "inputs/stretching.h"

enum {
    LEAD = KOL_HALO + 1,
    KINDS = 9
}; /* metrics reach from -h-1 to n+h; the last kinds are grid.gp, held_c, held_f, held_gi */
/* Where the velocity is given, the volumes round its points are multiplied by this number. Then the conjugate
 * gradients change these points by less than the rounding of what they change elsewhere. */
static const double HELD = KOL_CHOOSE(1e24, 1e10);

static int wrap(int i, int n)
{
    return (i % n + n) % n;
}

/* The index of an own cell, or of an own face, for any index. In a periodic direction it lies on the other
 * side of the grid; beyond walls it is the mirror image. */
static int own_cell(const struct grid *g, int dir, int i)
{
    const int n = g->n_g[dir];
    if (g->periodic[dir]) return wrap(i, n);
    i = wrap(i, 2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

static int own_face(const struct grid *g, int dir, int i)
{
    const int n = g->n_g[dir];
    if (g->periodic[dir]) return wrap(i, n);
    i = wrap(i, 2 * n);
    return i <= n ? i : 2 * n - i;
}

/* Distance of the centres on both sides of face i, also across the periodic seam. Beyond a wall it is the
 * distance of a centre from its mirror image. */
static double centre_distance(const struct grid *g, int dir, int i)
{
    const double *face = g->face[dir], *centre = g->centre[dir];
    const int n = g->n_g[dir];
    if (i > 0 && i < n) return centre[i] - centre[i - 1];
    if (g->periodic[dir]) return (centre[0] - face[0]) + (face[n] - centre[n - 1]);
    return i == 0 ? 2 * (centre[0] - face[0]) : 2 * (face[n] - centre[n - 1]);
}

/* Widths of a cell and of a face's volume. In a uniform direction they are set to length / n, because
 * differences of rounded coordinates would not all be the same in the last digits. */
static void widths(const struct grid *g, int dir, int i, double *c, double *f)
{
    const int n = g->n_g[dir], cell = own_cell(g, dir, i);
    *c = g->uniform[dir] ? g->length[dir] / n : g->face[dir][cell + 1] - g->face[dir][cell];
    *f = g->uniform[dir] ? g->length[dir] / n : centre_distance(g, dir, own_face(g, dir, i));
}

static int on_wall(const struct grid *g, int dir, int i)
{
    return !g->periodic[dir] && (i == 0 || i == g->n_g[dir]);
}

/* part_beyond: the weight of the prescribed velocity in the value beyond a face.
 *
 *   2   walls and inflows: the mean of this value and the value inside is prescribed
 *   1   outflows: the value beyond is prescribed
 *   0   free slip */
static double part_beyond(const struct input *in, int face)
{
    return face_is_free_slip(in, face) ? 0 : face_is_outflow(in, face) ? 1 : 2;
}

static kol_status direction_create(const struct input *in, const struct decomp *d, int dir, struct grid *g,
                                   double *diffusive)
{
    const int n = d->n_g[dir];
    const int given = g->face[dir] != NULL;
    double *face = given ? g->face[dir] : malloc(((size_t)n + 1) * sizeof *face),
           *centre = malloc((size_t)n * sizeof *centre);
    g->face[dir] = face;
    g->centre[dir] = centre;
    if (face == NULL || centre == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d coordinates", n);
    g->n_g[dir] = n;
    g->length[dir] = in->grid.length[dir];
    g->origin[dir] = in->grid.origin[dir];
    g->uniform[dir] = in->grid.stretching[dir] == STRETCHING_UNIFORM;
    g->periodic[dir] = direction_is_periodic(in, dir);
    for (int side = 0; side < 2; ++side) {
        const int f = 2 * dir + side;
        g->part_beyond[f] = part_beyond(in, f);
        if (!g->periodic[dir] && d->coord[dir] == (side == 0 ? 0 : d->ranks[dir] - 1)) g->held |= 1u << f;
    }
    if (!given)
        stretching_faces(n, g->origin[dir], g->length[dir], in->grid.stretching[dir],
                         in->grid.stretching_factor[dir], face);
    for (int i = 0; i < n; ++i) centre[i] = 0.5 * (face[i] + face[i + 1]);
    double largest = 0;
    for (int i = 0; i < n; ++i) {
        double c, f, f_next, ignore;
        widths(g, dir, i, &c, &f);
        widths(g, dir, i + 1, &ignore, &f_next);
        if (!(c > 8 * KOL_EPSILON * fmax(fabs(face[i]), fabs(face[i + 1])))) {
            RAISE(
                KOL_ERR_INPUT,
                "grid: faces %d and %d in %c are %.3g apart at coordinate %.6g, too close for %s arithmetic; "
                "%s(%d) or move grid.origin",
                i, i + 1, "xyz"[dir], c, face[i], KOL_REAL_NAME,
                given ? "change grid.stretching_file" : "lower grid.stretching_factor", dir + 1);
        }
        g->narrowest[dir] = fmin(g->narrowest[dir], c);
        /* rows of the 1-D operators, at centres (1/f + 1/f_next)/c, and the same at faces */
        largest = fmax(largest, 2 / c * (1 / f + 1 / f_next));
        double c_below;
        widths(g, dir, i - 1, &c_below, &ignore);
        largest = fmax(largest, 2 / f * (1 / c + 1 / c_below));
    }
    *diffusive += largest;
    return KOL_OK;
}

/* Whether a point is held: beyond a wall, or, for faces, also on the wall. */
static int held(const struct grid *g, int dir, int i, int faces)
{
    return !g->periodic[dir] && (i < faces || i >= g->n_g[dir]);
}

/* Factor of the inverse distance to the image of a centre beyond face i. With it a velocity of 0 in the image
 * acts like the boundary condition on the face. Inside, the factor is 1. */
static double hold(const struct grid *g, int dir, int i)
{
    if (!on_wall(g, dir, i)) return 1;
    return g->part_beyond[2 * dir + (i != 0)];
}

static kol_status metrics_create(const struct decomp *d, struct grid *g)
{
    size_t total = 0;
    for (int dir = 0; dir < 3; ++dir) total += (size_t)KINDS * (size_t)(d->n[dir] + 2 * LEAD);
    real *host = NULL;
    kol_status st = KOL_OK;
    g->store_bytes = total * sizeof(real);
    TRY(mem_kernel_alloc(g->store_bytes, (void **)&g->store));
    TRY(mem_host_alloc(total * sizeof(real), (void **)&host));
    const real **slot[3][KINDS] = {{&g->m.dx_c, &g->m.dx_f, &g->m.dxi_c, &g->m.dxi_f, &g->m.dx_e, &g->gp[X],
                                    &g->held_c[X], &g->held_f[X], &g->held_gi[X]},
                                   {&g->m.dy_c, &g->m.dy_f, &g->m.dyi_c, &g->m.dyi_f, &g->m.dy_e, &g->gp[Y],
                                    &g->held_c[Y], &g->held_f[Y], &g->held_gi[Y]},
                                   {&g->m.dz_c, &g->m.dz_f, &g->m.dzi_c, &g->m.dzi_f, &g->m.dz_e, &g->gp[Z],
                                    &g->held_c[Z], &g->held_f[Z], &g->held_gi[Z]}};
    size_t at_value = 0;
    for (int dir = 0; dir < 3; ++dir) {
        const int n = d->n[dir], row = n + 2 * LEAD;
        for (int i = -LEAD; i < n + LEAD; ++i) {
            double c, f;
            const int i_g = d->offset[dir] + i;
            widths(g, dir, i_g, &c, &f);
            real *to = host + at_value + LEAD + i;
            to[0] = (real)c;
            to[row] = (real)f;
            to[2 * row] = (real)(1 / c);
            to[3 * row] = (real)(1 / f);
            to[4 * row] = (real)(on_wall(g, dir, i_g) ? f / 2 : f);
            to[5 * row] = on_wall(g, dir, i_g) ? 0 : (real)(1 / f);
            to[6 * row] = (real)(held(g, dir, i_g, 0) ? HELD * c : c);
            to[7 * row] = (real)(held(g, dir, i_g, 1) ? HELD * f : f);
            to[8 * row] = (real)(hold(g, dir, i_g) / f);
        }
        for (int kind = 0; kind < KINDS; ++kind) *slot[dir][kind] = g->store + at_value + kind * row + LEAD;
        at_value += (size_t)KINDS * (size_t)row;
    }
    TRY_OR(done, mem_to_kernel(g->store, host, total * sizeof(real)));
done:
    mem_host_free(host);
    return st;
}

kol_status grid_create(const struct input *in, const struct decomp *d, struct grid *g)
{
    double diffusive = 0, cells = 1;
    g->smallest = INFINITY;
    g->volume = 1;
    for (int dir = 0; dir < 3; ++dir) {
        g->narrowest[dir] = INFINITY;
        TRY(direction_create(in, d, dir, g, &diffusive));
        g->smallest = fmin(g->smallest, g->narrowest[dir]);
        g->volume *= g->length[dir];
        cells *= d->n_g[dir];
        if (dir < Z) g->diffusive_xy = diffusive;
    }
    g->diffusive = diffusive;
    g->h = cbrt(g->volume / cells);
    g->box = box_make(d->n[X], d->n[Y], d->n[Z], KOL_HALO);
    TRY(metrics_create(d, g));
    return KOL_OK;
}

void grid_destroy(struct grid *g)
{
    for (int dir = 0; dir < 3; ++dir) {
        free(g->face[dir]);
        free(g->centre[dir]);
        g->face[dir] = g->centre[dir] = NULL;
    }
    mem_kernel_free(g->store);
    g->store = NULL;
}

double grid_centre_distance(const struct grid *g, int dir, int i)
{
    double c, f;
    widths(g, dir, i, &c, &f);
    return f;
}

double grid_width(const struct grid *g, int dir, int i)
{
    double c, f;
    widths(g, dir, i, &c, &f);
    return c;
}

struct stencil grid_stencil(const struct grid *g, enum location loc, real shift, real scale)
{
    const struct metrics m = g->m;
    struct stencil s = {m.dx_c, m.dy_c, m.dz_c,        m.dxi_f, m.dyi_f, m.dzi_f,
                        shift,  scale,  g->uniform[X], 0,       NULL};
    /* the volume of a velocity reaches from centre to centre along its own direction, and the distance of
     * points i-1 and i is the width of cell i-1 */
    if (loc == LOC_CCC) {
        s.gx = g->gp[X];
        s.gy = g->gp[Y];
        s.gz = g->gp[Z];
        s.uniform_x = g->uniform[X] && g->periodic[X];
        s.open = g->open;
    } else if (loc == LOC_FCC) {
        s.wx = m.dx_f;
        s.gx = m.dxi_c - 1;
    } else if (loc == LOC_CFC) {
        s.wy = m.dy_f;
        s.gy = m.dyi_c - 1;
    } else if (loc == LOC_CCF) {
        s.wz = m.dz_f;
        s.gz = m.dzi_c - 1;
    }
    return s;
}

struct stencil grid_stencil_held(const struct grid *g, enum location loc, real shift, real scale)
{
    struct stencil s = grid_stencil(g, loc, shift, scale);
    const real **w[3] = {&s.wx, &s.wy, &s.wz}, **gi[3] = {&s.gx, &s.gy, &s.gz};
    for (int dir = 0; dir < 3; ++dir) {
        const int through = (int)loc - (int)LOC_FCC == dir;
        if (g->periodic[dir]) continue;
        *w[dir] = through ? g->held_f[dir] : g->held_c[dir];
        if (!through) *gi[dir] = g->held_gi[dir];
    }
    s.uniform_x = g->uniform[X] && g->periodic[X];
    s.held = g->held;
    return s;
}
