/* Takes the scalars through a stage, in the same form as the prediction of the velocity. */
#include "scalar_stage.h"

#include "bodies/bodies.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "kernels/scalar.h"

kol_status scalar_stage_begin(struct scalar_arrays *a, const struct flow *flow, const struct rk3_scheme *rk,
                              int m)
{
    const struct domain *domain = flow->domain;
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        TRY(pool_hold(domain->pool, "scalar", &a->out[n]));
        if (!rk->from_start && m == 0) TRY(pool_hold(domain->pool, "scalar's right-hand side", &a->start[n]));
    }
    return KOL_OK;
}

/* Kinds of scalars, by what their sweep does: those without anything special, those with a limiter, and from
 * HELD on those of each group that has values on bodies. */
enum { CENTRAL, LIMITED, HELD };

static const struct body_scalars *held_of(const struct flow *flow)
{
    return flow->bodies != NULL ? flow->bodies->scalars : NULL;
}

static int kind_of(const struct flow *flow, int n)
{
    const struct body_scalars *held = held_of(flow);
    if (held != NULL && held->of[n] >= 0) return HELD + held->of[n];
    return scalar_limited(flow->domain->in, n) ? LIMITED : CENTRAL;
}

static int kinds(const struct flow *flow)
{
    return HELD + (held_of(flow) != NULL ? held_of(flow)->groups : 0);
}

/* listed: the scalars of a call of a kernel, which are of one kind. */
struct listed {
    struct scalar_stage stage;
    real *theta[SCALARS_MOST], *base[SCALARS_MOST], *old[SCALARS_MOST], *out[SCALARS_MOST];
};

static struct listed list(const struct scalar_arrays *a, const struct flow *flow, const struct rk3_scheme *rk,
                          int m, int kind)
{
    const struct input *in = flow->domain->in;
    const struct rk3_stage s = rk->stage[m];
    const double dt = flow->clock.dt;
    struct listed l = {.stage = {.a = (real)(s.a * dt), .a_old = (real)(s.a_old * dt)}};
    for (int n = 0; n < scalar_count(in); ++n) {
        const int next = l.stage.count;
        double gradient[3];
        if (kind_of(flow, n) != kind) continue;
        l.stage.open = body_scalars_live(held_of(flow), flow->domain, n);
        scalar_gradient(in, n, gradient);
        l.stage.term[next] = (struct scalar_term){(real)scalar_explicit_diffusivity(in, n),
                                                  (real)in->scalars.source[n],
                                                  {(real)gradient[X], (real)gradient[Y], (real)gradient[Z]}};
        l.theta[next] = flow->scalar[n];
        l.base[next] = rk->from_start && m > 0 ? a->start[n] : flow->scalar[n];
        l.old[next] = a->start[n];
        l.out[next] = a->out[n];
        ++l.stage.count;
    }
    return l;
}

kol_status scalar_stage_sweep(const struct scalar_arrays *a, const struct flow *flow,
                              const struct rk3_scheme *rk, int m, struct cells cells)
{
    const struct grid *g = &flow->domain->grid;
    /* a limiter reads two layers: its cells are computed at once, in the call for which the halo is complete
     * */
    const int complete = cells.which == CELLS_ALL || (cells.which == CELLS_INNER) == (cells.remote == 0);
    for (int kind = 0; kind < kinds(flow); ++kind) {
        const struct listed l = list(a, flow, rk, m, kind);
        real *const *old = rk->from_start ? NULL : l.old;
        if (l.stage.count == 0 || (kind == LIMITED && !complete)) continue;
        if (kind == LIMITED)
            TRY(scalar_transport_limited(g->box, g->m, flow->domain->walls.faces, &l.stage, flow->vel,
                                         l.theta, l.base, old, l.out));
        else TRY(scalar_transport(g->box, g->m, cells, &l.stage, flow->vel, l.theta, l.base, old, l.out));
    }
    return KOL_OK;
}

kol_status scalar_stage_walls(const struct scalar_arrays *a, const struct flow *flow,
                              const struct rk3_scheme *rk, int m)
{
    const struct grid *g = &flow->domain->grid;
    const real dts = (real)(rk->stage[m].c * flow->clock.dt);
    for (int kind = HELD; kind < kinds(flow); ++kind) {
        const struct listed l = list(a, flow, rk, m, kind);
        struct body_scalars *held = flow->bodies->scalars;
        const struct scalar_wall_values v = body_scalars_values(held, kind - HELD, flow, rk, m);
        TRY(scalar_wall_stage(g->box, g->m, &held->group[kind - HELD].walls, &l.stage, &v, dts, flow->vel,
                              l.theta, l.base, rk->from_start ? NULL : l.old, l.out));
    }
    return KOL_OK;
}

kol_status scalar_stage_end(struct scalar_arrays *a, struct flow *flow, const struct rk3_scheme *rk, int m)
{
    const struct domain *domain = flow->domain;
    const int solved = !diffusion_is_explicit(domain->in); /* scalar_stage_drop() does the rest */
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        if (rk->from_start && m == 0) {
            a->start[n] = flow->scalar[n]; /* kept to the end of the third stage */
        } else if (solved) {
            a->before[n] = flow->scalar[n];
        } else {
            TRY(pool_drop(domain->pool, &flow->scalar[n]));
        }
        flow->scalar[n] = a->out[n];
        a->out[n] = NULL;
        if (m == 2 && !solved) TRY(pool_drop(domain->pool, &a->start[n]));
    }
    return KOL_OK;
}

kol_status scalar_stage_drop(struct scalar_arrays *a, const struct flow *flow, int m)
{
    const struct domain *domain = flow->domain;
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        TRY(pool_drop(domain->pool, &a->before[n]));
        if (m == 2) TRY(pool_drop(domain->pool, &a->start[n]));
    }
    return KOL_OK;
}

real *scalar_stage_base(const struct scalar_arrays *a, const struct rk3_scheme *rk, int n)
{
    return rk->from_start ? a->start[n] : a->before[n];
}

real *scalar_stage_before(const struct scalar_arrays *a, int n)
{
    return a->before[n] != NULL ? a->before[n] : a->start[n];
}

kol_status scalar_stage_rate(const struct flow *flow, int n, int diffuses, real *spare, real *rate)
{
    const struct input *in = flow->domain->in;
    const struct grid *g = &flow->domain->grid;
    const struct scalar_stage s = {.a = 1,
                                   .count = 1,
                                   .open = g->open,
                                   .term = {{.kappa = (real)(diffuses ? scalar_diffusivity(in, n) : 0)}}};
    real *theta[] = {flow->scalar[n]}, *out[] = {spare}, *old[] = {rate};
    if (scalar_limited(in, n))
        return scalar_transport_limited(g->box, g->m, flow->domain->walls.faces, &s, flow->vel, theta, theta,
                                        old, out);
    return scalar_transport(g->box, g->m, cells_all(), &s, flow->vel, theta, theta, old, out);
}
