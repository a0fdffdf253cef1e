/* Does one round of conjugate gradients: its sweeps, and their order and that of their sums. */
#include "ppcg_internal.h"

#include "kernels/update.h"
#include "cg_round.h"

static void swap(real **a, real **b)
{
    real *c = *a;
    *a = *b;
    *b = c;
}

/* Sets x to 0 again beyond held faces, after messages have come: they may have brought values of other ranks,
 * which are no neighbours there. */
static kol_status zero_beyond(const struct exchange *x, enum cells_which which)
{
    const struct ppcg *s = x->of;
    (void)which;
    return update_zero_beyond(s->box, x->held, x->fields[0]);
}

struct exchange ppcg_exchange(const struct ppcg *s, struct stencil a, real *const *x, enum halo_shape shape)
{
    return (struct exchange){.halo = s->halo,
                             .fields = x,
                             .n = 1,
                             .shape = shape,
                             .held = a.held,
                             .beyond = a.held != 0 ? zero_beyond : NULL,
                             .of = s};
}

kol_status ppcg_fill(const struct ppcg *s, struct stencil a, real *x, enum halo_shape shape)
{
    const struct exchange exchange = ppcg_exchange(s, a, &x, shape);
    return exchange_fill(&exchange);
}

/* work: what the sweeps of a round work on. It is the context of sweeps that are given to
 * exchange_overlap(). */
struct work {
    const struct ppcg *s;
    struct stencil a;
    struct blocks bl;
    const struct vectors *v;
    const real *before; /* iterate or direction before the result; NULL: there is none */
    int n;              /* degree; number of halo layers on which a direction is formed */
};

/* Lists the arrays that a preconditioner may use, since they are idle while it works. It returns their
 * number. */
enum { SCRATCH_MOST = PRECONDITIONER_SCRATCH + 3 };
static int scratch_of(const struct vectors *v, real *scratch[SCRATCH_MOST])
{
    int n = 0;
    scratch[n++] = v->unused;
    if (v->x_new != v->x) scratch[n++] = v->x_new;
    if (v->d_new != NULL) scratch[n++] = v->d_new;
    for (int i = 0; i < PRECONDITIONER_SCRATCH && v->more[i] != NULL; ++i) scratch[n++] = v->more[i];
    return n;
}

/* --- z = M r --- */

/* several: steps of a polynomial in one sweep, from the iterates z and z_prev to the next two. */
struct several {
    const struct ppcg *s;
    struct stencil a;
    struct poly_steps p;
    const real *r;
    real *z, *z_prev, *z_next, *z_last;
};

static kol_status sweep_steps(const void *context, struct cells cells)
{
    const struct several *of = context;
    return laplace_steps(of->s->box, of->a, reduction_blocks(of->s->reduction), cells, of->s->cg.state, of->p,
                         of->r, of->z, of->z_prev, of->z_next, of->z_last);
}

/* Does one sweep of the polynomial, from r or from the iterates of the sweep before. It reads no halo beyond
 * held faces. */
static kol_status steps(const struct several *of, real *r)
{
    real *const read[2] = {of->z != NULL ? of->z : r, of->z_prev};
    const struct exchange exchange = {.halo = of->s->halo,
                                      .fields = read,
                                      /* r has its halo since the first sweep, which took no fewer steps */
                                      .n = of->z != NULL && of->p.n > 1 ? 2 : 1,
                                      .shape = of->p.n > 1 ? HALO_DEEP : HALO_FACES,
                                      .held = of->a.held};
    return exchange_overlap(&exchange, sweep_steps, of);
}

/* Computes z = polynomial of r in as few sweeps as possible, with nearly the same number of steps each. The
 * last sweep leaves v->z. Each sweep before it leaves two iterates, in arrays that it does not read. */
static kol_status polynomial_blocked(struct ppcg *s, struct stencil a, struct vectors *v)
{
    const int degree = s->p.steps + 1;
    real *scratch[SCRATCH_MOST], *z = NULL, *z_prev = NULL;
    int left = (degree + s->steps - 1) / s->steps;
    if (scratch_of(v, scratch) < (left > 2 ? 3 : left > 1 ? 2 : 0))
        RAISE(KOL_ERR_INTERNAL, "no arrays for %d sweeps of a polynomial", left);
    for (int done = 0, n; left > 0; --left, done += n) {
        n = (degree - done + left - 1) / left;
        real *const next = left % 2 == 1 ? v->z : scratch[0];
        real *const last = left == 1 ? NULL : left % 2 == 1 ? scratch[2] : scratch[1];
        const struct several of = {s, a, polynomial_steps(&s->p, done, n), v->r, z, z_prev, next, last};
        TRY(steps(&of, v->r));
        z = next;
        z_prev = last;
    }
    return KOL_OK;
}

