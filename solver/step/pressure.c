/* Forms the right-hand side of a stage's pressure correction, solves for it, and corrects the velocity. */
#include "pressure.h"

#include <math.h>
#include "inputs/check_pressure.h"
#include "inputs/schemes.h"
#include "kernels/laplace.h"
#include "kernels/update.h"
#include "kernels/volume_dot.h"
#include "boundary/boundary.h"
#include "correction.h"
#include "diffusion_z.h"
#include "flow_monitor.h"
#include "force.h"
#include "forcing/box_forcing.h"
#include "bodies/bodies.h"
#include "boundary/open_faces.h"
#include "poisson/cg_round.h"
#include "poisson/direct_single.h"
#include "poisson/preconditioner_choice.h"
#include "pressure_guess.h"
#include "travel_energy.h"

kol_status pressure_create(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    TRY(pool_hold(domain->pool, "pressure", &flow->pressure.now[2]));
    flow->pressure.p = flow->pressure.now[2];
    return pool_counts(domain->pool) ? KOL_OK : mem_fill_real(flow->pressure.p, domain->grid.box.size, 0);
}

/* equation: where the right-hand side of the Poisson equation goes: to rhs, or divided by `unit` to an array
 * in single precision. */
struct equation {
    real *rhs;
    float *single;  /* NULL: to rhs */
    struct box box; /* of it */
    double unit;    /* a power of two, so that it changes no digit */
};

struct divergence_sweep {
    const struct flow *flow;
    double dts;
    struct equation to;
    struct box_wave_sums sums; /* that the forcing of a box needs; total = NULL: none */
    int sums_bulk;             /* whether the force of the stage needs the mean of the velocity */
};

/* Computes the right-hand side of the Poisson equation, and its sums, on some of the cells. */
static kol_status diverge(const void *context, struct cells cells)
{
    const struct divergence_sweep *of = context;
    const struct domain *domain = of->flow->domain;
    const struct box b = domain->grid.box;
    const struct metrics m = domain->grid.m;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const real dts = (real)of->dts, scale = (real)(1 / of->to.unit);
    real *const *u = of->flow->vel;
    if (of->sums.total != NULL && of->to.single != NULL)
        return box_waves_divergence_single(b, of->to.box, m, bl, cells, dts, scale, u[X], u[Y], u[Z],
                                           of->to.single, of->sums);
    if (of->sums.total != NULL)
        return box_waves_divergence(b, m, bl, cells, dts, u[X], u[Y], u[Z], of->to.rhs, of->sums);
    if (of->sums_bulk && of->to.single != NULL)
        return project_divergence_single_bulk(b, of->to.box, m, bl, cells, dts, scale, u[X], u[Y], u[Z],
                                              of->to.single, force_bulk(of->flow));
    if (of->sums_bulk)
        return project_divergence_bulk(b, m, bl, cells, dts, u[X], u[Y], u[Z], of->to.rhs,
                                       force_bulk(of->flow));
    if (of->to.single != NULL)
        return project_divergence_single(b, of->to.box, m, bl, cells, dts, scale, u[X], u[Y], u[Z],
                                         of->to.single);
    return project_divergence(b, m, bl, cells, dts, u[X], u[Y], u[Z], of->to.rhs);
}

/* A remedy for a solve that makes no progress: a stronger preconditioner, or NULL. */
static const char *faster(const struct poisson *poisson)
{
    if (preconditioner_inverts(&poisson->for_pressure)) return NULL;
    return preconditioner_apart(&poisson->for_pressure) ? "pressure.preconditioner = 'direct'"
                                                        : "pressure.preconditioner = 'multigrid'";
}

/* projection: what is required of one correction. */
struct projection {
    double dts;       /* length of the stage [T] */
    double tolerance; /* of max|div u| h/U after the correction */
    double relative;  /* tolerance as a part of the divergence before the correction; 0: not used */
    double enough;    /* tolerance that is accepted if rounding or the iterations allow no less; 0: none */
    double reduction; /* part of the divergence of the guess that may be left; 0: tolerance counts alone */
    int asked;        /* iterations to take even if fewer would do */
    int trusted;      /* the result of an exact inverse is not checked */
    int from_zero;    /* the guess is 0, and there are no open faces */
    double lifted;    /* what has been added to the sum of V p since the last correction [U^2 L^3] */
    int first;        /* the velocity is the prediction of a stage: forces take their sums of it */
    int stage;        /* its number, if so */
};

