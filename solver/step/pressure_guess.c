/* Forms the guess of each stage's pressure correction, and drops stage pressures once no guess reads them. */
#include "pressure_guess.h"

#include <math.h>
#include "kernels/update.h"
#include "bodies/bodies.h"
#include "guess_table.h"

/* Drops the stage pressures of the last step that no guess from `next_stage` on will read, but not the
 * running pressure. */
static kol_status drop_unneeded(struct flow *flow, const struct guess *table, int next_stage)
{
    const struct domain *domain = flow->domain;
    struct pressure *pr = &flow->pressure;
    const int formed = pr->ahead != NULL ? guess_stage_ahead(table) : -1;
    for (int i = 0; i < 3; ++i) {
        if (pr->before[i] == pr->p) continue;
        if (pr->steps_known > 0 && guess_read_from(table, next_stage, formed, GUESS_P1_BEFORE + i)) continue;
        TRY(pool_drop(domain->pool, &pr->before[i]));
    }
    return KOL_OK;
}

/* At the start of a step, makes the stage pressures of this step those of the last one. */
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

/* sources: what a guess combines. */
struct sources {
    int n;
    real factor[3];
    const real *array[3];
};

/* Finds the sources that the table names. running: a source to which 1 is added; -1: there is none. */
static kol_status find_sources(const struct flow *flow, const struct guess *g, int running,
                               struct sources *out)
{
    const struct pressure *pr = &flow->pressure;
    const double ratio = flow->clock.dt / flow->clock.dt_before;
    *out = (struct sources){.n = 0};
    for (int i = 0; i < GUESS_SOURCES; ++i) {
        const double f = g->constant[i] + g->ratio[i] * ratio + (i == running);
        if (f == 0) continue;
        if (out->n == (running < 0 ? 2 : 3) || !isfinite(f))
            RAISE(KOL_ERR_INTERNAL,
                  "the guess of a stage's pressure has a weight of %g after steps of %g and %g", f,
                  flow->clock.dt_before, flow->clock.dt);
        out->factor[out->n] = (real)f;
        out->array[out->n++] = i <= GUESS_P3_BEFORE ? pr->before[i] : pr->now[i - GUESS_P1];
    }
    return KOL_OK;
}

/* Forms phi as the table says. It may be one of the sources. */
static kol_status combine(struct flow *flow, const struct guess *g, int running, real *phi)
{
    const struct box b = flow->domain->grid.box;
    struct sources s;
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY(find_sources(flow, g, running, &s));
    return s.n == 3 ? update_combine_three(b, s.factor, s.array, phi)
                    : update_combine(b, s.factor[0], s.array[0], s.factor[1], s.array[1], phi);
}

/* Forms the guess of a later stage, in place of a source that no other guess reads. */
static kol_status form_ahead(struct flow *flow, const struct guess *table)
{
    struct pressure *pr = &flow->pressure;
    const int m = guess_stage_ahead(table);
    for (int i = 0; m > 0 && i < 3; ++i) {
        if (!guess_reads(&table[m], GUESS_P1_BEFORE + i) || pr->before[i] == pr->p) continue;
        TRY(combine(flow, &table[m], -1, pr->before[i]));
        pr->ahead = pr->before[i];
        pr->before[i] = NULL;
        return KOL_OK;
    }
    return KOL_OK;
}

/* A guess that reads no stage pressure: that the pressure is 0, or that it stays as it is. */
static kol_status start_plain(const struct flow *flow, int zero, real *phi)
{
    const struct domain *domain = flow->domain;
    if (pool_counts(domain->pool)) return KOL_OK;
    return zero ? update_combine(domain->grid.box, -1, flow->pressure.p, 0, NULL, phi)
                : mem_fill_real(phi, domain->grid.box.size, 0);
}

kol_status pressure_guess_forget(struct flow *flow)
{
    struct pressure *pr = &flow->pressure;
    for (int i = 0; i < 3; ++i) {
        if (pr->before[i] != pr->p) TRY(pool_drop(flow->domain->pool, &pr->before[i]));
        if (pr->now[i] != pr->p) TRY(pool_drop(flow->domain->pool, &pr->now[i]));
    }
    pr->steps_known = 0;
    return KOL_OK;
}