static kol_status sweep_chebyshev(const void *context, struct cells cells)
{
    const struct work *w = context;
    const struct polynomial *p = &w->s->p;
    return laplace_chebyshev(w->s->box, w->a, w->bl, cells, w->s->cg.state, p->momentum[w->n], p->step[w->n],
                             p->y0, w->v->r, w->v->z, w->before, w->v->unused);
}

/* Adds the degrees of the polynomial that are not fused into another sweep: z, which holds the fused ones,
 * becomes the polynomial of r. If there are any, the sum r.z is formed. */
static kol_status further_degrees(struct ppcg *s, struct stencil a, struct vectors *v)
{
    for (int n = 0; n < s->p.steps; ++n) {
        const struct work w = {s, a, reduction_blocks(s->reduction), v, n == 0 ? NULL : v->unused, n};
        const struct exchange exchange = ppcg_exchange(s, a, &v->z, HALO_FACES);
        TRY(exchange_overlap(&exchange, sweep_chebyshev, &w));
        swap(&v->z, &v->unused);
    }
    return KOL_OK;
}

/* Computes z = M r by a separate preconditioner, and the sum r.z. */
static kol_status separate(struct ppcg *s, struct vectors *v)
{
    real *scratch[SCRATCH_MOST] = {NULL};
    (void)scratch_of(v, scratch);
    return preconditioner_apply(s->separate, s->box, reduction_blocks(s->reduction), s->cg.state, scratch,
                                v->r, v->z);
}

/* Computes the fused degrees of the polynomial from the residual alone, with the sums r.z and max|r|/V. */
static kol_status fused_degrees(struct ppcg *s, struct stencil a, struct vectors *v)
{
    if (s->fused.c1 != 0) TRY(ppcg_fill(s, a, v->r, HALO_FACES));
    return laplace_start(s->box, a, reduction_blocks(s->reduction),
                         halo_cells_held(s->halo, CELLS_ALL, a.held), s->cg.state, s->fused, v->r, v->z);
}

/* --- several sums an iteration --- */

/* Whether z and r.z are unknown when the residual is updated. */
static int z_comes_later(const struct ppcg *s)
{
    return s->preconditioning == PPCG_SEPARATE || s->p.steps > 0;
}

/* Computes the degrees of the polynomial that are not fused, and the sum r.z. */
static kol_status finish_polynomial(struct ppcg *s, struct stencil a, struct vectors *v)
{
    if (s->p.steps == 0) return KOL_OK;
    TRY(s->preconditioning == PPCG_BLOCKED ? polynomial_blocked(s, a, v) : further_degrees(s, a, v));
    return reduction_advance(s->reduction, 1, 0, CG_POLYNOMIAL, s->cg);
}

/* Computes the new direction in some of the own cells, and on the halo as soon as z is known there. */
static kol_status sweep_direction(const void *context, struct cells cells)
{
    const struct work *w = context;
    const struct ppcg *s = w->s;
    struct cells all = cells;
    all.which = CELLS_ALL;
    if (cells.which == CELLS_RIM)
        TRY(laplace_direction_halo(s->box, all, w->n, s->cg.state, w->v->z, w->before, w->v->unused));
    TRY(laplace_direction(s->box, w->a, w->bl, cells, s->cg.state, w->v->z, w->before, w->v->unused));
    if (cells.remote != 0) return KOL_OK;
    return laplace_direction_halo(s->box, all, w->n, s->cg.state, w->v->z, w->before, w->v->unused);
}

static kol_status sweep_energy(const void *context, struct cells cells)
{
    const struct work *w = context;
    return laplace_energy(w->s->box, w->a, w->bl, cells, w->s->cg.state, w->v->z);
}

/* The first direction of a round is z, so the two arrays change names, and only the sum d.Ad is formed. */
static kol_status first_direction(struct ppcg *s, struct stencil a, struct vectors *v)
{
    const struct work w = {s, a, reduction_blocks(s->reduction), v, NULL, 0};
    const struct exchange exchange = ppcg_exchange(s, a, &v->z, HALO_FACES);
    TRY(exchange_overlap(&exchange, sweep_energy, &w));
    swap(&v->d, &v->z);
    return reduction_advance(s->reduction, 1, 0, CG_DIRECTION, s->cg);
}

