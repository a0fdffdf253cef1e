/* Solves for the diffusion of a stage by PPCG: for the velocity itself in a periodic box, for its change
 * between walls. */
#include "diffusion.h"

#include <stdio.h>
#include "inputs/schemes.h"
#include "kernels/momentum.h"
#include "kernels/stream_copy.h"
#include "boundary/boundary.h"
#include "math/rk3_scheme.h"
#include "state/field.h"

static int wanted(const struct domain *domain)
{
    return diffusion_is_implicit(domain->in) && domain->in->fluid.nu > 0;
}

int diffusion_shapes_force(const struct domain *domain)
{
    return wanted(domain) && domain->walls.any;
}

/* The goal of a solve. unit: unit of the unknown. A residual of V * e leaves an error of at most e, because
 * the lowest eigenvalue of the operator is at least V. */
static struct ppcg_goal goal_of(const struct domain *domain, const char *name, double unit)
{
    return (struct ppcg_goal){.name = name,
                              .tolerance = domain->in->time.diffusion_tolerance * unit,
                              .scale = 1 / unit,
                              .meaning = "the change of velocity over the largest speed",
                              .input = "time.diffusion_tolerance"};
}

/* In a periodic box: solves for u* itself, from the guess v. */
static kol_status solve_periodic(struct poisson *poisson, struct flow *flow, int d, double factor,
                                 struct ppcg_goal goal, const real *base)
{
    const struct domain *domain = flow->domain;
    const struct stencil a = grid_stencil(&domain->grid, flow_field[d].location, 1, (real)factor);
    struct ppcg_result result;
    real *source = NULL;
    TRY(pool_hold(domain->pool, "diffusion source", &source));
    if (!pool_counts(domain->pool))
        TRY(stencil_source(domain->grid.box, a, (real)factor, flow->vel[d], base, source));
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_diffusion, a, goal, 0, source, flow->vel[d], &result));
    return pool_drop(domain->pool, &source);
}

/* The right-hand side for the change e between walls, and e = 0 for a guess. */
static kol_status begin_change(const struct flow *flow, int d, double factor, const real *base, real *source,
                               real *change)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct stencil plain = grid_stencil(g, flow_field[d].location, 0, 1);
    if (pool_counts(domain->pool)) return KOL_OK;
    TRY(stream_triad(g->box.size, 1, base, flow->vel[d], change));
    TRY(stencil_source(g->box, plain, (real)factor, NULL, change, source));
    return mem_fill_real(change, g->box.size, 0);
}

/* Between walls: solves for the change e = u* - v, which is 0 on them,
 *
 *       (1 - factor lap) e = factor lap(base + v) .
 *
 * Here lap reads the halos of base and v, which hold the boundary values. So this function need not know what
 * kind of wall there is. */
static kol_status solve_change(struct poisson *poisson, struct flow *flow, int d, double factor,
                               struct ppcg_goal goal, const real *base)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct stencil held = grid_stencil_held(g, flow_field[d].location, 1, (real)factor);
    struct ppcg_result result;
    real *source = NULL, *change = NULL;
    TRY(pool_hold(domain->pool, "diffusion source", &source));
    TRY(pool_hold(domain->pool, "diffusion change", &change));
    TRY(begin_change(flow, d, factor, base, source, change));
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_diffusion, held, goal, 0, source, change, &result));
    if (!pool_counts(domain->pool)) TRY(stream_triad(g->box.size, 1, flow->vel[d], change, source));
    TRY(pool_drop(domain->pool, &change));
    TRY(pool_drop(domain->pool, &flow->vel[d]));
    flow->vel[d] = source;
    return KOL_OK;
}

kol_status diffusion_solve(struct step *step, struct flow *flow, double dts)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    if (!wanted(domain)) return KOL_OK;
    TRY(profile_phase(domain->profile, "diffusion"));
    real *const *base = rk3_scheme(domain->in->time.scheme)->from_start ? step->start : step->before_stage;
    const double factor = dts * domain->in->fluid.nu / 2, speed = flow->now.speed > 0 ? flow->now.speed : 1;
    if (domain->walls.any && !pool_counts(domain->pool)) TRY(boundary_fill(domain, flow->vel, 3, HALO_EDGES));
    for (int d = 0; d < 3; ++d) {
        char name[32];
        snprintf(name, sizeof name, "diffusion of %s", flow_field[d].name);
        const struct ppcg_goal goal = goal_of(domain, name, speed);
        TRY(domain->walls.any ? solve_change(poisson, flow, d, factor, goal, base[d])
                              : solve_periodic(poisson, flow, d, factor, goal, base[d]));
    }
    return KOL_OK;
}

kol_status diffusion_force(struct poisson *poisson, int d, double dts, real **out)
{
    const struct domain *domain = poisson->domain;
    const struct grid *g = &domain->grid;
    const double factor = dts * domain->in->fluid.nu / 2;
    const struct stencil held = grid_stencil_held(g, flow_field[d].location, 1, (real)factor);
    struct ppcg_result result;
    real *source = NULL;
    TRY(profile_phase(domain->profile, "diffusion"));
    TRY(pool_hold(domain->pool, "force", out));
    TRY(pool_hold(domain->pool, "diffusion source", &source));
    if (!pool_counts(domain->pool)) {
        TRY(mem_fill_real(*out, g->box.size, 1));
        TRY(stencil_source(g->box, grid_stencil(g, flow_field[d].location, 0, 1), 0, *out, *out, source));
    }
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_diffusion, held, goal_of(domain, "diffusion of the force", 1),
                   0, source, *out, &result));
    return pool_drop(domain->pool, &source);
}