/* divergence: the divergence of a predicted velocity. */
struct divergence {
    double mean; /* of the right-hand side, -div u / dts: 0 but for rounding, without open faces */
    double most; /* max|div u| [1/T] */
};

/* Finds faults of a predicted velocity that no correction can remedy. The jump is judged by the smallest
 * width, so fluid that an inflow brings into thin cells at rest does not count as one. */
static kol_status check_predicted(const struct flow *flow, double sum, double most)
{
    const struct grid *g = &flow->domain->grid;
    const double before = flow->now.speed > 0 ? fmax(flow->now.speed, flow->force.push) : 0;
    if (!isfinite(sum)) RAISE(KOL_ERR_NUMERICAL, "the predicted velocity holds values that are not finite");
    if (before > 0 && most * g->smallest > FLOW_BLOW_UP * before) {
        RAISE(
            KOL_ERR_NUMERICAL,
            "the predicted velocity jumped: max|div u| times the smallest width = %.3e, largest speed before "
            "%.3e; lower time.cfl or time.dt, or refine the grid",
            most * g->smallest, before);
    }
    return KOL_OK;
}

/* The speed U that scales the tolerance. In a fluid that the pressure holds at rest against forces, it is at
 * least that of rounding of the pressure gradient. */
static double speed_of(const struct flow *flow, struct divergence div)
{
    const struct grid *g = &flow->domain->grid;
    const double longest = fmax(g->length[X], fmax(g->length[Y], g->length[Z]));
    if (!(flow->now.speed > 0)) return div.most * g->h;
    return fmax(flow->now.speed, KOL_EPSILON * flow->force.push * longest / g->smallest);
}

/* Keeps the largest speed of the step that scaled the tolerance, for control/health.c. */
static void note_speed(struct flow *flow, double speed)
{
    flow->pressure.speed = fmax(flow->pressure.speed, speed);
}

/* Whether the force of the stage waits for the mean of the velocity: 1 sum more. */
static int sums_bulk(const struct flow *flow, const struct projection *p)
{
    return p->first && flow->force.awaits_mean;
}

/* Forms the right-hand side. Its sums are collected by check_solvable(). */
static kol_status right_hand_side(struct flow *flow, const struct projection *p, struct equation to)
{
    const int bulk = sums_bulk(flow, p);
    struct divergence_sweep sweep = {.flow = flow, .dts = p->dts, .to = to, .sums_bulk = bulk};
    const struct exchange exchange = boundary_exchange(flow->domain, flow->vel, 3, HALO_NORMAL);
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    if (p->first) TRY(box_forcing_sums(flow, &sweep.sums));
    TRY(exchange_overlap(&exchange, diverge, &sweep));
    return reduction_start(flow->domain->reduction, 2 + bulk, 1);
}

/* Checks that the equation has a solution, and finishes the force of the stage, if that waits for the mean of
 * the velocity. again: an earlier solve of the stage has shown that already; what is left of the divergence
 * may be no more than rounding. */
static kol_status check_solvable(const struct step *step, struct flow *flow, const struct projection *p,
                                 int again, struct divergence *div)
{
    const struct grid *g = &flow->domain->grid;
    const int bulk = sums_bulk(flow, p);
    const double dts = p->dts;
    double sums[4];
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY(reduction_collect(flow->domain->reduction, 2 + bulk, 1, sums));
    TRY(check_predicted(flow, sums[0], sums[2 + bulk]));
    if (bulk) TRY(force_finish(step, flow, p->stage, dts, sums[2] / g->volume));
    *div = (struct divergence){sums[0] / g->volume, sums[2 + bulk]};
    const double rounding = PRESSURE_MEAN_ROUNDING * KOL_EPSILON *
                            (speed_of(flow, *div) / g->smallest + dts * sums[1] / g->volume);
    if (!again && fabs(div->mean) * dts > rounding) {
        RAISE(KOL_ERR_NUMERICAL,
              "the divergence sums to %.3e instead of zero: the pressure equation has no solution",
              div->mean * dts * g->volume);
    }
    return KOL_OK;
}