kol_status pressure_guess_form(struct step *step, struct flow *flow, int stage)
{
    const struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const struct guess *table = guess_table(domain->in, poisson->guess);
    struct pressure *pr = &flow->pressure;
    if (stage == 0) TRY(rotate(flow, table));
    if (pr->ahead != NULL && stage == guess_stage_ahead(table)) {
        step->phi = pr->ahead;
        pr->ahead = NULL;
        return drop_unneeded(flow, table, stage + 1);
    }
    if (preconditioner_single(&poisson->for_pressure) == NULL)
        TRY(pool_hold(domain->pool, "pressure correction", &step->phi));
    if (preconditioner_inverts(&poisson->for_pressure)) return drop_unneeded(flow, table, stage + 1);
    if (poisson->guess == GUESS_ZERO || pr->steps_known == 0 || guess_is_zero(table)) {
        TRY(start_plain(flow, poisson->guess == GUESS_ZERO, step->phi));
    } else {
        TRY(combine(flow, &table[stage], -1, step->phi));
        if (stage == 0) TRY(form_ahead(flow, table));
    }
    return drop_unneeded(flow, table, stage + 1);
}

int pressure_guess_stands(const struct step *step, const struct flow *flow, int stage)
{
    return stage == 0 && step->poisson.increment.multigrid != NULL &&
           flow->domain->in->pressure.first_stage == FIRST_STAGE_GUESSED &&
           step->poisson.guess == GUESS_LLI && flow->pressure.steps_known == PRESSURE_STEPS;
}

/* A first stage that was not solved for leaves its guess as P1. If the next guess read that, no solve would
 * ever correct it. So P1, which belongs to the start of the step, is interpolated between P3 of the last step
 * and the guess of the last stage, p; they belong to the middles of the two steps. */
static kol_status correct_first(struct flow *flow, const real *p)
{
    const struct clock *c = &flow->clock;
    const struct pressure *pr = &flow->pressure;
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    const double part = c->dt_before / (c->dt + c->dt_before);
    return update_combine(flow->domain->grid.box, (real)part, p, (real)(1 - part), pr->before[2], pr->now[0]);
}

/* Whether the guess of a stage is the running pressure itself. */
static int stays(const struct guess *g)
{
    for (int i = 0; i < GUESS_SOURCES; ++i)
        if (guess_reads(g, i)) return 0;
    return 1;
}

kol_status pressure_guess_predict(const struct step *step, struct flow *flow, int stage)
{
    static const int RUNNING[3] = {GUESS_P3_BEFORE, GUESS_P1, GUESS_P2};
    const struct domain *domain = flow->domain;
    const struct guess *table = guess_table(domain->in, step->poisson.guess);
    struct pressure *pr = &flow->pressure;
    if (stage == 0) TRY(rotate(flow, table));
    if (pr->steps_known > 0 && !stays(&table[stage])) {
        real *p = NULL;
        TRY(pool_hold(domain->pool, "predicted pressure", &p));
        TRY(bodies_guess_begin(flow, pr->p)); /* messages travel while the guess is formed */
        TRY(combine(flow, &table[stage], RUNNING[stage], p));
        TRY(bodies_guess(flow, pr->p, stage > 0 || guess_read_from(table, 1, -1, GUESS_P3_BEFORE)));
        if (stage == 2 && pressure_guess_stands(step, flow, 0)) TRY(correct_first(flow, p));
        pr->p = p;
        pr->predicted = 1;
    } else {
        TRY(bodies_guess(flow, NULL, 0));
    }
    return drop_unneeded(flow, table, stage + 1);
}

kol_status pressure_guess_keep(const struct step *step, struct flow *flow, int stage, real *p)
{
    const struct domain *domain = flow->domain;
    const struct guess *table = guess_table(domain->in, step->poisson.guess);
    struct pressure *pr = &flow->pressure;
    /* the old running pressure is dropped unless a later guess of this step or of the next one reads it */
    for (int i = 0; i < stage; ++i) {
        const int later = guess_read_from(table, stage + 1, -1, GUESS_P1 + i) ||
                          guess_read_from(table, 0, -1, GUESS_P1_BEFORE + i);
        if (!later) TRY(pool_drop(domain->pool, &pr->now[i]));
    }
    pr->now[stage] = p;
    pr->p = p;
    pr->predicted = 0;
    TRY(drop_unneeded(flow, table, stage + 1));
    if (stage == 2 && pr->steps_known < PRESSURE_STEPS) ++pr->steps_known;
    return KOL_OK;
}
