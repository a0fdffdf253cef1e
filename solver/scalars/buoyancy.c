/* Computes the buoyancy from the inputs, and adds it to predicted velocities. */
#include "buoyancy.h"

#include <stdlib.h>
#include "inputs/buoyancy.h"
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "kernels/scalar.h"

struct buoyancy {
    struct scalar_lift lift; /* the weight a is set for each stage */
    real *centres;           /* kernel memory: coordinates of cells in x, y, z, one beyond each end */
};

/* The coordinate of the centre of cell i of this rank; -1 and n lie beyond the ends. */
static double centre_at(const struct domain *domain, int d, int i)
{
    const struct grid *g = &domain->grid;
    const int global = domain->decomp.offset[d] + i, n = g->n_g[d];
    if (global < 0) return g->centre[d][0] - grid_centre_distance(g, d, 0);
    if (global >= n) return g->centre[d][n - 1] + grid_centre_distance(g, d, n);
    return g->centre[d][global];
}

static kol_status put_centres(const struct domain *domain, struct buoyancy *b)
{
    const int *n = domain->decomp.n;
    const size_t values = (size_t)(n[X] + n[Y] + n[Z] + 6);
    TRY(memory_kernel(domain->memory, values * sizeof(real), (void **)&b->centres));
    if (memory_counts(domain->memory)) return KOL_OK;
    real *host = malloc(values * sizeof *host), *next = host;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the coordinates of buoyancy");
    for (int d = 0; d < 3; ++d) {
        b->lift.x[d] = b->centres + (next - host) + 1;
        for (int i = -1; i <= n[d]; ++i) *next++ = (real)centre_at(domain, d, i);
    }
    const kol_status st = mem_to_kernel(b->centres, host, values * sizeof *host);
    free(host);
    return st;
}

kol_status buoyancy_create(const struct domain *domain, struct buoyancy **out)
{
    *out = NULL;
    if (!buoyancy_wanted(domain->in)) return KOL_OK;
    struct buoyancy *b = *out = calloc(1, sizeof *b);
    if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for buoyancy");
    b->lift.count = scalar_count(domain->in);
    for (int d = 0; d < 3; ++d) b->lift.first[d] = !domain->grid.periodic[d] && domain->decomp.offset[d] == 0;
    for (int n = 0; n < b->lift.count; ++n) {
        double rest, slope[3], lift[3];
        buoyancy_lift(domain->in, n, lift);
        buoyancy_rest(domain->in, n, &rest, slope);
        b->lift.rest[n] = (real)rest;
        for (int d = 0; d < 3; ++d) {
            b->lift.lift[n][d] = (real)lift[d];
            b->lift.slope[n][d] = (real)slope[d];
        }
    }
    return put_centres(domain, b);
}

void buoyancy_destroy(struct buoyancy **b)
{
    if (*b == NULL) return;
    mem_kernel_free((*b)->centres);
    free(*b);
    *b = NULL;
}

kol_status buoyancy_add(const struct flow *flow, const struct rk3_scheme *rk, int m, real *const vel[3],
                        real *const old[3])
{
    if (flow->buoyancy == NULL || pool_counts(flow->domain->pool)) return KOL_OK;
    struct scalar_lift lift = flow->buoyancy->lift;
    lift.a = (real)(rk->stage[m].a * flow->clock.dt);
    return scalar_buoyancy(flow->domain->grid.box, &lift, flow->scalar, vel, old);
}

kol_status buoyancy_put(const struct flow *flow, real *const f[3])
{
    if (flow->buoyancy == NULL) return KOL_OK;
    struct scalar_lift lift = flow->buoyancy->lift;
    lift.a = 1;
    return scalar_buoyancy(flow->domain->grid.box, &lift, flow->scalar, f, NULL);
}

kol_status buoyancy_field(const struct flow *flow, real *const out[3])
{
    if (flow->buoyancy == NULL) return KOL_OK;
    const struct box b = flow->domain->grid.box;
    struct scalar_lift lift = flow->buoyancy->lift;
    lift.a = 1;
    for (int n = 0; n < lift.count; ++n) {
        lift.rest[n] = 0;
        for (int d = 0; d < 3; ++d) lift.slope[n][d] = 0;
    }
    for (int d = 0; d < 3; ++d) TRY(mem_fill_real(out[d], b.size, 0));
    return scalar_buoyancy(b, &lift, flow->scalar, out, NULL);
}

kol_status buoyancy_work(const struct flow *flow, double *work)
{
    const struct domain *domain = flow->domain;
    *work = 0;
    if (flow->buoyancy == NULL) return KOL_OK;
    TRY(scalar_buoyancy_work(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction),
                             &flow->buoyancy->lift, flow->scalar, flow->vel));
    TRY(reduction_finish(domain->reduction, 1, 0, work));
    *work /= domain->grid.volume;
    return KOL_OK;
}