static struct ppcg_goal goal_of(const struct poisson *poisson, const struct grid *g,
                                const struct projection *p, double speed, double div_max)
{
    const struct input *in = poisson->domain->in;
    const double scale = speed > 0 ? p->dts * g->h / speed : 1;
    struct ppcg_goal goal = {.name = "pressure",
                             .tolerance = p->tolerance / scale,
                             .reduction = p->reduction,
                             .scale = scale,
                             .meaning = "max|div u| h/U",
                             .input = "pressure.tolerance",
                             .asked = p->asked,
                             .trusted = p->trusted,
                             .single = p->from_zero && in->pressure.multigrid_precision != MULTIGRID_DOUBLE,
                             .one_sum = preconditioner_choice_one_sum(poisson, p->asked),
                             .faster = faster(poisson),
                             .rounding = cg_rounding(g),
                             .enough = p->enough / scale};
    /* When the flow becomes steady, the divergence vanishes, and a part of it may be below rounding. */
    const double least = DIVERGENCE_ROUNDING * KOL_EPSILON * g->h / g->smallest / scale;
    const double part = fmax(p->relative * div_max / p->dts, least);
    if (p->relative > 0 && part < goal.tolerance) {
        goal.tolerance = part;
        goal.input = "pressure.relative";
    }
    return goal;
}

/* Solves the Poisson equation for one correction. step->phi holds the guess and then the correction. rhs: an
 * array to work in. */
static kol_status solve(struct step *step, struct flow *flow, const struct projection *p, real *rhs)
{
    struct poisson *poisson = &step->poisson;
    const struct grid *g = &flow->domain->grid;
    struct divergence div = {0, 0};
    struct ppcg_result result;
    TRY(right_hand_side(flow, p, (struct equation){.rhs = rhs}));
    TRY(check_solvable(step, flow, p, 0, &div));
    if (poisson->regions != NULL)
        TRY(fluid_regions_balance(poisson->regions, div.mean * g->volume, rhs, &div.mean));
    const double speed = speed_of(flow, div);
    const struct ppcg_goal goal = goal_of(poisson, g, p, speed, div.most);
    note_speed(flow, speed);
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_pressure, grid_stencil(g, LOC_CCC, 0, 1), goal, div.mean, rhs,
                   step->phi, &result));
    step->iterations += result.iterations;
    ++step->stages;
    step->stages_over += p->asked > 0 && result.iterations > p->asked;
    step->phi_mean = result.sum_vx / g->volume;
    if (poisson->regions != NULL)
        TRY(fluid_regions_settle(poisson->regions, result.sum_vx + p->lifted, step->phi, &step->phi_mean));
    if (!p->trusted)
        step->inverse_met = preconditioner_inverts(&poisson->for_pressure) && result.iterations == 1;
    return KOL_OK;
}

/* The exact inverse, if it is in single precision and takes the velocity's divergence as it is: then the
 * result is judged by the velocity that it leads to (pressure_settle()). */
static struct direct_single *inverse_of(const struct step *step)
{
    return preconditioner_single(&step->poisson.for_pressure);
}

static int single(const struct step *step)
{
    return inverse_of(step) != NULL || correction_increments(step);
}

/* Solves the equation with the inverse. The GPU is at work on it when the host looks at the sums of the
 * right-hand side. */
static kol_status invert_single(struct step *step, struct flow *flow, const struct projection *p,
                                struct divergence *div)
{
    struct direct_single *inverse = inverse_of(step);
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY(right_hand_side(flow, p,
                        (struct equation){.single = direct_single_values(inverse),
                                          .box = packed_box(flow->domain->grid.box),
                                          .unit = step->phi_unit}));
    TRY(direct_single_solve(inverse));
    ++step->iterations;
    step->phi_mean = 0;
    return check_solvable(step, flow, p, p->tolerance == 0, div);
}

/* The mean of an increment is known to single precision, and extrapolated guesses take what it lacks further
 * from step to step. So in two of this many steps the mean of the guess is taken off with that of the
 * increment. */
enum { CENTRE_EVERY = 32 };

