/* Computes the initial values of scalars on the host. */
#include "scalar_initial.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "bodies/bodies.h"
#include "inputs/face_kinds.h"
#include "inputs/formula.h"
#include "inputs/input_source.h"
#include "inputs/scalars.h"
#include "kernels/base/constants.h"
#include "kernels/base/mem.h"
#include "math/random.h"

/* The key of these random numbers beside run.seed: no other random numbers of a run have it. */
static const uint32_t RANDOM_KEY = 0x5ca1a2u;

/* The coordinate of a global cell centre as a part of the box, from 0 to 1. */
static double part_of(const struct grid *g, int d, int i)
{
    return (g->centre[d][i] - g->origin[d]) / g->length[d];
}

/* The formula at the centre of a cell. */
static double formula_at_cell(const struct domain *domain, const struct formula *f, const int i[3])
{
    const struct grid *g = &domain->grid;
    double v[FORMULA_VARIABLES] = {0};
    for (int d = 0; d < 3; ++d) {
        v[FORMULA_X + d] = g->centre[d][i[d]];
        v[FORMULA_LX + d] = g->length[d];
    }
    v[FORMULA_NU] = domain->in->fluid.nu;
    return formula_value(f, v);
}

/* The initial state without its disturbance. i: global cell; f: the formula, if there is one. */
static double state_at(const struct domain *domain, int n, const struct formula *f, const int i[3])
{
    const struct input *in = domain->in;
    const int d = scalar_conduction(in, n);
    if (in->scalars.initial[n] == SCALAR_FORMULA) return formula_at_cell(domain, f, i);
    if (in->scalars.initial[n] != SCALAR_CONDUCTION) return in->scalars.initial_value[n];
    const double low = in->scalars.face_value[2 * d][n], high = in->scalars.face_value[2 * d + 1][n];
    return low + part_of(&domain->grid, d, i[d]) * (high - low);
}

static double random_at(const struct input *in, int n, const int i[3])
{
    const uint32_t counter[4] = {(uint32_t)i[X], (uint32_t)i[Y], (uint32_t)i[Z], (uint32_t)n};
    const uint32_t key[2] = {(uint32_t)in->run.seed, RANDOM_KEY};
    uint32_t word[4];
    random_philox(counter, key, word);
    return 2 * random_unit(word[0]) - 1;
}

static double disturbance_at(const struct domain *domain, int n, const int i[3])
{
    const struct input *in = domain->in;
    double product = in->scalars.disturbance[n];
    if (!scalar_disturbed(in, n)) return 0;
    if (scalar_random(in, n)) return product * random_at(in, n, i);
    for (int d = 0; d < 3; ++d) {
        const double phase = PI * in->scalars.waves[n][d] * part_of(&domain->grid, d, i[d]);
        if (in->scalars.waves[n][d] == 0) continue;
        product *= direction_is_periodic(in, d) ? cos(2 * phase) : sin(phase);
    }
    return product;
}

/* Gives the cells in bodies the value of the body, if it has one. */
static kol_status hold(const struct flow *flow, int n, real *host)
{
    if (flow->bodies == NULL || !scalar_on_bodies(flow->domain->in, n)) return KOL_OK;
    return body_scalars_fill(flow->domain, flow->bodies->geometry, n, host);
}

static kol_status compile(const struct input *in, int n, struct formula *f)
{
    char fault[FORMULA_FAULT];
    int column;
    if (in->scalars.initial[n] == SCALAR_FORMULA &&
        !formula_parse(in->scalars.initial_formula[n], FORMULA_OF_START, f, &column, fault))
        RAISE(KOL_ERR_INTERNAL, "the formula of %s: column %d: %s", in->scalars.name[n], column, fault);
    return KOL_OK; /* check_scalars() has parsed it */
}

static kol_status raise_at(const struct domain *domain, int n, double state, const int i[3])
{
    const struct grid *g = &domain->grid;
    const struct input_place p =
        input_place(domain->source, offsetof(struct input, scalars.initial_formula), n);
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s is %g at x = %.6g, y = %.6g, z = %.6g; change its formula, %s, so that it is finite",
          p.at, p.name, state, g->centre[X][i[X]], g->centre[Y][i[Y]], g->centre[Z][i[Z]],
          domain->in->scalars.initial_formula[n]);
}

/* All own cells: the state is value[], or, if that is NULL, the formula. The halo becomes NaN. Fails with the
 * first place where the formula is not finite. */
static kol_status evaluate(const struct domain *domain, int n, const struct formula *f, const double *value,
                           real *host)
{
    const struct box b = domain->grid.box;
    const int *first = domain->decomp.offset;
    for (ptrdiff_t o = 0; o < b.size; ++o) host[o] = (real)NAN;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int cell[3] = {first[X] + i, first[Y] + j, first[Z] + k};
                const double state = value != NULL ? *value++ : state_at(domain, n, f, cell);
                if (value == NULL && !isfinite(state)) return raise_at(domain, n, state, cell);
                host[at(b, i, j, k)] = (real)(state + disturbance_at(domain, n, cell));
            }
    return KOL_OK;
}

kol_status scalar_initial(struct flow *flow, int n)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    struct formula f;
    real *host = NULL;
    TRY(compile(domain->in, n, &f));
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    kol_status st = comm_agree(&domain->comm, evaluate(domain, n, &f, NULL, host));
    if (st == KOL_OK) st = hold(flow, n, host);
    if (st == KOL_OK) st = mem_to_kernel(flow->scalar[n], host, (size_t)b.size * sizeof *host);
    mem_host_free(host);
    return st;
}

kol_status scalar_initial_given(struct flow *flow, int n, const double *value, real *host)
{
    const struct domain *domain = flow->domain;
    TRY(evaluate(domain, n, NULL, value, host));
    TRY(hold(flow, n, host));
    return mem_to_kernel(flow->scalar[n], host, (size_t)domain->grid.box.size * sizeof *host);
}

kol_status scalar_initial_hold(struct flow *flow, int n)
{
    const size_t bytes = (size_t)flow->domain->grid.box.size * sizeof(real);
    real *host = NULL;
    if (flow->bodies == NULL || !scalar_on_bodies(flow->domain->in, n)) return KOL_OK;
    TRY(mem_host_alloc(bytes, (void **)&host));
    kol_status st = mem_to_host(host, flow->scalar[n], bytes);
    if (st == KOL_OK) st = hold(flow, n, host);
    if (st == KOL_OK) st = mem_to_kernel(flow->scalar[n], host, bytes);
    mem_host_free(host);
    return st;
}

kol_status scalar_initial_others(struct flow *flow, unsigned given)
{
    for (int n = 0; n < scalar_count(flow->domain->in); ++n)
        if (!(given >> n & 1u)) TRY(scalar_initial(flow, n));
    return KOL_OK;
}

kol_status scalar_initial_all(struct flow *flow)
{
    return scalar_initial_others(flow, 0);
}
