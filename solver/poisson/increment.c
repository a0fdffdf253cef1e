/* Solves for an increment of the pressure in single precision, by conjugate gradients on the first level. */
#include "increment.h"

#include <math.h>
#include "cg_round.h"
#include "inputs/face_kinds.h"
#include "inputs/schemes.h"
#include "multigrid_levels.h"

/* pressure.multigrid_precision = 'auto' does not take single precision if less than this is asked for: solves
 * would be repeated. */
static const double SINGLE_TOLERANCE = 1e-8;
/* One solve in single precision reduces the residual to no less than this part of it. */
static const double SINGLE_PART = 1e-5;
/* An iteration is expected to reduce the residual by no more than this factor. If that will not be enough,
 * the new residual is stored at once. */
static const double REDUCTION_EXPECTED = 8;

/* Why increments can't be solved for in single precision; NULL: they can. */
static const char *obstacle(const struct domain *domain, const struct multigrid *m)
{
    const struct input *in = domain->in;
    if (sizeof(real) != sizeof(double)) return "the fields of this build are in single precision";
    if (sizeof(level_real) != sizeof(float)) return "the levels of this build are in double precision";
    if (m == NULL) return "the preconditioner is not 'multigrid'";
    if (method_is_exact(in)) return "not with pressure.method = 'exact'";
    if (in->time.diffusion != DIFFUSION_EXPLICIT) return "diffusion is implicit";
    if (domain->grid.bodies) return "not with bodies";
    if (in->pressure.guess == GUESS_ZERO) return "not with pressure.guess = 'zero'";
    if (in->pressure.sums != SUMS_AUTO) return "pressure.sums chooses sweeps of double precision";
    for (int f = 0; f < FACES; ++f)
        if (face_is_open(in, f)) return "not with open faces";
    return NULL;
}

kol_status increment_choose(const struct domain *domain, struct multigrid *m, struct increment *out)
{
    const struct input *in = domain->in;
    const char *const why = obstacle(domain, m);
    const int wanted = in->pressure.multigrid_precision, asked = wanted == MULTIGRID_SINGLE,
              cheap = in->pressure.tolerance >= SINGLE_TOLERANCE && in->pressure.relative == 0;
    *out = (struct increment){.domain = domain};
    if (asked && why != NULL)
        RAISE(KOL_ERR_INPUT, "error: pressure.multigrid_precision = 'single': %s; choose 'auto' or 'double'",
              why);
    if (why == NULL && (asked || (wanted == MULTIGRID_AUTO && cheap))) out->multigrid = m;
    return KOL_OK;
}

struct box increment_box(const struct increment *s)
{
    double unit;
    return multigrid_first(s->multigrid, &unit)->box;
}

kol_status increment_begin(struct increment *s)
{
    struct pool *pool = s->domain->pool;
    level_real **const array[INCREMENT_ARRAYS] = {&s->r, &s->z, &s->d, &s->x, &s->scratch[0], &s->scratch[1]};
    const struct box b = s->domain->grid.box;
    for (int n = 0; n < INCREMENT_FIELDS; ++n) TRY(pool_hold(pool, "increment", &s->field[n]));
    if (pool_counts(pool)) return KOL_OK;
    const struct box lb = increment_box(s);
    const int in_one = (int)((size_t)b.size * sizeof(real) / ((size_t)lb.size * sizeof(level_real)));
    if (in_one * INCREMENT_FIELDS < INCREMENT_ARRAYS)
        RAISE(KOL_ERR_INTERNAL, "a field has room for %d arrays of a level", in_one);
    for (int n = 0; n < INCREMENT_ARRAYS; ++n)
        *array[n] = (level_real *)(void *)s->field[n / in_one] + n % in_one * lb.size;
    return KOL_OK;
}

kol_status increment_end(struct increment *s)
{
    for (int n = 0; n < INCREMENT_FIELDS; ++n) TRY(pool_drop(s->domain->pool, &s->field[n]));
    return KOL_OK;
}

/* work: a solve under way.
 *
 *   unit     of the level's widths [L]
 *   rate     turns max|r|/V of the level into that of the right-hand side
 *   alpha    the solution is x + alpha d; x is not there before the second direction
 *   of_d     the sum of V d of the level; of_x: of V x */
struct work {
    struct increment *s;
    struct level *level;
    double unit, rate;
    struct cg_state cg;
    double alpha, of_d, of_x;
};

/* Takes the first direction, or the next one. sums: r.z, z.A z and V z. */
static kol_status turn(struct work *w, const double sums[3])
{
    struct increment *s = w->s;
    struct level *l = w->level;
    if (w->cg.iterations > 1) {
        TRY(level_turn(l->box, w->cg.iterations == 2, (level_real)w->alpha, (level_real)w->cg.beta, s->z,
                       s->d, s->x));
        TRY(multigrid_levels_fill(l, s->d, HALO_FACES));
        w->of_x += w->alpha * w->of_d;
    }
    w->of_d = sums[2] + (w->cg.iterations > 1 ? w->cg.beta * w->of_d : 0);
    w->alpha = (level_real)w->cg.alpha;
    return KOL_OK;
}