/* Sums the guess. In dead cells it is 0, except in the first stage after a run in double precision. */
static kol_status sum_guess(const struct flow *flow, double *sum)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    TRY(volume_dot_weighted(g->box, reduction_blocks(domain->reduction), grid_stencil(g, LOC_CCC, 0, 1),
                            flow->pressure.p));
    return reduction_finish(domain->reduction, 1, 0, sum);
}

/* Takes the mean off the guess, which is the pressure of the stage if there is no increment. */
static kol_status centre_guess(const struct step *step, struct flow *flow, double sum)
{
    const struct grid *g = &flow->domain->grid;
    real *const p = flow->pressure.p;
    double mean = sum / g->volume;
    if (step->poisson.regions != NULL) TRY(fluid_regions_settle(step->poisson.regions, sum, p, &mean));
    TRY(update_shift(g->box, (const real[3]){(real)-mean, 0, 0}, NULL, (real *const[3]){p, NULL, NULL}));
    TRY(bodies_beyond(flow, mean, (struct level_sum){.d = NULL}, NULL, p));
    return g->open != NULL ? laplace_clear(g->box, g->open, p) : KOL_OK;
}

/* Finds the mean that the correction is to take off. Without an increment there is no such correction. */
static kol_status find_mean(struct step *step, struct flow *flow)
{
    struct fluid_regions *regions = step->poisson.regions;
    const struct increment_result *r = &step->increment;
    const int centres = flow->clock.step % CENTRE_EVERY < 2;
    double of_guess = 0;
    if (centres) TRY(sum_guess(flow, &of_guess));
    if (r->phi.d == NULL) return centres ? centre_guess(step, flow, of_guess) : KOL_OK;
    const double sum = r->sum_vx + of_guess;
    step->phi_mean = sum / flow->domain->grid.volume;
    if (regions == NULL) return KOL_OK;
    return fluid_regions_mean(regions, sum, r->phi, centres ? flow->pressure.p : NULL, &step->phi_mean);
}

/* Solves it by multigrid. The arrays are held until the correction. */
static kol_status iterate_single(struct step *step, struct flow *flow, const struct projection *p,
                                 struct divergence *div)
{
    struct poisson *poisson = &step->poisson;
    struct increment *s = &poisson->increment;
    TRY(increment_begin(s));
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY(right_hand_side(flow, p,
                        (struct equation){.single = (float *)(void *)s->round.r, /* increment_choose() */
                                          .box = increment_box(s),
                                          .unit = step->phi_unit}));
    TRY(check_solvable(step, flow, p, p->tolerance == 0, div));
    struct ppcg_goal goal = goal_of(poisson, &flow->domain->grid, p, speed_of(flow, *div), div->most);
    if (p->tolerance == 0) goal.tolerance = step->single_goal / (2 * p->dts);
    TRY(increment_solve(s, &goal, step->phi_unit, div->most / p->dts, &poisson->strength, &step->increment));
    step->iterations += step->increment.iterations;
    step->stages_over += p->asked > 0 && step->increment.iterations > p->asked;
    return find_mean(step, flow);
}

/* Solves for one correction in single precision. p->tolerance = 0: for what an earlier one has left of the
 * tolerance. */
static kol_status solve_single(struct step *step, struct flow *flow, const struct projection *p)
{
    const struct grid *g = &flow->domain->grid;
    struct divergence div = {0, 0};
    const double cell = g->volume / ((double)g->n_g[X] * g->n_g[Y] * g->n_g[Z]),
                 speed = flow->now.speed > 0 ? flow->now.speed : 1;
    step->phi_unit = ldexp(1, ilogb(cell * (speed / g->h) / p->dts));
    TRY(correction_increments(step) ? iterate_single(step, flow, p, &div)
                                    : invert_single(step, flow, p, &div));
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    const double scaling = speed_of(flow, div);
    if (p->tolerance > 0) {
        const struct ppcg_goal goal = goal_of(&step->poisson, g, p, scaling, div.most);
        step->single_goal = fmax(goal.tolerance * p->dts, goal.reduction * div.most);
    }
    note_speed(flow, scaling);
    return KOL_OK;
}

/* Whether the result of a solve in single precision, or of an exact inverse, is taken without a check. That
 * is so in stages before the last one, if an earlier stage met the tolerance. The last stage, with which the
 * step ends, is always checked. */
