/* Solves for the potential of the exact fractional step by conjugate gradients, and for the pressure in files
 * and statistics. */
#include "exact_step.h"

#include <math.h>
#include <stdlib.h>
#include "forcing/formula_force.h"
#include "inputs/schemes.h"
#include "kernels/curl.h"
#include "kernels/momentum.h"
#include "kernels/update.h"
#include "kernels/volume_dot.h"
#include "pressure.h"
#include "math/rk3_scheme.h"
#include "poisson/cg_round.h"
#include "state/flow_fields.h"

struct exact_step {
    struct cg_scalars cg;
    long long pressure_step; /* step to which flow->pressure.p belongs; -1: none yet */
};

/* system: the equation curl((I - beta L)(base + C s)) = curl(u* + beta L base) for s, and its arrays. */
struct system {
    const char *name;
    double beta;
    double tolerance; /* on max|curl((I - beta L) e)| of the velocity's error e [1/T] */
    double unit;      /* converts it to the user's tolerance */
    real *const *vel, *const *base;
    real *const *s;
    real *r[3], *z[3], *d[3],
        *t[3]; /* residual, preconditioned residual and then A d, direction, what the operator takes */
    real *scratch[PRECONDITIONER_SCRATCH]; /* of the preconditioner */
};

/* Whether the guess reads the last potential of the step before when this step already has a potential of its
 * own. */
static int two_potentials(const struct input *in, int guess)
{
    const int extrapolated = guess == GUESS_LINEAR || guess == GUESS_LLI;
    return extrapolated && rk3_scheme(in->time.scheme)->from_start;
}

kol_status exact_step_create(struct step *step)
{
    const struct domain *domain = step->domain;
    if (!method_is_exact(domain->in)) return KOL_OK;
    struct exact_step *n = calloc(1, sizeof *n);
    if (n == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the exact fractional step");
    step->exact_step = n;
    n->pressure_step = -1;
    memory_library(domain->memory, sizeof *n->cg.state);
    return memory_counts(domain->memory) ? KOL_OK : cg_create(&n->cg);
}

void exact_step_destroy(struct exact_step **n)
{
    if (*n == NULL) return;
    cg_destroy(&(*n)->cg);
    free(*n);
    *n = NULL;
}

static kol_status hold(const struct domain *domain, const char *name, real *array[3])
{
    for (int c = 0; c < 3; ++c) TRY(pool_hold(domain->pool, name, &array[c]));
    return KOL_OK;
}

static kol_status drop(const struct domain *domain, real *array[3])
{
    for (int c = 0; c < 3; ++c) TRY(pool_drop(domain->pool, &array[c]));
    return KOL_OK;
}

static kol_status fill(const struct domain *domain, real *const array[3])
{
    return halo_fill(domain->halo, array, 3, HALO_EDGES);
}

/* Forms what curl C is applied to: s itself, or s + beta (curl C s + 2 curl base). The halos of the result
 * and of s are filled. */
static kol_status shift(const struct domain *domain, const struct system *a, const struct cg_state *cg,
                        real *const *s, real *const *base, real *const **out)
{
    TRY(fill(domain, s));
    *out = s;
    if (a->beta == 0) return KOL_OK;
    TRY(curl_shift(domain->grid.box, domain->grid.m, cg, (real)a->beta, s, base, a->t));
    *out = a->t;
    return fill(domain, a->t);
}

/* Computes z = M r and the sum r.z. The preconditioner of the pressure is applied to each component. first:
 * in the first iteration of a round z = M r by the plain preconditioner is there already. */
static kol_status precondition(struct step *step, const struct system *a, int first)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = step->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const struct cg_scalars cg = step->exact_step->cg;
    if (!preconditioner_apart(&poisson->for_pressure)) {
        if (first) return KOL_OK;
        TRY(curl_jacobi(g->box, g->m, bl, cg.state, (real)a->beta, a->r, a->z));
        return reduction_advance(domain->reduction, 1, 1, CG_POLYNOMIAL, cg);
    }
    for (int c = 0; c < 3; ++c)
        TRY(preconditioner_apply(&poisson->for_pressure, g->box, bl, cg.state, a->scratch, a->r[c], a->z[c]));
    TRY(curl_dot(g->box, bl, cg.state, a->r, a->z));
    return reduction_advance(domain->reduction, 1, 0, CG_POLYNOMIAL, cg);
}

