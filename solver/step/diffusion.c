/* Solves for the diffusion of a stage by PPCG: for the velocity itself in a periodic box, for its change
 * between walls. */
#include "diffusion.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include "inputs/face_kinds.h"
#include "inputs/schemes.h"
#include "kernels/momentum.h"
#include "kernels/stream_copy.h"
#include "boundary/boundary.h"
#include "math/rk3_scheme.h"
#include "state/flow_fields.h"

/* Where rounding allows no less, a solve may leave up to ENOUGH_MOST of the largest speed. A run is refused
 * if rounding may leave more than REFUSED_ABOVE of it. */
static const double ENOUGH_MOST = KOL_CHOOSE(1e-6, 1e-3), REFUSED_ABOVE = KOL_CHOOSE(1e-6, 1e-2);
/* Largest nu dt / (2 h^2) if a moving wall meets another wall. The pressure at their edge is about nu U/h, so
 * the explicit pressure gradient brings this many times U there, which the splitting leaves in part. The
 * solution blows up from about 2500 on. */
static const double EDGE_MOST = 1000;

static int wanted(const struct domain *domain)
{
    return diffusion_is_implicit(domain->in) && domain->in->fluid.nu > 0;
}

int diffusion_shapes_force(const struct domain *domain)
{
    return wanted(domain) && domain->walls.any;
}

/* The largest sum of the absolute values of a row of A/V is below 1 + ROW factor/h^2, h the smallest width.
 * Each of the three directions has two fluxes with two coefficients each, of at most 2/h^2 at the half
 * distance to a wall. */
enum { ROW = 3 * 2 * 2 * 2 };

/* Whether a no-slip wall moves towards another wall, which does not move with it. */
static int wall_moves_at_edge(const struct input *in)
{
    int found = 0;
    for (int f = 0; f < FACES; ++f)
        for (int d = 0; d < 3; ++d)
            found = found || (face_moves_along(in, f, d) && d != f / 2 && direction_has_wall(in, d));
    return found;
}

/* factor over the square of the smallest width: nu dt / (2 h^2). */
static double number_of(const struct grid *g, double factor)
{
    return factor / (g->smallest * g->smallest);
}

/* Returns the largest |r|/V that the rounding of A x may leave, as a part of the largest speed. x is known
 * to epsilon, so A x is known to epsilon times the sum of the absolute values of a row. In thin cells this
 * is far larger than epsilon V. An error of x that causes such a residual is not larger than the rounding
 * of x itself.
 *
 *   number   nu dt / (2 h^2)
 *   SUMS     the number of roundings that are counted: x may be twice the speed, and the right-hand side is
 *            rounded, too
 *   edge     whether a moving wall meets another wall; there x is up to `number` times the speed */
static double rounding_left(double number, int edge)
{
    enum { SUMS = 4 };
    return SUMS * KOL_EPSILON * (1 + ROW * number) * (edge ? 1 + number : 1);
}

kol_status diffusion_check(const struct domain *domain, double dt)
{
    const struct grid *g = &domain->grid;
    const struct input *in = domain->in;
    if (!wanted(domain) || method_is_exact(in) || !(dt > 0)) return KOL_OK;
    const double number = number_of(g, dt * in->fluid.nu / 2);
    const double by_rounding = number * REFUSED_ABOVE / rounding_left(number, 0);
    const int edge = wall_moves_at_edge(in) && EDGE_MOST < by_rounding;
    const double most = edge ? EDGE_MOST : by_rounding;
    if (number <= most) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: time.diffusion = 'implicit': with dt = %.3g and cells as thin as %.3g, nu dt/(2 h^2) = "
          "%.3g, and %s; give time.dt up to %.2g, make the smallest width at least %.2g by a weaker "
          "stretching, or choose time.diffusion = 'explicit'",
          input_place(domain->source, offsetof(struct input, time.diffusion), 0).at, dt, g->smallest, number,
          edge ? "above 1000 the solution blows up where a moving wall meets another wall"
               : "rounding may then leave errors of the velocity that are too large",
          0.9 * most / number * dt, 1.1 * g->smallest * sqrt(number / most));
}

double diffusion_rounding(const struct domain *domain, double factor)
{
    return fmin(rounding_left(number_of(&domain->grid, factor), 0), ENOUGH_MOST);
}

/* The goal of a solve. unit: unit of the unknown. A residual of V * e leaves an error of at most e, because
 * the lowest eigenvalue of the operator is at least V. Where cells are so thin that the rounding of the
 * unknown alone leaves a larger residual, that residual is accepted if the iteration gets no further. */
static struct ppcg_goal goal_of(const struct domain *domain, const char *name, double factor, double unit)
{
    const double rounding = rounding_left(number_of(&domain->grid, factor), wall_moves_at_edge(domain->in));
    return (struct ppcg_goal){.name = name,
                              .tolerance = domain->in->time.diffusion_tolerance * unit,
                              .enough = fmin(rounding, ENOUGH_MOST) * unit,
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
        const struct ppcg_goal goal = goal_of(domain, name, factor, speed);
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
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_diffusion, held,
                   goal_of(domain, "diffusion of the force", factor, 1), 0, source, *out, &result));
    return pool_drop(domain->pool, &source);
}
