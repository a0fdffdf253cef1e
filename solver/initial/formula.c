/* Evaluates the formulas of an initial flow at the points of the staggered grid. */
#include <math.h>
#include <stddef.h>

#include "initial.h"
#include "inputs/formula.h"
#include "inputs/input_source.h"
#include "kernels/base/speed.h"

/* SAMPLES: points in each direction at which the speed of a flow is estimated. */
enum { SAMPLES = 24 };

static kol_status compile(const struct input *in, int c, struct formula *f)
{
    char fault[FORMULA_FAULT];
    int column;
    if (!formula_parse(in->initial.formula[c], FORMULA_OF_START, f, &column,
                       fault)) /* check_formulas() has parsed it */
        RAISE(KOL_ERR_INTERNAL, "the formula of %c: column %d: %s", "uvw"[c], column, fault);
    return KOL_OK;
}

static void constants(const struct domain *domain, double v[FORMULA_VARIABLES])
{
    v[FORMULA_T0] = v[FORMULA_T] = 0;
    for (int d = 0; d < 3; ++d) v[FORMULA_LX + d] = domain->grid.length[d];
    v[FORMULA_NU] = domain->in->fluid.nu;
}

static double coordinate(const struct domain *domain, int component, int d, int n)
{
    const struct grid *g = &domain->grid;
    return d == component ? g->face[d][n] : g->centre[d][n];
}

static kol_status raise_at(const struct domain *domain, int c, double value,
                           const double v[FORMULA_VARIABLES])
{
    const size_t offset = offsetof(struct input, initial.formula) + (size_t)c * INPUT_TEXT;
    const struct input_place p = input_place(domain->source, offset, 0);
    RAISE(
        KOL_ERR_INPUT,
        "%s: error: %s is %g at x = %.6g, y = %.6g, z = %.6g; change its formula, %s, so that it is finite, "
        "and at most %g in %s arithmetic",
        p.at, p.name, value, v[FORMULA_X], v[FORMULA_Y], v[FORMULA_Z], domain->in->initial.formula[c],
        SPEED_MOST, KOL_REAL_NAME);
}

/* At all own points; fault: where the first value lies that is not finite or too fast. */
static kol_status evaluate(const struct domain *domain, int c, const struct formula *f, double *value)
{
    const int *n = domain->decomp.n, *offset = domain->decomp.offset;
    double v[FORMULA_VARIABLES];
    constants(domain, v);
    for (int k = 0; k < n[Z]; ++k) {
        v[FORMULA_Z] = coordinate(domain, c, Z, offset[Z] + k);
        for (int j = 0; j < n[Y]; ++j) {
            v[FORMULA_Y] = coordinate(domain, c, Y, offset[Y] + j);
            for (int i = 0; i < n[X]; ++i, ++value) {
                v[FORMULA_X] = coordinate(domain, c, X, offset[X] + i);
                *value = formula_value(f, v);
                if (!(fabs(*value) <= SPEED_MOST)) return raise_at(domain, c, *value, v);
            }
        }
    }
    return KOL_OK;
}

kol_status initial_formula(const struct domain *domain, int c, double *value)
{
    struct formula f;
    TRY(compile(domain->in, c, &f));
    return comm_agree(&domain->comm, evaluate(domain, c, &f, value));
}

double initial_formula_courant(const struct domain *domain)
{
    const int *n = domain->decomp.n_g;
    double v[FORMULA_VARIABLES], largest = 0;
    struct formula f[3];
    constants(domain, v);
    for (int c = 0; c < 3; ++c)
        if (compile(domain->in, c, &f[c]) != KOL_OK) return 0;
    for (int s = 0; s < SAMPLES * SAMPLES * SAMPLES; ++s) {
        const int at[3] = {s % SAMPLES, s / SAMPLES % SAMPLES, s / (SAMPLES * SAMPLES)};
        double sum = 0;
        for (int d = 0; d < 3; ++d)
            v[FORMULA_X + d] = coordinate(domain, -1, d, (int)((long long)at[d] * n[d] / SAMPLES));
        for (int c = 0; c < 3; ++c) sum += fabs(formula_value(&f[c], v)) / domain->grid.narrowest[c];
        if (isfinite(sum)) largest = fmax(largest, sum);
    }
    return largest;
}