static int trusts(const struct step *step, int stage)
{
    const int inverts = preconditioner_inverts(&step->poisson.for_pressure);
    return stage < 2 && step->inverse_met &&
           (inverts || (correction_increments(step) && step->increment.met));
}

/* The part of its divergence that a stage may leave. The last stage leaves none. Neither do those of a first
 * step, whose guess is not extrapolated. */
static double reduction_of(const struct flow *flow, int stage)
{
    return stage < 2 && flow->pressure.steps_known > 0 ? flow->domain->in->pressure.stage_reduction : 0;
}

/* Takes the guess as the pressure of the stage. The divergence is only needed for the sums that go with
 * it. */
static kol_status stand(struct step *step, struct flow *flow, const struct projection *p)
{
    const struct domain *domain = flow->domain;
    struct divergence div;
    real *rhs = NULL;
    step->increment = (struct increment_result){.met = 1};
    step->phi_mean = 0;
    if (box_forcing_sweeps(flow) || sums_bulk(flow, p)) {
        TRY(pool_hold(domain->pool, "divergence", &rhs));
        TRY(right_hand_side(flow, p, (struct equation){.rhs = rhs}));
        TRY(check_solvable(step, flow, p, 0, &div));
        TRY(pool_drop(domain->pool, &rhs));
    }
    return KOL_OK;
}

kol_status pressure_predict(const struct step *step, struct flow *flow, int stage)
{
    if (!correction_increments(step)) return KOL_OK;
    TRY(profile_phase(flow->domain->profile, "pressure"));
    return pressure_guess_predict(step, flow, stage);
}

kol_status pressure_solve(struct step *step, struct flow *flow, int stage, double dts)
{
    const struct domain *domain = flow->domain;
    real *rhs = NULL;
    const struct projection p = {.dts = dts,
                                 .tolerance = domain->in->pressure.tolerance,
                                 .relative = domain->in->pressure.relative,
                                 .reduction = reduction_of(flow, stage),
                                 .asked = domain->in->pressure.iterations,
                                 .trusted = !correction_increments(step) && trusts(step, stage),
                                 .from_zero = flow->pressure.steps_known == 0 && flow->open == NULL,
                                 .lifted = flow->bodies != NULL ? flow->bodies->lifted : 0,
                                 .first = 1,
                                 .stage = stage};
    if (stage == 0) flow->pressure.speed = 0;
    TRY(profile_phase(domain->profile, "pressure"));
    if (!correction_increments(step)) TRY(pressure_guess_form(step, flow, stage));
    if (pressure_guess_stands(step, flow, stage)) return stand(step, flow, &p);
    if (single(step)) {
        ++step->stages;
        return solve_single(step, flow, &p);
    }
    TRY(pool_hold(domain->pool, "divergence", &rhs));
    TRY(solve(step, flow, &p, rhs));
    return pool_drop(domain->pool, &rhs);
}

kol_status pressure_correct(struct step *step, struct flow *flow, int stage, double dts)
{
    const struct domain *domain = flow->domain;
    struct box_rows waves = {.row = NULL};
    real *p = flow->pressure.predicted ? flow->pressure.p : NULL;
    TRY(profile_phase(domain->profile, "correction"));
    if (p == NULL) TRY(pool_hold(domain->pool, "stage pressure", &p));
    if (!correction_increments(step)) TRY(bodies_pressure(flow, dts, step->phi));
    TRY(travel_energy_pressure(flow, stage, dts, step->phi)); /* no increments while bodies travel */
    TRY(box_forcing_field(flow, stage, diffusion_implicit_factor(domain->in, dts), &waves));
    TRY(flow_monitor_follows(flow, stage) ? correction_limits(step, flow, stage, dts, flow->force.shift, p)
                                          : correction_apply(step, flow, dts, flow->force.shift, waves, p));
    if (!correction_increments(step)) TRY(bodies_hold(flow)); /* increments leave closed faces as they are */
    TRY(pool_drop(domain->pool, &step->phi));
    TRY(increment_end(&step->poisson.increment));
    return pressure_guess_keep(step, flow, stage, p);
}

