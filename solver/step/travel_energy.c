/* Adds up the energy that the fluid gets in the stages of a step beside bodies that travel. */
#include "travel_energy.h"

#include <math.h>
#include "bodies/bodies_travel.h"
#include "forcing/formula_force.h"
#include "kernels/body_energy.h"
#include "kernels/projection.h"
#include "math/rk3_scheme.h"

/* Whether stage m counts. Stages that begin at the start of the step replace what the stage before did, so of
 * these only the last one counts. */
static int counts(const struct flow *flow, const struct rk3_scheme *rk, int m)
{
    if (!bodies_travelling(flow) || pool_counts(flow->domain->pool)) return 0;
    if (flow->limits_only && flow->open == NULL) return 0; /* as flow_monitor_take() */
    return m == 2 || !rk->from_start;
}

kol_status travel_energy_turns(struct flow *flow, int m, real *const base[3], real *const *old)
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    double sum = 0;
    if (old == NULL || rk->stage[m].a_old == 0 || !counts(flow, rk, m)) return KOL_OK;
    struct bodies *b = flow->bodies;
    TRY(body_energy_turns(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction), b->turned,
                          base, old));
    TRY(reduction_finish(domain->reduction, 1, 0, &sum));
    b->energy.got -= rk->stage[m].a_old * flow->clock.dt * sum / domain->grid.volume;
    return KOL_OK;
}

/* The power of the right-hand sides over open faces [U^2 L^3 / T]. */
static kol_status power(const struct flow *flow, double *out)
{
    const struct domain *domain = flow->domain;
    const struct bodies *b = flow->bodies;
    const struct box box = domain->grid.box;
    const double *turn = domain->in->forcing.rotation, nu = domain->in->fluid.nu;
    const struct stage s = {.nu = (real)nu,
                            .turn = {(real)(2 * turn[X]), (real)(2 * turn[Y]), (real)(2 * turn[Z])}};
    double value[1 + MON_COUNT];
    TRY(body_energy_rates(box, domain->grid.m, reduction_blocks(domain->reduction), b->points, b->held, s,
                          flow->vel));
    TRY(project_monitor(box, domain->grid.m, domain->walls, reduction_blocks_from(domain->reduction, 1),
                        halo_cells(domain->halo, CELLS_ALL), flow->vel[X], flow->vel[Y], flow->vel[Z]));
    TRY(reduction_finish(domain->reduction, 1 + MON_SUMS, MON_COUNT - MON_SUMS, value));
    *out = value[0] - nu * (value[1 + MON_DISS] - value[1 + MON_WORK]);
    return KOL_OK;
}

kol_status travel_energy_predict(struct flow *flow, int m, real *const base[3])
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const double dt = flow->clock.dt, t = flow->clock.t + rk3_stage_end(rk, m - 1) * dt;
    double rate = 0, formula = 0;
    if (!counts(flow, rk, m)) return KOL_OK;
    struct bodies *b = flow->bodies;
    TRY(body_energy_keep(b->held, base));
    TRY(power(flow, &rate));
    TRY(formula_force_work(flow, t, &formula));
    rate = rate / domain->grid.volume + formula;
    const double old = rk->stage[m].a_old != 0 ? rk->stage[m].a_old * b->energy.rate : 0,
                 so_far = m > 0 && !rk->from_start ? b->energy.got : 0;
    b->energy.got = so_far + dt * (rk->stage[m].a * rate + old);
    b->energy.rate = rate;
    b->energy.step = flow->clock.step + 1;
    return KOL_OK;
}

kol_status travel_energy_pressure(struct flow *flow, int m, double dts, const real *phi)
{
    const struct domain *domain = flow->domain;
    struct bodies *b = flow->bodies;
    double sum = 0;
    if (!counts(flow, rk3_scheme(domain->in->time.scheme), m)) return KOL_OK;
    const struct body_impulse s = {(real)dts, {(real)b->pushed[X], (real)b->pushed[Y], (real)b->pushed[Z]}};
    TRY(body_energy_stage(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction), b->points,
                          b->held, s, flow->pressure.p, phi, flow->vel));
    TRY(reduction_finish(domain->reduction, 1, 0, &sum));
    b->energy.got += sum / domain->grid.volume;
    return KOL_OK;
}

int travel_energy_counts(const struct flow *flow)
{
    return bodies_travelling(flow);
}

double travel_energy_gain(const struct flow *flow)
{
    const struct bodies *b = flow->bodies;
    return b != NULL && b->energy.step == flow->clock.step ? b->energy.got / flow->clock.dt : NAN;
}
