/* Moves the geometry of the bodies into kernel memory, and does their part of a stage. */
#include "bodies.h"

#include <stdlib.h>
#include "inputs/bodies.h"
#include "kernels/base/mem.h"
#include "kernels/laplace.h"
#include "kernels/volume_dot.h"
#include "math/rk3_scheme.h"
#include "state/flow_fields.h"
#include "body_forces.h"
#include "travellers.h"

kol_status bodies_create(struct domain *domain, struct body_geometry *geometry, struct bodies **out)
{
    *out = NULL;
    if (geometry == NULL) return KOL_OK;
    struct bodies *bodies = calloc(1, sizeof *bodies);
    if (bodies == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the bodies");
    struct kernel_room mask = {NULL, 0};
    *out = bodies;
    bodies->domain = domain;
    bodies->energy.step = -1;
    bodies->geometry = geometry;
    bodies->turns = body_lists_turn(geometry) || geometry->travellers != NULL;
    TRY(kernel_room_fill(domain, &mask, geometry->open, (size_t)domain->grid.box.size, 0));
    bodies->open = mask.at;
    /* where memory is only counted, no kernel reads the mask: any address says that there is one */
    domain->grid.open = memory_counts(domain->memory) ? geometry->open : bodies->open;
    domain->grid.bodies = 1;
    for (int d = 0; d < 3; ++d) {
        TRY(body_lists_points(domain, geometry, d, &bodies->point_rooms[d], &bodies->points[d]));
        bodies->lead[d] = bodies->points[d].lead;
        bodies->points[d].lead = NULL;
        TRY(body_lists_held(domain, geometry, d, &bodies->held_rooms[d], &bodies->held[d]));
    }
    const int interval = domain->in->output.bodies_interval;
    TRY(body_forces_create(domain, geometry, interval, &bodies->forces));
    TRY(body_stresses_create(domain, geometry, bodies->forces, &bodies->stresses));
    return body_scalars_create(domain, geometry, interval, &bodies->scalars);
}

void bodies_destroy(struct domain *domain, struct bodies **bodies)
{
    struct bodies *b = *bodies;
    if (b == NULL) return;
    domain->grid.open = NULL;
    domain->grid.bodies = 0;
    mem_kernel_free(b->open);
    for (int d = 0; d < 3; ++d) body_lists_free(&b->point_rooms[d], &b->held_rooms[d]);
    for (int n = 0; n < TRAVEL_ROOMS; ++n) mem_kernel_free(b->travel_rooms[n].at);
    mem_kernel_free(b->gradient);
    body_stresses_destroy(&b->stresses);
    body_forces_destroy(&b->forces);
    body_scalars_destroy(&b->scalars);
    body_geometry_destroy(&b->own);
    free(b);
    *bodies = NULL;
}

kol_status bodies_renew(struct flow *flow, double t)
{
    struct bodies *old = flow->bodies;
    const int removed = bodies_removed(flow->domain->in, t);
    if (old == NULL || removed == old->removed) return KOL_OK;
    struct domain *domain = old->domain;
    struct body_geometry *geometry = NULL;
    TRY(pool_drop(domain->pool, &old->potential));
    TRY(body_geometry_create_at(domain, t, &geometry));
    bodies_destroy(domain, &flow->bodies);
    TRY(comm_agree(&domain->comm, bodies_create(domain, geometry, &flow->bodies)));
    if (flow->bodies == NULL) return KOL_OK;
    flow->bodies->own = geometry;
    flow->bodies->removed = removed;
    return KOL_OK;
}

int bodies_surface_stored(const struct flow *flow)
{
    return flow->bodies != NULL ? body_stresses_stored(flow->bodies->stresses) : 0;
}

struct io_view bodies_surface_view(const struct flow *flow)
{
    return body_stresses_view(flow->bodies != NULL ? flow->bodies->stresses : NULL);
}

double bodies_stored(const struct flow *flow)
{
    return flow->bodies != NULL ? flow->bodies->geometry->bodies : 0;
}

double bodies_hash(const struct flow *flow)
{
    return flow->bodies != NULL ? flow->bodies->geometry->hash : 0;
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

/* Whether nothing else acts on the prediction between bodies_predict() and bodies_drag(). Diffusion beside
 * bodies is explicit. */
static int drags_at_once(const struct flow *flow)
{
    return flow->buoyancy == NULL && flow->force.formula == NULL;
}

const unsigned char *bodies_closed_at_once(const struct flow *flow)
{
    const int travels = !idle(flow) && flow->bodies->geometry->travellers != NULL;
    return idle(flow) || travels || !drags_at_once(flow) ? NULL : flow->bodies->open;
}

kol_status bodies_hold_stage(struct flow *flow)
{
    if (bodies_closed_at_once(flow) == NULL) return bodies_hold(flow);
    return body_hold(flow->domain->grid.box, NULL, flow->bodies->held, flow->vel);
}

static int filled(const struct flow *flow, const real *p)
{
    return p == flow->bodies->filled && flow->bodies->filled_in == flow->clock.step;
}

static void set_filled(struct flow *flow, const real *p)
{
    flow->bodies->filled = p;
    flow->bodies->filled_in = flow->clock.step;
}

/* Begins to fill the halo of a pressure at the faces; end_fill() ends it. */
static kol_status begin_fill(const struct domain *domain, real *p)
{
    TRY(halo_begin_one(domain->halo, p, HALO_FACES));
    return laplace_around() ? halo_wrap(domain->halo, p) : KOL_OK;
}

static kol_status end_fill(const struct domain *domain)
{
    TRY(halo_await(domain->halo));
    return halo_join(domain->halo, KOL_OK);
}

kol_status bodies_guess_begin(struct flow *flow, real *before)
{
    if (idle(flow) || filled(flow, before)) return KOL_OK;
    flow->bodies->filling = 1;
    return begin_fill(flow->domain, before);
}

kol_status bodies_guess(struct flow *flow, real *before, int stays)
{
    const struct domain *domain = flow->domain;
    struct bodies *bodies = flow->bodies;
    if (idle(flow)) return KOL_OK;
    if (before != NULL && !filled(flow, before)) {
        if (!bodies->filling) TRY(begin_fill(domain, before));
        bodies->filling = 0;
        TRY(end_fill(domain));
    }
    bodies->filled = NULL;
    bodies->before = stays ? before : NULL;
    for (int d = 0; d < 3; ++d) bodies->points[d].lead = before != NULL ? bodies->lead[d] : NULL;
    if (before == NULL || stays) return KOL_OK;
    return body_extra_begin(domain->grid.box, domain->grid.m, bodies->points, before);
}

/* Whether forces or surface data take their sums of this stage. */
static int adds(const struct flow *flow)
{
    return body_forces_adding(flow->bodies->forces, flow) ||
           body_stresses_adding(flow->bodies->stresses, flow);
}

kol_status bodies_beyond(struct flow *flow, double mean, struct level_sum phi, const real *p_old, real *p)
{
    const unsigned low = 1u << FACE_X_LOW | 1u << FACE_Y_LOW | 1u << FACE_Z_LOW;
    struct bodies *bodies = flow->bodies;
    if (idle(flow)) return KOL_OK;
    bodies->filled = NULL;
    if (phi.d == NULL || (bodies->stage == 2 && !adds(flow))) return KOL_OK;
    const struct domain *domain = flow->domain;
    TRY(project_pressure_beyond(domain->grid.box, bodies->open, (real)mean, low & halo_remote(domain->halo),
                                phi, p_old, p));
    TRY(halo_wrap(domain->halo, p));
    set_filled(flow, p);
    return KOL_OK;
}

kol_status bodies_predict(struct flow *flow, int m, real *const base[3], real *const *old, real *const out[3])
{
    if (idle(flow)) return KOL_OK;
    const struct rk3_stage stage = rk3_scheme(flow->domain->in->time.scheme)->stage[m];
    flow->bodies->stage = m;
    set_filled(flow, flow->pressure.p);
    TRY(body_forces_predict(flow->bodies->forces, flow, m));
    TRY(body_stresses_predict(flow->bodies->stresses, flow, m));
    const int drags = drags_at_once(flow), travels = flow->bodies->geometry->travellers != NULL;
    const struct body_stage given = {.nu = (real)flow->domain->in->fluid.nu,
                                     .a = (real)(stage.a * flow->clock.dt),
                                     .dts = (real)(stage.c * flow->clock.dt),
                                     .p = flow->pressure.p,
                                     .before = flow->bodies->before,
                                     .drag = drags,
                                     .keep = !drags || travels || adds(flow)};
    return body_extra(flow->domain->grid.box, flow->domain->grid.m, flow->bodies->points, given, flow->vel,
                      base, old, out);
}

kol_status bodies_finish(struct flow *flow, double dts)
{
    if (idle(flow)) return KOL_OK;
    TRY(body_forces_drag(flow->bodies->forces, flow, flow->bodies->points, dts));
    return body_stresses_drag(flow->bodies->stresses, flow, flow->bodies->points, dts);
}

kol_status bodies_pressure(struct flow *flow, double dts, const real *phi)
{
    if (idle(flow)) return KOL_OK;
    if (phi == NULL && adds(flow) && !filled(flow, flow->pressure.p)) {
        TRY(begin_fill(flow->domain, flow->pressure.p));
        TRY(end_fill(flow->domain));
        set_filled(flow, flow->pressure.p); /* no later part of this stage changes it */
    }
    TRY(body_forces_pressure(flow->bodies->forces, flow, dts, phi));
    return body_stresses_pressure(flow->bodies->stresses, flow, dts, phi);
}

kol_status bodies_drag(struct flow *flow, double dts)
{
    if (idle(flow) || drags_at_once(flow)) return KOL_OK;
    return body_drag(flow->bodies->points, (real)dts, flow->vel);
}

kol_status bodies_push(struct flow *flow, int d, double dts, double shift)
{
    if (idle(flow)) return KOL_OK;
    flow->bodies->pushed[d] = shift;
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
    struct bodies *bodies = flow->bodies;
    double held_back = 0;
    for (int n = 0; n < BODIES_LEFT; ++n) {
        if (bodies->left[n].dts != dts) continue;
        *left = bodies->left[n].left;
        return KOL_OK;
    }
    TRY(body_response(g->box, g->m, reduction_blocks(domain->reduction), bodies->points[d], d, (real)dts,
                      bodies->gradient));
    TRY(reduction_finish(domain->reduction, 1, 0, &held_back));
    *left = bodies->response - held_back / g->volume;
    bodies->left[bodies->left_next].dts = dts;
    bodies->left[bodies->left_next].left = *left;
    bodies->left_next = (bodies->left_next + 1) % BODIES_LEFT;
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
    real *ones = NULL;
    if (idle(flow)) return KOL_OK;
    TRY(pool_hold(domain->pool, "open faces", &ones));
    for (int d = 0; d < 3; ++d) {
        TRY(mem_fill_real(ones, domain->grid.box.size, 0));
        TRY(body_push(domain->grid.box, flow->bodies->open, flow->bodies->points[d], d, 0, 1, ones));
        TRY(volume_dot_weighted(domain->grid.box, reduction_blocks(domain->reduction),
                                grid_stencil(&domain->grid, flow_field[FLOW_U + d].location, 0, 1), ones));
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
