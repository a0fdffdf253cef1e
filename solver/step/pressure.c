#include "pressure.h"

#include <math.h>
#include "inputs/check.h"
#include "kernels/update.h"
#include "boundary/boundary.h"
#include "diffusion_z.h"
#include "poisson/preconditioner_choice.h"
#include "math/constants.h"

/* Stage pressures that a guess may combine: P1', P2', P3' of the last step, P1, P2 of this one. */
enum { B1, B2, B3, N1, N2, SOURCES };

/* A guess of the stage's pressure less the running one, which is a guess of the correction: sum over sources
 * of (constant + ratio * dt/dt') * source, a difference of two. rk3-half: P1 belongs to time n, P2 and P3 to
 * n + 1/2. `linear` is the line through the last two different times; `lli` adds to it, in stage 3, the
 * difference that stages 2 and 3 had in the last step (the study of guesses in docs/numerics/pressure.md).
 * rk3-wray: the stage pressures belong to 0, 5/3 and 5/6 of the step (struct rk3_stage): stages 1 and 3
 * interpolate; stage 2 takes P1, with `lli` P1 and the last step's increment. */
struct guess {
    double constant[SOURCES], ratio[SOURCES];
};
static const struct guess PREVIOUS[3] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
static const struct guess HALF_LINEAR[3] = {
    {{[B3] = 1, [B1] = -1}, {0}}, {{0}, {[N1] = 1, [B3] = -1}}, {{0}, {0}}};
static const struct guess HALF_LLI[3] = {
    {{[B3] = 1, [B1] = -1}, {0}}, {{0}, {[N1] = 1, [B3] = -1}}, {{[B3] = 1, [B2] = -1}, {0}}};
static const struct guess WRAY_LINEAR[3] = {
    {{[B3] = -0.2, [B2] = 0.2}, {0}}, {{0}, {0}}, {{[N1] = 0.5, [N2] = -0.5}, {0}}};
static const struct guess WRAY_LLI[3] = {
    {{[B3] = -0.2, [B2] = 0.2}, {0}}, {{0}, {[B2] = 1, [B1] = -1}}, {{[N1] = 0.5, [N2] = -0.5}, {0}}};

/* The exact inverse looks at no guess. */
static int extrapolates(const struct input *in, int guess)
{
    return in->pressure.preconditioner != PRECOND_DIRECT && (guess == GUESS_LINEAR || guess == GUESS_LLI);
}

static const struct guess *guess_table(const struct input *in, int guess)
{
    if (!extrapolates(in, guess)) return PREVIOUS;
    const int lli = guess == GUESS_LLI;
    if (in->time.scheme == SCHEME_RK3_WRAY) return lli ? WRAY_LLI : WRAY_LINEAR;
    return lli ? HALF_LLI : HALF_LINEAR;
}

static int reads(const struct guess *g, int source)
{
    return g->constant[source] != 0 || g->ratio[source] != 0;
}

/* Whether a source is read by the guess of `stage` or a later one of the step, `but` that of one. */
static int needed_from(const struct guess *table, int stage, int but, int source)
{
    for (int m = stage; m < 3; ++m)
        if (m != but && reads(&table[m], source)) return 1;
    return 0;
}

/* The later stage whose guess reads the step before alone: formed with the first one's it takes one array,
 * its sources two. */
static int stage_ahead(const struct guess *table)
{
    for (int m = 1; m < 3; ++m) {
        const int before = reads(&table[m], B1) + reads(&table[m], B2) + reads(&table[m], B3);
        if (before == 2) return m;
    }
    return -1;
}

/* During a solve: the running pressure, and what later guesses read: one array for a guess formed ahead. */
int pressure_arrays(const struct input *in, int guess)
{
    return extrapolates(in, guess) && guess == GUESS_LLI ? 2 : 1;
}

int pressure_stages_wanted(const struct input *in, int guess)
{
    const struct guess *table = guess_table(in, guess);
    if (in->pressure.method == METHOD_EXACT) return 0;
    return needed_from(table, 0, -1, B1) + 2 * needed_from(table, 0, -1, B2);
}

