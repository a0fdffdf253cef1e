/* Takes the scalars through a stage, in the same form as the prediction of the velocity. */
#include "scalar_stage.h"

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

/* listed: the scalars of a call of a kernel, which all have a limiter or all have none. */
struct listed {
    struct scalar_stage stage;
    real *theta[SCALARS_MOST], *base[SCALARS_MOST], *old[SCALARS_MOST], *out[SCALARS_MOST];
};

static struct listed list(const struct scalar_arrays *a, const struct flow *flow, const struct rk3_scheme *rk,
                          int m, int limited)
{
    const struct input *in = flow->domain->in;
    const struct rk3_stage s = rk->stage[m];
    const double dt = flow->clock.dt;
    struct listed l = {
        .stage = {.a = (real)(s.a * dt), .a_old = (real)(s.a_old * dt), .open = flow->domain->grid.open}};
    for (int n = 0; n < scalar_count(in); ++n) {
        const int next = l.stage.count;
        double gradient[3];
        if (scalar_limited(in, n) != limited) continue;
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
    const struct listed central = list(a, flow, rk, m, 0), limited = list(a, flow, rk, m, 1);
    /* a limiter reads two layers: its cells are computed at once, in the call for which the halo is complete
     * */
    const int complete = cells.which == CELLS_ALL || (cells.which == CELLS_INNER) == (cells.remote == 0);
    if (central.stage.count > 0)
        TRY(scalar_transport(g->box, g->m, cells, &central.stage, flow->vel, central.theta, central.base,
                             rk->from_start ? NULL : central.old, central.out));
    if (limited.stage.count == 0 || !complete) return KOL_OK;
    return scalar_transport_limited(g->box, g->m, flow->domain->walls.faces, &limited.stage, flow->vel,
                                    limited.theta, limited.base, rk->from_start ? NULL : limited.old,
                                    limited.out);
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