/* One iteration from z = M r: d = z + beta d, s += alpha d, r -= alpha A d. A d replaces z. */
static kol_status iteration(struct step *step, const struct system *a)
{
    const struct domain *domain = step->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const struct cg_scalars cg = step->exact_step->cg;
    real *const *t = NULL;
    TRY(curl_direction(g->box, cg.state, a->z, a->d));
    TRY(shift(domain, a, cg.state, a->d, NULL, &t));
    TRY(curl_apply(g->box, g->m, bl, cg.state, t, a->d, a->z));
    TRY(reduction_advance(domain->reduction, 1, 0, CG_DIRECTION, cg));
    TRY(curl_update(g->box, g->m, bl, cg.state, a->d, a->z, a->s, a->r));
    return reduction_advance(domain->reduction, 1, 1, CG_RESIDUAL, cg);
}

/* Does a round of conjugate gradients from the residual in r, until max|r|/V of the recurrence meets the
 * target or no longer falls. */
static kol_status iterate(struct step *step, const struct system *a, struct cg_state *state)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = step->domain;
    const struct grid *g = &domain->grid;
    const struct cg_scalars cg = step->exact_step->cg;
    *state = cg_round(a->tolerance, 0, domain->in->pressure.max_iterations, state->iterations);
    TRY(cg_start(cg, *state));
    TRY(curl_jacobi(g->box, g->m, reduction_blocks(domain->reduction), cg.state, (real)a->beta, a->r, a->z));
    TRY(reduction_advance(domain->reduction, 1, 1, CG_BEGIN, cg));
    const int apart = preconditioner_apart(&poisson->for_pressure);
    int steps = 1, ended = 0;
    for (int first = 1;; first = 0) {
        TRY(cg_wait(cg, steps, &ended)); /* a preconditioner costs more than the wait */
        if (ended) break;
        TRY(precondition(step, a, first));
        TRY(iteration(step, a));
        steps += first && !apart ? 1 : 2;
    }
    return cg_read(cg, state);
}

static kol_status fail(const struct system *a, const struct cg_state *c)
{
    if (c->outcome == CG_SPENT) {
        RAISE(KOL_ERR_NUMERICAL,
              "%s: %d iterations left max|curl e| h/U = %.3e, wanted %.3e; raise pressure.max_iterations or "
              "pressure.tolerance",
              a->name, c->iterations, c->most * a->unit, a->tolerance * a->unit);
    }
    RAISE(KOL_ERR_NUMERICAL, "%s: iteration %d: d.Ad = %.3e, r.z = %.3e: %s", a->name, c->iterations, c->dq,
          c->rz,
          c->outcome != CG_INDEFINITE ? "the fields hold values that are not finite"
          : c->rz > 0                 ? "the operator is not positive definite"
                                      : "the preconditioner is not positive definite");
}

/* Computes r and its sums: the sum of |r|, and the largest |r| / V. */
static kol_status residual(const struct domain *domain, const struct system *a, double now[2])
{
    const struct grid *g = &domain->grid;
    real *const *t = NULL;
    TRY(shift(domain, a, NULL, a->s, a->base, &t));
    TRY(curl_residual(g->box, g->m, reduction_blocks(domain->reduction), a->vel, a->base, t, a->r));
    return reduction_finish(domain->reduction, 1, 1, now);
}

/* Solves for the potential, and fills its halo. speed: scales the tolerance [U]; if it is 0, it is not known,
 * and the first residual scales the tolerance. */
