/* Solves for an increment of the pressure in single precision, by conjugate gradients on the first level. */
#include "increment.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include "cg_round.h"
#include "inputs/schemes.h"

/* Beyond 1 a solution that only varies over the longest side would lose all digits (cg_single()). What the
 * guess of a flow lacks varies over short lengths: between walls with stretched cells, for which this was up
 * to 8500, stages took as many iterations as in double precision. */
static const double SINGLE_ROUNDING = 1e4;

/* Cycles smooth strongly if they have to reduce the residual by more than this factor: the others reduce it
 * by about 30 in the first iteration, and by 8 in each of the next ones. */
static const double STRONG_FROM = 20;

/* Without a cycle to judge by, and where no number of steps can be expected to suffice. */
enum { STRONG_USUAL = 5 };

/* What strong smoothing achieves depends on the bodies and on the flow, and it changes slowly from step to
 * step. Until a gain has been measured, a step less is taken to cost GAIN_FEWER, and a step more to bring
 * GAIN_MORE. Measured gains count between GAIN_LEAST and GAIN_MOST. The expected reduction must be MARGIN
 * times the wanted one, because a second iteration takes more time than the steps that would be saved.
 * Reductions count as REDUCTION_MOST at most, since rounding has a part in larger ones. */
static const double GAIN_FEWER = 2.5, GAIN_MORE = 1.4, GAIN_LEAST = 1.2, GAIN_MOST = 2.5, MARGIN = 1.2,
                    REDUCTION_MOST = 1e6;

int increment_steps(struct increment_strength last, double wanted)
{
    if (wanted <= STRONG_FROM) return 0;
    if (last.steps == 0) return STRONG_USUAL;
    const double fewer = last.gain > 0 ? last.gain : GAIN_FEWER, more = last.gain > 0 ? last.gain : GAIN_MORE;
    /* the fewer the steps, the larger is the gain of one: so at most one less at a time */
    const int least = last.steps > MULTIGRID_STRONG_LEAST ? last.steps - 1 : MULTIGRID_STRONG_LEAST;
    double expected = least < last.steps ? last.reduction / fewer : last.reduction;
    for (int n = least; n <= MULTIGRID_STRONG_MOST; ++n) {
        if (expected >= MARGIN * wanted) return n;
        expected *= n < last.steps ? fewer : more;
    }
    return STRONG_USUAL;
}

/* All ranks must find the same, so there are no functions here whose last bit depends on a library. */
void increment_learn(struct increment_strength *last, int steps, double reduction)
{
    if (steps == 0 || !(reduction > 0)) return;
    const double now = fmin(reduction, REDUCTION_MOST);
    const int up = steps > last->steps, apart = up ? steps - last->steps : last->steps - steps;
    if (last->steps > 0 && (apart == 1 || apart == 2)) {
        const double ratio = up ? now / last->reduction : last->reduction / now;
        last->gain = fmin(fmax(apart == 1 ? ratio : sqrt(ratio), GAIN_LEAST), GAIN_MOST);
    }
    last->steps = steps;
    last->reduction = now;
}

/* Why increments can't be solved for in single precision; NULL: they can. */
static const char *obstacle(const struct input *in)
{
    if (sizeof(real) != sizeof(double)) return "the fields of this build are in single precision";
    if (sizeof(level_real) != sizeof(float)) return "the levels of this build are in double precision";
    return increments_obstacle(in);
}

kol_status increment_choose(const struct domain *domain, struct multigrid *m, struct increment *out)
{
    const struct input *in = domain->in;
    const char *const why = obstacle(in);
    const int wanted = in->pressure.multigrid_precision, asked = wanted == MULTIGRID_SINGLE,
              cheap = m != NULL && cg_single_enough(in) && !multigrid_by_coupling(m) &&
                      cg_single(cg_rounding(&domain->grid), SINGLE_ROUNDING);
    *out = (struct increment){.domain = domain};
    if (m == NULL) return KOL_OK;
    if (asked && why != NULL) {
        const struct input_place by =
            input_place(domain->source, offsetof(struct input, pressure.multigrid_precision), 0);
        RAISE(KOL_ERR_INPUT, "%s: error: %s = 'single': %s; choose 'auto' or 'double'", by.at, by.name, why);
    }
    if (why == NULL && (asked || (wanted == MULTIGRID_AUTO && cheap))) {
        out->multigrid = m;
        out->round = (struct level_round){.multigrid = m, .reduction = domain->reduction};
    }
    return KOL_OK;
}

void increment_describe(const struct increment *s, char *text, size_t size)
{
    const int guessed = s->domain->in->pressure.first_stage == FIRST_STAGE_GUESSED;
    text[0] = '\0';
    if (s->multigrid != NULL)
        snprintf(text, size, "; increments in single precision%s",
                 guessed ? ", first stages are guessed" : "");
    else if (guessed)
        snprintf(text, size,
                 "; no increments in single precision, so first stages are solved for, although "
                 "pressure.first_stage = 'guessed'");
}

struct box increment_box(const struct increment *s)
{
    return level_round_box(&s->round);
}

kol_status increment_begin(struct increment *s)
{
    struct pool *pool = s->domain->pool;
    for (int n = 0; n < LEVEL_ROUND_FIELDS; ++n) TRY(pool_hold(pool, "increment", &s->field[n]));
    if (pool_counts(pool)) return KOL_OK;
    return level_round_lay_out(&s->round, s->domain->grid.box, s->field);
}

kol_status increment_end(struct increment *s)
{
    for (int n = 0; n < LEVEL_ROUND_FIELDS; ++n) TRY(pool_drop(s->domain->pool, &s->field[n]));
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
    const kol_status st = mem_to_host(copy, s->round.r, (size_t)lb.size * sizeof *copy);
    for (ptrdiff_t n = 0; n < b.size; ++n) host[n] = 0;
    for (int k = 0; k < b.nz && st == KOL_OK; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) host[at(b, i, j, k)] = copy[at(lb, i, j, k)];
    mem_host_free(copy);
    return st;
}

kol_status increment_solve(struct increment *s, const struct ppcg_goal *goal, double unit, double first,
                           struct increment_strength *last, struct increment_result *out)
{
    const double tolerance = fmax(goal->tolerance, goal->reduction * first),
                 aim = fmax(tolerance, CG_SINGLE_PART * first);
    struct cg_state cg = cg_round(aim, goal->asked, s->domain->in->pressure.max_iterations, 0);
    *out = (struct increment_result){.met = 1};
    if (first == 0 || (first <= tolerance && goal->asked == 0)) return KOL_OK;
    cg_advance(&cg, CG_BEGIN, (const double[2]){0, first});
    s->round.last.any = 0;
    const int steps = multigrid_strong(s->multigrid) ? increment_steps(*last, first / aim) : 0;
    s->round.strong = steps;
    TRY(level_round_do(&s->round, unit, &cg, &out->phi, &out->sum_vx));
    if (cg.updates > 0) increment_learn(last, steps, s->round.reduced);
    if (cg.outcome != CG_MET && cg.outcome != CG_STALLED) return fail(goal, &cg);
    out->iterations = cg.updates;
    out->met = cg.outcome == CG_MET && aim <= tolerance;
    return KOL_OK;
}
