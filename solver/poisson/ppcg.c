/* Solves A x = b in rounds of preconditioned conjugate gradients. */
#include "ppcg_internal.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/stream_copy.h"
#include "cg_round.h"
#include "kernels/point/level.h"
#include "level_round.h"

/* Returns the number of arrays that a preconditioner needs in addition to those arrays of the solver that
 * are idle while it works. These are
 *
 *   - one array that holds no values between two sweeps (vectors.unused);
 *   - the earlier solution, if new solutions have their own array;
 *   - the earlier direction, if an iteration has one sum. */
static int arrays_beyond_idle(int scratch, int apart, int one_sum)
{
    const int idle = 1 + apart + one_sum;
    return scratch > idle ? scratch - idle : 0;
}

kol_status ppcg_create(struct memory *memory, int max_iterations, struct box b, struct halo *halo,
                       struct reduction *reduction, struct pool *pool, struct ppcg **out)
{
    struct ppcg *s = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the solver");
    *out = s;
    s->max_iterations = max_iterations;
    s->box = b;
    s->halo = halo;
    s->reduction = reduction;
    s->pool = pool;
    TRY(memory_kernel(memory, (size_t)laplace_update_scratch(b) * sizeof(real), (void **)&s->planes));
    memory_library(memory, sizeof *s->cg.state);
    if (memory_counts(memory)) return KOL_OK;
    if (laplace_around()) halo_leave_around(halo);
    TRY(laplace_steps_most(b, reduction_blocks(reduction), halo_cells(halo, CELLS_ALL), &s->steps_most));
    TRY(reduction_least(reduction, &s->steps_most)); /* exchanges go with sweeps */
    return cg_create(&s->cg);
}

void ppcg_destroy(struct ppcg **s)
{
    if (*s == NULL) return;
    cg_destroy(&(*s)->cg);
    mem_kernel_free((*s)->planes);
    free(*s);
    *s = NULL;
}

const real *ppcg_residual(const struct ppcg *s)
{
    return s->residual;
}

/* remainder: operands of r = rhs - mean V - A x. */
struct remainder {
    const struct ppcg *s;
    struct stencil a;
    double mean;
    const real *rhs, *x;
    real *r; /* NULL: only the sums are needed */
};

static kol_status sweep_residual(const void *context, struct cells cells)
{
    const struct remainder *of = context;
    return laplace_residual(of->s->box, of->a, reduction_blocks(of->s->reduction), cells, (real)of->mean,
                            of->rhs, of->x, of->r);
}

/* Computes r = rhs - mean V - A x, after the halo of x is filled. For r = NULL it computes only the sums. */
static kol_status sum_residual(struct ppcg *s, struct stencil a, double mean, const real *rhs, real *x,
                               real *r)
{
    const struct remainder of = {s, a, mean, rhs, x, r};
    const struct exchange exchange = ppcg_exchange(s, a, &x, HALO_FACES);
    return exchange_overlap(&exchange, sweep_residual, &of);
}

/* Computes r and result[]: the sum of r, the sum of V x, and max |r|/V. */
static kol_status residual(struct ppcg *s, struct stencil a, double mean, const real *rhs, real *x, real *r,
                           double result[3])
{
    TRY(sum_residual(s, a, mean, rhs, x, r));
    return reduction_finish(s->reduction, 2, 1, result);
}

/* Takes the arrays of a solve. other: the array with which x alternates; NULL if there is none. */
static kol_status hold_vectors(struct ppcg *s, struct vectors *v, real **other)
{
    TRY(pool_hold(s->pool, "ppcg r", &v->r));
    TRY(pool_hold(s->pool, "ppcg z", &v->z));
    TRY(pool_hold(s->pool, "ppcg d", &v->d));
    TRY(pool_hold(s->pool, "ppcg unused", &v->unused));
    if (s->apart) TRY(pool_hold(s->pool, "ppcg x", other));
    if (*other != NULL) v->x_new = *other;
    if (s->one_sum) TRY(pool_hold(s->pool, "ppcg d before", &v->d_new));
    const int more = arrays_beyond_idle(s->scratch, s->apart, s->one_sum);
    for (int n = 0; n < more; ++n) TRY(pool_hold(s->pool, "preconditioner", &v->more[n]));
    return KOL_OK;
}

static kol_status drop_vectors(struct ppcg *s, struct vectors *v, real **other)
{
    TRY(pool_drop(s->pool, &v->r));
    TRY(pool_drop(s->pool, &v->z));
    TRY(pool_drop(s->pool, &v->d));
    TRY(pool_drop(s->pool, other));
    TRY(pool_drop(s->pool, &v->d_new));
    for (int n = 0; n < PRECONDITIONER_SCRATCH; ++n) TRY(pool_drop(s->pool, &v->more[n]));
    return pool_drop(s->pool, &v->unused);
}

