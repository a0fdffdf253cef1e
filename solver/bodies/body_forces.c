/* Adds up force and torque of the fluid on each body over a step. */
#include "body_forces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "kernels/base/mem.h"
#include "math/rk3_scheme.h"
#include "wall_terms.h"

/* key: place of a segment in the order of sums: by body, then by block of the whole grid. */
typedef long long key;

struct body_forces {
    const struct domain *domain; /* borrowed */
    int interval, bodies;
    long long step; /* the step whose forces are being added up; -1: none */
    struct body_surface surface;
    double *rates, *before, *total; /* kernel memory: segments * BODY_FORCES */
    double *host;                   /* of total */
    double (*spin)[3];              /* what the torque of each body that turns has besides [U^2 L^3] */
    /* rank 0: segments of all ranks, their values, and the order in which to add them */
    int *count, *first; /* values of each rank, and sums before it */
    int all;
    double *gathered;
    key *keys;
    int *order;
};

/* --- lists --- */

/* item: a link or a closed face with the key of its segment, before they are sorted. */
struct item {
    key of;
    int number; /* keeps the order of equal keys */
    struct body_link link;
    struct body_front front;
};

struct items {
    struct item *item;
    int n, room;
};

static struct item *items_add(struct items *list)
{
    if (list->n == list->room) {
        const int room = 2 * list->room + 1024;
        struct item *more = realloc(list->item, (size_t)room * sizeof *more);
        if (more == NULL) return NULL;
        list->item = more;
        list->room = room;
    }
    struct item *item = &list->item[list->n];
    memset(item, 0, sizeof *item);
    item->number = list->n++;
    return item;
}

static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->of != y->of ? (x->of > y->of) - (x->of < y->of)
                          : (x->number > y->number) - (x->number < y->number);
}

static key key_of(const struct decomp *d, int body, const int cell[3])
{
    const int q = block_number(d, cell), bx = q % d->blocks[X], by = q / d->blocks[X] % d->blocks[Y],
              bz = q / d->blocks[X] / d->blocks[Y];
    const key block =
        ((key)(d->first_block[Z] + bz) * d->blocks_g[Y] + d->first_block[Y] + by) * d->blocks_g[X] +
        d->first_block[X] + bx;
    return (key)body * d->blocks_g[X] * d->blocks_g[Y] * d->blocks_g[Z] + block;
}

/* The vector from the body's centre to a point; from the nearest image in periodic directions. */
static void arm_of(const struct domain *domain, const struct body_geometry *geometry, int body,
                   const double at_wall[3], float arm[3])
{
    for (int e = 0; e < 3; ++e) {
        double x = at_wall[e] - geometry->body[body].centre[e];
        if (domain->grid.periodic[e]) x -= domain->grid.length[e] * nearbyint(x / domain->grid.length[e]);
        arm[e] = isfinite(x) ? (float)x : 0;
    }
}

static kol_status list_links(const struct domain *domain, const struct body_geometry *geometry, int d,
                             struct items *list)
{
    int *place = malloc(((size_t)geometry->walls[d] + 1) * sizeof *place),
        *start = malloc(((size_t)block_count(&domain->decomp) + 1) * sizeof *start);
    kol_status st = place == NULL || start == NULL
                        ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies")
                        : block_order(&domain->decomp, geometry->wall[d], geometry->walls[d],
                                      sizeof *geometry->wall[d], place, start);
    for (int i = 0; i < geometry->walls[d] && st == KOL_OK; ++i) {
        const struct body_wall_face *face = &geometry->wall[d][i];
        const struct wall_terms t = wall_terms_of(domain, geometry, d, face);
        for (int q = 0; q < 6 && st == KOL_OK; ++q) {
            if (face->body[q] < 0) continue;
            struct item *item = items_add(list);
            if (item == NULL) {
                st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies");
                break;
            }
            item->of = key_of(&domain->decomp, face->body[q], face->cell);
            item->link = (struct body_link){
                .at = (int)at(domain->grid.box, face->cell[X], face->cell[Y], face->cell[Z]),
                .point = place[i],
                .d = (signed char)d,
                .side = (signed char)q,
                .share = (real)t.share[q],
                .wall = (real)t.speed[q],
                .lead = (real)t.lead[q]};
            arm_of(domain, geometry, face->body[q], t.at[q], item->link.arm);
        }
    }
    free(place);
    free(start);
    return st;
}

