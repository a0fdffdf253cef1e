/* Computes the initial values of scalars on the host. */
#include "scalar_initial.h"

#include <math.h>
#include <stdlib.h>
#include "bodies/bodies.h"
#include "inputs/face_kinds.h"
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

/* The initial state without its disturbance. i: global cell. */
static double state_at(const struct domain *domain, int n, const int i[3])
{
    const struct input *in = domain->in;
    const int d = scalar_conduction(in, n);
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

kol_status scalar_initial(struct flow *flow, int n)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const int *first = domain->decomp.offset;
    real *host = NULL;
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    for (ptrdiff_t o = 0; o < b.size; ++o) host[o] = (real)NAN;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int cell[3] = {first[X] + i, first[Y] + j, first[Z] + k};
                host[at(b, i, j, k)] = (real)(state_at(domain, n, cell) + disturbance_at(domain, n, cell));
            }
    kol_status st = hold(flow, n, host);
    if (st == KOL_OK) st = mem_to_kernel(flow->scalar[n], host, (size_t)b.size * sizeof *host);
    mem_host_free(host);
    return st;
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

kol_status scalar_initial_all(struct flow *flow)
{
    for (int n = 0; n < scalar_count(flow->domain->in); ++n) TRY(scalar_initial(flow, n));
    return KOL_OK;
}