/* --- preconditioners that invert A --- */

/* Adds M r to x, unless the residual grows. *gained: whether the residual was at least halved. */
static kol_status refine(struct ppcg *s, const struct preconditioner *m, struct stencil a, double mean,
                         const real *rhs, struct vectors *v, double now[3], int *gained)
{
    double next[3];
    TRY(residual(s, a, mean, rhs, v->x, v->r, next));
    TRY(preconditioner_invert(m, v->r, v->z));
    TRY(stream_triad(s->box.size, 1, v->x, v->z, v->d));
    TRY(residual(s, a, mean, rhs, v->d, NULL, next));
    *gained = isfinite(next[0]) && cg_gained(next[2], now[2]);
    if (!isfinite(next[0]) || next[2] > now[2]) return KOL_OK;
    TRY(stream_copy(s->box.size, v->d, v->x));
    if (laplace_around()) TRY(halo_wrap(s->halo, v->x));
    for (int n = 0; n < 3; ++n) now[n] = next[n];
    return KOL_OK;
}

/* Sets x = M (rhs - mean V), whatever x was before. *met: whether x then meets the goal.
 *
 * M is applied once, and the residual is computed from x unless it is `trusted`. Usually the solve is then
 * complete. M is applied again if the goal asks for that, or if it asks for a residual near rounding. */
static kol_status invert(struct ppcg *s, const struct preconditioner *m, struct stencil a,
                         const struct ppcg_goal *goal, double mean, const real *rhs, struct vectors *v,
                         real **other, int *iterations, double now[3], int *met)
{
    const int limit = goal->most > 0 ? goal->most : s->max_iterations;
    int gained = 1;
    *iterations = 1;
    TRY(preconditioner_invert(m, rhs, v->x));
    if (goal->trusted && goal->asked <= 1) {
        TRY(ppcg_fill(s, a, v->x, HALO_FACES));
        if (laplace_around()) TRY(halo_wrap(s->halo, v->x));
        *met = 1;
        return KOL_OK;
    }
    TRY(sum_residual(s, a, mean, rhs, v->x, NULL));
    if (laplace_around()) TRY(halo_wrap(s->halo, v->x)); /* the host would only wait for the sums meanwhile */
    TRY(reduction_finish(s->reduction, 2, 1, now));
    for (; *iterations < limit && isfinite(now[0]) && now[2] > 0; ++*iterations) {
        if (*iterations >= goal->asked && (now[2] <= goal->tolerance || !gained)) break;
        if (v->r == NULL) TRY(hold_vectors(s, v, other));
        TRY(refine(s, m, a, mean, rhs, v, now, &gained));
    }
    *met = isfinite(now[0]) && now[2] <= goal->tolerance;
    return KOL_OK;
}

/* Finds *largest = max |rhs - mean V| / V. The values of `zero` are lost. */
static kol_status right_hand_side(struct ppcg *s, struct stencil a, double mean, const real *rhs, real *zero,
                                  double *largest)
{
    double result[3];
    TRY(mem_fill_real(zero, s->box.size, 0));
    TRY(residual(s, a, mean, rhs, zero, NULL, result));
    *largest = result[2];
    return KOL_OK;
}

/* --- solves --- */

/* Whether a solve whose result the caller judges can make no more progress. */
static int gave_up(const struct cg_state *c, const double now[3], double before)
{
    return c->outcome == CG_SPENT || c->outcome == CG_INDEFINITE || c->outcome == CG_NOT_FINITE ||
           !isfinite(now[0]) || !cg_gained(now[2], before);
}

/* The tolerance that a solve has missed, in the user's terms. */
static double wanted(const struct ppcg_goal *goal)
{
    return fmax(goal->tolerance, goal->enough) * goal->scale;
}

/* The message of an iteration that can't go on. */
static kol_status fail(const struct ppcg *s, struct ppcg_goal goal, struct cg_state c)
{
    if (c.outcome == CG_SPENT) {
        RAISE(KOL_ERR_NUMERICAL,
              "%s: %d iterations left %s = %.3e, wanted %.3e; raise pressure.max_iterations%s, or %s%s%s",
              goal.name, c.iterations, goal.meaning, c.most * goal.scale, wanted(&goal),
              s->separate == NULL && s->p.first.c1 != 0 ? " or pressure.degree" : "", goal.input,
              goal.faster != NULL ? ", or choose " : "", goal.faster != NULL ? goal.faster : "");
    }
    RAISE(KOL_ERR_NUMERICAL, "%s: iteration %d: d.Ad = %.3e, r.z = %.3e: %s", goal.name, c.iterations, c.dq,
          c.rz,
          c.outcome != CG_INDEFINITE ? "the fields hold values that are not finite"
          : c.rz > 0                 ? "the operator is not positive definite"
                                     : "the preconditioner is not positive definite");
}