int pressure_stages_kept(const struct input *in, int guess)
{
    const int wanted = pressure_stages_wanted(in, guess);
    return 1 + (wanted & 1) + (wanted >> 1);
}

kol_status pressure_create(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    TRY(pool_hold(domain->pool, "pressure", &flow->pressure.now[2]));
    flow->pressure.p = flow->pressure.now[2];
    return mem_fill_real(flow->pressure.p, domain->grid.box.size, 0);
}

/* Stage pressures of the step before that no guess will read, the running pressure apart. */
static kol_status drop_unneeded(struct flow *flow, const struct guess *table, int next_stage)
{
    const struct domain *domain = flow->domain;
    struct pressure *pr = &flow->pressure;
    const int formed = pr->ahead != NULL ? stage_ahead(table) : -1;
    for (int i = 0; i < 3; ++i) {
        if (pr->before[i] == pr->p) continue;
        if (pr->steps_known > 0 && needed_from(table, next_stage, formed, B1 + i)) continue;
        TRY(pool_drop(domain->pool, &pr->before[i]));
    }
    return KOL_OK;
}

/* At the start of a step the stage pressures of this step become those of the last one. */
static kol_status rotate(struct flow *flow, const struct guess *table)
{
    const struct domain *domain = flow->domain;
    struct pressure *pr = &flow->pressure;
    for (int i = 0; i < 3; ++i) {
        TRY(pool_drop(domain->pool, &pr->before[i]));
        pr->before[i] = pr->now[i];
        pr->now[i] = NULL;
    }
    return drop_unneeded(flow, table, 0);
}

/* phi, which may be a source, as the table says. */
static kol_status form_guess(struct flow *flow, const struct guess *g, real *phi)
{
    const struct domain *domain = flow->domain;
    const struct pressure *pr = &flow->pressure;
    const double ratio = flow->clock.dt / flow->clock.dt_before;
    const real *source[2] = {NULL, NULL};
    double factor[2] = {0, 0};
    int n = 0;
    for (int i = 0; i < SOURCES; ++i) {
        const double f = g->constant[i] + g->ratio[i] * ratio;
        if (f == 0) continue;
        factor[n] = f;
        source[n++] = i <= B3 ? pr->before[i] : pr->now[i - N1];
    }
    return update_combine(domain->grid.box, (real)factor[0], source[0], (real)factor[1], source[1], phi);
}

/* The guess of a later stage, in the place of a source that no other reads. */
static kol_status form_ahead(struct flow *flow, const struct guess *table)
{
    struct pressure *pr = &flow->pressure;
    const int m = stage_ahead(table);
    for (int i = 0; m > 0 && i < 3; ++i) {
        if (!reads(&table[m], B1 + i) || pr->before[i] == pr->p) continue;
        TRY(form_guess(flow, &table[m], pr->before[i]));
        pr->ahead = pr->before[i];
        pr->before[i] = NULL;
        return KOL_OK;
    }
    return KOL_OK;
}

/* step->phi = guess - p: nothing known yet, or a guess that is the running pressure itself: 0. A
 * preconditioner that is the inverse reads no guess: then phi is what it was. */
static kol_status guess_correction(struct step *step, struct flow *flow, int stage)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const struct guess *table = guess_table(domain->in, step->poisson.guess);
    struct pressure *pr = &flow->pressure;
    if (stage == 0) TRY(rotate(flow, table));
    if (pr->ahead != NULL && stage == stage_ahead(table)) {
        step->phi = pr->ahead;
        pr->ahead = NULL;
        return drop_unneeded(flow, table, stage + 1);
    }
    TRY(pool_hold(domain->pool, "pressure correction", &step->phi));
    if (preconditioner_inverts(&poisson->for_pressure)) return drop_unneeded(flow, table, stage + 1);
    if (step->poisson.guess == GUESS_ZERO) {
        TRY(update_combine(domain->grid.box, -1, pr->p, 0, NULL, step->phi));
    } else if (pr->steps_known == 0 || table == PREVIOUS) {
        TRY(mem_fill_real(step->phi, domain->grid.box.size, 0));
    } else {
        TRY(form_guess(flow, &table[stage], step->phi));
        if (stage == 0) TRY(form_ahead(flow, table));
    }
    return drop_unneeded(flow, table, stage + 1);
}

