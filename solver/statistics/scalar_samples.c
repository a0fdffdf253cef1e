/* Takes samples of scalars: their convection and diffusion, the buoyancy, and sums over planes. */
#include "scalar_samples.h"

#include "inputs/scalars.h"
#include "kernels/momentum.h"
#include "scalars/buoyancy.h"
#include "scalars/scalar_stage.h"

/* sample_work: arrays of the pool.
 *
 *   rate       right-hand sides of a scalar: its convection; its convection and diffusion
 *   of_flow    for budgets of fluxes: the same of the velocity, then the buoyancy */
enum { RATES = 2, OF_FLOW = 9, BUOYANCY_FIRST = 6 };
struct sample_work {
    real *rate[RATES], *spare, *of_flow[OF_FLOW];
};

/* Number of arrays of of_flow. */
static int flow_arrays(const struct wall_profiles *w, const struct flow *flow)
{
    return !w->stresses ? 0 : flow->buoyancy != NULL ? OF_FLOW : BUOYANCY_FIRST;
}

static kol_status hold(const struct wall_profiles *w, const struct flow *flow, struct sample_work *work)
{
    struct pool *pool = flow->domain->pool;
    TRY(pool_hold(pool, "convection of a scalar", &work->rate[0]));
    if (w->stresses) TRY(pool_hold(pool, "transport of a scalar", &work->rate[1]));
    TRY(pool_hold(pool, "spare array of a scalar", &work->spare));
    for (int n = 0; n < flow_arrays(w, flow); ++n)
        TRY(pool_hold(pool, "right-hand sides for scalars", &work->of_flow[n]));
    return KOL_OK;
}

static kol_status drop(const struct wall_profiles *w, const struct flow *flow, struct sample_work *work)
{
    struct pool *pool = flow->domain->pool;
    TRY(pool_drop(pool, &work->rate[0]));
    if (w->stresses) TRY(pool_drop(pool, &work->rate[1]));
    TRY(pool_drop(pool, &work->spare));
    for (int n = 0; n < flow_arrays(w, flow); ++n) TRY(pool_drop(pool, &work->of_flow[n]));
    return KOL_OK;
}

static kol_status rates_of_flow(const struct flow *flow, struct sample_work *work)
{
    const struct grid *g = &flow->domain->grid;
    const real nu[] = {0, (real)flow->domain->in->fluid.nu};
    for (int n = 0; n < 2; ++n) {
        real **to = work->of_flow + 3 * n;
        TRY(momentum_rhs(g->box, g->m, cells_all(), nu[n], flow->vel[X], flow->vel[Y], flow->vel[Z], to[X],
                         to[Y], to[Z]));
    }
    return buoyancy_field(flow, work->of_flow + BUOYANCY_FIRST);
}

static kol_status sample_one(struct wall_planes *planes, const struct wall_profiles *w,
                             const struct flow *flow, int n, struct sample_work *work, double *sample)
{
    const struct domain *domain = flow->domain;
    double *own = sample != NULL ? sample + profiles_scalar(w, n) : NULL;
    struct plane_scalar s = {
        .theta = flow->scalar[n], .convection = work->rate[0], .transport = work->rate[1]};
    scalar_gradient(domain->in, n, s.gradient);
    TRY(scalar_stage_rate(flow, n, 0, work->spare, work->rate[0]));
    TRY(wall_planes_scalar(planes, &domain->grid, flow->vel, &s, own));
    if (!w->stresses) return KOL_OK;
    for (int d = 0; d < 3; ++d) {
        s.u_convection[d] = work->of_flow[d];
        s.u_momentum[d] = work->of_flow[3 + d];
        s.buoyancy[d] = work->of_flow[BUOYANCY_FIRST + d];
    }
    TRY(scalar_stage_rate(flow, n, 1, work->spare, work->rate[1]));
    return wall_planes_scalar_fluxes(planes, &domain->grid, flow->vel, flow->pressure.p, &s,
                                     own != NULL ? own + (ptrdiff_t)THETA_COUNT * w->levels : NULL);
}

kol_status scalar_samples_walled(struct wall_planes *planes, const struct wall_profiles *w,
                                 const struct flow *flow, double *sample)
{
    struct sample_work work = {.spare = NULL};
    if (w->scalars.count == 0) return KOL_OK;
    TRY(hold(w, flow, &work));
    if (!pool_counts(flow->domain->pool)) {
        if (w->stresses) TRY(rates_of_flow(flow, &work));
        for (int n = 0; n < w->scalars.count; ++n) TRY(sample_one(planes, w, flow, n, &work, sample));
    }
    return drop(w, flow, &work);
}
