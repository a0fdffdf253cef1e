/* Solves for the pressure that belongs to the time of the velocity, for samples of averages. */
#include "sample_pressure.h"

#include <math.h>
#include "boundary/boundary.h"
#include "forcing/formula_force.h"
#include "kernels/momentum.h"
#include "kernels/update.h"
#include "kernels/volume_dot.h"
#include "scalars/buoyancy.h"

static kol_status hold(const struct domain *domain, real *array[3])
{
    for (int d = 0; d < 3; ++d) TRY(pool_hold(domain->pool, "forces", &array[d]));
    return KOL_OK;
}

static kol_status drop(const struct domain *domain, real *array[3])
{
    for (int d = 0; d < 3; ++d) TRY(pool_drop(domain->pool, &array[d]));
    return KOL_OK;
}

/* Fills the halos of the flow, unless the monitor of the step has done so. */
static kol_status fill_halos(struct flow *flow)
{
    real *read[HALO_FIELDS];
    const struct exchange exchange = boundary_exchange_flow(flow, read);
    if (!flow->halo_filled) TRY(exchange_fill(&exchange));
    flow->halo_filled = 1;
    return KOL_OK;
}

/* Computes f = F - grad p with the pressure of the last stage. zero: an array to work in. */
static kol_status find_forces(const struct flow *flow, real *zero, real *const f[3])
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const double *omega = domain->in->forcing.rotation;
    const struct stage whole = {.nu = (real)domain->in->fluid.nu,
                                .a = 1,
                                .dts = 1,
                                .turn = {(real)(2 * omega[X]), (real)(2 * omega[Y]), (real)(2 * omega[Z])}};
    real *const base[3] = {zero, zero, zero};
    TRY(mem_fill_real(zero, b.size, 0));
    TRY(momentum_stage(b, domain->grid.m, cells_all(), whole, flow->vel, base, flow->pressure.p, NULL, f));
    TRY(buoyancy_put(flow, f));
    return formula_force_put(flow, f);
}

/* What is asked for: a step with the remaining divergence of the force would leave pressure.tolerance. */
static struct ppcg_goal goal_of(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const double speed = fmax(flow->now.speed, flow->force.push),
                 scale = speed > 0 ? flow->clock.dt * domain->grid.h / speed : 1;
    return (struct ppcg_goal){.name = "pressure of a sample",
                              .tolerance = domain->in->pressure.tolerance / scale,
                              .scale = scale,
                              .meaning = "max|lap p - div F| dt h/U",
                              .input = "pressure.tolerance"};
}

/* Solves for what the pressure of the last stage lacks, and adds it. phi: out, the pressure of the sample. */
static kol_status solve(struct step *step, const struct flow *flow, real *const f[3], real *rhs, real *phi)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const struct stencil centres = grid_stencil(g, LOC_CCC, 0, 1);
    struct ppcg_result result;
    double sums[3], mean;
    TRY(boundary_fill(domain, f, 3, HALO_NORMAL)); /* nothing passes through walls */
    TRY(project_divergence(g->box, g->m, bl, halo_cells(domain->halo, CELLS_ALL), 1, f[X], f[Y], f[Z], rhs));
    TRY(reduction_finish(domain->reduction, 2, 1, sums));
    TRY(mem_fill_real(phi, g->box.size, 0));
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_pressure, centres, goal_of(flow), sums[0] / g->volume, rhs,
                   phi, &result));
    TRY(update_combine(g->box, 1, flow->pressure.p, 1, phi, phi));
    TRY(volume_dot_weighted(g->box, bl, centres, phi));
    TRY(reduction_finish(domain->reduction, 1, 0, &mean));
    TRY(update_shift(g->box, (const real[3]){(real)(-mean / g->volume), 0, 0}, NULL,
                     (real *const[3]){phi, NULL, NULL}));
    return halo_fill_one(domain->halo, phi, HALO_EDGES);
}

kol_status sample_pressure_begin(struct step *step, struct flow *flow, real **stage)
{
    const struct domain *domain = flow->domain;
    real *f[3] = {NULL, NULL, NULL}, *rhs = NULL, *phi = NULL;
    TRY(profile_phase(domain->profile, "statistics"));
    TRY(pool_hold(domain->pool, "pressure of a sample", &phi));
    TRY(hold(domain, f));
    TRY(pool_hold(domain->pool, "divergence", &rhs));
    if (pool_counts(domain->pool)) {
        struct ppcg_result none;
        TRY(ppcg_solve(step->poisson.ppcg, &step->poisson.for_pressure,
                       grid_stencil(&domain->grid, LOC_CCC, 0, 1), goal_of(flow), 0, rhs, phi, &none));
    } else {
        TRY(fill_halos(flow));
        TRY(find_forces(flow, rhs, f));
        TRY(solve(step, flow, f, rhs, phi));
    }
    TRY(pool_drop(domain->pool, &rhs));
    TRY(drop(domain, f));
    *stage = flow->pressure.p;
    flow->pressure.p = phi;
    return KOL_OK;
}

kol_status sample_pressure_end(struct flow *flow, real **stage)
{
    TRY(pool_drop(flow->domain->pool, &flow->pressure.p));
    flow->pressure.p = *stage;
    *stage = NULL;
    return KOL_OK;
}