static kol_status solve(struct step *step, struct system *a, double tolerance, double speed)
{
    const struct domain *domain = step->domain;
    struct cg_state state = {.iterations = 0};
    double now[2], before = INFINITY;
    if (pool_counts(domain->pool)) return KOL_OK;
    TRY(fill(domain, a->vel));
    TRY(fill(domain, a->base));
    for (int round = 0;; ++round) {
        TRY(residual(domain, a, now));
        if (!isfinite(now[0]))
            RAISE(KOL_ERR_NUMERICAL, "%s: the predicted velocity holds values that are not finite", a->name);
        if (round == 0) {
            a->unit = speed > 0 ? domain->grid.h / speed : now[1] > 0 ? 1 / now[1] : 1;
            a->tolerance = tolerance / a->unit;
        }
        if (now[1] <= a->tolerance) break;
        if (state.outcome == CG_SPENT || state.outcome == CG_INDEFINITE || state.outcome == CG_NOT_FINITE)
            return fail(a, &state);
        if (!cg_gained(now[1], before)) {
            RAISE(
                KOL_ERR_NUMERICAL,
                "%s: the residual stagnates at max|curl e| h/U = %.3e, wanted %.3e; raise pressure.tolerance",
                a->name, now[1] * a->unit, a->tolerance * a->unit);
        }
        before = now[1];
        TRY(iterate(step, a, &state));
    }
    step->iterations += state.iterations;
    return KOL_OK;
}

static kol_status solve_with_arrays(struct step *step, struct system *a, double tolerance, double speed)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = step->domain;
    TRY(hold(domain, "curl r", a->r));
    TRY(hold(domain, "curl z", a->z));
    TRY(hold(domain, "curl d", a->d));
    if (a->beta > 0) TRY(hold(domain, "curl t", a->t));
    for (int n = 0; n < preconditioner_scratch(&poisson->for_pressure); ++n)
        TRY(pool_hold(domain->pool, "preconditioner", &a->scratch[n]));
    TRY(solve(step, a, tolerance, speed));
    TRY(drop(domain, a->r));
    TRY(drop(domain, a->z));
    TRY(drop(domain, a->d));
    for (int n = 0; n < PRECONDITIONER_SCRATCH; ++n) TRY(pool_drop(domain->pool, &a->scratch[n]));
    return drop(domain, a->t);
}

/* --- guesses --- */

/* out = fa a + fb b */
static kol_status combine(const struct domain *domain, double fa, const real *a, double fb, const real *b,
                          real *out)
{
    if (pool_counts(domain->pool)) return KOL_OK;
    return update_combine(domain->grid.box, (real)fa, a, (real)fb, b, out);
}

/* s = f s */
static kol_status scale(const struct domain *domain, double f, real *const s[3])
{
    if (pool_counts(domain->pool)) return KOL_OK;
    for (int c = 0; c < 3; ++c) {
        if (f == 0) {
            TRY(mem_fill_real(s[c], domain->grid.box.size, 0));
        } else {
            TRY(update_combine(domain->grid.box, (real)f, s[c], 0, NULL, s[c]));
        }
    }
    return KOL_OK;
}

/* Guess for rk3-half. s / (c dt) is the acceleration at time n in stage 1, and at n + 1/2 in stages 2 and 3.
 * The guesses are
 *
 *   stage 1   the acceleration of the last stage of the previous step
 *   stage 2   the acceleration of stage 1; with `linear`, the linear extrapolation of both
 *   stage 3   the acceleration of stage 2 */
static kol_status guess_from_start(const struct step *step, struct flow *flow, int m, double ratio)
{
    const struct domain *domain = flow->domain;
    real **s = flow->potential, **last = flow->potential_before;
    if (m == 0) {
        if (!two_potentials(domain->in, step->poisson.guess)) return scale(domain, ratio / 2, s);
        for (int c = 0; c < 3; ++c) {
            last[c] = s[c];
            s[c] = NULL;
            TRY(pool_hold(domain->pool, "potential", &s[c]));
            TRY(combine(domain, ratio / 2, last[c], 0, NULL, s[c]));
        }
    } else if (m == 1) {
        for (int c = 0; c < 3 && last[c] != NULL; ++c) {
            TRY(combine(domain, 1 + ratio, s[c], -ratio * ratio / 2, last[c], s[c]));
        }
        return drop(domain, last);
    } else {
        return scale(domain, 2, s);
    }
    return KOL_OK;
}