/* Computes d = z + beta d; in the first iteration of a round d = z. This exchange is the only one of the
 * iteration: with two halo layers of d, the update forms A d and r on the halo, too. */
static kol_status direction(struct ppcg *s, struct stencil a, struct vectors *v, int first)
{
    const int layers = s->fused.c1 != 0 ? 2 : 1;
    if (first && layers == 1 && a.open == NULL) return first_direction(s, a, v);
    const struct work w = {s, a, reduction_blocks(s->reduction), v, first ? NULL : v->d, layers};
    const struct exchange exchange = ppcg_exchange(s, a, &v->z, layers == 2 ? HALO_DEEP : HALO_FACES);
    TRY(exchange_overlap(&exchange, sweep_direction, &w));
    swap(&v->d, &v->unused);
    return reduction_advance(s->reduction, 1, 0, CG_DIRECTION, s->cg);
}

/* Updates x += alpha d and r -= alpha A d, with the fused degrees of z = M r if there are any. */
static kol_status update(struct ppcg *s, struct stencil a, struct vectors *v)
{
    TRY(laplace_update(s->box, a, reduction_blocks(s->reduction), halo_cells_held(s->halo, CELLS_ALL, a.held),
                       s->cg.state, s->fused, v->d, v->x, v->x_new, v->r, v->unused,
                       s->preconditioning == PPCG_FUSED ? v->z : NULL, s->planes));
    swap(&v->r, &v->unused);
    swap(&v->x, &v->x_new);
    return reduction_advance(s->reduction, 1, 1, z_comes_later(s) ? CG_RESIDUAL : CG_UPDATE, s->cg);
}

/* Iterates with a polynomial. The scalars stay in kernel memory, and the host launches iterations before it
 * knows whether the last one met the target. Iterations that are launched in vain do nothing. `steps` counts
 * the sums whose result cg_wait() can wait for. An iteration has `each` of them. */
static kol_status iterate_polynomial(struct ppcg *s, struct stencil a, struct vectors *v)
{
    const int ahead = reduction_ahead(s->reduction), each = z_comes_later(s) ? 2 : 1;
    int steps = each, ended = 0;
    if (s->preconditioning == PPCG_BLOCKED) {
        steps = 1; /* max|r|/V of the first residual is known */
    } else {
        TRY(fused_degrees(s, a, v));
        TRY(reduction_advance(s->reduction, 1, 1, CG_BEGIN, s->cg));
    }
    TRY(finish_polynomial(s, a, v));
    for (int first = 1;; first = 0) {
        if (steps > ahead * each) TRY(cg_wait(s->cg, steps - ahead * each, &ended));
        if (ended) return KOL_OK;
        TRY(direction(s, a, v, first));
        TRY(update(s, a, v));
        TRY(finish_polynomial(s, a, v));
        steps += each;
    }
}

/* Iterates with a separate preconditioner. It costs more than a wait, so before each application the host
 * waits until it knows whether the application is still needed. */
static kol_status iterate_separate(struct ppcg *s, struct stencil a, struct vectors *v)
{
    int ended = 0;
    for (int steps = 1;; steps += 2) {
        if (steps > 1) TRY(cg_wait(s->cg, steps - 1, &ended));
        if (ended) return KOL_OK;
        TRY(separate(s, v));
        TRY(reduction_advance(s->reduction, 1, 0, CG_POLYNOMIAL, s->cg));
        TRY(direction(s, a, v, steps == 1));
        TRY(update(s, a, v));
    }
}

/* --- one sum an iteration --- */

/* Computes z = M r, and the sum r.z as the first value. */
static kol_status precondition(struct ppcg *s, struct stencil a, struct vectors *v)
{
    switch (s->preconditioning) {
    case PPCG_SEPARATE:
        return separate(s, v);
    case PPCG_BLOCKED:
        return polynomial_blocked(s, a, v);
    case PPCG_FUSED:
        break;
    }
    TRY(fused_degrees(s, a, v));
    return further_degrees(s, a, v);
}

/* Computes the sum z.Az, which is added up over the ranks together with r.z. joint: max|r|/V of the update
 * before is included; the update has left it after the places of these two. */
