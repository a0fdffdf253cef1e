/* Orders the cells beside bodies that hold scalars, and moves their lists into kernel memory. */
#include "body_scalars.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "cell_walls.h"
#include "wall_terms.h"

/* host_lists: the lists of a group in host memory.
 *
 *   of      the body of each link
 *   key     segment of each link; keys: of the segments, in ascending order
 *   start   the links of each segment, as numbers in `order` */
struct host_lists {
    struct cell_wall *cell;
    int points, links, segments;
    int *at, *first, *block, *of, *order, *start;
    struct scalar_link *link;
    surface_key *key, *keys;
    real *wall;
    unsigned char *live;
};

static void host_lists_free(struct host_lists *h)
{
    free(h->cell);
    free(h->at);
    free(h->first);
    free(h->block);
    free(h->of);
    free(h->order);
    free(h->start);
    free(h->link);
    free(h->key);
    free(h->keys);
    free(h->wall);
    free(h->live);
}

static kol_status take(struct host_lists *h, const struct domain *domain)
{
    const size_t points = (size_t)h->points + 1, links = (size_t)h->links + 1;
    h->at = calloc(points, sizeof *h->at);
    h->first = calloc(points, sizeof *h->first);
    h->block = calloc((size_t)block_count(&domain->decomp) + 1, sizeof *h->block);
    h->of = calloc(links, sizeof *h->of);
    h->order = calloc(links, sizeof *h->order);
    h->start = calloc(links, sizeof *h->start);
    h->link = calloc(links, sizeof *h->link);
    h->key = calloc(links, sizeof *h->key);
    h->keys = calloc(links, sizeof *h->keys);
    h->wall = calloc(links, sizeof *h->wall);
    h->live = malloc((size_t)domain->grid.box.size);
    if (h->at == NULL || h->first == NULL || h->block == NULL || h->of == NULL || h->order == NULL ||
        h->start == NULL || h->link == NULL || h->key == NULL || h->keys == NULL || h->wall == NULL ||
        h->live == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for the lists of the bodies");
    return KOL_OK;
}

/* Puts the cells into the order of the blocks, and their links after each other. */
static kol_status order_points(struct host_lists *h, const struct domain *domain)
{
    const struct decomp *dec = &domain->decomp;
    int *place = malloc(((size_t)h->points + 1) * sizeof *place),
        *from = malloc(((size_t)h->points + 1) * sizeof *from);
    kol_status st = place == NULL || from == NULL
                        ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for lists")
                        : block_order(dec, h->cell, h->points, sizeof *h->cell, place, h->block);
    for (int i = 0; i < h->points && st == KOL_OK; ++i) from[place[i]] = i;
    for (int i = 0, l = 0; i < h->points && st == KOL_OK; ++i) {
        const struct cell_wall *w = &h->cell[from[i]];
        h->at[i] = (int)at(domain->grid.box, w->cell[X], w->cell[Y], w->cell[Z]);
        for (int q = 0; q < w->links; ++q, ++l) {
            const struct cell_link *k = &w->link[q];
            h->link[l] = (struct scalar_link){(real)k->drag,  (real)k->half,        (real)k->mirror,
                                              (real)k->gives, (signed char)k->side, (signed char)k->open};
            h->of[l] = k->body;
            h->key[l] = body_key(dec, k->body, block_number(dec, w->cell));
        }
        h->first[i + 1] = l;
    }
    free(place);
    free(from);
    return st;
}

struct keyed {
    surface_key of;
    int link;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    return x->of != y->of ? (x->of > y->of) - (x->of < y->of) : (x->link > y->link) - (x->link < y->link);
}

static kol_status order_segments(struct host_lists *h)
{
    struct keyed *sorted = malloc(((size_t)h->links + 1) * sizeof *sorted);
    if (sorted == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the lists of the bodies");
    for (int l = 0; l < h->links; ++l) sorted[l] = (struct keyed){h->key[l], l};
    if (h->links > 0) qsort(sorted, (size_t)h->links, sizeof *sorted, by_key);
    for (int n = 0; n < h->links; ++n) {
        h->order[n] = sorted[n].link;
        if (n == 0 || sorted[n].of != sorted[n - 1].of) {
            h->start[h->segments] = n;
            h->keys[h->segments++] = sorted[n].of;
        }
    }
    h->start[h->segments] = h->links;
    free(sorted);
    return KOL_OK;
}

static void set_live(struct host_lists *h, struct box b, const struct body_geometry *g, const int *owner,
                     const struct held_values *v)
{
    memcpy(h->live, g->open, (size_t)b.size);
    for (int k = -1; k <= b.nz; ++k)
        for (int j = -1; j <= b.ny; ++j)
            for (int i = -1; i <= b.nx; ++i) {
                const ptrdiff_t o = at(b, i, j, k);
                if (held_by(v, owner[o])) h->live[o] = 0;
            }
}

static kol_status make_lists(const struct domain *domain, const struct body_geometry *g,
                             const struct held_values *v, struct host_lists *h)
{
    int *owner = NULL;
    kol_status st = KOL_OK;
    TRY_OR(done, cell_owners_find(domain, g, &owner));
    TRY_OR(done, cell_walls_find(domain, g, owner, v, &h->cell, &h->points));
    for (int i = 0; i < h->points; ++i) h->links += h->cell[i].links;
    TRY_OR(done, take(h, domain));
    TRY_OR(done, order_points(h, domain));
    TRY_OR(done, order_segments(h));
    set_live(h, domain->grid.box, g, owner, v);
done:
    free(owner);
    return st;
}

/* Copies a list into kernel memory. */
static kol_status put(const struct domain *domain, const void *host, size_t bytes, void *to)
{
    struct kernel_room room = {NULL, 0};
    TRY(kernel_room_fill(domain, &room, host, bytes, 1));
    memcpy(to, &room.at, sizeof room.at);
    return KOL_OK;
}

static kol_status put_lists(const struct domain *domain, struct host_lists *h, struct body_scalar_group *g,
                            int wanted)
{
    const size_t points = (size_t)h->points, links = (size_t)h->links;
    g->walls.points = h->points;
    g->walls.links = h->links;
    g->own = h->segments;
    TRY(put(domain, h->live, (size_t)domain->grid.box.size, &g->live));
    TRY(put(domain, h->at, points * sizeof *h->at, &g->walls.at));
    TRY(put(domain, h->first, (points + 1) * sizeof *h->first, &g->walls.first));
    TRY(put(domain, h->block, ((size_t)block_count(&domain->decomp) + 1) * sizeof *h->block,
            &g->walls.block));
    TRY(put(domain, h->link, links * sizeof *h->link, &g->walls.link));
    for (int n = 0; n < g->count; ++n) {
        const struct held_values v = held_values_of(domain->in, g->scalar[n]);
        for (int l = 0; l < h->links; ++l) h->wall[l] = (real)held_value(&v, h->of[l]);
        TRY(put(domain, h->wall, links * sizeof *h->wall, &g->wall[n]));
    }
    if (!wanted) return KOL_OK;
    TRY(put(domain, h->start, ((size_t)h->segments + 1) * sizeof *h->start, &g->start));
    TRY(put(domain, h->order, links * sizeof *h->order, &g->link));
    TRY(memory_kernel(domain->memory, ((size_t)h->segments + 1) * sizeof *g->sum, (void **)&g->sum));
    for (int n = 0; n < g->count; ++n) {
        TRY(memory_kernel(domain->memory, (links + 1) * sizeof(double), (void **)&g->total[n]));
        TRY(memory_kernel(domain->memory, (links + 1) * sizeof(double), (void **)&g->before[n]));
    }
    return memory_host(domain->memory, ((size_t)h->segments + 1) * sizeof *g->host, (void **)&g->host);
}

/* What enters the fluid in a unit of time, and the sum of magnitudes [own U L^2]. */
struct income {
    double net, size;
};

static void add_income(struct income *i, double flux)
{
    i->net += flux;
    i->size += fabs(flux);
}

/* The income of scalar n through this rank's links and by its source. */
static struct income own_income(const struct domain *domain, const struct body_geometry *geometry, int n,
                                const struct host_lists *h)
{
    const struct grid *g = &domain->grid;
    const struct held_values v = held_values_of(domain->in, n);
    const int *offset = domain->decomp.offset;
    struct income i = {0, 0};
    for (int c = 0; c < h->points; ++c) {
        const struct cell_wall *w = &h->cell[c];
        double volume = 1;
        for (int d = 0; d < 3; ++d) volume *= grid_width(g, d, offset[d] + w->cell[d]);
        for (int l = 0; l < w->links; ++l)
            add_income(&i, volume * w->link[l].gives * held_value(&v, w->link[l].body));
    }
    for (int z = 0; z < g->box.nz; ++z)
        for (int y = 0; y < g->box.ny; ++y)
            for (int x = 0; x < g->box.nx; ++x)
                if (geometry->open[at(g->box, x, y, z)] != 0)
                    add_income(&i, domain->in->scalars.source[n] * grid_width(g, X, offset[X] + x) *
                                       grid_width(g, Y, offset[Y] + y) * grid_width(g, Z, offset[Z] + z));
    return i;
}

/* Notes, for the log, if fluxes from bodies, faces and the source don't balance and nothing holds the value.
 * Where faces vary or the source follows the velocity, nothing is said. */
static kol_status note_balance(const struct domain *domain, const struct body_geometry *geometry, int n,
                               const struct host_lists *h, char note[BODY_SCALARS_NOTE])
{
    const struct input *in = domain->in;
    const double *length = domain->grid.length, balanced = 1e-3;
    if (in->scalars.bulk_source[n] != 0 || scalar_has_gradient(in, n) || scalar_is_held(in, n)) return KOL_OK;
    struct income i = own_income(domain, geometry, n, h);
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &i, 2, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    for (int f = 0; f < FACES; ++f) {
        if (!scalar_has_flux(in, n, f)) continue;
        if (scalar_varies(in, n, f)) return KOL_OK;
        add_income(&i, in->scalars.face_value[f][n] * domain->grid.volume / length[f / 2]);
    }
    if (fabs(i.net) > balanced * i.size)
        snprintf(note, BODY_SCALARS_NOTE,
                 "scalar '%.*s': bodies, faces and sources bring %.6g a unit of time, and nothing holds its "
                 "value, so that its mean does not become steady; scalars.source(%d) can balance this",
                 SCALAR_NAME, in->scalars.name[n], i.net, n + 1);
    return KOL_OK;
}

static kol_status make_group(const struct domain *domain, const struct body_geometry *geometry,
                             struct body_scalar_group *g, int wanted, char (*note)[BODY_SCALARS_NOTE])
{
    const struct held_values v = held_values_of(domain->in, g->scalar[0]);
    struct host_lists h = {0};
    kol_status st = make_lists(domain, geometry, &v, &h);
    if (st == KOL_OK) st = put_lists(domain, &h, g, wanted);
    st = memory_agree(domain->memory, &domain->comm, st);
    for (int n = 0; n < g->count && v.fluxes && st == KOL_OK && !memory_counts(domain->memory); ++n)
        st = note_balance(domain, geometry, g->scalar[n], &h, note[g->scalar[n]]);
    if (st == KOL_OK && wanted && !memory_counts(domain->memory))
        st = body_segments_create(domain, h.segments, h.keys, 1, &g->segments);
    host_lists_free(&h);
    return st;
}

/* Whether two scalars have values on the same bodies, or fluxes. */
static int alike(const struct input *in, int a, int b)
{
    const struct held_values v = held_values_of(in, a), w = held_values_of(in, b);
    return v.fluxes == w.fluxes && memcmp(v.holds, w.holds, sizeof v.holds) == 0;
}

static void make_groups(const struct input *in, struct body_scalars *s)
{
    for (int n = 0; n < SCALARS_MOST; ++n) {
        s->of[n] = -1;
        if (n >= scalar_count(in) || !scalar_on_bodies(in, n)) continue;
        for (int g = 0; g < s->groups; ++g)
            if (alike(in, n, s->group[g].scalar[0])) s->of[n] = g;
        if (s->of[n] < 0) s->of[n] = s->groups++;
        struct body_scalar_group *g = &s->group[s->of[n]];
        g->scalar[g->count++] = n;
    }
}

kol_status body_scalars_create(const struct domain *domain, const struct body_geometry *g, int interval,
                               struct body_scalars **out)
{
    *out = NULL;
    if (g == NULL || !scalar_any_on_bodies(domain->in)) return KOL_OK;
    struct body_scalars *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the lists of the bodies");
    s->interval = interval;
    s->step = -1;
    make_groups(domain->in, s);
    for (int n = 0; n < s->groups; ++n) TRY(make_group(domain, g, &s->group[n], interval > 0, s->note));
    return KOL_OK;
}

kol_status body_scalars_balance(const struct domain *domain, const struct body_geometry *g,
                                char note[SCALARS_MOST][BODY_SCALARS_NOTE])
{
    for (int n = 0; n < scalar_count(domain->in) && g != NULL; ++n) {
        const struct held_values v = held_values_of(domain->in, n);
        struct host_lists h = {0};
        if (!scalar_on_bodies(domain->in, n) || !v.fluxes) continue;
        kol_status st = comm_agree(&domain->comm, make_lists(domain, g, &v, &h));
        if (st == KOL_OK) st = note_balance(domain, g, n, &h, note[n]);
        host_lists_free(&h);
        TRY(st);
    }
    return KOL_OK;
}

/* Frees kernel memory that the struct refers to as const. */
static void drop(const void *at_kernel)
{
    void *room;
    memcpy(&room, &at_kernel, sizeof room);
    mem_kernel_free(room);
}

void body_scalars_destroy(struct body_scalars **scalars)
{
    struct body_scalars *s = *scalars;
    if (s == NULL) return;
    for (int n = 0; n < s->groups; ++n) {
        struct body_scalar_group *g = &s->group[n];
        const void *const list[] = {g->live,       g->walls.at, g->walls.first, g->walls.block,
                                    g->walls.link, g->start,    g->link,        g->sum};
        for (size_t i = 0; i < sizeof list / sizeof *list; ++i) drop(list[i]);
        for (int i = 0; i < g->count; ++i) {
            drop(g->wall[i]);
            drop(g->total[i]);
            drop(g->before[i]);
        }
        mem_host_free(g->host);
        body_segments_destroy(&g->segments);
    }
    free(s);
    *scalars = NULL;
}

kol_status body_scalars_fill(const struct domain *domain, const struct body_geometry *g, int n, real *host)
{
    const struct box b = domain->grid.box;
    const struct held_values v = held_values_of(domain->in, n);
    int *owner = NULL;
    const kol_status st = cell_owners_find(domain, g, &owner);
    for (int k = 0; k < b.nz && st == KOL_OK; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int body = owner[at(b, i, j, k)];
                if (held_by(&v, body)) host[at(b, i, j, k)] = (real)held_value(&v, body);
            }
    free(owner);
    return st;
}

const unsigned char *body_scalars_live(const struct body_scalars *s, const struct domain *domain, int n)
{
    return s == NULL || s->of[n] < 0 ? domain->grid.open : s->group[s->of[n]].live;
}

static int place_of(const struct body_scalar_group *g, int n)
{
    int place = 0;
    while (g->scalar[place] != n) ++place;
    return place;
}

const real *body_scalar_wall(const struct body_scalar_group *g, int n)
{
    return g->wall[place_of(g, n)];
}

struct scalar_wall_values body_scalars_values(struct body_scalars *s, int group, const struct flow *flow,
                                              const struct rk3_scheme *rk, int m)
{
    const struct body_scalar_group *g = &s->group[group];
    const long long step = flow->clock.step + 1;
    struct scalar_wall_values v = {.keep = m > 0 && !rk->from_start};
    if (m == 0) s->step = s->interval > 0 && step % s->interval == 0 ? step : -1;
    for (int n = 0; n < g->count; ++n) {
        v.wall[n] = g->wall[n];
        if (s->step != step) continue;
        v.total[n] = g->total[n];
        v.before[n] = g->before[n];
    }
    return v;
}

kol_status body_scalars_collect(struct body_scalars *s, const struct flow *flow, int n, int bodies,
                                double *value)
{
    struct body_scalar_group *g = &s->group[s->of[n]];
    if (flow->domain->comm.rank == 0) memset(value, 0, (size_t)bodies * sizeof *value);
    TRY(scalar_wall_sum(g->own, g->start, g->link, g->total[place_of(g, n)], g->sum));
    if (g->own > 0) TRY(mem_to_host(g->host, g->sum, (size_t)g->own * sizeof *g->host));
    return body_segments_add(g->segments, g->host, flow->clock.dt, value);
}