/* Solves once more, for the divergence that is left, and corrects velocity and pressure in place. */
static kol_status refine_single(struct step *step, struct flow *flow, int stage, double dts)
{
    static const double none[3] = {0, 0, 0};
    const struct domain *domain = flow->domain;
    TRY(profile_phase(domain->profile, "pressure"));
    TRY(solve_single(step, flow, &(struct projection){.dts = dts}));
    TRY(profile_phase(domain->profile, "correction"));
    TRY(correction_apply(step, flow, dts, none, (struct box_rows){.row = NULL}, flow->pressure.p));
    TRY(increment_end(&step->poisson.increment));
    flow->halo_filled = 0;
    return open_faces_pressure(flow, stage);
}

/* The message of corrections in single precision that do not meet the tolerance. */
static kol_status fail_single(const struct step *step, const struct flow *flow, int solves, double most)
{
    const struct grid *g = &flow->domain->grid;
    const double scale = flow->now.speed > 0 ? g->h / flow->now.speed : 1;
    RAISE(KOL_ERR_NUMERICAL,
          "pressure: %d solves in single precision left max|div u| h/U = %.3e, wanted %.3e; choose "
          "pressure.%s = 'double', or raise pressure.tolerance",
          solves, most * scale, step->single_goal * scale,
          correction_increments(step) ? "multigrid_precision" : "direct_precision");
}

static kol_status settle(struct step *step, struct flow *flow, int stage, double dts)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    const int asked = correction_increments(step) ? 0 : in->pressure.iterations; /* solves */
    double before = INFINITY;
    if (!single(step) || pool_counts(domain->pool) || pressure_guess_stands(step, flow, stage)) return KOL_OK;
    if (trusts(step, stage) && asked <= 1) return KOL_OK;
    for (int solves = 1;; ++solves) {
        TRY(flow_monitor_take(flow));
        const double most = flow->sums.value[MON_DIV];
        const int finite = isfinite(flow->sums.value[MON_ENERGY]), met = most <= step->single_goal;
        if (!finite || (met && solves >= asked)) { /* control/health.c names what is not finite */
            step->inverse_met = finite && solves == 1;
            step->stages_over += asked > 0 && solves > asked;
            break;
        }
        if (!met && (solves >= in->pressure.max_iterations || !(most < 0.5 * before)))
            return fail_single(step, flow, solves, most);
        before = most;
        TRY(refine_single(step, flow, stage, dts));
    }
    if (stage < 2) flow->sums.taken = 0; /* the velocity of a stage is not that of a step */
    return KOL_OK;
}

kol_status pressure_settle(struct step *step, struct flow *flow, int stage, double dts)
{
    TRY(settle(step, flow, stage, dts));
    return correction_increments(step) ? bodies_pressure(flow, dts, NULL) : KOL_OK;
}

kol_status pressure_potential(struct step *step, struct flow *flow, double tolerance)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const double unit = 1; /* phi is a velocity potential, whose scale is the time unit */
    real *rhs = NULL;
    TRY(pool_hold(domain->pool, "pressure correction", &step->phi));
    if (!preconditioner_inverts(&poisson->for_pressure) && !pool_counts(domain->pool))
        TRY(mem_fill_real(step->phi, domain->grid.box.size, 0));
    TRY(pool_hold(domain->pool, "divergence", &rhs));
    TRY(solve(step, flow,
              &(struct projection){.dts = unit,
                                   .tolerance = tolerance,
                                   .enough = domain->in->pressure.tolerance,
                                   .from_zero = flow->open == NULL},
              rhs));
    return pool_drop(domain->pool, &rhs);
}

kol_status pressure_project(struct step *step, struct flow *flow, double tolerance)
{
    const struct domain *domain = flow->domain;
    const double unit = 1;
    TRY(pressure_potential(step, flow, tolerance));
    if (pool_counts(domain->pool)) return pool_drop(domain->pool, &step->phi);
    TRY(project_correct(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1),
                        (struct correction){.dts = (real)unit}, step->phi, NULL, NULL, flow->vel[X],
                        flow->vel[Y], flow->vel[Z]));
    flow->halo_filled = 0;
    TRY(bodies_hold(flow));
    return pool_drop(domain->pool, &step->phi);
}
