/* Moves the geometry of the bodies into kernel memory, and does their part of a stage. */
#include "bodies.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/volume_dot.h"
#include "math/rk3_scheme.h"
#include "body_forces.h"
#include "body_set.h"
#include "wall_terms.h"

/* --- lists --- */

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

/* Takes kernel memory for n values of `size` bytes, and copies them there unless memory is only counted. */
static kol_status to_kernel(const struct domain *domain, const void *host, size_t n, size_t size, void *out)
{
    void **array = out;
    if (n == 0) return KOL_OK;
    TRY(memory_kernel(domain->memory, n * size, array));
    return memory_counts(domain->memory) ? KOL_OK : mem_to_kernel(*array, host, n * size);
}

static kol_status points_create(const struct domain *domain, const struct body_geometry *geometry, int d,
                                struct body_points *out)
{
    const size_t n = (size_t)geometry->walls[d];
    struct host_points h;
    kol_status st = host_points_make(domain, geometry, d, &h);
    out->n = (int)n;
    if (st == KOL_OK) st = to_kernel(domain, h.point, n, sizeof *h.point, &out->point);
    if (st == KOL_OK && h.moves) st = to_kernel(domain, h.wall, 2 * n, sizeof *h.wall, &out->wall);
    if (st == KOL_OK)
        st = to_kernel(domain, h.block, (size_t)block_count(&domain->decomp) + 1, sizeof *h.block,
                       &out->block);
    if (st == KOL_OK && n > 0) st = memory_kernel(domain->memory, n * sizeof(real), (void **)&out->base);
    host_points_free(&h);
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

/* Adds the faces of a row. x: their coordinates; at_row: y and z; work: n values. */
static kol_status held_row(const struct body_geometry *geometry, int d, int n, const double *x,
                           double at_row[3], int j, int k, int *owner, double *work, struct host_held *h)
{
    body_set_row(geometry->set, n, x, at_row[Y], at_row[Z], owner, work);
    for (int i = 0; i < n; ++i) {
        double u[3];
        at_row[X] = x[i];
        if (owner[i] < 0) continue;
        body_geometry_velocity(geometry, owner[i], at_row, 0, u);
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

static int anything_turns(const struct body_geometry *geometry)
{
    for (int n = 0; n < geometry->bodies; ++n)
        if (geometry->body[n].rotation != 0) return 1;
    return 0;
}

static kol_status held_create(const struct domain *domain, const struct body_geometry *geometry, int d,
                              struct body_held *out)
{
    const int blocks = block_count(&domain->decomp);
    struct host_held h = {NULL, 0, 0};
    kol_status st = anything_turns(geometry) ? host_held_find(domain, geometry, d, &h) : KOL_OK;
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
    out->n = h.n;
    if (st == KOL_OK) st = to_kernel(domain, place, (size_t)h.n, sizeof *place, &out->at);
    if (st == KOL_OK) st = to_kernel(domain, value, (size_t)h.n, sizeof *value, &out->value);
    if (st == KOL_OK) st = to_kernel(domain, block, (size_t)blocks + 1, sizeof *block, &out->block);
    free(h.face);
    free(order);
    free(place);
    free(block);
    free(value);
    return st;
}

kol_status bodies_create(struct domain *domain, const struct body_geometry *geometry, struct bodies **out)
{
    *out = NULL;
    if (geometry == NULL) return KOL_OK;
    struct bodies *bodies = calloc(1, sizeof *bodies);
    if (bodies == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the bodies");
    *out = bodies;
    bodies->geometry = geometry;
    bodies->turns = anything_turns(geometry);
    TRY(to_kernel(domain, geometry->open, (size_t)domain->grid.box.size, 1, &bodies->open));
    /* where memory is only counted, no kernel reads the mask: any address says that there is one */
    domain->grid.open = memory_counts(domain->memory) ? geometry->open : bodies->open;
    domain->grid.bodies = 1;
    for (int d = 0; d < 3; ++d) {
        TRY(points_create(domain, geometry, d, &bodies->points[d]));
        TRY(held_create(domain, geometry, d, &bodies->held[d]));
    }
    return body_forces_create(domain, geometry, domain->in->output.bodies_interval, &bodies->forces);
}

void bodies_destroy(struct domain *domain, struct bodies **bodies)
{
    struct bodies *b = *bodies;
    if (b == NULL) return;
    domain->grid.open = NULL;
    domain->grid.bodies = 0;
    mem_kernel_free(b->open);
    for (int d = 0; d < 3; ++d) {
        mem_kernel_free((void *)b->points[d].point);
        mem_kernel_free((void *)b->points[d].wall);
        mem_kernel_free((void *)b->points[d].block);
        mem_kernel_free(b->points[d].base);
        mem_kernel_free((void *)b->held[d].at);
        mem_kernel_free((void *)b->held[d].value);
        mem_kernel_free((void *)b->held[d].block);
    }
    mem_kernel_free(b->gradient);
    body_forces_destroy(&b->forces);
    free(b);
    *bodies = NULL;
}

double bodies_stored(const struct flow *flow)
{
    return flow->bodies != NULL ? flow->bodies->geometry->bodies : 0;
}

/* --- a stage --- */

static int idle(const struct flow *flow)
{
    return flow->bodies == NULL || pool_counts(flow->domain->pool);
}

kol_status bodies_hold(struct flow *flow)
{
    if (idle(flow)) return KOL_OK;
    return body_hold(flow->domain->grid.box, flow->bodies->open, flow->bodies->held, flow->vel);
}

kol_status bodies_predict(struct flow *flow, int m, real *const base[3], real *const *old, real *const out[3])
{
    if (idle(flow)) return KOL_OK;
    const double a = rk3_scheme(flow->domain->in->time.scheme)->stage[m].a * flow->clock.dt;
    TRY(body_forces_predict(flow->bodies->forces, flow, flow->bodies->points, m));
    for (int d = 0; d < 3; ++d)
        TRY(body_extra(flow->domain->grid.box, flow->domain->grid.m, flow->bodies->points[d], d,
                       (real)flow->domain->in->fluid.nu, (real)a, flow->vel[d], base[d],
                       old == NULL ? NULL : old[d], out[d]));
    return KOL_OK;
}

kol_status bodies_finish(struct flow *flow, double dts)
{
    if (idle(flow)) return KOL_OK;
    return body_forces_drag(flow->bodies->forces, flow, flow->bodies->points, dts);
}

kol_status bodies_pressure(struct flow *flow, double dts, const real *phi)
{
    if (idle(flow)) return KOL_OK;
    return body_forces_pressure(flow->bodies->forces, flow, dts, phi);
}

kol_status bodies_drag(struct flow *flow, double dts)
{
    if (idle(flow)) return KOL_OK;
    for (int d = 0; d < 3; ++d) TRY(body_drag(flow->bodies->points[d], (real)dts, flow->vel[d]));
    return KOL_OK;
}

kol_status bodies_push(struct flow *flow, int d, double dts, double shift)
{
    if (idle(flow)) return KOL_OK;
    return body_push(flow->domain->grid.box, flow->bodies->open, flow->bodies->points[d], d, (real)dts,
                     (real)shift, flow->vel[d]);
}

kol_status bodies_mean(struct flow *flow, int d, double *mean)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    TRY(body_mean(g->box, grid_stencil(g, LOC_CCC, 0, 1), g->m, reduction_blocks(domain->reduction), d,
                  flow->bodies->potential, flow->vel));
    TRY(reduction_finish(domain->reduction, 1, 0, mean));
    *mean /= g->volume;
    return KOL_OK;
}

kol_status bodies_left(struct flow *flow, int d, double dts, double *left)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    double held_back = 0;
    TRY(body_response(g->box, g->m, reduction_blocks(domain->reduction), flow->bodies->points[d], d,
                      (real)dts, flow->bodies->gradient));
    TRY(reduction_finish(domain->reduction, 1, 0, &held_back));
    *left = flow->bodies->response - held_back / g->volume;
    return KOL_OK;
}

kol_status bodies_response(struct flow *flow, int d, real *potential)
{
    const struct domain *domain = flow->domain;
    struct bodies *bodies = flow->bodies;
    bodies->potential = potential;
    bodies->answers = 1;
    const size_t bytes = (size_t)bodies->points[d].n * sizeof(real);
    if (bytes > 0) TRY(memory_kernel(domain->memory, bytes, (void **)&bodies->gradient));
    if (pool_counts(domain->pool)) return KOL_OK;
    TRY(body_gather(domain->grid.box, domain->grid.m, bodies->points[d], d, potential, bodies->gradient));
    return bodies_mean(flow, d, &bodies->response);
}

kol_status bodies_measure(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    static const enum location face[3] = {LOC_FCC, LOC_CFC, LOC_CCF};
    real *ones = NULL;
    if (idle(flow)) return KOL_OK;
    TRY(pool_hold(domain->pool, "open faces", &ones));
    for (int d = 0; d < 3; ++d) {
        TRY(mem_fill_real(ones, domain->grid.box.size, 0));
        TRY(body_push(domain->grid.box, flow->bodies->open, flow->bodies->points[d], d, 0, 1, ones));
        TRY(volume_dot_weighted(domain->grid.box, reduction_blocks(domain->reduction),
                                grid_stencil(&domain->grid, face[d], 0, 1), ones));
        TRY(reduction_finish(domain->reduction, 1, 0, &flow->bodies->open_volume[d]));
    }
    return pool_drop(domain->pool, &ones);
}

kol_status bodies_loss(struct flow *flow, double *loss)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    *loss = 0;
    if (idle(flow)) return KOL_OK;
    const struct bodies *bodies = flow->bodies;
    const real nu = (real)domain->in->fluid.nu;
    double work = 0;
    TRY(body_loss(g->box, g->m, reduction_blocks(domain->reduction), bodies->points, nu, flow->vel));
    TRY(reduction_finish(domain->reduction, 1, 0, loss));
    if (bodies->turns) {
        TRY(body_work(g->box, g->m, reduction_blocks(domain->reduction), bodies->open, bodies->held, nu,
                      flow->pressure.p, flow->vel));
        TRY(reduction_finish(domain->reduction, 1, 0, &work));
    }
    *loss = (*loss - work) / g->volume;
    return KOL_OK;
}
