#include "ppcg.h"

#include <math.h>
#include <stdlib.h>
#include "../kernels/stream.h"
#include "../kernels/update.h"

/* The recurrence is followed to a little below the tolerance, so that the residual computed from x meets it. */
static const double RECURRENCE_MARGIN = 0.9;
/* A round of iterations must at least halve the residual, else rounding has been reached. */
static const double RESTART_GAIN = 0.5;
/* A round ends, and the residual is computed anew, when the recurrence has made no new minimum for so many iterations, or
 * has grown so far above its minimum: below what rounding allows the recurrence no longer speaks of the residual. */
enum { STALL_ITERATIONS = 2000 };
static const double STALL_GROWTH = KOL_CHOOSE(1e12, 1e5);
/* d.Ad <= 0 tells of an indefinite operator only while the residual is above this part of the round's first. */
static const double ROUNDING_PART = KOL_CHOOSE(1e-8, 1e-3);

struct ppcg {
    int max_iterations;
    const struct preconditioner *outer; /* of the solve under way, where it is apart; NULL: fused */
    struct precond p;                   /* plain Jacobi beside an outer one */
    struct poly1 fused;                 /* what of it is fused into the sweeps of the iteration */
    int blocked;                        /* nothing of it: sweeps of their own take several degrees each */
    int steps_most;                     /* how many such a sweep can take; 1: there are none */
    int steps;                          /* how many it takes in the solve under way */
    int scratch;                        /* arrays that the preconditioner works in */
    struct box box;
    struct halo *halo;
    struct reduction *reduction;
    struct pool *pool;
    struct cg_scalars cg;
    real *planes;         /* scratch of laplace_update */
    const real *residual; /* of the solve under way; NULL: none */
};

/* The vectors of one solve; they change names rather than being copied. `spare` is free for the next result: the direction before
 * once there is a new one, the residual before once it is updated. */
struct vectors {
    real *r, *z, *d, *spare;
    real *x, *x_new; /* the solution, and where the next one goes: the same array unless laplace_apart() */
    real *more[PRECONDITIONER_SCRATCH]; /* for a preconditioner; NULL: not wanted */
};

struct cg_state ppcg_round(double tolerance, int asked, int limit, int iterations)
{
    return (struct cg_state){.target = RECURRENCE_MARGIN * tolerance,
                             .rounding_part = ROUNDING_PART,
                             .stall_growth = STALL_GROWTH,
                             .stall_iterations = STALL_ITERATIONS,
                             .limit = limit,
                             .asked = asked,
                             .iterations = iterations};
}

int ppcg_gained(double now, double before)
{
    return now <= RESTART_GAIN * before;
}

int ppcg_at_rounding(double now, double first)
{
    return now < ROUNDING_PART * first;
}

/* Idle while a preconditioner works: the spare one, and the solution before where new ones go elsewhere. */
static int arrays_beyond_idle(int scratch)
{
    const int idle = 1 + laplace_apart();
    return scratch > idle ? scratch - idle : 0;
}

int ppcg_arrays(int scratch)
{
    return PPCG_ARRAYS + laplace_apart() + arrays_beyond_idle(scratch);
}

kol_status ppcg_create(int max_iterations, struct box b, struct halo *halo, struct reduction *reduction,
                       struct pool *pool, struct ppcg **out)
{
    struct ppcg *s = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the solver");
    *out = s;
    s->max_iterations = max_iterations;
    s->box = b;
    s->halo = halo;
    s->reduction = reduction;
    s->pool = pool;
    if (laplace_around()) halo_leave_around(halo);
    TRY(laplace_steps_most(b, reduction_blocks(reduction), halo_cells(halo, CELLS_ALL), &s->steps_most));
    TRY(reduction_least(reduction, &s->steps_most)); /* exchanges go with sweeps */
    TRY(cg_create(&s->cg));
    TRY(mem_kernel_alloc((size_t)laplace_plane_scratch(b) * sizeof(real), (void **)&s->planes));
    return KOL_OK;
}