/* Right-hand side of the Poisson equation, and its sums, while the velocity beyond the high faces travels. */
static kol_status divergence(struct flow *flow, double dts, real *rhs)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const unsigned remote = halo_remote(domain->halo);
    const struct cells inner = halo_cells(domain->halo, CELLS_INNER),
                       rim = halo_cells(domain->halo, CELLS_RIM);
    real *const *u = flow->vel;
    TRY(boundary_begin(domain, u, 3, HALO_NORMAL));
    TRY(project_divergence(g->box, g->m, bl, inner, (real)dts, u[X], u[Y], u[Z], rhs));
    TRY(boundary_arrive(domain, u));
    kol_status st = KOL_OK;
    if (remote != 0) st = project_divergence(g->box, g->m, bl, rim, (real)dts, u[X], u[Y], u[Z], rhs);
    return halo_join(domain->halo, st);
}

/* What a solve that gets no further may try. */
static const char *faster(const struct poisson *poisson)
{
    if (preconditioner_inverts(&poisson->for_pressure)) return NULL;
    return preconditioner_apart(&poisson->for_pressure) ? "pressure.preconditioner = 'direct'"
                                                        : "pressure.preconditioner = 'multigrid'";
}

/* Part of a right-hand side that the rounding of A x may be: epsilon over the ratio of the lowest eigenvalue
 * to the highest one, by the longest side and the smallest width. */
static double rounding_left(const struct grid *g)
{
    const double longest = fmax(g->length[X], fmax(g->length[Y], g->length[Z])),
                 waves = longest / (PI * g->smallest);
    return KOL_EPSILON * 3 * 4 * waves * waves;
}

/* The Poisson equation for one correction; U scales the tolerance, and what is enough. trusted: of struct
 * ppcg_goal. */
static kol_status solve(struct step *step, struct flow *flow, double dts, double tolerance, double enough,
                        double relative, int asked, int trusted, real *rhs, real *phi, double *mean_phi)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    double sums[3];
    TRY(divergence(flow, dts, rhs));
    TRY(reduction_finish(domain->reduction, 2, 1, sums));
    if (!isfinite(sums[0]))
        RAISE(KOL_ERR_NUMERICAL, "the predicted velocity holds values that are not finite");
    /* by the smallest width: what an inflow brings into thin cells at rest is no jump */
    if (flow->now.speed > 0 && sums[2] * g->smallest > FLOW_BLOW_UP * flow->now.speed) {
        RAISE(
            KOL_ERR_NUMERICAL,
            "the predicted velocity jumped: max|div u| times the smallest width = %.3e, largest speed before "
            "%.3e; lower time.cfl or time.dt, or refine the grid",
            sums[2] * g->smallest, flow->now.speed);
    }
    const double speed = flow->now.speed > 0 ? flow->now.speed : sums[2] * g->h;
    const double mean = sums[0] / g->volume; /* of -div/dts: zero but for rounding, with periodic sides */
    const double rounding =
        PRESSURE_MEAN_ROUNDING * KOL_EPSILON * (speed / g->smallest + dts * sums[1] / g->volume);
    if (fabs(mean) * dts > rounding) {
        RAISE(KOL_ERR_NUMERICAL,
              "the divergence sums to %.3e instead of zero: the pressure equation has no solution",
              mean * dts * g->volume);
    }
    const double scale = speed > 0 ? dts * g->h / speed : 1;
    struct ppcg_goal goal = {.name = "pressure",
                             .tolerance = tolerance / scale,
                             .scale = scale,
                             .meaning = "max|div u| h/U",
                             .input = "pressure.tolerance",
                             .asked = asked,
                             .trusted = trusted,
                             .one = preconditioner_choice_one_sum(poisson, asked),
                             .faster = faster(poisson),
                             .rounding = rounding_left(g),
                             .enough = enough / scale};
    /* in a flow that becomes steady the part of a vanishing divergence is below what rounding leaves */
    const double least = DIVERGENCE_ROUNDING * KOL_EPSILON * g->h / g->smallest / scale;
    const double part = fmax(relative * sums[2] / dts, least);
    if (relative > 0 && part < goal.tolerance) {
        goal.tolerance = part;
        goal.input = "pressure.relative";
    }
    struct ppcg_result result;
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_pressure, grid_stencil(g, LOC_CCC, 0, 1), goal, mean, rhs,
                   phi, &result));
    step->iterations += result.iterations;
    ++step->stages;
    step->stages_over += asked > 0 && result.iterations > asked;
    *mean_phi = result.sum_vx / g->volume;
    if (!trusted)
        step->inverse_met = preconditioner_inverts(&poisson->for_pressure) && result.iterations == 1;
    return KOL_OK;
}

