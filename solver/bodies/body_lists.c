/* Orders the faces beside and in bodies, and moves their lists into kernel memory. */
#include "body_lists.h"

#include <stdlib.h>
#include "inputs/schemes.h"
#include "kernels/base/mem.h"
#include "body_set.h"
#include "travellers.h"
#include "wall_terms.h"

/* host_points: the lists of a component in host memory. */
struct host_points {
    struct body_point *point;
    real *wall;
    int *block;
    int moves; /* whether a value of `wall` is not 0 */
};

static void host_points_free(struct host_points *h)
{
    free(h->point);
    free(h->wall);
    free(h->block);
}

static kol_status host_points_make(const struct domain *domain, const struct body_geometry *geometry, int d,
                                   struct host_points *h)
{
    const struct decomp *dec = &domain->decomp;
    const int n = geometry->walls[d], blocks = block_count(dec);
    *h = (struct host_points){.point = calloc((size_t)n + 1, sizeof *h->point),
                              .wall = calloc(2 * (size_t)n + 1, sizeof *h->wall),
                              .block = calloc((size_t)blocks + 1, sizeof *h->block)};
    int *place = malloc(((size_t)n + 1) * sizeof *place);
    kol_status st = KOL_OK;
    if (h->point == NULL || h->wall == NULL || h->block == NULL || place == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the lists of the bodies");
    } else {
        st = block_order(dec, geometry->wall[d], n, sizeof *geometry->wall[d], place, h->block);
        for (int i = 0; i < n && st == KOL_OK; ++i) {
            const struct body_wall_face *face = &geometry->wall[d][i];
            const struct wall_terms t = wall_terms_of(domain, geometry, d, face);
            struct body_point *p = &h->point[place[i]];
            p->at = (int)at(domain->grid.box, face->cell[X], face->cell[Y], face->cell[Z]);
            p->drag = (float)t.drag;
            p->mirror = (unsigned char)t.mirror;
            p->closed = (unsigned char)t.closed;
            for (int e = 0; e < 3; ++e) {
                p->half[e] = (float)t.half[e];
            }
            h->wall[2 * place[i]] = (real)t.wall;
            h->wall[2 * place[i] + 1] = (real)t.rest;
            if (t.wall != 0 || t.rest != 0) h->moves = 1;
        }
    }
    free(place);
    return st;
}

kol_status kernel_room_fill(const struct domain *domain, struct kernel_room *room, const void *host,
                            size_t bytes, size_t least)
{
    if (room->at == NULL || room->bytes < bytes) {
        const size_t wanted = bytes > least ? bytes + (room->at != NULL ? bytes / 2 : 0) : least;
        if (wanted == 0) return KOL_OK;
        mem_kernel_free(room->at);
        room->at = NULL;
        TRY(memory_kernel(domain->memory, wanted, &room->at));
        room->bytes = wanted;
    }
    if (memory_counts(domain->memory) || bytes == 0 || host == NULL) return KOL_OK;
    return mem_to_kernel(room->at, host, bytes);
}

kol_status body_lists_points(const struct domain *domain, const struct body_geometry *geometry, int d,
                             struct point_rooms *r, struct body_points *out)
{
    const size_t n = (size_t)geometry->walls[d], blocks = (size_t)block_count(&domain->decomp);
    const int travel = geometry->travellers != NULL;
    const size_t least = travel ? n + (size_t)geometry->travellers->most_walls[d] * 5 / 4 + 256 : 0;
    struct host_points h;
    kol_status st = host_points_make(domain, geometry, d, &h);
    if (st == KOL_OK)
        st = kernel_room_fill(domain, &r->point, h.point, n * sizeof *h.point, least * sizeof *h.point);
    if (st == KOL_OK && (h.moves || travel))
        st = kernel_room_fill(domain, &r->wall, h.wall, 2 * n * sizeof *h.wall, 2 * least * sizeof *h.wall);
    if (st == KOL_OK) st = kernel_room_fill(domain, &r->block, h.block, (blocks + 1) * sizeof *h.block, 0);
    if (st == KOL_OK) st = kernel_room_fill(domain, &r->base, NULL, n * sizeof(real), least * sizeof(real));
    if (st == KOL_OK && increments_possible(domain->in))
        st = kernel_room_fill(domain, &r->lead, NULL, n * sizeof(real), 0);
    host_points_free(&h);
    *out = (struct body_points){.n = (int)n,
                                .point = r->point.at,
                                .wall = h.moves || travel ? r->wall.at : NULL,
                                .base = r->base.at,
                                .lead = r->lead.at,
                                .block = r->block.at};
    return st;
}