size_t ppcg_bytes_wanted(struct box b)
{
    return (size_t)laplace_plane_scratch(b) * sizeof(real) + sizeof(struct cg_state);
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

static void swap(real **a, real **b)
{
    real *c = *a;
    *a = *b;
    *b = c;
}

/* halo_begin, halo_arrive and halo_end; beyond held faces x is 0. Values from other ranks, which are no neighbours there, may arrive until the end. */
static kol_status exchange_begin(struct ppcg *s, struct stencil a, real *x, enum halo_shape shape)
{
    TRY(halo_begin(s->halo, &x, 1, shape));
    return a.held != 0 ? update_zero_beyond(s->box, a.held, x) : KOL_OK;
}

static kol_status exchange_arrive(struct ppcg *s, struct stencil a, real *x)
{
    TRY(halo_arrive(s->halo));
    if (a.held == 0 || halo_remote(s->halo) == 0) return KOL_OK;
    const kol_status st = update_zero_beyond(s->box, a.held, x);
    return st == KOL_OK ? KOL_OK : halo_join(s->halo, st);
}

static kol_status exchange_end(struct ppcg *s, struct stencil a, real *x)
{
    TRY(exchange_arrive(s, a, x));
    return halo_join(s->halo, KOL_OK);
}

/* What the other side has is no neighbour where a direction is held. */
static struct cells cells_of(const struct ppcg *s, struct stencil a, enum cells_which which)
{
    struct cells c = halo_cells(s->halo, which);
    c.around &= ~a.held;
    return c;
}

/* The sweeps below begin with the cells that need no halo from another rank, while it travels. The others, the rim, need nothing of
 * that: they go to the queue of the exchange, begin when it is done, and take what the inner cells leave idle at their end. */

/* r = rhs - mean V - A x with the halo of x filled; r = NULL: only its sums. */
static kol_status residual_sweep(struct ppcg *s, struct stencil a, double mean, const real *rhs, real *x,
                                 real *r)
{
    const struct blocks bl = reduction_blocks(s->reduction);
    TRY(exchange_begin(s, a, x, HALO_FACES));
    TRY(laplace_residual(s->box, a, bl, cells_of(s, a, CELLS_INNER), (real)mean, rhs, x, r));
    if (halo_remote(s->halo) == 0) return exchange_end(s, a, x);
    TRY(exchange_arrive(s, a, x));
    return halo_join(s->halo,
                     laplace_residual(s->box, a, bl, cells_of(s, a, CELLS_RIM), (real)mean, rhs, x, r));
}

/* result[]: sum of r, sum of V x, max of |r|/V. */
static kol_status residual(struct ppcg *s, struct stencil a, double mean, const real *rhs, real *x, real *r,
                           double result[3])
{
    TRY(residual_sweep(s, a, mean, rhs, x, r));
    return reduction_finish(s->reduction, 2, 1, result);
}

/* What a preconditioner works in: idle while it does. The number of arrays. */
static int scratch_of(const struct vectors *v, real *scratch[PRECONDITIONER_SCRATCH + 2])
{
    int n = 0;
    scratch[n++] = v->spare;
    if (v->x_new != v->x) scratch[n++] = v->x_new;
    for (int i = 0; i < PRECONDITIONER_SCRATCH && v->more[i] != NULL; ++i) scratch[n++] = v->more[i];
    return n;
}

/* Whether z = M r is no part of the sweeps of the iteration. */
static int apart(const struct ppcg *s)
{
    return s->outer != NULL || s->blocked;
}

/* One sweep of the polynomial, from r or from what the sweep before left. Beyond held faces it reads no halo. */
static kol_status steps(struct ppcg *s, struct stencil a, struct poly_steps p, struct vectors *v, real *z,
                        real *z_prev, real *z_next, real *z_last)
{
    const struct blocks bl = reduction_blocks(s->reduction);
    real *const read[2] = {z != NULL ? z : v->r, z_prev};
    /* r has its halo since the first sweep, which took no fewer steps */
    const int reads = z != NULL && p.n > 1 ? 2 : 1;
    TRY(halo_begin(s->halo, read, reads, p.n > 1 ? HALO_DEEP : HALO_FACES));
    TRY(laplace_steps(s->box, a, bl, cells_of(s, a, CELLS_INNER), s->cg.state, p, v->r, z, z_prev, z_next,
                      z_last));
    if (halo_remote(s->halo) == 0) return halo_end(s->halo);
    TRY(halo_arrive(s->halo));
    return halo_join(s->halo, laplace_steps(s->box, a, bl, cells_of(s, a, CELLS_RIM), s->cg.state, p, v->r, z,
                                            z_prev, z_next, z_last));
}

/* z = polynomial of r, in as few sweeps as there can be, of much the same length. The last one leaves v->z; each one before leaves
 * two iterates in arrays that it does not read. */
static kol_status polynomial_blocked(struct ppcg *s, struct stencil a, struct vectors *v)
{
    const int degree = s->p.steps + 1;
    real *scratch[PRECONDITIONER_SCRATCH + 2], *z = NULL, *z_prev = NULL;
    int left = (degree + s->steps - 1) / s->steps;
    if (scratch_of(v, scratch) < (left > 2 ? 3 : left > 1 ? 2 : 0))
        RAISE(KOL_ERR_INTERNAL, "no arrays for %d sweeps of a polynomial", left);
    for (int done = 0, n; left > 0; --left, done += n) {
        n = (degree - done + left - 1) / left;
        real *const next = left % 2 == 1 ? v->z : scratch[0];
        real *const last = left == 1 ? NULL : left % 2 == 1 ? scratch[2] : scratch[1];
        TRY(steps(s, a, precond_steps(&s->p, done, n), v, z, z_prev, next, last));
        z = next;
        z_prev = last;
    }
    return reduction_advance(s->reduction, 1, 0, CG_POLYNOMIAL, s->cg);
}

/* The degrees of the polynomial beyond those that are fused: z becomes the polynomial of r. */
static kol_status polynomial(struct ppcg *s, struct stencil a, struct vectors *v)
{
    const struct blocks bl = reduction_blocks(s->reduction);
    if (s->blocked) return polynomial_blocked(s, a, v);
    for (int n = 0; n < s->p.steps; ++n) {
        const real *before = n == 0 ? NULL : v->spare;
        TRY(exchange_begin(s, a, v->z, HALO_FACES));
        TRY(laplace_chebyshev(s->box, a, bl, cells_of(s, a, CELLS_INNER), s->cg.state, s->p.momentum[n],
                              s->p.step[n], s->p.y0, v->r, v->z, before, v->spare));
        TRY(exchange_arrive(s, a, v->z));
        kol_status st = KOL_OK;
        if (halo_remote(s->halo) != 0) {
            st = laplace_chebyshev(s->box, a, bl, cells_of(s, a, CELLS_RIM), s->cg.state, s->p.momentum[n],
                                   s->p.step[n], s->p.y0, v->r, v->z, before, v->spare);
        }
        TRY(halo_join(s->halo, st));
        swap(&v->z, &v->spare);
    }
    return s->p.steps > 0 ? reduction_advance(s->reduction, 1, 0, CG_POLYNOMIAL, s->cg) : KOL_OK;
}

/* How many steps the watch counts in an iteration. */
static int counted_steps(const struct ppcg *s)
{
    return s->outer != NULL || s->p.steps > 0 ? 2 : 1;
}

/* A preconditioner that is no sweep of this file: it costs more than the wait for the news whether it is still wanted. steps: counted
 * so far; *ended: whether it is not. */
static kol_status outer(struct ppcg *s, struct vectors *v, int steps, int *ended)
{
    if (steps > 0) /* before the first there is nothing to wait for */
        TRY(cg_wait(s->cg, steps, ended));
    if (*ended) return KOL_OK;
    real *scratch[PRECONDITIONER_SCRATCH + 2] = {NULL};
    (void)scratch_of(v, scratch);
    TRY(preconditioner_apply(s->outer, s->box, reduction_blocks(s->reduction), s->cg.state, scratch, v->r,
                             v->z));
    return reduction_advance(s->reduction, 1, 0, CG_POLYNOMIAL, s->cg);
}

/* z = M r of the round's first residual. */
static kol_status begin(struct ppcg *s, struct stencil a, struct vectors *v)
{
    const struct blocks bl = reduction_blocks(s->reduction);
    if (s->fused.c1 != 0) {
        TRY(exchange_begin(s, a, v->r, HALO_FACES));
        TRY(exchange_end(s, a, v->r));
    }
    TRY(laplace_start(s->box, a, bl, cells_of(s, a, CELLS_ALL), s->cg.state, s->fused, v->r, v->z));
    TRY(reduction_advance(s->reduction, 1, 1, CG_BEGIN, s->cg));
    return polynomial(s, a, v);
}

/* d = z + beta d, in the first iteration of a round d = z; one exchange is enough for the iteration: with two layers of d the update
 * forms A d and r on the halo too. */
static kol_status direction(struct ppcg *s, struct stencil a, struct vectors *v, int first)
{
    const real *d = first ? NULL : v->d;
    const struct blocks bl = reduction_blocks(s->reduction);
    const int layers = s->fused.c1 != 0 ? 2 : 1;
    TRY(exchange_begin(s, a, v->z, layers == 2 ? HALO_DEEP : HALO_FACES));
    TRY(laplace_direction(s->box, a, bl, cells_of(s, a, CELLS_INNER), s->cg.state, v->z, d, v->spare));
    TRY(exchange_arrive(s, a, v->z));
    kol_status st =
        laplace_direction_halo(s->box, cells_of(s, a, CELLS_ALL), layers, s->cg.state, v->z, d, v->spare);
    if (st == KOL_OK && halo_remote(s->halo) != 0)
        st = laplace_direction(s->box, a, bl, cells_of(s, a, CELLS_RIM), s->cg.state, v->z, d, v->spare);
    TRY(halo_join(s->halo, st));
    swap(&v->d, &v->spare);
    return reduction_advance(s->reduction, 1, 0, CG_DIRECTION, s->cg);
}

/* x += alpha d, r -= alpha A d, z = M r, unless that is left to outer(). */
static kol_status update(struct ppcg *s, struct stencil a, struct vectors *v)
{
    TRY(laplace_update(s->box, a, reduction_blocks(s->reduction), cells_of(s, a, CELLS_ALL), s->cg.state,
                       s->fused, v->d, v->x, v->x_new, v->r, v->spare, apart(s) ? NULL : v->z, s->planes));
    swap(&v->r, &v->spare);
    swap(&v->x, &v->x_new);
    TRY(reduction_advance(s->reduction, 1, 1, counted_steps(s) > 1 ? CG_RESIDUAL : CG_UPDATE, s->cg));
    return polynomial(s, a, v);
}

/* A round of conjugate gradients from the residual in v->r, whose max|r|/V is `most`, until max|r|/V by recurrence falls to the target or no longer falls.
 * The scalars stay in kernel memory; iterations are given out one ahead of the news that the last one was not enough, and
 * one that comes too late does nothing. */
static kol_status iterate(struct ppcg *s, struct stencil a, const struct ppcg_goal *goal, double most,
                          struct vectors *v, struct cg_state *state)
{
    real *const x[2] = {v->x, v->x_new};
    const int ahead = reduction_ahead(s->reduction);
    *state = ppcg_round(goal->tolerance, goal->asked, goal->most > 0 ? goal->most : s->max_iterations,
                        state->iterations);
    const int each = counted_steps(s);
    int steps = each, ended = 0; /* counted by the watch */
    if (apart(s)) {              /* what is to be known of the residual is known */
        cg_advance(state, CG_BEGIN, (const double[2]){0, most});
        ended = state->outcome != CG_RUNNING;
        TRY(cg_start(s->cg, *state));
        TRY(s->outer != NULL ? outer(s, v, 0, &ended) : polynomial(s, a, v));
        steps = 1;
    } else {
        TRY(cg_start(s->cg, *state));
        TRY(begin(s, a, v));
    }
    for (int first = 1; !ended; first = 0) {
        if (s->outer == NULL && steps > ahead * each) TRY(cg_wait(s->cg, steps - ahead * each, &ended));
        if (ended) break;
        TRY(direction(s, a, v, first));
        TRY(update(s, a, v));
        steps += each;
        if (s->outer != NULL) TRY(outer(s, v, steps - 1, &ended));
    }
    TRY(cg_read(s->cg, state));
    v->x = x[state->updates % 2]; /* what was given out after the end changed names, but no values */
    v->x_new = x[1 - state->updates % 2];
    return KOL_OK;
}

/* other: what x takes turns with, NULL: nothing. */
static kol_status hold_vectors(struct ppcg *s, struct vectors *v, real **other)
{
    TRY(pool_hold(s->pool, "ppcg r", &v->r));
    TRY(pool_hold(s->pool, "ppcg z", &v->z));
    TRY(pool_hold(s->pool, "ppcg d", &v->d));
    TRY(pool_hold(s->pool, "ppcg spare", &v->spare));
    if (laplace_apart()) TRY(pool_hold(s->pool, "ppcg x", other));
    if (*other != NULL) v->x_new = *other;
    const int more = arrays_beyond_idle(s->scratch);
    for (int n = 0; n < more; ++n) TRY(pool_hold(s->pool, "preconditioner", &v->more[n]));
    return KOL_OK;
}

static kol_status drop_vectors(struct ppcg *s, struct vectors *v, real **other)
{
    TRY(pool_drop(s->pool, &v->r));
    TRY(pool_drop(s->pool, &v->z));
    TRY(pool_drop(s->pool, &v->d));
    TRY(pool_drop(s->pool, other));
    for (int n = 0; n < PRECONDITIONER_SCRATCH; ++n) TRY(pool_drop(s->pool, &v->more[n]));
    return pool_drop(s->pool, &v->spare);
}

/* --- preconditioners that invert A --- */

/* x += M r, kept where the residual falls; *gained: whether it at least halved. */
static kol_status refine(struct ppcg *s, const struct preconditioner *m, struct stencil a, double mean,
                         const real *rhs, struct vectors *v, double now[3], int *gained)
{
    double next[3];
    TRY(residual(s, a, mean, rhs, v->x, v->r, next));
    TRY(preconditioner_invert(m, v->r, v->z));
    TRY(stream_triad(s->box.size, 1, v->x, v->z, v->d));
    TRY(residual(s, a, mean, rhs, v->d, NULL, next));
    *gained = isfinite(next[0]) && ppcg_gained(next[2], now[2]);
    if (!isfinite(next[0]) || next[2] > now[2]) return KOL_OK;
    TRY(stream_copy(s->box.size, v->d, v->x));
    if (laplace_around()) TRY(halo_wrap(s->halo, v->x));
    for (int n = 0; n < 3; ++n) now[n] = next[n];
    return KOL_OK;
}

/* x = M (rhs - mean V), whatever x was: one application, and the residual computed from x unless it is trusted, are the whole solve
 * unless the goal asks for more of them or for a residual near rounding. *met: whether x is what was asked for. */
static kol_status invert(struct ppcg *s, const struct preconditioner *m, struct stencil a,
                         const struct ppcg_goal *goal, double mean, const real *rhs, struct vectors *v,
                         real **other, int *iterations, double now[3], int *met)
{
    const int limit = goal->most > 0 ? goal->most : s->max_iterations;
    int gained = 1;
    *iterations = 1;
    TRY(preconditioner_invert(m, rhs, v->x));
    if (goal->trusted && goal->asked <= 1) {
        TRY(exchange_begin(s, a, v->x, HALO_FACES));
        TRY(exchange_end(s, a, v->x));
        if (laplace_around()) TRY(halo_wrap(s->halo, v->x));
        *met = 1;
        return KOL_OK;
    }
    TRY(residual_sweep(s, a, mean, rhs, v->x, NULL));
    if (laplace_around()) TRY(halo_wrap(s->halo, v->x)); /* done while the host waits for the sums */
    TRY(reduction_finish(s->reduction, 2, 1, now));
    for (; *iterations < limit && isfinite(now[0]) && now[2] > 0; ++*iterations) {
        if (*iterations >= goal->asked && (now[2] <= goal->tolerance || !gained)) break;
        if (v->r == NULL) TRY(hold_vectors(s, v, other));
        TRY(refine(s, m, a, mean, rhs, v, now, &gained));
    }
    *met = isfinite(now[0]) && now[2] <= goal->tolerance;
    return KOL_OK;
}

/* *largest: |rhs - mean V| / V, in an array whose values are lost. */
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

/* Whether a solve that its caller will judge gets no further. */
static int gave_up(const struct cg_state *c, const double now[3], double before)
{
    return c->outcome == CG_SPENT || c->outcome == CG_INDEFINITE || c->outcome == CG_NOT_FINITE ||
           !isfinite(now[0]) || !ppcg_gained(now[2], before);
}

/* What an iteration that can't go on says. */
static kol_status fail(const struct ppcg *s, struct ppcg_goal goal, struct cg_state c)
{
    if (c.outcome == CG_SPENT) {
        RAISE(KOL_ERR_NUMERICAL,
              "%s: %d iterations left %s = %.3e, wanted %.3e; raise pressure.max_iterations%s, or %s%s%s",
              goal.name, c.iterations, goal.meaning, c.most * goal.scale, goal.tolerance * goal.scale,
              s->outer == NULL && s->p.first.c1 != 0 ? " or pressure.degree" : "", goal.input,
              goal.faster != NULL ? ", or choose " : "", goal.faster != NULL ? goal.faster : "");
    }
    RAISE(KOL_ERR_NUMERICAL, "%s: iteration %d: d.Ad = %.3e, r.z = %.3e: %s", goal.name, c.iterations, c.dq,
          c.rz,
          c.outcome != CG_INDEFINITE ? "the fields hold values that are not finite"
          : c.rz > 0                 ? "the operator is not positive definite"
                                     : "the preconditioner is not positive definite");
}

/* Rounds of conjugate gradients from v->x. *largest: in: max|r|/V of x = 0 where v->x is no guess, 0 otherwise; out: of the start,
 * if that is larger. */
static kol_status rounds(struct ppcg *s, struct stencil a, const struct ppcg_goal *goal, double mean,
                         const real *rhs, struct vectors *v, struct cg_state *state, double *largest,
                         double now[3])
{
    double before = INFINITY; /* residual before the round */
    for (int round = 0;; ++round) {
        TRY(residual(s, a, mean, rhs, v->x, v->r, now));
        s->residual = v->r;
        *largest = fmax(*largest, round == 0 ? now[2] : 0);
        if (goal->most > 0 && round > 0 && gave_up(state, now, before)) return KOL_OK;
        if (!isfinite(now[0])) RAISE(KOL_ERR_NUMERICAL, "%s: the residual is not finite", goal->name);
        if (now[2] <= goal->tolerance && (round > 0 || goal->asked == 0 || now[2] == 0)) return KOL_OK;
        if (state->outcome == CG_SPENT || state->outcome == CG_INDEFINITE || state->outcome == CG_NOT_FINITE)
            return fail(s, *goal, *state);
        if (!ppcg_gained(now[2], before)) {
            const int deep = ppcg_at_rounding(now[2], *largest);
            RAISE(KOL_ERR_NUMERICAL, "%s: the residual stagnates at %s = %.3e, wanted %.3e: %s; raise %s",
                  goal->name, goal->meaning, now[2] * goal->scale, goal->tolerance * goal->scale,
                  deep ? "rounding allows no less" : "the iteration makes no progress", goal->input);
        }
        before = now[2];
        TRY(iterate(s, a, goal, now[2], v, state));
    }
}

kol_status ppcg_solve(struct ppcg *s, const struct preconditioner *m, struct stencil a, struct ppcg_goal goal,
                      double mean, const real *rhs, real *x, struct ppcg_result *out)
{
    static const struct precond JACOBI = {.first = {1, 0}};
    s->outer = preconditioner_apart(m) ? m : NULL;
    s->p = s->outer != NULL ? JACOBI : m->polynomial;
    s->steps = s->steps_most < laplace_steps_wanted() ? s->steps_most : laplace_steps_wanted();
    s->blocked = s->outer == NULL && s->p.steps > 0 && s->steps > 1;
    s->fused = s->blocked ? JACOBI.first : s->p.first;
    s->scratch = apart(s) ? preconditioner_scratch(m) : 0;
    struct vectors v = {.x = x, .x_new = x};
    real *other = NULL; /* what x takes turns with */
    struct cg_state state = {.iterations = 0};
    double now[3] = {0, 0, 0}, first = 0;
    int met = 0;
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
