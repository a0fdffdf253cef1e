/* Solves for the diffusion of scalars in all directions by PPCG, in the form that diffusion.c has between
 * walls: for the change e = theta - v of the prediction v,
 *
 *     (1 - dts kappa/2 lap0) e = dts kappa/2 lap(base + v)
 *
 * lap reads the halos of base and v, which hold the conditions on faces. lap0 has these conditions without
 * their given values. */
#include "scalar_diffusion.h"

#include <stdio.h>
#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "kernels/laplace.h"
#include "kernels/momentum.h"
#include "kernels/stream_copy.h"
#include "diffusion.h"
#include "math/rk3_scheme.h"
#include "scalars/scalar_faces.h"

/* scalar_diffusion: for each scalar the inverse distances of neighbouring centres in each direction, at own
 * points and one beyond [1/L]. On faces that are not periodic, they stand for the condition that the change e
 * obeys. Where the value is given, e is 0 on the face: the inverse distance is twice that to the mirrored
 * centre. On all other such faces nothing diffuses: it is 0. */
struct scalar_diffusion {
    real *store; /* kernel memory */
    const real *inverse[SCALARS_MOST][3];
};

/* Points of a row on each side of the own ones, as many as the metrics of the grid have. */
enum { BEYOND = KOL_HALO + 1 };

static int wanted(const struct domain *domain)
{
    return diffusion_is_implicit(domain->in) && scalar_count(domain->in) > 0;
}

static double inverse_at(const struct domain *domain, int n, int d, int i)
{
    const struct grid *g = &domain->grid;
    const int cells = g->n_g[d];
    if (g->periodic[d]) i = (i % cells + cells) % cells;
    if (g->periodic[d] || (i > 0 && i < cells)) return 1 / grid_centre_distance(g, d, i);
    const int high = i > 0;
    return scalar_has_value(domain->in, n, 2 * d + high) ? 2 / grid_centre_distance(g, d, high ? cells : 0)
                                                         : 0;
}

static size_t row_of(const struct domain *domain, int d)
{
    return (size_t)domain->decomp.n[d] + 2 * BEYOND;
}

kol_status scalar_diffusion_create(struct step *step)
{
    const struct domain *domain = step->domain;
    size_t each = 0, at = 0;
    if (!wanted(domain)) return KOL_OK;
    struct scalar_diffusion *s = step->scalar_diffusion = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the diffusion of scalars");
    for (int d = 0; d < 3; ++d) each += row_of(domain, d);
    const size_t values = each * (size_t)scalar_count(domain->in);
    TRY(memory_kernel(domain->memory, values * sizeof(real), (void **)&s->store));
    if (memory_counts(domain->memory)) return KOL_OK;
    real *host = malloc(values * sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the diffusion of scalars");
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        for (int d = 0; d < 3; ++d) {
            for (int i = -BEYOND; i < domain->decomp.n[d] + BEYOND; ++i)
                host[at + (size_t)(i + BEYOND)] =
                    (real)inverse_at(domain, n, d, domain->decomp.offset[d] + i);
            s->inverse[n][d] = s->store + at + BEYOND;
            at += row_of(domain, d);
        }
    }
    const kol_status st = mem_to_kernel(s->store, host, values * sizeof *host);
    free(host);
    return st;
}

void scalar_diffusion_destroy(struct scalar_diffusion **s)
{
    if (*s == NULL) return;
    mem_kernel_free((*s)->store);
    free(*s);
    *s = NULL;
}

/* The operators: lap, with the distances of the mirrored centres; and 1 - factor lap0. */
static struct stencil plain_of(const struct grid *g)
{
    struct stencil s = grid_stencil(g, LOC_CCC, 0, 1);
    s.gx = g->m.dxi_f;
    s.gy = g->m.dyi_f;
    s.gz = g->m.dzi_f;
    s.uniform_x = g->uniform[X];
    return s;
}

static struct stencil held_of(const struct grid *g, const real *const inverse[3], double factor)
{
    struct stencil s = grid_stencil(g, LOC_CCC, 1, (real)factor);
    const real **w[3] = {&s.wx, &s.wy, &s.wz}, **gi[3] = {&s.gx, &s.gy, &s.gz};
    for (int d = 0; d < 3; ++d) {
        *gi[d] = inverse[d];
        if (!g->periodic[d]) *w[d] = g->held_c[d];
    }
    s.uniform_x = g->uniform[X] && g->periodic[X];
    s.held = g->held;
    return s;
}

static kol_status begin_change(const struct flow *flow, int n, double factor, const real *base, real *source,
                               real *change)
{
    const struct grid *g = &flow->domain->grid;
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY(stream_triad(g->box.size, 1, base, flow->scalar[n], change));
    TRY(stencil_source(g->box, plain_of(g), (real)factor, NULL, change, source));
    return mem_fill_real(change, g->box.size, 0);
}

/* The scalar before the stage is not read again once begin_change() has the sum, so its array takes the
 * right-hand side and then the result. */
static kol_status solve_one(struct step *step, struct flow *flow, int n, double dts, const real *base)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const double factor = dts * scalar_diffusivity(domain->in, n) / 2,
                 unit = scalar_scale(domain->in, n, &domain->given_range);
    const struct stencil held = held_of(g, step->scalar_diffusion->inverse[n], factor);
    char name[64];
    struct ppcg_result result;
    real *source = step->scalars.before[n], *change = NULL;
    snprintf(name, sizeof name, "diffusion of %s", domain->in->scalars.name[n]);
    const struct ppcg_goal goal = {.name = name,
                                   .tolerance = domain->in->time.diffusion_tolerance * unit,
                                   .enough = diffusion_rounding(domain, factor) * unit,
                                   .scale = 1 / unit,
                                   .meaning = "the change of the scalar over the size of its given values",
                                   .input = "time.diffusion_tolerance"};
    step->scalars.before[n] = NULL;
    if (source == NULL) TRY(pool_hold(domain->pool, "diffusion source", &source));
    TRY(pool_hold(domain->pool, "diffusion change", &change));
    TRY(begin_change(flow, n, factor, base, source, change));
    TRY(ppcg_solve(step->poisson.ppcg, &step->poisson.for_diffusion, held, goal, 0, source, change, &result));
    if (!pool_counts(domain->pool)) TRY(stream_triad(g->box.size, 1, flow->scalar[n], change, source));
    TRY(pool_drop(domain->pool, &change));
    TRY(pool_drop(domain->pool, &flow->scalar[n]));
    flow->scalar[n] = source;
    return KOL_OK;
}

kol_status scalar_diffusion_solve(struct step *step, struct flow *flow, double dts)
{
    const struct domain *domain = flow->domain;
    if (!wanted(domain)) return KOL_OK;
    TRY(profile_phase(domain->profile, "diffusion"));
    if (!pool_counts(domain->pool)) {
        TRY(halo_fill(domain->halo, flow->scalar, scalar_count(domain->in), HALO_FACES));
        for (int n = 0; laplace_around() && n < scalar_count(domain->in); ++n)
            TRY(halo_wrap(domain->halo, flow->scalar[n])); /* stencil_source reads the halo everywhere */
        TRY(scalar_faces_fill(domain, halo_cells(domain->halo, CELLS_ALL), flow->scalar));
    }
    for (int n = 0; n < scalar_count(domain->in); ++n)
        TRY(solve_one(step, flow, n, dts,
                      scalar_stage_base(&step->scalars, rk3_scheme(domain->in->time.scheme), n)));
    return KOL_OK;
}