/* host_held: the closed faces with a velocity of one component, in host memory. */
struct held_face {
    int cell[3];
    double value;
};
struct host_held {
    struct held_face *face;
    int n, room;
};

static kol_status host_held_add(struct host_held *h, int i, int j, int k, double value)
{
    if (h->n == h->room) {
        const int room = 2 * h->room + 1024;
        struct held_face *more = realloc(h->face, (size_t)room * sizeof *more);
        if (more == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the lists of the bodies");
        h->face = more;
        h->room = room;
    }
    h->face[h->n++] = (struct held_face){{i, j, k}, value};
    return KOL_OK;
}

/* Adds the faces of a row that belong to bodies at rest. x: their coordinates; at_row: y and z; work: n
 * values. */
static kol_status held_row(const struct body_geometry *geometry, int d, int n, const double *x,
                           double at_row[3], int j, int k, int *owner, double *work, struct host_held *h)
{
    body_set_row(geometry->set, n, x, at_row[Y], at_row[Z], owner, work);
    for (int i = 0; i < n; ++i) {
        double u[3];
        at_row[X] = x[i];
        if (owner[i] < 0 || body_motion_travels(&geometry->set->body[owner[i]].motion)) continue;
        body_geometry_velocity(geometry, owner[i], at_row, u);
        if (u[d] != 0) TRY(host_held_add(h, i, j, k, u[d]));
    }
    return KOL_OK;
}

/* Finds the faces in bodies that turn. In a rigid motion the divergence of closed cells vanishes, so all
 * faces in such a body have its velocity, not only those that the fluid sees. */
static kol_status host_held_find(const struct domain *domain, const struct body_geometry *geometry, int d,
                                 struct host_held *h)
{
    const struct grid *g = &domain->grid;
    const int *n = domain->decomp.n, *first = domain->decomp.offset;
    const double *place[3];
    double *work = malloc((size_t)n[X] * sizeof *work);
    int *owner = malloc((size_t)n[X] * sizeof *owner);
    kol_status st = KOL_OK;
    for (int e = 0; e < 3; ++e) place[e] = (e == d ? g->face[e] : g->centre[e]) + first[e];
    if (work == NULL || owner == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the lists of the bodies");
    for (int k = 0; k < n[Z] && st == KOL_OK; ++k)
        for (int j = 0; j < n[Y] && st == KOL_OK; ++j) {
            double at_row[3] = {0, place[Y][j], place[Z][k]};
            st = held_row(geometry, d, n[X], place[X], at_row, j, k, owner, work, h);
        }
    free(work);
    free(owner);
    return st;
}

int body_lists_turn(const struct body_geometry *geometry)
{
    for (int n = 0; n < geometry->bodies; ++n)
        if (geometry->body[n].rotation != 0) return 1;
    return 0;
}

/* Adds the faces of bodies that travel. Their divergence vanishes, too. */
static kol_status held_travel(const struct domain *domain, const struct body_geometry *geometry, int d,
                              struct host_held *h)
{
    const struct travellers *t = geometry->travellers;
    const int *n = domain->decomp.n;
    for (int i = 0; t != NULL && i < t->now[d].n; ++i) {
        const struct traveller_face *f = &t->now[d].face[i];
        const int *c = f->cell;
        double u[3], x[3];
        if (c[X] < 0 || c[Y] < 0 || c[Z] < 0 || c[X] >= n[X] || c[Y] >= n[Y] || c[Z] >= n[Z]) continue;
        for (int e = 0; e < 3; ++e) x[e] = body_face_place(&t->grid, d, e, c[e]);
        body_geometry_velocity(geometry, f->body, x, u);
        TRY(host_held_add(h, c[X], c[Y], c[Z], u[d]));
    }
    return KOL_OK;
}

/* Adds the faces in bodies at rest whose surface turns. They are sought in the whole grid, once. */
static kol_status held_fixed(const struct domain *domain, const struct body_geometry *geometry, int d,
                             struct held_rooms *r, struct host_held *h)
{
    if (!body_lists_turn(geometry)) return KOL_OK;
    if (r->fixed == NULL) {
        struct host_held found = {NULL, 0, 0};
        const kol_status st = host_held_find(domain, geometry, d, &found);
        r->fixed = found.face;
        r->fixeds = found.n;
        if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "host_held_find");
    }
    for (int i = 0; i < r->fixeds; ++i) {
        const int *c = r->fixed[i].cell;
        TRY(host_held_add(h, c[X], c[Y], c[Z], r->fixed[i].value));
    }
    return KOL_OK;
}

kol_status body_lists_held(const struct domain *domain, const struct body_geometry *geometry, int d,
                           struct held_rooms *r, struct body_held *out)
{
    const int blocks = block_count(&domain->decomp);
    const struct travellers *t = geometry->travellers;
    const size_t least = t != NULL ? (size_t)t->most_held[d] * 5 / 4 + 256 : 0;
    struct host_held h = {NULL, 0, 0};
    kol_status st = held_fixed(domain, geometry, d, r, &h);
    if (st == KOL_OK) st = held_travel(domain, geometry, d, &h);
    int *order = malloc(((size_t)h.n + 1) * sizeof *order),
        *place = malloc(((size_t)h.n + 1) * sizeof *place),
        *block = calloc((size_t)blocks + 1, sizeof *block);
    real *value = malloc(((size_t)h.n + 1) * sizeof *value);
    if (st == KOL_OK && (order == NULL || place == NULL || block == NULL || value == NULL))
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the lists of the bodies");
    if (st == KOL_OK && h.n > 0) st = block_order(&domain->decomp, h.face, h.n, sizeof *h.face, order, block);
    for (int i = 0; i < h.n && st == KOL_OK; ++i) {
        const int *cell = h.face[i].cell;
        place[order[i]] = (int)at(domain->grid.box, cell[X], cell[Y], cell[Z]);
        value[order[i]] = (real)h.face[i].value;
    }
    if (st == KOL_OK)
        st = kernel_room_fill(domain, &r->at, place, (size_t)h.n * sizeof *place, least * sizeof *place);
    if (st == KOL_OK)
        st = kernel_room_fill(domain, &r->value, value, (size_t)h.n * sizeof *value, least * sizeof *value);
    if (st == KOL_OK)
        st = kernel_room_fill(domain, &r->block, block, ((size_t)blocks + 1) * sizeof *block, 0);
    if (st == KOL_OK && t != NULL)
        st = kernel_room_fill(domain, &r->base, NULL, (size_t)h.n * sizeof *value, least * sizeof *value);
    *out = (struct body_held){
        .n = h.n, .at = r->at.at, .value = r->value.at, .base = r->base.at, .block = r->block.at};
    free(h.face);
    free(order);
    free(place);
    free(block);
    free(value);
    return st;
}

void body_lists_free(struct point_rooms *p, struct held_rooms *h)
{
    mem_kernel_free(p->point.at);
    mem_kernel_free(p->wall.at);
    mem_kernel_free(p->block.at);
    mem_kernel_free(p->base.at);
    mem_kernel_free(p->lead.at);
    mem_kernel_free(h->at.at);
    mem_kernel_free(h->value.at);
    mem_kernel_free(h->base.at);
    mem_kernel_free(h->block.at);
    free(h->fixed);
}