/* Forms the potential with which the solve begins. */
static kol_status guess(const struct step *step, struct flow *flow, int m)
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const double ratio = flow->clock.dt_before > 0 ? flow->clock.dt / flow->clock.dt_before : 0;
    if (flow->potential[X] == NULL) {
        TRY(hold(domain, "potential", flow->potential));
        return scale(domain, 0, flow->potential);
    }
    if (step->poisson.guess == GUESS_ZERO) return scale(domain, 0, flow->potential);
    if (rk->from_start) return guess_from_start(step, flow, m, ratio);
    const double length = rk->stage[m].c, before = m > 0 ? rk->stage[m - 1].c : rk->stage[2].c;
    return scale(domain, length / before * (m > 0 ? 1 : ratio), flow->potential);
}

/* Finds how much faster u* is on the mean than the velocity at the start of the stage. In a periodic box
 * nothing but a force by formulas changes the mean; without one, this is 0. */
static kol_status mean_gain(const struct flow *flow, real *const base[3], double gain[3])
{
    const struct domain *domain = flow->domain;
    for (int c = 0; c < 3; ++c) {
        double after, before;
        gain[c] = 0;
        if (flow->force.formula == NULL || pool_counts(domain->pool)) continue;
        const struct stencil s = grid_stencil(&domain->grid, flow_field[c].location, 0, 1);
        const struct blocks bl = reduction_blocks(domain->reduction);
        TRY(volume_dot_weighted(domain->grid.box, bl, s, flow->vel[c]));
        TRY(reduction_finish(domain->reduction, 1, 0, &after));
        TRY(volume_dot_weighted(domain->grid.box, bl, s, base[c]));
        TRY(reduction_finish(domain->reduction, 1, 0, &before));
        gain[c] = (after - before) / domain->grid.volume;
    }
    return KOL_OK;
}

/* Adds the gain to the velocity. It is uniform, so it has neither a divergence nor a curl. */
static kol_status add_mean(struct flow *flow, const double gain[3])
{
    const struct domain *domain = flow->domain;
    const real shift[3] = {(real)gain[X], (real)gain[Y], (real)gain[Z]};
    return update_shift(domain->grid.box, shift, NULL, flow->vel);
}

kol_status exact_step_stage(struct step *step, struct flow *flow, int m, double dts)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    real *const *base = rk3_scheme(domain->in->time.scheme)->from_start ? step->start : step->before_stage;
    TRY(profile_phase(domain->profile, "pressure"));
    TRY(guess(step, flow, m));
    struct system a = {.name = "exact step",
                       .beta = diffusion_implicit_factor(domain->in, dts),
                       .vel = flow->vel,
                       .base = base,
                       .s = flow->potential};
    double gain[3];
    TRY(mean_gain(flow, base, gain));
    TRY(solve_with_arrays(step, &a, domain->in->pressure.tolerance, flow->now.speed));
    ++step->stages;
    TRY(profile_phase(domain->profile, "correction"));
    if (pool_counts(domain->pool)) return KOL_OK;
    TRY(curl_velocity(g->box, g->m, flow->potential, base, flow->vel));
    return add_mean(flow, gain);
}

/* --- the flow at the start --- */

kol_status exact_step_project(struct step *step, struct flow *flow, double tolerance)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    double v[MON_COUNT];
    real *base[3] = {NULL, NULL, NULL}, *s[3] = {NULL, NULL, NULL};
    TRY(fill(domain, flow->vel));
    TRY(project_monitor(g->box, g->m, domain->walls, reduction_blocks(domain->reduction),
                        halo_cells(domain->halo, CELLS_ALL), flow->vel[X], flow->vel[Y], flow->vel[Z]));
    TRY(reduction_finish(domain->reduction, MON_SUMS, MON_COUNT - MON_SUMS, v));
    TRY(hold(domain, "mean velocity", base));
    TRY(hold(domain, "potential", s));
    for (int c = 0; c < 3; ++c)
        TRY(mem_fill_real(base[c], g->box.size, (real)(v[MON_MOM_X + c] / g->volume)));
    TRY(scale(domain, 0, s));
    struct system a = {.name = "initial flow", .vel = flow->vel, .base = base, .s = s};
    TRY(solve_with_arrays(step, &a, tolerance, v[MON_SPEED]));
    TRY(curl_velocity(g->box, g->m, s, base, flow->vel));
    flow->halo_filled = 0;
    TRY(drop(domain, base));
    return drop(domain, s);
}