/* Computes the residual after a round. Usually it meets the goal; then only its sums are needed, and r is not
 * stored. */
static kol_status look(struct ppcg *s, struct stencil a, double tolerance, double mean, const real *rhs,
                       struct vectors *v, double now[3])
{
    TRY(residual(s, a, mean, rhs, v->x, NULL, now));
    if (isfinite(now[0]) && now[2] <= tolerance) return KOL_OK;
    return residual(s, a, mean, rhs, v->x, v->r, now);
}

/* Deep solves: those from zero that have to reduce the residual by more than this factor. With multigrid
 * their rounds are in single precision. */
static const double DEEP = 1e4;
/* After a round in single precision that leaves more than this part, the others are in double precision. */
static const double SINGLE_GAIN = 0.1;
/* A solution that varies over the whole box would lose all digits beyond 1 (cg_single()); most solutions lose
 * fewer. */
static const double SINGLE_ROUNDING = 10;

/* Whether the rounds of a solve can be in single precision: with the cycle of the pressure's own operator,
 * and where three fields have room for the arrays. */
static int can_be_single(const struct ppcg *s, struct stencil a)
{
    return s->separate != NULL && s->separate->multigrid != NULL &&
           !multigrid_by_coupling(s->separate->multigrid) && a.shift == 0 && !s->one_sum &&
           LEVEL_ROUND_FIELDS == 3;
}

/* Directions go on from the last round if the residual is at most this many times that of its recurrence. */
static const double FOLLOWED = 1.5;

/* Does a round in single precision from the residual in v->r, and adds what it finds to v->x. */
static kol_status single_round(struct ppcg *s, const struct ppcg_goal *goal, double most, struct vectors *v,
                               struct level_round *round, struct cg_state *state)
{
    real *const field[LEVEL_ROUND_FIELDS] = {v->z, v->d, v->unused}; /* all of them: can_be_single() */
    const double volume = multigrid_volume(s->separate->multigrid), before = state->most;
    struct level_sum phi;
    double sum_vx;
    *state = cg_round(fmax(goal->tolerance, cg_single_part(goal->rounding) * most), goal->asked,
                      goal->most > 0 ? goal->most : s->max_iterations, state->iterations);
    cg_advance(state, CG_BEGIN, (const double[2]){0, most});
    if (state->outcome != CG_RUNNING) return KOL_OK;
    round->multigrid = s->separate->multigrid;
    round->reduction = s->reduction;
    round->last.any = round->last.any && most <= FOLLOWED * before;
    TRY(level_round_lay_out(round, s->box, field));
    TRY(cg_start(s->cg, *state)); /* the scale follows from its max|r|/V */
    TRY(level_enter(s->box, level_round_box(round), s->cg.state, volume, v->r, round->r));
    TRY(level_round_do(round, 1 / point_level_scale(state, volume), state, &phi, &sum_vx));
    if (state->outcome == CG_INDEFINITE)
        state->outcome = CG_STALLED; /* rounds in double precision will tell */
    return phi.d != NULL ? level_add(s->box, phi, v->x) : KOL_OK;
}

/* Rounds of conjugate gradients from v->x. *largest is an input and a result. Before: max|r|/V for x = 0 if
 * v->x is not a guess, otherwise 0. After: max|r|/V of the start, if that is larger. */
static kol_status rounds(struct ppcg *s, struct stencil a, const struct ppcg_goal *goal, double mean,
                         const real *rhs, struct vectors *v, struct cg_state *state, double *largest,
                         double now[3])
{
    struct ppcg_goal aim = *goal;
    double before = INFINITY; /* residual before the round */
    struct level_round of_single = {.last = {.any = 0}};
    int single = 0;
    for (int round = 0;; ++round) {
        TRY(round == 0 ? residual(s, a, mean, rhs, v->x, v->r, now)
                       : look(s, a, aim.tolerance, mean, rhs, v, now));
        s->residual = v->r;
        *largest = fmax(*largest, round == 0 ? now[2] : 0);
        if (round == 0) aim.tolerance = fmax(goal->tolerance, goal->reduction * now[2]);
        if (round == 0)
            single = goal->single && can_be_single(s, a) && cg_single(goal->rounding, SINGLE_ROUNDING) &&
                     now[2] > DEEP * aim.tolerance;
        if (single && now[2] > SINGLE_GAIN * before) { /* rounding of single precision allows no less */
            single = 0;
            before = INFINITY;
        }
        const int ended = round > 0 && gave_up(state, now, before);
        if (ended && (aim.most > 0 || now[2] <= aim.enough)) return KOL_OK;
        if (!isfinite(now[0])) RAISE(KOL_ERR_NUMERICAL, "%s: the residual is not finite", aim.name);
        if (now[2] <= aim.tolerance && (round > 0 || aim.asked == 0 || now[2] == 0)) return KOL_OK;
        if (state->outcome == CG_SPENT || state->outcome == CG_INDEFINITE || state->outcome == CG_NOT_FINITE)
            return fail(s, aim, *state);
        if (!cg_gained(now[2], before)) {
            const int deep = cg_at_rounding(now[2], *largest) || now[2] < aim.rounding * *largest;
            const int remedy = !deep && aim.faster != NULL;
            RAISE(KOL_ERR_NUMERICAL,
                  "%s: the residual stagnates at %s = %.3e, wanted %.3e: %s; raise %s, or make the widths "
                  "of the grid more equal%s%s",
                  aim.name, aim.meaning, now[2] * aim.scale, wanted(&aim),
                  deep ? "rounding allows no less" : "the iteration makes no progress", aim.input,
                  remedy ? ", or choose " : "", remedy ? aim.faster : "");
        }
        before = now[2];
        TRY(single ? single_round(s, &aim, now[2], v, &of_single, state)
                   : ppcg_iterate(s, a, &aim, now[2], v, state));
    }
}

