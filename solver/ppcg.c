#include "ppcg.h"

#include <math.h>
#include <stdlib.h>

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
    struct precond p;
    int max_iterations;
    struct box box;
    struct halo *halo;
    struct reduction *reduction;
    struct pool *pool;
    real *planes;         /* scratch of laplace_update */
    const real *residual; /* of the solve under way; NULL: none */
};

/* The vectors of one solve. */
struct vectors {
    real *r, *z, *d, *q;
};

kol_status ppcg_create(const struct precond *p, int max_iterations, struct box b, struct halo *halo,
                       struct reduction *reduction, struct pool *pool, struct ppcg **out)
{
    struct ppcg *s = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the solver");
    *out = s;
    s->p = *p;
    s->max_iterations = max_iterations;
    s->box = b;
    s->halo = halo;
    s->reduction = reduction;
    s->pool = pool;
    TRY(mem_kernel_alloc((size_t)laplace_plane_scratch(b) * sizeof(real), (void **)&s->planes));
    return KOL_OK;
}

void ppcg_destroy(struct ppcg **s)
{
    if (*s == NULL) return;
    mem_kernel_free((*s)->planes);
    free(*s);
    *s = NULL;
}

const real *ppcg_residual(const struct ppcg *s)
{
    return s->residual;
}

/* r = rhs - mean V - A x with the halo of x filled; result[]: sum of r, sum of V x, max of |r|/V. */
static kol_status residual(struct ppcg *s, struct stencil a, double mean, const real *rhs, real *x, real *r,
                           double result[3])
{
    TRY(halo_fill(s->halo, &x, 1, HALO_FACES));
    TRY(laplace_residual(s->box, a, reduction_blocks(s->reduction), (real)mean, rhs, x, r));
    return reduction_finish(s->reduction, 2, 1, result);
}

/* x += alpha d, r -= alpha q (d != NULL), z = M r. result[]: sum of r z, max of |r|/V. Where the latter meets the target the
 * iteration ends and z is left unfinished. */
static kol_status update(struct ppcg *s, struct stencil a, double target, double alpha, const real *d,
                         real *x, struct vectors *v, double result[2])
{
    const struct blocks bl = reduction_blocks(s->reduction);
    if (s->p.first.c1 != 0) {
        real *needed = d != NULL ? v->q : v->r;
        TRY(halo_fill(s->halo, &needed, 1, HALO_FACES));
    }
    TRY(laplace_update(s->box, a, bl, (real)alpha, d, v->q, s->p.first, x, v->r, v->z, s->planes));
    TRY(reduction_finish(s->reduction, 1, 1, result));
    if (result[1] <= target) return KOL_OK;
    /* q has done its work until the next direction: it holds the polynomial's previous iterate */
    for (int n = 0; n < s->p.steps; ++n) {
        TRY(halo_fill(s->halo, &v->z, 1, HALO_FACES));
        TRY(laplace_chebyshev(s->box, a, bl, s->p.momentum[n], s->p.step[n], s->p.y0, v->r, v->z,
                              n == 0 ? NULL : v->q, v->q));
        real *next = v->q;
        v->q = v->z;
        v->z = next;
    }
    if (s->p.steps > 0) TRY(reduction_finish(s->reduction, 1, 0, result));
    return KOL_OK;
}

/* A round of conjugate gradients from the residual in v->r, until max|r|/V by recurrence falls to `target` or no longer falls;
 * *iterations goes on counting. */
static kol_status iterate(struct ppcg *s, struct stencil a, struct ppcg_goal goal, double target, real *x,
                          struct vectors *v, int *iterations)
{
    double rz[2], dq, beta = 0;
    TRY(update(s, a, target, 0, NULL, x, v, rz));
    const double start = rz[1];
    double least = start;
    for (int stalled = 0; rz[1] > target && stalled < STALL_ITERATIONS && rz[1] < STALL_GROWTH * least;
         ++stalled) {
        if (*iterations >= s->max_iterations) {
            RAISE(KOL_ERR_NUMERICAL,
                  "%s: %d iterations left %s = %.3e, wanted %.3e; raise pressure.max_iterations or "
                  "pressure.degree, or %s",
                  goal.name, *iterations, goal.meaning, rz[1] * goal.scale, goal.tolerance * goal.scale,
                  goal.input);
        }
        ++*iterations;
        TRY(halo_fill(s->halo, &v->z, 1, HALO_FACES));
        TRY(laplace_direction(s->box, a, reduction_blocks(s->reduction), (real)beta, v->z, v->d, v->q));
        TRY(reduction_finish(s->reduction, 1, 0, &dq));
        if (!(dq > 0) || !isfinite(dq) || !isfinite(rz[0])) {
            if (isfinite(dq) && isfinite(rz[0]) && rz[1] < ROUNDING_PART * start) return KOL_OK;
            RAISE(KOL_ERR_NUMERICAL, "%s: iteration %d: d.Ad = %.3e, r.z = %.3e: %s", goal.name, *iterations,
                  dq, rz[0],
                  isfinite(dq) && isfinite(rz[0]) ? "the operator is not positive definite"
                                                  : "the fields hold values that are not finite");
        }
        const double old = rz[0];
        TRY(update(s, a, target, old / dq, v->d, x, v, rz));
        beta = rz[0] / old;
        if (rz[1] < least) {
            least = rz[1];
            stalled = 0;
        }
    }
    return KOL_OK;
}

kol_status ppcg_solve(struct ppcg *s, struct stencil a, struct ppcg_goal goal, double mean, const real *rhs,
                      real *x, struct ppcg_result *out)
{
    struct vectors v = {NULL, NULL, NULL, NULL};
    double now[3], before = INFINITY; /* residual before the round */
    TRY(pool_hold(s->pool, "ppcg r", &v.r));
    TRY(pool_hold(s->pool, "ppcg z", &v.z));
    TRY(pool_hold(s->pool, "ppcg d", &v.d));
    TRY(pool_hold(s->pool, "ppcg q", &v.q));
    *out = (struct ppcg_result){.iterations = 0};
    s->residual = v.r;
    for (int round = 0;; ++round) {
        TRY(residual(s, a, mean, rhs, x, v.r, now));
        if (round == 0) out->first = now[2];
        if (!isfinite(now[0])) RAISE(KOL_ERR_NUMERICAL, "%s: the residual is not finite", goal.name);
        if (now[2] <= goal.tolerance) break;
        if (now[2] > RESTART_GAIN * before) {
            const int deep = now[2] < ROUNDING_PART * out->first;
            RAISE(KOL_ERR_NUMERICAL, "%s: the residual stagnates at %s = %.3e, wanted %.3e: %s; raise %s",
                  goal.name, goal.meaning, now[2] * goal.scale, goal.tolerance * goal.scale,
                  deep ? "rounding allows no less" : "the iteration makes no progress", goal.input);
        }
        before = now[2];
        TRY(iterate(s, a, goal, RECURRENCE_MARGIN * goal.tolerance, x, &v, &out->iterations));
    }
    s->residual = NULL;
    out->last = now[2];
    out->sum_vx = now[1];
    TRY(pool_drop(s->pool, &v.r));
    TRY(pool_drop(s->pool, &v.z));
    TRY(pool_drop(s->pool, &v.d));
    return pool_drop(s->pool, &v.q);
}