/* The exact inverse of a stage before the last is taken as it comes where that of a stage before met the
 * tolerance: the velocity that a step ends with is always looked at. */
static int trusts_inverse(const struct step *step, int stage)
{
    const struct poisson *poisson = &step->poisson;
    return stage < 2 && step->inverse_met && preconditioner_inverts(&poisson->for_pressure);
}

kol_status pressure_solve(struct step *step, struct flow *flow, int stage, double dts)
{
    const struct domain *domain = flow->domain;
    real *rhs = NULL;
    TRY(profile_phase(domain->profile, "pressure"));
    TRY(guess_correction(step, flow, stage));
    TRY(pool_hold(domain->pool, "divergence", &rhs));
    TRY(solve(step, flow, dts, domain->in->pressure.tolerance, 0, domain->in->pressure.relative,
              domain->in->pressure.iterations, trusts_inverse(step, stage), rhs, step->phi, &step->phi_mean));
    return pool_drop(domain->pool, &rhs);
}

kol_status pressure_correct(struct step *step, struct flow *flow, int stage, double dts)
{
    const struct domain *domain = flow->domain;
    struct pressure *pr = &flow->pressure;
    const double factor =
        domain->in->time.diffusion == DIFFUSION_IMPLICIT ? dts * domain->in->fluid.nu / 2 : 0;
    real *p = NULL;
    TRY(profile_phase(domain->profile, "correction"));
    TRY(pool_hold(domain->pool, "stage pressure", &p));
    const double *shift = flow->force.shift;
    const struct correction c = {(real)dts,
                                 (real)step->phi_mean,
                                 (real)factor,
                                 {(real)shift[X], (real)shift[Y], (real)shift[Z]},
                                 diffusion_z_profile(step->diffusion_z)};
    TRY(project_correct(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1), c, step->phi, pr->p, p,
                        flow->vel[X], flow->vel[Y], flow->vel[Z]));
    TRY(pool_drop(domain->pool, &step->phi));
    /* the old running pressure goes unless a later guess of this step or the next reads it */
    const struct guess *table = guess_table(domain->in, step->poisson.guess);
    for (int i = 0; i < stage; ++i) {
        const int later = needed_from(table, stage + 1, -1, N1 + i) || needed_from(table, 0, -1, B1 + i);
        if (!later) TRY(pool_drop(domain->pool, &pr->now[i]));
    }
    pr->now[stage] = p;
    pr->p = p;
    TRY(drop_unneeded(flow, table, stage + 1));
    if (stage == 2) pr->steps_known = 1;
    return KOL_OK;
}

kol_status pressure_project(struct step *step, struct flow *flow, double tolerance)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const double unit = 1; /* phi is a velocity potential: its scale is the time unit */
    real *rhs = NULL;
    TRY(pool_hold(domain->pool, "pressure correction", &step->phi));
    if (!preconditioner_inverts(&poisson->for_pressure))
        TRY(mem_fill_real(step->phi, domain->grid.box.size, 0));
    TRY(pool_hold(domain->pool, "divergence", &rhs));
    TRY(solve(step, flow, unit, tolerance, domain->in->pressure.tolerance, 0, 0, 0, rhs, step->phi,
              &step->phi_mean));
    TRY(pool_drop(domain->pool, &rhs));
    TRY(project_correct(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1),
                        (struct correction){.dts = (real)unit}, step->phi, NULL, NULL, flow->vel[X],
                        flow->vel[Y], flow->vel[Z]));
    flow->halo_filled = 0;
    return pool_drop(domain->pool, &step->phi);
}