/* --- the pressure, for files --- */

static double push(const struct flow *flow)
{
    return flow->force.formula != NULL ? formula_force_push(flow) : 0;
}

/* Computes f = convection, diffusion and the force by formulas, rhs = -V div f, and its sums. */
static kol_status divergence_of_forces(struct flow *flow, real *const f[3], real *rhs, double sums[3])
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct cells all = halo_cells(domain->halo, CELLS_ALL);
    TRY(fill(domain, flow->vel));
    TRY(momentum_rhs(g->box, g->m, all, (real)domain->in->fluid.nu, flow->vel[X], flow->vel[Y], flow->vel[Z],
                     f[X], f[Y], f[Z]));
    TRY(formula_force_put(flow, f));
    TRY(halo_fill(domain->halo, f, 3, HALO_NORMAL));
    TRY(project_divergence(g->box, g->m, reduction_blocks(domain->reduction), all, 1, f[X], f[Y], f[Z], rhs));
    TRY(reduction_finish(domain->reduction, 2, 1, sums));
    const double speed = flow->now.speed, least = g->smallest;
    const double rounding = PRESSURE_MEAN_ROUNDING * KOL_EPSILON / least *
                            (speed / least * (speed + domain->in->fluid.nu / least) + push(flow));
    if (fabs(sums[0]) / g->volume <= rounding) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL, "the divergence of the forces sums to %.3e instead of zero", sums[0]);
}

kol_status exact_step_pressure(struct step *step, struct flow *flow)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    if (step->exact_step == NULL || step->exact_step->pressure_step == flow->clock.step) return KOL_OK;
    /* a force moves the fluid this fast over the width of a cell, also if it still is at rest */
    const double speed = fmax(flow->now.speed, sqrt(push(flow) * g->h)),
                 unit = speed > 0 ? pow(g->h / speed, 2) : 1;
    const struct ppcg_goal goal = {.name = "pressure",
                                   .tolerance = domain->in->pressure.tolerance / unit,
                                   .scale = unit,
                                   .meaning = "max|lap p - div F| (h/U)^2",
                                   .input = "pressure.tolerance"};
    real *f[3] = {NULL, NULL, NULL}, *rhs = NULL, *phi = NULL, *p = flow->pressure.p;
    const struct stencil centres = grid_stencil(g, LOC_CCC, 0, 1);
    struct ppcg_result result;
    double sums[3];
    TRY(hold(domain, "forces", f));
    TRY(pool_hold(domain->pool, "divergence", &rhs));
    TRY(pool_hold(domain->pool, "pressure", &phi));
    TRY(divergence_of_forces(flow, f, rhs, sums));
    TRY(mem_fill_real(phi, g->box.size, 0));
    TRY(mem_fill_real(p, g->box.size, 0));
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_pressure, centres, goal, sums[0] / g->volume, rhs, phi,
                   &result));
    /* p = phi minus its mean. The forces are no longer needed; they stand for the velocity that the sweep
     * corrects. */
    TRY(project_correct(g->box, centres,
                        (struct correction){.dts = 1, .mean = (real)(result.sum_vx / g->volume)}, phi, p, p,
                        f[X], f[Y], f[Z]));
    TRY(halo_fill(domain->halo, &p, 1, HALO_EDGES));
    step->exact_step->pressure_step = flow->clock.step;
    TRY(pool_drop(domain->pool, &phi));
    TRY(pool_drop(domain->pool, &rhs));
    return drop(domain, f);
}
