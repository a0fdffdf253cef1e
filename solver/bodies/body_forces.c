/* Adds up force and torque of the fluid on each body over a step. */
#include "body_forces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "kernels/base/mem.h"
#include "math/rk3_scheme.h"
#include "body_lists.h"
#include "body_segments.h"
#include "body_surfaces.h"
#include "travellers.h"

enum { FORCE_ROOMS = 6 };
struct body_forces {
    const struct domain *domain; /* borrowed */
    int interval, bodies;
    long long step; /* the step whose forces are being added up; -1: none */
    int counts;     /* whether the forces of this stage are a part of them */
    int opened;     /* whether body_forces_turns() has begun the sums of this stage */
    struct body_surfaces host_surface;
    struct body_surface surface;
    const struct body_turn *turn;
    const int *turn_start;
    struct kernel_room room[FORCE_ROOMS];
    double *before, *total; /* kernel memory: segments * BODY_FORCES */
    double *host;           /* of total */
    double (*spin)[3];      /* what the torque of each body that turns has besides [U^2 L^3] */
    struct body_segments *segments;
};

/* --- lists --- */

/* Whether a wall has a velocity, or may have one later. */
static int links_move(const struct body_geometry *geometry, const struct surface_items *links)
{
    int moves = geometry->travellers != NULL;
    for (int i = 0; i < links->n && !moves; ++i)
        moves = links->item[i].link.wall != 0 || links->item[i].link.lead != 0;
    return moves;
}

/* memory: NULL if it is only counted. */
static struct body_links links_at(double *memory, int n, int moves)
{
    return memory != NULL ? body_links_in(memory, n, moves) : (struct body_links){.n = n};
}

/* Copies the lists into kernel memory, and takes room for what may come to this rank. */
static kol_status put_lists(struct body_forces *f, const struct body_geometry *geometry)
{
    const struct domain *domain = f->domain;
    const struct body_surfaces *h = &f->host_surface;
    const int moves = links_move(geometry, &h->links);
    const size_t links = (size_t)h->links.n, fronts = (size_t)h->fronts.n, turns = (size_t)h->turns.n,
                 starts = ((size_t)h->segments + 1) * sizeof(int), bytes = body_links_bytes(links, moves);
    size_t most = 0;
    for (int d = 0; d < 3 && geometry->travellers != NULL; ++d)
        most += 2 * (size_t)geometry->travellers->most_walls[d] + 256;
    double *link = malloc(bytes + 1);
    struct body_front *front = malloc((fronts + 1) * sizeof *front);
    struct body_turn *turn = malloc((turns + 1) * sizeof *turn);
    kol_status st = KOL_OK;
    if (link == NULL || front == NULL || turn == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies");
        goto done;
    }
    const struct body_links host_links = body_links_in(link, h->links.n, moves);
    for (int i = 0; i < h->links.n; ++i) body_links_set(host_links, i, h->links.item[i].link);
    for (size_t i = 0; i < fronts; ++i) front[i] = h->fronts.item[i].front;
    for (size_t i = 0; i < turns; ++i) turn[i] = h->turns.item[i].turn;
    const struct {
        const void *host;
        size_t bytes, least;
    } list[FORCE_ROOMS] = {{link, bytes, body_links_bytes(links + most, moves)},
                           {front, fronts * sizeof *front, (fronts + most) * sizeof *front},
                           {turn, turns * sizeof *turn, most * sizeof *turn},
                           {h->start[SURFACE_LINKS], starts, 0},
                           {h->start[SURFACE_FRONTS], starts, 0},
                           {h->start[SURFACE_TURNS], starts, 0}};
    for (int n = 0; n < FORCE_ROOMS; ++n)
        TRY_OR(done, kernel_room_fill(domain, &f->room[n], list[n].host, list[n].bytes, list[n].least));
    f->surface = (struct body_surface){.segments = h->segments,
                                       .links = links_at(f->room[0].at, h->links.n, moves),
                                       .front = f->room[1].at,
                                       .link_start = f->room[3].at,
                                       .front_start = f->room[4].at};
    f->turn = f->room[2].at;
    f->turn_start = f->room[5].at;
done:
    free(link);
    free(front);
    free(turn);
    return st;
}

