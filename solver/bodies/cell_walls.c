/* Finds the cells beside bodies that hold a scalar, and how far their surface is along the grid lines. */
#include "cell_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/scalars.h"
#include "surface_points.h"

enum { CENTRES = 3 }; /* the "component" whose points are the centres of cells, see body_faces.h */

/* A wall whose distance from a face of the cell is less than this part of the width lies on it. */
static const double ON_FACE = 1e-9;

struct held_values held_values_of(const struct input *in, int n)
{
    struct held_values v;
    memset(&v, 0, sizeof v);
    v.fluxes = scalar_flux_on_bodies(in, n);
    for (int m = 0; m <= BODIES_MOST; ++m) v.holds[m] = (unsigned char)scalar_on_body(in, n, m, &v.value[m]);
    return v;
}

static int entry(int body)
{
    return body < BODIES_MOST ? body : BODIES_MOST;
}

int held_by(const struct held_values *v, int body)
{
    return body >= 0 && v->holds[entry(body)];
}

double held_value(const struct held_values *v, int body)
{
    return v->value[entry(body)];
}

kol_status cell_owners_find(const struct domain *domain, const struct body_geometry *g, int **owner)
{
    const struct box b = domain->grid.box;
    const int row = b.nx + 2;
    struct body_faces f;
    kol_status st = KOL_OK;
    memset(&f, 0, sizeof f);
    double *depth = malloc((size_t)row * sizeof *depth);
    *owner = malloc((size_t)b.size * sizeof **owner);
    if (depth == NULL || *owner == NULL) {
        free(depth);
        RAISE(KOL_ERR_MEMORY, "no memory for the bodies of %td cells", b.size);
    }
    TRY_OR(done, body_faces_create(domain, &f));
    for (int k = -1; k <= b.nz; ++k)
        for (int j = -1; j <= b.ny; ++j)
            body_set_row(g->set, row, f.x[0][X] + BODY_RIM - 1, body_face_place(&f, CENTRES, Y, j),
                         body_face_place(&f, CENTRES, Z, k), *owner + at(b, -1, j, k), depth);
done:
    free(depth);
    body_faces_destroy(&f);
    return st;
}

/* look: where links are looked for. */
struct look {
    const struct domain *domain;
    const struct body_geometry *g;
    const struct body_faces *f;
    const int *owner;
    const struct held_values *v;
};

/* side: what is on one side of a cell. OPEN: fluid, or what counts as fluid. WALL: the surface of a body that
 * holds the scalar, at the distance xi of the centre behind it. SHUT: a closed face without flux. PLAIN: a
 * held cell behind an open face, with the flux of the plain stencil. */
enum kind { OPEN, WALL, SHUT, PLAIN };
struct side {
    enum kind kind;
    double xi;
    int body, open;
};

/* The first wall on the way from the centre of cell p to the one behind side q. Rounding may leave none: then
 * the face or the centre behind it touches the wall. */
static void first_wall(const struct look *l, const int p[3], int q, int behind, struct side *s)
{
    const struct body_faces *f = l->f;
    struct body_part part[BODY_PARTS];
    double x[3];
    for (int d = 0; d < 3; ++d) x[d] = body_face_place(f, CENTRES, d, p[d]);
    const int e = q / 2;
    const double length = body_face_link(f, CENTRES, e, p[e], q % 2);
    if (body_set_link(l->g->set, x, e, q % 2, length, part) > 0) {
        s->xi = fmin(fmax(part[0].from, BODY_XI_LEAST), 1);
        s->body = part[0].body;
        return;
    }
    double depth, face[3] = {x[0], x[1], x[2]};
    face[e] = body_face_place(f, e, e, p[e] + q % 2);
    s->xi = s->open ? 1 : fmin(fabs(face[e] - x[e]) / length, 1);
    s->body = behind;
    if (behind < 0) body_set_row(l->g->set, 1, &face[0], face[1], face[2], &s->body, &depth);
}

static struct side side_of(const struct look *l, const int p[3], int q)
{
    const struct box b = l->domain->grid.box;
    const ptrdiff_t stride[3] = {1, b.sy, b.sz}, o = at(b, p[0], p[1], p[2]);
    const int e = q / 2, next = p[e] + (q % 2 ? 1 : -1);
    struct side s = {OPEN, 1, -1, l->g->open[o] >> q & 1};
    const int beyond = body_face_beyond(l->f, CENTRES, e, next),
              behind = beyond ? -1 : l->owner[o + (q % 2 ? stride[e] : -stride[e])],
              held = held_by(l->v, behind);
    if (beyond || (s.open && !held)) {
        if (!s.open) s.kind = SHUT;
        return s;
    }
    s.kind = SHUT;
    if (l->owner[o] < 0) first_wall(l, p, q, behind, &s);
    if (l->owner[o] < 0 && held_by(l->v, s.body)) {
        s.kind = WALL;
    } else if (s.open) {
        s.kind = PLAIN;
        s.body = behind;
    }
    return s;
}