static kol_status energy(struct ppcg *s, struct stencil a, struct vectors *v, int joint)
{
    const struct work w = {s, a, reduction_blocks_from(s->reduction, 1), v, NULL, 0};
    const struct exchange exchange = ppcg_exchange(s, a, &v->z, HALO_FACES);
    TRY(exchange_overlap(&exchange, sweep_energy, &w));
    return reduction_advance(s->reduction, 2, joint, joint ? CG_JOINT : CG_ENERGY, s->cg);
}

/* Computes d = z + beta d, on the halo too, x += alpha d, and r -= alpha A d. The first direction of a round
 * is z, so the two arrays only change names. looked: max|r|/V is summed at once, by itself. */
static kol_status advance(struct ppcg *s, struct stencil a, struct vectors *v, int first, int looked)
{
    static const struct poly1 NONE = {1, 0};
    const struct blocks bl = reduction_blocks_from(s->reduction, looked ? 0 : 1);
    const struct cells all = halo_cells_held(s->halo, CELLS_ALL, a.held);
    if (first) {
        TRY(laplace_update(s->box, a, bl, all, s->cg.state, NONE, v->z, v->x, v->x_new, v->r, v->unused, NULL,
                           s->planes));
        swap(&v->d, &v->z);
    } else {
        TRY(laplace_advance(s->box, a, bl, all, s->cg.state, v->z, v->d, v->d_new, v->x, v->x_new, v->r,
                            v->unused));
        TRY(laplace_direction_halo(s->box, all, 1, s->cg.state, v->z, v->d, v->d_new));
        swap(&v->d, &v->d_new);
    }
    swap(&v->r, &v->unused);
    swap(&v->x, &v->x_new);
    return looked ? reduction_advance(s->reduction, 1, 1, CG_RESIDUAL, s->cg) : KOL_OK;
}

/* Iterates with one sum per iteration. If the caller asks for a number of iterations, the host need not
 * wait for their results. It launches only ASKED_AHEAD of them ahead, so that it soon stops after a fault.
 *
 * `looked`: whether the residual is summed separately, before the next z is computed. This is done in the
 * last iteration that the caller asks for and in all later ones, and also in the last iteration that is
 * allowed. Usually the round ends there, and so the next z is not computed in vain. If the caller asks for
 * no iterations, the residual is summed together with the next z. */
static kol_status iterate_one_sum(struct ppcg *s, struct stencil a, const struct cg_state *begun,
                                  struct vectors *v)
{
    enum { ASKED_AHEAD = 4 };
    const int ahead = s->preconditioning == PPCG_SEPARATE ? 0 : reduction_ahead(s->reduction);
    int steps = 0, ended = 0, looked = 1;
    for (int n = begun->iterations + 1;; ++n) {
        const int lead = n <= begun->asked ? ASKED_AHEAD : ahead;
        if (steps > lead) TRY(cg_wait(s->cg, steps - lead, &ended));
        if (ended) return KOL_OK;
        TRY(precondition(s, a, v));
        TRY(energy(s, a, v, !looked));
        looked = (begun->asked > 0 && n >= begun->asked) || n == begun->limit;
        TRY(advance(s, a, v, n == begun->iterations + 1, looked));
        steps += 1 + looked;
    }
}

kol_status ppcg_iterate(struct ppcg *s, struct stencil a, const struct ppcg_goal *goal, double most,
                        struct vectors *v, struct cg_state *state)
{
    real *const x[2] = {v->x, v->x_new};
    *state = cg_round(goal->tolerance, goal->asked, goal->most > 0 ? goal->most : s->max_iterations,
                      state->iterations);
    if (s->one_sum || s->preconditioning != PPCG_FUSED) /* iterate_polynomial() sums it again */
        cg_advance(state, CG_BEGIN, (const double[2]){0, most});
    TRY(cg_start(s->cg, *state));
    if (state->outcome == CG_RUNNING) {
        if (s->one_sum) TRY(iterate_one_sum(s, a, state, v));
        else if (s->preconditioning == PPCG_SEPARATE) TRY(iterate_separate(s, a, v));
        else TRY(iterate_polynomial(s, a, v));
    }
    TRY(cg_read(s->cg, state));
    v->x = x[state->updates % 2]; /* iterations launched after the end changed names, but no values */
    v->x_new = x[1 - state->updates % 2];
    return KOL_OK;
}