static kol_status take_sums(struct body_forces *f)
{
    const struct domain *domain = f->domain;
    const size_t values = (size_t)f->host_surface.segments * BODY_FORCES * sizeof(double) + 1;
    TRY(memory_kernel(domain->memory, values, (void **)&f->before));
    TRY(memory_kernel(domain->memory, values, (void **)&f->total));
    return memory_host(domain->memory, values, (void **)&f->host);
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

/* The viscous flux of the stencil is nu grad u, not the symmetric stress. Over a closed surface both give the
 * same force. But if the surface turns with the angular velocity W, the symmetric stress has an additional
 * torque of -2 nu V W, which is nu times the integral of r x (n x W). */
static void set_spin(struct body_forces *f, const struct body_geometry *geometry)
{
    for (int n = 0; n < f->bodies; ++n) {
        const struct body_info *body = &geometry->body[n];
        for (int d = 0; d < 3; ++d)
            f->spin[n][d] = body->angular[d] != 0
                                ? -2 * f->domain->in->fluid.nu * volume_of(f->domain, body) * body->angular[d]
                                : 0;
    }
}

static kol_status make_spin(struct body_forces *f, const struct body_geometry *geometry)
{
    f->spin = calloc((size_t)f->bodies + 1, sizeof *f->spin);
    if (f->spin == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    set_spin(f, geometry);
    return KOL_OK;
}

kol_status body_forces_create(const struct domain *domain, const struct body_geometry *geometry, int interval,
                              struct body_forces **out)
{
    *out = NULL;
    if (geometry == NULL || interval == 0) return KOL_OK;
    struct body_forces *f = *out = calloc(1, sizeof *f);
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    f->domain = domain;
    f->interval = interval;
    f->bodies = geometry->bodies;
    f->step = -1;
    kol_status st = body_surfaces_make(domain, geometry, &f->host_surface);
    if (st == KOL_OK) st = put_lists(f, geometry);
    if (st == KOL_OK) st = take_sums(f);
    if (st == KOL_OK) st = make_spin(f, geometry);
    st = memory_agree(domain->memory, &domain->comm, st);
    if (st != KOL_OK || memory_counts(domain->memory)) return st;
    return body_segments_create(domain, f->host_surface.segments, f->host_surface.keys, BODY_FORCES,
                                &f->segments);
}

kol_status body_forces_renew(struct body_forces *f, const struct body_geometry *geometry)
{
    if (f == NULL) return KOL_OK;
    set_spin(f, geometry);
    TRY(body_surfaces_make(f->domain, geometry, &f->host_surface));
    return put_lists(f, geometry);
}

void body_forces_destroy(struct body_forces **forces)
{
    struct body_forces *f = *forces;
    if (f == NULL) return;
    for (int n = 0; n < FORCE_ROOMS; ++n) mem_kernel_free(f->room[n].at);
    body_surfaces_free(&f->host_surface);
    mem_kernel_free(f->before);
    mem_kernel_free(f->total);
    mem_host_free(f->host);
    free(f->spin);
    body_segments_destroy(&f->segments);
    free(f);
    *forces = NULL;
}

/* --- a step --- */

int body_forces_adding(const struct body_forces *f, const struct flow *flow)
{
    return f != NULL && f->counts && f->step == flow->clock.step + 1;
}

/* Of stages that begin at the start of the step, each replaces the one before: only the last one counts. */
static void begin(struct body_forces *f, const struct flow *flow, int m)
{
    const long long step = flow->clock.step + 1;
    if (m == 0) f->step = step % f->interval == 0 ? step : -1;
    f->counts = m == 2 || !rk3_scheme(f->domain->in->time.scheme)->from_start;
}

static int keeps(const struct rk3_scheme *rk, int m)
{
    return m > 0 && !rk->from_start;
}

kol_status body_forces_turns(struct body_forces *f, const struct flow *flow, int m, real *const base[3],
                             real *const *old)
{
    if (f == NULL) return KOL_OK;
    begin(f, flow, m);
    if (!body_forces_adding(f, flow)) return KOL_OK;
    const struct rk3_scheme *rk = rk3_scheme(f->domain->in->time.scheme);
    const double a_old = old != NULL ? rk->stage[m].a_old * flow->clock.dt : 0;
    f->opened = 1;
    return body_force_turns(f->domain->grid.box, f->domain->grid.m, f->surface.segments, f->turn_start,
                            f->turn, keeps(rk, m), a_old, base, old, f->total);
}

kol_status body_forces_predict(struct body_forces *f, const struct flow *flow, int m)
{
    if (f == NULL) return KOL_OK;
    begin(f, flow, m);
    if (!body_forces_adding(f, flow)) return KOL_OK;
    const struct domain *domain = f->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const struct rk3_stage s = rk->stage[m];
    const double dt = flow->clock.dt;
    const int keep = f->opened || keeps(rk, m);
    f->opened = 0;
    return body_force_rates(domain->grid.box, domain->grid.m, f->surface, (real)domain->in->fluid.nu,
                            flow->vel, keep, s.a * dt, s.a_old * dt, f->before, f->total);
}

kol_status body_forces_drag(struct body_forces *f, const struct flow *flow,
                            const struct body_points points[3], double dts)
{
    if (!body_forces_adding(f, flow)) return KOL_OK;
    return body_force_drag(f->domain->grid.box, f->domain->grid.m, f->surface, points, (real)dts, flow->vel,
                           f->total);
}

kol_status body_forces_pressure(struct body_forces *f, const struct flow *flow, double dts, const real *phi)
{
    if (!body_forces_adding(f, flow)) return KOL_OK;
    return body_force_pressure(f->domain->grid.box, f->domain->grid.m, f->surface, (real)dts,
                               flow->pressure.p, phi, f->total);
}

struct body_items body_forces_items(const struct body_forces *f)
{
    return (struct body_items){
        .fronts = f->host_surface.fronts.n, .links = f->surface.links, .front = f->surface.front};
}

const struct body_surfaces *body_forces_surfaces(const struct body_forces *f)
{
    return &f->host_surface;
}

int body_forces_known(const struct body_forces *f, const struct flow *flow)
{
    return f != NULL && f->step == flow->clock.step;
}

kol_status body_forces_collect(struct body_forces *f, const struct flow *flow, double *value)
{
    const int own = f->surface.segments * BODY_FORCES, root = f->domain->comm.rank == 0;
    if (own > 0) TRY(mem_to_host(f->host, f->total, (size_t)own * sizeof *f->host));
    if (root) memset(value, 0, (size_t)f->bodies * BODY_FORCES * sizeof *value);
    for (int n = 0; n < f->bodies && root; ++n)
        for (int d = 0; d < 3; ++d) value[n * BODY_FORCES + BODY_TORQUE + d] = f->spin[n][d];
    return body_segments_add(f->segments, f->host, flow->clock.dt, value);
}
