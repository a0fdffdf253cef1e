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
                           struct increment_result *out)
{
    const double tolerance = fmax(goal->tolerance, goal->reduction * first),
                 aim = fmax(tolerance, CG_SINGLE_PART * first);
    struct cg_state cg = cg_round(aim, goal->asked, s->domain->in->pressure.max_iterations, 0);
    *out = (struct increment_result){.met = 1};
    if (first == 0 || (first <= tolerance && goal->asked == 0)) return KOL_OK;
    cg_advance(&cg, CG_BEGIN, (const double[2]){0, first});
    s->round.last.any = 0;
    s->round.strong = first > STRONG_FROM * aim;
    TRY(level_round_do(&s->round, unit, &cg, &out->phi, &out->sum_vx));
    if (cg.outcome != CG_MET && cg.outcome != CG_STALLED) return fail(goal, &cg);
    out->iterations = cg.updates;
    out->met = cg.outcome == CG_MET && aim <= tolerance;
    return KOL_OK;
}