static kol_status sum_reduced(struct work *w, int keep, double *most)
{
    struct increment *s = w->s;
    struct reduction *reduction = s->domain->reduction;
    double result[2];
    TRY(level_reduce(w->level->box, w->level->s, reduction_blocks(reduction), w->level->cells,
                     (level_real)w->alpha, keep, s->d, s->r));
    TRY(reduction_finish(reduction, 1, 1, result));
    *most = isfinite(result[0]) ? result[1] * w->rate : NAN; /* a maximum drops NaN, a sum does not */
    return KOL_OK;
}

/* Takes the step along d. The new residual is stored if another iteration follows, which usually is known
 * before. */
static kol_status reduce(struct work *w)
{
    const int sure = w->cg.most > REDUCTION_EXPECTED * w->cg.target || w->cg.iterations < w->cg.asked;
    double most = 0;
    TRY(sum_reduced(w, sure, &most));
    cg_advance(&w->cg, CG_RESIDUAL, (const double[2]){0, most});
    if (!sure && w->cg.outcome != CG_MET) TRY(sum_reduced(w, 1, &most));
    return KOL_OK;
}

static kol_status iterate(struct work *w)
{
    struct increment *s = w->s;
    struct level *l = w->level;
    struct reduction *reduction = s->domain->reduction;
    while (w->cg.outcome == CG_RUNNING) {
        level_real *const z = w->cg.iterations == 0 ? s->d : s->z;
        double sums[3];
        TRY(multigrid_apply_single(s->multigrid, s->scratch, s->r, z));
        TRY(multigrid_levels_fill(l, z, HALO_FACES));
        TRY(level_products(l->box, l->s, reduction_blocks(reduction), l->cells, s->r, z));
        TRY(reduction_finish(reduction, 3, 0, sums));
        cg_advance(&w->cg, CG_ENERGY, sums);
        if (w->cg.outcome != CG_RUNNING) return KOL_OK;
        TRY(turn(w, sums));
        TRY(reduce(w));
    }
    return KOL_OK;
}

static kol_status fail(const struct ppcg_goal *goal, const struct cg_state *c)
{
    if (c->outcome == CG_SPENT) {
        RAISE(KOL_ERR_NUMERICAL,
              "%s: %d iterations left %s = %.3e, wanted %.3e; raise pressure.max_iterations, or %s%s%s",
              goal->name, c->iterations, goal->meaning, c->most * goal->scale, goal->tolerance * goal->scale,
              goal->input, goal->faster != NULL ? ", or choose " : "",
              goal->faster != NULL ? goal->faster : "");
    }
    RAISE(KOL_ERR_NUMERICAL, "%s: iteration %d: d.Ad = %.3e, r.z = %.3e: %s", goal->name, c->iterations,
          c->dq, c->rz,
          c->outcome == CG_INDEFINITE ? "the operator or the preconditioner is not positive definite"
                                      : "the fields hold values that are not finite");
}

kol_status increment_residual(const struct increment *s, real *host)
{
    const struct box b = s->domain->grid.box, lb = increment_box(s);
    level_real *copy = NULL;
    TRY(mem_host_alloc((size_t)lb.size * sizeof *copy, (void **)&copy));
    const kol_status st = mem_to_host(copy, s->r, (size_t)lb.size * sizeof *copy);
    for (ptrdiff_t n = 0; n < b.size; ++n) host[n] = 0;
    for (int k = 0; k < b.nz && st == KOL_OK; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) host[at(b, i, j, k)] = copy[at(lb, i, j, k)];
    mem_host_free(copy);
    return st;
}

kol_status increment_solve(struct increment *s, const struct ppcg_goal *goal, double unit, double first,
                           struct increment_result *out)
{
    const struct grid *g = &s->domain->grid;
    const double tolerance = fmax(goal->tolerance, goal->reduction * first),
                 aim = fmax(tolerance, SINGLE_PART * first);
    struct work w = {.s = s, .cg = cg_round(aim, goal->asked, s->domain->in->pressure.max_iterations, 0)};
    w.level = multigrid_first(s->multigrid, &w.unit);
    w.rate = unit / pow(w.unit, 3);
    *out = (struct increment_result){.met = 1};
    if (first == 0 || (first <= tolerance && goal->asked == 0)) return KOL_OK;
    cg_advance(&w.cg, CG_BEGIN, (const double[2]){0, first});
    TRY(iterate(&w));
    if (w.cg.outcome != CG_MET && w.cg.outcome != CG_STALLED) return fail(goal, &w.cg);
    const int two = w.cg.updates > 1;
    if (two) TRY(multigrid_levels_fill(w.level, s->x, HALO_FACES));
    out->iterations = w.cg.updates;
    out->met = w.cg.outcome == CG_MET && aim <= tolerance;
    out->mean = unit * pow(w.unit, 2) * (w.of_x + w.alpha * w.of_d) / g->volume;
    out->phi = (struct level_sum){.box = w.level->box,
                                  .around = w.level->cells.around,
                                  .a = unit / w.unit * w.alpha,
                                  .c = unit / w.unit,
                                  .d = s->d,
                                  .x = two ? s->x : NULL};
    return KOL_OK;
}
