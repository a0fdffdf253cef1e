#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include "../inputs/stretching.h"

enum { LEAD = KOL_HALO + 1, KINDS = 6 }; /* metrics reach from -h-1 to n+h; the last kind is grid.gp */

static int wrap(int i, int n)
{
    return (i % n + n) % n;
}

/* Own index of a cell, or of a face, of any index: on the other side of a periodic grid, mirrored beyond walls. */
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

/* Distance of the centres on both sides of face i: across the periodic seam too, and of a centre to its mirror image beyond a
 * wall. */
static double centre_distance(const struct grid *g, int dir, int i)
{
    const double *face = g->face[dir], *centre = g->centre[dir];
    const int n = g->n_g[dir];
    if (i > 0 && i < n) return centre[i] - centre[i - 1];
    if (g->periodic[dir]) return (centre[0] - face[0]) + (face[n] - centre[n - 1]);
    return i == 0 ? 2 * (centre[0] - face[0]) : 2 * (face[n] - centre[n - 1]);
}

/* Cell widths of a uniform direction are equal in exact arithmetic; taking them from rounded coordinates would
 * make them differ in the last digits, so they are length / n. */
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

static kol_status direction_create(const struct input *in, int dir, int n, struct grid *g, double *diffusive)
{
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
    g->periodic[dir] = in->boundary.face[2 * dir] == BOUNDARY_PERIODIC;
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
        /* rows of the 1-D operators at centres and faces: (1/f + 1/f_next)/c and its like at the face */
        largest = fmax(largest, 2 / c * (1 / f + 1 / f_next));
        double c_below;
        widths(g, dir, i - 1, &c_below, &ignore);
        largest = fmax(largest, 2 / f * (1 / c + 1 / c_below));
    }
    *diffusive += largest;
    return KOL_OK;
}

static kol_status metrics_create(const struct decomp *d, struct grid *g)
{
    size_t total = 0;
    for (int dir = 0; dir < 3; ++dir) total += (size_t)KINDS * (size_t)(d->n[dir] + 2 * LEAD);
    real *host = NULL;
    kol_status st = KOL_OK;
    TRY(mem_kernel_alloc(total * sizeof(real), (void **)&g->store));
    TRY(mem_host_alloc(total * sizeof(real), (void **)&host));
    const real **slot[3][KINDS] = {{&g->m.dx_c, &g->m.dx_f, &g->m.dxi_c, &g->m.dxi_f, &g->m.dx_e, &g->gp[X]},
                                   {&g->m.dy_c, &g->m.dy_f, &g->m.dyi_c, &g->m.dyi_f, &g->m.dy_e, &g->gp[Y]},
                                   {&g->m.dz_c, &g->m.dz_f, &g->m.dzi_c, &g->m.dzi_f, &g->m.dz_e, &g->gp[Z]}};
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
        TRY(direction_create(in, dir, d->n_g[dir], g, &diffusive));
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
    struct stencil s = {m.dx_c, m.dy_c, m.dz_c, m.dxi_f, m.dyi_f, m.dzi_f, shift, scale, g->uniform[X]};
    /* along its own direction a velocity's volume reaches from centre to centre, and the distance of the points
     * i-1 and i is the width of cell i-1 */
    if (loc == LOC_CCC) {
        s.gx = g->gp[X];
        s.gy = g->gp[Y];
        s.gz = g->gp[Z];
        s.uniform_x = g->uniform[X] && g->periodic[X];
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