/* Whether new solutions go to an array of their own, which is faster where an iteration is cheap. After an
 * odd number of iterations the solution must then be copied back, 16 bytes a cell. A solve with a separate
 * preconditioner has few iterations, often one, so it updates x in place. */
static int takes_turns(const struct preconditioner *m)
{
    return laplace_update_apart() && !preconditioner_apart(m);
}

/* Chooses how this solve forms z = M r. */
static void choose_preconditioning(struct ppcg *s, const struct preconditioner *m, int bodies)
{
    static const struct polynomial JACOBI = {.first = {1, 0}};
    const int separate = preconditioner_apart(m);
    s->separate = separate ? m : NULL;
    s->apart = takes_turns(m);
    s->p = separate ? JACOBI : bodies ? polynomial_by_steps(&m->polynomial) : m->polynomial;
    s->steps = bodies ? 1 : s->steps_most < laplace_steps_wanted() ? s->steps_most : laplace_steps_wanted();
    if (separate) s->preconditioning = PPCG_SEPARATE;
    else s->preconditioning = s->p.steps > 0 && s->steps > 1 ? PPCG_BLOCKED : PPCG_FUSED;
    s->fused = s->preconditioning == PPCG_BLOCKED ? JACOBI.first : s->p.first;
    s->scratch = s->preconditioning != PPCG_FUSED ? preconditioner_scratch(m) : 0;
}

/* If arrays are only counted, it is not known yet whether sweeps will be blocked: the preconditioner gets all
 * the arrays that it may work in. */
static kol_status count_vectors(struct ppcg *s, const struct preconditioner *m, struct vectors *v,
                                struct ppcg_result *out)
{
    real *other = NULL;
    *out = (struct ppcg_result){.iterations = 0};
    s->scratch = preconditioner_scratch(m);
    TRY(hold_vectors(s, v, &other));
    return drop_vectors(s, v, &other);
}

kol_status ppcg_solve(struct ppcg *s, const struct preconditioner *m, struct stencil a, struct ppcg_goal goal,
                      double mean, const real *rhs, real *x, struct ppcg_result *out)
{
    struct vectors v = {.x = x, .x_new = x};
    choose_preconditioning(s, m, a.open != NULL);
    s->one_sum = goal.one_sum && a.open == NULL;
    if (pool_counts(s->pool)) return count_vectors(s, m, &v, out);
    real *other = NULL; /* what x takes turns with */
    struct cg_state state = {.iterations = 0};
    double now[3] = {0, 0, 0}, first = 0;
    int met = 0;
    if (a.open != NULL) TRY(laplace_clear(s->box, a.open, x));
    if (preconditioner_inverts(m))
        TRY(invert(s, m, a, &goal, mean, rhs, &v, &other, &state.iterations, now, &met));
    if (!met) {
        if (v.r == NULL) TRY(hold_vectors(s, &v, &other));
        if (preconditioner_inverts(m)) TRY(right_hand_side(s, a, mean, rhs, v.z, &first));
        TRY(rounds(s, a, &goal, mean, rhs, &v, &state, &first, now));
    }
    s->residual = NULL;
    if (v.x != x) TRY(stream_copy(s->box.size, v.x, x));
    if (laplace_around() && !met) TRY(halo_wrap(s->halo, x));
    *out = (struct ppcg_result){.iterations = state.iterations,
                                .first = first,
                                .last = isfinite(now[0]) ? now[2]
                                                         : INFINITY, /* a maximum drops NaN, a sum does not */
                                .sum_vx = met && state.iterations == 1 ? 0 : now[1]};
    return drop_vectors(s, &v, &other);
}
