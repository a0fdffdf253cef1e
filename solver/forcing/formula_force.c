/* Compiles a force by formulas, and adds it to predicted velocities. */
#include "formula_force.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/drives.h"
#include "inputs/formula.h"
#include "kernels/base/mem.h"
#include "kernels/formula_force.h"

/* SAMPLES: points in each direction at which the largest force is looked for. */
enum { SAMPLES = 8 };

struct formula_force {
    struct formula host[3];
    struct formula_field field; /* its pointers lead into the two arrays below */
    struct formula_step *steps; /* kernel memory: the steps of x, y, z one after the other */
    double *places;             /* kernel memory: centres and lower faces in x, y, z */
};

static kol_status compile(const struct input *in, struct formula_force *f)
{
    char fault[FORMULA_FAULT];
    int column;
    for (int d = 0; d < 3; ++d) {
        if (!formula_parse(in->forcing.formula[d], FORMULA_IN_TIME, &f->host[d], &column, fault))
            RAISE(KOL_ERR_INTERNAL, "the formula of the force along %c: column %d: %s", "xyz"[d], column,
                  fault);
        f->field.count[d] = formula_is_zero(&f->host[d]) ? 0 : f->host[d].count;
    }
    return KOL_OK;
}

static kol_status put_steps(const struct domain *domain, struct formula_force *f)
{
    const size_t bytes = sizeof(struct formula_step);
    size_t done = 0;
    for (int d = 0; d < 3; ++d) done += (size_t)f->host[d].count;
    TRY(memory_kernel(domain->memory, done * bytes, (void **)&f->steps));
    if (memory_counts(domain->memory)) return KOL_OK;
    done = 0;
    for (int d = 0; d < 3; ++d) {
        const size_t count = (size_t)f->host[d].count;
        TRY(mem_to_kernel(f->steps + done, f->host[d].step, count * bytes));
        f->field.step[d] = f->steps + done;
        done += count;
    }
    return KOL_OK;
}

static kol_status put_places(const struct domain *domain, struct formula_force *f)
{
    const struct grid *g = &domain->grid;
    const int *n = domain->decomp.n, *offset = domain->decomp.offset;
    size_t done = 0;
    const size_t all = 2 * (size_t)(n[X] + n[Y] + n[Z]);
    TRY(memory_kernel(domain->memory, all * sizeof(double), (void **)&f->places));
    if (memory_counts(domain->memory)) return KOL_OK;
    for (int d = 0; d < 3; ++d) {
        const size_t bytes = (size_t)n[d] * sizeof(double);
        TRY(mem_to_kernel(f->places + done, g->centre[d] + offset[d], bytes));
        f->field.centre[d] = f->places + done;
        done += (size_t)n[d];
        TRY(mem_to_kernel(f->places + done, g->face[d] + offset[d], bytes));
        f->field.face[d] = f->places + done;
        done += (size_t)n[d];
    }
    return KOL_OK;
}

/* The largest sum of the sizes of the components at some points, and where it is not finite: then *bad is the
 * number of that point, else -1. */
static double largest(const struct domain *domain, const struct formula_force *f, double t, int *bad)
{
    const int *n = domain->decomp.n_g;
    double v[FORMULA_VARIABLES], most = 0;
    for (int i = 0; i < FORMULA_VARIABLES; ++i) v[i] = f->field.variable[i];
    v[FORMULA_T] = t;
    *bad = -1;
    for (int s = 0; s < SAMPLES * SAMPLES * SAMPLES; ++s) {
        const int at[3] = {s % SAMPLES, s / SAMPLES % SAMPLES, s / (SAMPLES * SAMPLES)};
        double sum = 0;
        for (int d = 0; d < 3; ++d)
            v[FORMULA_X + d] = domain->grid.centre[d][(int)((long long)at[d] * n[d] / SAMPLES)];
        for (int d = 0; d < 3; ++d) sum += fabs(formula_value(&f->host[d], v));
        if (!isfinite(sum)) *bad = s;
        else most = fmax(most, sum);
    }
    return most;
}

static kol_status check_start(const struct domain *domain, const struct formula_force *f)
{
    const int *n = domain->decomp.n_g;
    int bad, at[3];
    largest(domain, f, 0, &bad);
    if (bad < 0) return KOL_OK;
    const int s[3] = {bad % SAMPLES, bad / SAMPLES % SAMPLES, bad / (SAMPLES * SAMPLES)};
    for (int d = 0; d < 3; ++d) at[d] = (int)((long long)s[d] * n[d] / SAMPLES);
    RAISE(
        KOL_ERR_INPUT,
        "error: the force of forcing.type = 'formula' is not finite at x = %.6g, y = %.6g, z = %.6g, t = 0; "
        "change forcing.fx, fy or fz",
        domain->grid.centre[X][at[X]], domain->grid.centre[Y][at[Y]], domain->grid.centre[Z][at[Z]]);
}

kol_status formula_force_create(const struct domain *domain, struct formula_force **out)
{
    *out = NULL;
    if (!drive_by_formula(domain->in)) return KOL_OK;
    struct formula_force *f = *out = calloc(1, sizeof *f);
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the force by formulas");
    for (int d = 0; d < 3; ++d) f->field.variable[FORMULA_LX + d] = domain->grid.length[d];
    f->field.variable[FORMULA_NU] = domain->in->fluid.nu;
    TRY(compile(domain->in, f));
    TRY(check_start(domain, f));
    TRY(put_steps(domain, f));
    return put_places(domain, f);
}

void formula_force_destroy(struct formula_force **f)
{
    if (*f == NULL) return;
    mem_kernel_free((*f)->steps);
    mem_kernel_free((*f)->places);
    free(*f);
    *f = NULL;
}

kol_status formula_force_add(const struct flow *flow, const struct rk3_scheme *rk, int m, real *const vel[3],
                             real *const old[3])
{
    const double dt = flow->clock.dt;
    if (flow->force.formula == NULL || pool_counts(flow->domain->pool)) return KOL_OK;
    struct formula_field field = flow->force.formula->field;
    field.variable[FORMULA_T] = flow->clock.t + rk3_stage_end(rk, m - 1) * dt;
    return formula_force_apply(flow->domain->grid.box, &field, (real)(rk->stage[m].a * dt), vel, old);
}

kol_status formula_force_work(const struct flow *flow, double *work)
{
    const struct domain *domain = flow->domain;
    *work = 0;
    if (flow->force.formula == NULL) return KOL_OK;
    struct formula_field field = flow->force.formula->field;
    field.variable[FORMULA_T] = flow->clock.t;
    TRY(formula_force_power(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction), &field,
                            flow->vel));
    TRY(reduction_finish(domain->reduction, 1, 0, work));
    *work /= domain->grid.volume;
    return KOL_OK;
}

double formula_force_push(const struct flow *flow)
{
    int bad;
    return largest(flow->domain, flow->force.formula, flow->clock.t, &bad);
}
