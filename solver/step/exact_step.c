#include "exact_step.h"

#include "poisson/preconditioner_choice.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/curl.h"
#include "kernels/momentum.h"
#include "kernels/update.h"
#include "pressure.h"
#include "rk3.h"

struct exact_step {
    struct cg_scalars cg;
    long long pressure_step; /* of the pressure in run->pressure.p; -1: none yet */
};

/* system: curl((I - beta L)(base + C s)) = curl(u* + beta L base) for s, and its arrays. */
struct system {
    const char *name;
    double beta;
    double tolerance; /* on max|curl((I - beta L) e)| of the velocity's error e [1/T] */
    double unit;      /* turns it into what the user asked for */
    real *const *vel, *const *base;
    real *const *s;
    real *r[3], *z[3], *d[3],
        *t[3]; /* residual, preconditioned residual and then A d, direction, what the operator takes */
    real *scratch[PRECONDITIONER_SCRATCH]; /* of the preconditioner */
};

int exact_step_wanted(const struct input *in)
{
    return in->pressure.method == METHOD_EXACT;
}

/* Guesses that read the last potential of the step before when this step has its own already. */
static int two_potentials(const struct input *in)
{
    const int extrapolated = in->pressure.guess == GUESS_LINEAR || in->pressure.guess == GUESS_LLI;
    return extrapolated && rk3_scheme(in->time.scheme)->from_start;
}

/* Velocity, what a step keeps beside it, pressure and potential; the fullest moment is the solve: residual,
 * direction and the operator's values. */
int exact_step_arrays(const struct input *in)
{
    const int base = rk3_scheme(in->time.scheme)->from_start ? 0 : 3;
    const int shifted = in->time.diffusion == DIFFUSION_IMPLICIT ? 3 : 0;
    return 3 + 3 + base + 1 + 3 + (two_potentials(in) ? 3 : 0) + 9 + shifted +
           preconditioner_choice_scratch(in);
}