static kol_status list_fronts(const struct domain *domain, const struct body_geometry *geometry, int d,
                              struct items *list)
{
    const struct grid *g = &domain->grid;
    const ptrdiff_t stride[3] = {1, g->box.sy, g->box.sz};
    for (int i = 0; i < geometry->closeds[d]; ++i) {
        const struct body_closed_face *face = &geometry->closed[d][i];
        const int at_grid = domain->decomp.offset[d] + face->cell[d];
        const ptrdiff_t o = at(g->box, face->cell[X], face->cell[Y], face->cell[Z]);
        const int live = (geometry->open[o - stride[d]] != 0) | (geometry->open[o] != 0) << 1;
        double x[3];
        if (live == 0 || (!g->periodic[d] && (at_grid == 0 || at_grid == g->n_g[d]))) continue;
        struct item *item = items_add(list);
        if (item == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
        item->of = key_of(&domain->decomp, face->body, face->cell);
        item->front = (struct body_front){.at = (int)o, .d = (signed char)d, .live = (signed char)live};
        for (int e = 0; e < 3; ++e) {
            const int cell = domain->decomp.offset[e] + face->cell[e];
            x[e] = e == d ? g->face[e][cell] : g->centre[e][cell];
        }
        arm_of(domain, geometry, face->body, x, item->front.arm);
    }
    return KOL_OK;
}

/* --- segments --- */

/* host_surface: the lists in host memory. */
struct host_surface {
    struct items links, fronts;
    key *keys;
    int segments;
    int *link_start, *front_start;
};

static void host_surface_free(struct host_surface *h)
{
    free(h->links.item);
    free(h->fronts.item);
    free(h->keys);
    free(h->link_start);
    free(h->front_start);
}

/* Sets the keys of the segments, which are those of either list, in order, and the starts in both lists. */
static kol_status make_segments(struct host_surface *h)
{
    const size_t most = (size_t)h->links.n + (size_t)h->fronts.n + 1;
    int l = 0, f = 0;
    h->keys = malloc(most * sizeof *h->keys);
    h->link_start = malloc(most * sizeof *h->link_start);
    h->front_start = malloc(most * sizeof *h->front_start);
    if (h->keys == NULL || h->link_start == NULL || h->front_start == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    while (l < h->links.n || f < h->fronts.n) {
        key k = l < h->links.n ? h->links.item[l].of : h->fronts.item[f].of;
        if (f < h->fronts.n && h->fronts.item[f].of < k) k = h->fronts.item[f].of;
        h->link_start[h->segments] = l;
        h->front_start[h->segments] = f;
        h->keys[h->segments++] = k;
        while (l < h->links.n && h->links.item[l].of == k) ++l;
        while (f < h->fronts.n && h->fronts.item[f].of == k) ++f;
    }
    h->link_start[h->segments] = l;
    h->front_start[h->segments] = f;
    return KOL_OK;
}

static kol_status make_surface(const struct domain *domain, const struct body_geometry *geometry,
                               struct host_surface *h)
{
    for (int d = 0; d < 3; ++d) {
        TRY(list_links(domain, geometry, d, &h->links));
        TRY(list_fronts(domain, geometry, d, &h->fronts));
    }
    if (h->links.n > 0) qsort(h->links.item, (size_t)h->links.n, sizeof *h->links.item, by_key);
    if (h->fronts.n > 0) qsort(h->fronts.item, (size_t)h->fronts.n, sizeof *h->fronts.item, by_key);
    return make_segments(h);
}

/* Takes kernel memory for n values, and fills it unless memory is only counted. fill(i, value): value i. */
static kol_status put(const struct domain *domain, const void *host, size_t bytes, void *out)
{
    void **array = out;
    TRY(memory_kernel(domain->memory, bytes > 0 ? bytes : 1, array));
    return memory_counts(domain->memory) || bytes == 0 ? KOL_OK : mem_to_kernel(*array, host, bytes);
}

static kol_status put_surface(struct body_forces *f, const struct host_surface *h)
{
    const struct domain *domain = f->domain;
    const size_t links = (size_t)h->links.n, fronts = (size_t)h->fronts.n,
                 starts = ((size_t)h->segments + 1) * sizeof(int),
                 values = (size_t)h->segments * BODY_FORCES * sizeof(double);
    struct body_link *link = malloc((links + 1) * sizeof *link);
    struct body_front *front = malloc((fronts + 1) * sizeof *front);
    kol_status st = KOL_OK;
    if (link == NULL || front == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies");
        goto done;
    }
    for (size_t i = 0; i < links; ++i) link[i] = h->links.item[i].link;
    for (size_t i = 0; i < fronts; ++i) front[i] = h->fronts.item[i].front;
    f->surface.segments = h->segments;
    TRY_OR(done, put(domain, link, links * sizeof *link, &f->surface.link));
    TRY_OR(done, put(domain, front, fronts * sizeof *front, &f->surface.front));
    TRY_OR(done, put(domain, h->link_start, starts, &f->surface.link_start));
    TRY_OR(done, put(domain, h->front_start, starts, &f->surface.front_start));
    TRY_OR(done, memory_kernel(domain->memory, values + 1, (void **)&f->rates));
    TRY_OR(done, memory_kernel(domain->memory, values + 1, (void **)&f->before));
    TRY_OR(done, memory_kernel(domain->memory, values + 1, (void **)&f->total));
    TRY_OR(done, memory_host(domain->memory, values + 1, (void **)&f->host));
done:
    free(link);
    free(front);
    return st;
}

/* --- bodies that turn --- */

/* The part of the domain that an endless cylinder along a direction of the grid takes; other shapes that turn
 * have an end. */
static double volume_of(const struct domain *domain, const struct body_info *body)
{
    if (isfinite(body->volume)) return body->volume;
    for (int d = 0; d < 3; ++d)
        if (fabs(body->axis[d]) > 1 - 1e-12)
            return 0.25 * PI * body->thickness * body->thickness * domain->grid.length[d];
    return 0;
}

/* The stencil's viscous flux is nu grad u, not the symmetric stress. On a closed surface both give the same
 * force, but on one that turns with the angular velocity W the symmetric one has a torque of -2 nu V W more:
 * nu times the integral of r x (n x W). */
static kol_status make_spin(struct body_forces *f, const struct body_geometry *geometry)
{
    f->spin = calloc((size_t)f->bodies + 1, sizeof *f->spin);
    if (f->spin == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    for (int n = 0; n < f->bodies; ++n) {
        const struct body_info *body = &geometry->body[n];
        if (body->rotation == 0) continue;
        for (int d = 0; d < 3; ++d)
            f->spin[n][d] =
                -2 * f->domain->in->fluid.nu * volume_of(f->domain, body) * body->rotation * body->axis[d];
    }
    return KOL_OK;
}

/* --- all ranks --- */

struct ranked {
    key of;
    int number;
};

static int by_rank_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->of > y->of) - (x->of < y->of);
}

/* Finds the order of the keys, and turns counts of segments into counts of values. */
static kol_status order_keys(struct body_forces *f)
{
    struct ranked *sorted = malloc(((size_t)f->all + 1) * sizeof *sorted);
    if (sorted == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    for (int n = 0; n < f->all; ++n) sorted[n] = (struct ranked){f->keys[n], n};
    qsort(sorted, (size_t)f->all, sizeof *sorted, by_rank_key);
    for (int n = 0; n < f->all; ++n) f->order[n] = sorted[n].number;
    for (int r = 0; r < f->domain->comm.size; ++r) {
        f->count[r] *= BODY_FORCES;
        f->first[r] *= BODY_FORCES;
    }
    free(sorted);
    return KOL_OK;
}

/* Rank 0 learns which segments there are, and in which order their values are added. Two ranks never have the
 * same segment. */
static kol_status gather_keys(struct body_forces *f, const struct host_surface *h)
{
    const struct comm *c = &f->domain->comm;
    const int root = c->rank == 0;
    kol_status st = KOL_OK;
    f->count = calloc((size_t)c->size, sizeof *f->count);
    f->first = calloc((size_t)c->size, sizeof *f->first);
    if (f->count == NULL || f->first == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    MPI_TRY(MPI_Gather(&h->segments, 1, MPI_INT, f->count, 1, MPI_INT, 0, c->mpi));
    for (int r = 1; r < c->size; ++r) f->first[r] = f->first[r - 1] + f->count[r - 1];
    f->all = root ? f->first[c->size - 1] + f->count[c->size - 1] : 0;
    if (root) {
        f->keys = malloc(((size_t)f->all + 1) * sizeof *f->keys);
        f->order = malloc(((size_t)f->all + 1) * sizeof *f->order);
        f->gathered = malloc(((size_t)f->all + 1) * BODY_FORCES * sizeof *f->gathered);
        if (f->keys == NULL || f->order == NULL || f->gathered == NULL)
            st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies");
    }
    TRY(comm_agree(c, st));
    MPI_TRY(MPI_Gatherv(h->keys, h->segments, MPI_LONG_LONG, f->keys, f->count, f->first, MPI_LONG_LONG, 0,
                        c->mpi));
    return root ? order_keys(f) : KOL_OK;
}

kol_status body_forces_create(const struct domain *domain, const struct body_geometry *geometry, int interval,
                              struct body_forces **out)
{
    struct host_surface h = {0};
    *out = NULL;
    if (geometry == NULL || interval == 0) return KOL_OK;
    struct body_forces *f = *out = calloc(1, sizeof *f);
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    f->domain = domain;
    f->interval = interval;
    f->bodies = geometry->bodies;
    f->step = -1;
    kol_status st = make_surface(domain, geometry, &h);
    if (st == KOL_OK) st = put_surface(f, &h);
    if (st == KOL_OK) st = make_spin(f, geometry);
    st = memory_agree(domain->memory, &domain->comm, st);
    if (st == KOL_OK && !memory_counts(domain->memory)) st = gather_keys(f, &h);
    host_surface_free(&h);
    return st;
}

void body_forces_destroy(struct body_forces **forces)
{
    struct body_forces *f = *forces;
    if (f == NULL) return;
    mem_kernel_free((void *)f->surface.link);
    mem_kernel_free((void *)f->surface.front);
    mem_kernel_free((void *)f->surface.link_start);
    mem_kernel_free((void *)f->surface.front_start);
    mem_kernel_free(f->rates);
    mem_kernel_free(f->before);
    mem_kernel_free(f->total);
    mem_host_free(f->host);
    free(f->spin);
    free(f->count);
    free(f->first);
    free(f->gathered);
    free(f->keys);
    free(f->order);
    free(f);
    *forces = NULL;
}

/* --- a step --- */

static int adding(const struct body_forces *f, const struct flow *flow)
{
    return f != NULL && f->step == flow->clock.step + 1;
}

kol_status body_forces_predict(struct body_forces *f, const struct flow *flow,
                               const struct body_points points[3], int m)
{
    if (f == NULL) return KOL_OK;
    if (m == 0) f->step = (flow->clock.step + 1) % f->interval == 0 ? flow->clock.step + 1 : -1;
    if (!adding(f, flow)) return KOL_OK;
    const struct domain *domain = f->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const struct rk3_stage s = rk->stage[m];
    const double dt = flow->clock.dt;
    TRY(body_force_rates(domain->grid.box, domain->grid.m, f->surface, points, (real)domain->in->fluid.nu,
                         flow->vel, f->rates));
    /* stages that begin at the start of the step replace what the stage before did */
    return body_force_add(f->surface.segments * BODY_FORCES, m > 0 && !rk->from_start, s.a * dt, s.a_old * dt,
                          f->rates, f->before, f->total);
}

kol_status body_forces_drag(struct body_forces *f, const struct flow *flow,
                            const struct body_points points[3], double dts)
{
    if (!adding(f, flow)) return KOL_OK;
    return body_force_drag(f->domain->grid.box, f->domain->grid.m, f->surface, points, (real)dts, flow->vel,
                           f->total);
}

kol_status body_forces_pressure(struct body_forces *f, const struct flow *flow, double dts, const real *phi)
{
    if (!adding(f, flow)) return KOL_OK;
    return body_force_pressure(f->domain->grid.box, f->domain->grid.m, f->surface, (real)dts,
                               flow->pressure.p, phi, f->total);
}

int body_forces_known(const struct body_forces *f, const struct flow *flow)
{
    return f != NULL && f->step == flow->clock.step;
}

kol_status body_forces_collect(struct body_forces *f, const struct flow *flow, double *value)
{
    const struct comm *c = &f->domain->comm;
    const key blocks =
        (key)f->domain->decomp.blocks_g[X] * f->domain->decomp.blocks_g[Y] * f->domain->decomp.blocks_g[Z];
    const int own = f->surface.segments * BODY_FORCES;
    if (own > 0) TRY(mem_to_host(f->host, f->total, (size_t)own * sizeof *f->host));
    MPI_TRY(MPI_Gatherv(f->host, own, MPI_DOUBLE, f->gathered, f->count, f->first, MPI_DOUBLE, 0, c->mpi));
    if (c->rank != 0) return KOL_OK;
    memset(value, 0, (size_t)f->bodies * BODY_FORCES * sizeof *value);
    for (int n = 0; n < f->bodies; ++n)
        for (int d = 0; d < 3; ++d) value[n * BODY_FORCES + BODY_TORQUE + d] = f->spin[n][d];
    for (int n = 0; n < f->all; ++n) {
        const int s = f->order[n], body = (int)(f->keys[s] / blocks);
        for (int q = 0; q < BODY_FORCES; ++q)
            value[body * BODY_FORCES + q] += f->gathered[(ptrdiff_t)s * BODY_FORCES + q] / flow->clock.dt;
    }
    return KOL_OK;
}