/* Sets the links of direction e. With a and b the distances of the wall or centre on the two sides, the
 * diffusion is
 *
 *     r / width [(low - theta) / a + (high - theta) / b],   r = (low + high) / (a + b)
 *
 * as for the velocity (wall_terms.c), and the link gets what the plain stencil lacks of it. If a single wall
 * lies on the face of the cell, it is mirrored, as the faces of the grid are. Beside a side without flux
 * r = 1. */
static void add_direction(const struct look *l, int e, const struct side s[2], struct cell_wall *w)
{
    const struct grid *g = &l->domain->grid;
    const int i = l->domain->decomp.offset[e] + w->cell[e];
    const double h[2] = {grid_centre_distance(g, e, i), grid_centre_distance(g, e, i + 1)},
                 width = grid_width(g, e, i);
    for (int n = 0; n < 2; ++n) {
        const struct side other = s[1 - n];
        if (s[n].kind != WALL && s[n].kind != PLAIN) continue;
        struct cell_link *link = &w->link[w->links++];
        *link = (struct cell_link){.body = s[n].body, .side = 2 * e + n, .open = s[n].open};
        if (s[n].kind == PLAIN) continue;
        const double plain = s[n].open ? 1 / (width * h[n]) : 0;
        const double a = s[n].xi * h[n], b = other.kind == WALL ? other.xi * h[1 - n] : h[1 - n];
        if (other.kind != WALL && fabs(a - width / 2) <= ON_FACE * width) {
            link->mirror = 2 / (width * width) - plain;
            continue;
        }
        const double r = other.kind == WALL || other.kind == OPEN ? (h[0] + h[1]) / (a + b) : 1;
        if (other.kind == OPEN) link->half = (r - 1) / (width * h[1 - n]);
        link->drag = r / (width * a) - plain + link->half;
    }
}

/* Sets the links of a cell through whose closed faces a flux enters. A face stands for the part of the
 * surface that its area, as a vector out of the solid, has along the normal of the surface there. */
static void add_fluxes(const struct look *l, struct cell_wall *w)
{
    const struct grid *g = &l->domain->grid;
    const struct box b = g->box;
    const ptrdiff_t stride[3] = {1, b.sy, b.sz}, o = at(b, w->cell[X], w->cell[Y], w->cell[Z]);
    for (int q = 0; q < FACES; ++q) {
        const int e = q / 2, high = q % 2;
        int face[3] = {w->cell[X], w->cell[Y], w->cell[Z]};
        double normal[3];
        if (l->g->open[o] >> q & 1 || body_face_beyond(l->f, CENTRES, e, w->cell[e] + (high ? 1 : -1)))
            continue;
        face[e] += high;
        surface_normal(l->domain, l->g, e, face, !high, normal);
        const double width = grid_width(g, e, l->domain->decomp.offset[e] + w->cell[e]);
        struct side s = {.open = 0, .body = -1};
        first_wall(l, w->cell, q, l->owner[o + (high ? stride[e] : -stride[e])], &s);
        w->link[w->links++] =
            (struct cell_link){.gives = (high ? -1 : 1) * normal[e] / width, .body = s.body, .side = q};
    }
}

/* Makes room for one more entry; the memory grows by half each time. */
static kol_status make_room(struct cell_wall **list, int count, int *room)
{
    if (count < *room) return KOL_OK;
    const int more = *room + *room / 2 + 1024;
    struct cell_wall *larger = realloc(*list, (size_t)more * sizeof *larger);
    if (larger == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a list of %d cells next to bodies", more);
    *list = larger;
    *room = more;
    return KOL_OK;
}

static kol_status find_all(const struct look *l, struct cell_wall **list, int *count)
{
    const struct box b = l->domain->grid.box;
    int room = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                struct cell_wall w = {.cell = {i, j, k}, .links = 0};
                const ptrdiff_t o = at(b, i, j, k);
                if (l->g->open[o] == 0 || held_by(l->v, l->owner[o])) continue;
                if (l->v->fluxes) add_fluxes(l, &w);
                for (int e = 0; e < 3 && !l->v->fluxes; ++e) {
                    const struct side s[2] = {side_of(l, w.cell, 2 * e), side_of(l, w.cell, 2 * e + 1)};
                    add_direction(l, e, s, &w);
                }
                if (w.links == 0) continue;
                TRY(make_room(list, *count, &room));
                (*list)[(*count)++] = w;
            }
    return KOL_OK;
}

kol_status cell_walls_find(const struct domain *domain, const struct body_geometry *g, const int *owner,
                           const struct held_values *v, struct cell_wall **list, int *count)
{
    struct body_faces f;
    const struct look l = {domain, g, &f, owner, v};
    kol_status st = KOL_OK;
    memset(&f, 0, sizeof f);
    *list = NULL;
    *count = 0;
    TRY_OR(done, body_faces_create(domain, &f));
    TRY_OR(done, find_all(&l, list, count));
done:
    body_faces_destroy(&f);
    return st;
}
