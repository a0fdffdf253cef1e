/* Takes the scalars through a stage, in the same form as the prediction of the velocity. */
#include "scalar_stage.h"

#include "inputs/scalars.h"
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

kol_status scalar_stage_sweep(const struct scalar_arrays *a, const struct flow *flow,
                              const struct rk3_scheme *rk, int m, struct cells cells)
{
    const struct domain *domain = flow->domain;
    const struct rk3_stage s = rk->stage[m];
    const double dt = flow->clock.dt;
    struct scalar_stage stage = {
        .a = (real)(s.a * dt), .a_old = (real)(s.a_old * dt), .count = scalar_count(domain->in)};
    if (stage.count == 0) return KOL_OK;
    for (int n = 0; n < stage.count; ++n) {
        double gradient[3];
        scalar_gradient(domain->in, n, gradient);
        stage.term[n] = (struct scalar_term){(real)scalar_diffusivity(domain->in, n),
                                             (real)domain->in->scalars.source[n],
                                             {(real)gradient[X], (real)gradient[Y], (real)gradient[Z]}};
    }
    real *const *base = rk->from_start && m > 0 ? a->start : flow->scalar;
    return scalar_transport(domain->grid.box, domain->grid.m, cells, &stage, flow->vel, flow->scalar, base,
                            rk->from_start ? NULL : a->start, a->out);
}

kol_status scalar_stage_end(struct scalar_arrays *a, struct flow *flow, const struct rk3_scheme *rk, int m)
{
    const struct domain *domain = flow->domain;
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        if (rk->from_start && m == 0) {
            a->start[n] = flow->scalar[n]; /* kept to the end of the third stage */
        } else {
            TRY(pool_drop(domain->pool, &flow->scalar[n]));
        }
        flow->scalar[n] = a->out[n];
        a->out[n] = NULL;
        if (m == 2) TRY(pool_drop(domain->pool, &a->start[n]));
    }
    return KOL_OK;
}