kol_status exact_step_create(struct run *run)
{
    if (!exact_step_wanted(&run->in)) return KOL_OK;
    struct exact_step *n = calloc(1, sizeof *n);
    if (n == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the exact fractional step");
    run->nullspace = n;
    n->pressure_step = -1;
    return cg_create(&n->cg);
}

void exact_step_destroy(struct exact_step **n)
{
    if (*n == NULL) return;
    cg_destroy(&(*n)->cg);
    free(*n);
    *n = NULL;
}

static kol_status hold(struct run *run, const char *name, real *array[3])
{
    for (int c = 0; c < 3; ++c) TRY(pool_hold(run->pool, name, &array[c]));
    return KOL_OK;
}

static kol_status drop(struct run *run, real *array[3])
{
    for (int c = 0; c < 3; ++c) TRY(pool_drop(run->pool, &array[c]));
    return KOL_OK;
}

static kol_status fill(struct run *run, real *const array[3])
{
    return halo_fill(run->halo, array, 3, HALO_EDGES);
}

/* What curl C is applied to: s itself, or s + beta (curl C s + 2 curl base); its halo filled, that of s too.
 */
static kol_status shift(struct run *run, const struct system *a, const struct cg_state *cg, real *const *s,
                        real *const *base, real *const **out)
{
    TRY(fill(run, s));
    *out = s;
    if (a->beta == 0) return KOL_OK;
    TRY(curl_shift(run->grid.box, run->grid.m, cg, (real)a->beta, s, base, a->t));
    *out = a->t;
    return fill(run, a->t);
}

/* z = M r and r.z; the preconditioner of the pressure acts on each component. first: of the round, which has
 * the plain one already. */
static kol_status precondition(struct run *run, const struct system *a, int first)
{
    const struct grid *g = &run->grid;
    const struct blocks bl = reduction_blocks(run->reduction);
    const struct cg_scalars cg = run->nullspace->cg;
    if (!preconditioner_apart(&run->for_pressure)) {
        if (first) return KOL_OK;
        TRY(curl_jacobi(g->box, g->m, bl, cg.state, (real)a->beta, a->r, a->z));
        return reduction_advance(run->reduction, 1, 1, CG_POLYNOMIAL, cg);
    }
    for (int c = 0; c < 3; ++c)
        TRY(preconditioner_apply(&run->for_pressure, g->box, bl, cg.state, a->scratch, a->r[c], a->z[c]));
    TRY(curl_dot(g->box, bl, cg.state, a->r, a->z));
    return reduction_advance(run->reduction, 1, 0, CG_POLYNOMIAL, cg);
}

/* One iteration from z = M r: d = z + beta d, s += alpha d, r -= alpha A d. A d takes the place of z. */
static kol_status iteration(struct run *run, const struct system *a)
{
    const struct grid *g = &run->grid;
    const struct blocks bl = reduction_blocks(run->reduction);
    const struct cg_scalars cg = run->nullspace->cg;
    real *const *t = NULL;
    TRY(curl_direction(g->box, cg.state, a->z, a->d));
    TRY(shift(run, a, cg.state, a->d, NULL, &t));
    TRY(curl_apply(g->box, g->m, bl, cg.state, t, a->d, a->z));
    TRY(reduction_advance(run->reduction, 1, 0, CG_DIRECTION, cg));
    TRY(curl_update(g->box, g->m, bl, cg.state, a->d, a->z, a->s, a->r));
    return reduction_advance(run->reduction, 1, 1, CG_RESIDUAL, cg);
}

/* A round of conjugate gradients from the residual in r, until max|r|/V by recurrence is at the target or no
 * longer falls. */
static kol_status iterate(struct run *run, const struct system *a, struct cg_state *state)
{
    const struct grid *g = &run->grid;
    const struct cg_scalars cg = run->nullspace->cg;
    *state = ppcg_round(a->tolerance, 0, run->in.pressure.max_iterations, state->iterations);
    TRY(cg_start(cg, *state));
    TRY(curl_jacobi(g->box, g->m, reduction_blocks(run->reduction), cg.state, (real)a->beta, a->r, a->z));
    TRY(reduction_advance(run->reduction, 1, 1, CG_BEGIN, cg));
    const int apart = preconditioner_apart(&run->for_pressure);
    int steps = 1, ended = 0;
    for (int first = 1;; first = 0) {
        TRY(cg_wait(cg, steps, &ended)); /* a preconditioner costs more than the wait */
        if (ended) break;
        TRY(precondition(run, a, first));
        TRY(iteration(run, a));
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

/* r and its sums: of |r|, largest |r| / V. */
static kol_status residual(struct run *run, const struct system *a, double now[2])
{
    const struct grid *g = &run->grid;
    real *const *t = NULL;
    TRY(shift(run, a, NULL, a->s, a->base, &t));
    TRY(curl_residual(g->box, g->m, reduction_blocks(run->reduction), a->vel, a->base, t, a->r));
    return reduction_finish(run->reduction, 1, 1, now);
}

/* The potential, and its halo. speed: scales the tolerance [U]; 0: not known, then the first residual does.
 */
static kol_status solve(struct run *run, struct system *a, double tolerance, double speed)
{
    struct cg_state state = {.iterations = 0};
    double now[2], before = INFINITY;
    TRY(fill(run, a->vel));
    TRY(fill(run, a->base));
    for (int round = 0;; ++round) {
        TRY(residual(run, a, now));
        if (!isfinite(now[0]))
            RAISE(KOL_ERR_NUMERICAL, "%s: the predicted velocity holds values that are not finite", a->name);
        if (round == 0) {
            a->unit = speed > 0 ? run->grid.h / speed : now[1] > 0 ? 1 / now[1] : 1;
            a->tolerance = tolerance / a->unit;
        }
        if (now[1] <= a->tolerance) break;
        if (state.outcome == CG_SPENT || state.outcome == CG_INDEFINITE || state.outcome == CG_NOT_FINITE)
            return fail(a, &state);
        if (!ppcg_gained(now[1], before)) {
            RAISE(
                KOL_ERR_NUMERICAL,
                "%s: the residual stagnates at max|curl e| h/U = %.3e, wanted %.3e; raise pressure.tolerance",
                a->name, now[1] * a->unit, a->tolerance * a->unit);
        }
        before = now[1];
        TRY(iterate(run, a, &state));
    }
    run->pressure.iterations += state.iterations;
    return KOL_OK;
}

static kol_status solve_with_arrays(struct run *run, struct system *a, double tolerance, double speed)
{
    TRY(hold(run, "curl r", a->r));
    TRY(hold(run, "curl z", a->z));
    TRY(hold(run, "curl d", a->d));
    if (a->beta > 0) TRY(hold(run, "curl t", a->t));
    for (int n = 0; n < preconditioner_scratch(&run->for_pressure); ++n)
        TRY(pool_hold(run->pool, "preconditioner", &a->scratch[n]));
    TRY(solve(run, a, tolerance, speed));
    TRY(drop(run, a->r));
    TRY(drop(run, a->z));
    TRY(drop(run, a->d));
    for (int n = 0; n < PRECONDITIONER_SCRATCH; ++n) TRY(pool_drop(run->pool, &a->scratch[n]));
    return drop(run, a->t);
}

/* --- guesses --- */

/* s = f s */
static kol_status scale(struct run *run, double f, real *const s[3])
{
    for (int c = 0; c < 3; ++c) {
        if (f == 0) {
            TRY(mem_fill_real(s[c], run->grid.box.size, 0));
        } else {
            TRY(update_combine(run->grid.box, (real)f, s[c], 0, NULL, s[c]));
        }
    }
    return KOL_OK;
}

/* rk3-half: s / (c dt) is the acceleration at time n in stage 1, at n + 1/2 in the others. Stage 1 takes that
 * of the last stage of the step before; stage 2 that of stage 1 or, `linear`, the line through both; stage 3
 * that of stage 2. */
static kol_status guess_from_start(struct run *run, int m, double ratio)
{
    const struct box b = run->grid.box;
    real **s = run->potential, **last = run->potential_before;
    if (m == 0) {
        if (!two_potentials(&run->in)) return scale(run, ratio / 2, s);
        for (int c = 0; c < 3; ++c) {
            last[c] = s[c];
            s[c] = NULL;
            TRY(pool_hold(run->pool, "potential", &s[c]));
            TRY(update_combine(b, (real)(ratio / 2), last[c], 0, NULL, s[c]));
        }
    } else if (m == 1) {
        for (int c = 0; c < 3 && last[c] != NULL; ++c) {
            TRY(update_combine(b, (real)(1 + ratio), s[c], (real)(-ratio * ratio / 2), last[c], s[c]));
        }
        return drop(run, last);
    } else {
        return scale(run, 2, s);
    }
    return KOL_OK;
}

/* The potential that the solve begins with. */
static kol_status guess(struct run *run, int m)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    const double ratio = run->clock.dt_before > 0 ? run->clock.dt / run->clock.dt_before : 0;
    if (run->potential[X] == NULL) {
        TRY(hold(run, "potential", run->potential));
        return scale(run, 0, run->potential);
    }
    if (run->in.pressure.guess == GUESS_ZERO) return scale(run, 0, run->potential);
    if (rk->from_start) return guess_from_start(run, m, ratio);
    const double length = rk->stage[m].c, before = m > 0 ? rk->stage[m - 1].c : rk->stage[2].c;
    return scale(run, length / before * (m > 0 ? 1 : ratio), run->potential);
}

kol_status exact_step_stage(struct run *run, int m, double dts)
{
    const struct grid *g = &run->grid;
    const int implicit = run->in.time.diffusion == DIFFUSION_IMPLICIT;
    real *const *base = rk3_scheme(run->in.time.scheme)->from_start ? run->start : run->before_stage;
    TRY(profile_phase(run->profile, "pressure"));
    TRY(guess(run, m));
    struct system a = {.name = "exact step",
                       .beta = implicit ? dts * run->in.fluid.nu / 2 : 0,
                       .vel = run->vel,
                       .base = base,
                       .s = run->potential};
    TRY(solve_with_arrays(run, &a, run->in.pressure.tolerance, run->now.speed));
    ++run->pressure.stages;
    TRY(profile_phase(run->profile, "correction"));
    return curl_velocity(g->box, g->m, run->potential, base, run->vel);
}

/* --- the flow at the start --- */

kol_status exact_step_project(struct run *run, double tolerance)
{
    const struct grid *g = &run->grid;
    double v[MON_COUNT];
    real *base[3] = {NULL, NULL, NULL}, *s[3] = {NULL, NULL, NULL};
    TRY(fill(run, run->vel));
    TRY(project_monitor(g->box, g->m, run->walls, reduction_blocks(run->reduction),
                        halo_cells(run->halo, CELLS_ALL), run->vel[X], run->vel[Y], run->vel[Z]));
    TRY(reduction_finish(run->reduction, MON_SUMS, MON_COUNT - MON_SUMS, v));
    TRY(hold(run, "mean velocity", base));
    TRY(hold(run, "potential", s));
    for (int c = 0; c < 3; ++c)
        TRY(mem_fill_real(base[c], g->box.size, (real)(v[MON_MOM_X + c] / g->volume)));
    TRY(scale(run, 0, s));
    struct system a = {.name = "initial flow", .vel = run->vel, .base = base, .s = s};
    TRY(solve_with_arrays(run, &a, tolerance, v[MON_SPEED]));
    TRY(curl_velocity(g->box, g->m, s, base, run->vel));
    run->halo_filled = 0;
    TRY(drop(run, base));
    return drop(run, s);
}

/* --- the pressure, for files --- */

/* f = convection and diffusion; rhs = -V div f and its sums. */
static kol_status divergence_of_forces(struct run *run, real *const f[3], real *rhs, double sums[3])
{
    const struct grid *g = &run->grid;
    const struct cells all = halo_cells(run->halo, CELLS_ALL);
    TRY(fill(run, run->vel));
    TRY(momentum_rhs(g->box, g->m, all, (real)run->in.fluid.nu, run->vel[X], run->vel[Y], run->vel[Z], f[X],
                     f[Y], f[Z]));
    TRY(halo_fill(run->halo, f, 3, HALO_NORMAL));
    TRY(project_divergence(g->box, g->m, reduction_blocks(run->reduction), all, 1, f[X], f[Y], f[Z], rhs));
    TRY(reduction_finish(run->reduction, 2, 1, sums));
    const double speed = run->now.speed, least = g->smallest;
    const double rounding =
        PRESSURE_MEAN_ROUNDING * KOL_EPSILON * speed / (least * least) * (speed + run->in.fluid.nu / least);
    if (fabs(sums[0]) / g->volume <= rounding) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL, "the divergence of the forces sums to %.3e instead of zero", sums[0]);
}

kol_status exact_step_pressure(struct run *run)
{
    const struct grid *g = &run->grid;
    if (run->nullspace == NULL || run->nullspace->pressure_step == run->clock.step) return KOL_OK;
    const double unit = run->now.speed > 0 ? pow(g->h / run->now.speed, 2) : 1;
    const struct ppcg_goal goal = {.name = "pressure",
                                   .tolerance = run->in.pressure.tolerance / unit,
                                   .scale = unit,
                                   .meaning = "max|lap p - div F| (h/U)^2",
                                   .input = "pressure.tolerance"};
    real *f[3] = {NULL, NULL, NULL}, *rhs = NULL, *phi = NULL, *p = run->pressure.p;
    const struct stencil poisson = grid_stencil(g, LOC_CCC, 0, 1);
    struct ppcg_result result;
    double sums[3];
    TRY(hold(run, "forces", f));
    TRY(pool_hold(run->pool, "divergence", &rhs));
    TRY(pool_hold(run->pool, "pressure", &phi));
    TRY(divergence_of_forces(run, f, rhs, sums));
    TRY(mem_fill_real(phi, g->box.size, 0));
    TRY(mem_fill_real(p, g->box.size, 0));
    TRY(ppcg_solve(run->ppcg, &run->for_pressure, poisson, goal, sums[0] / g->volume, rhs, phi, &result));
    /* p = phi less its mean; the forces, which are spent, stand for the velocity that the sweep corrects */
    TRY(project_correct(g->box, poisson,
                        (struct correction){.dts = 1, .mean = (real)(result.sum_vx / g->volume)}, phi, p, p,
                        f[X], f[Y], f[Z]));
    TRY(halo_fill(run->halo, &p, 1, HALO_EDGES));
    run->nullspace->pressure_step = run->clock.step;
    TRY(pool_drop(run->pool, &phi));
    TRY(pool_drop(run->pool, &rhs));
    return drop(run, f);
}
