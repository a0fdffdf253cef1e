/* Measures the contraction of a preconditioner and decides whether the guess may extrapolate. */
#include "preconditioner_contraction.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include "math/random.h"

/* The guess 'lli' is stable if the contraction is below 0.58 for every mode (docs/numerics/pressure.md). A
 * random field contains most modes, not all, so the limit is lower. */
static const double CONTRACTION_MOST = 0.4;
/* A residual below this many epsilons of the first one is only rounding. */
static const double NOTHING_LEFT = 1e4;
enum { CYCLES = 3 };

/* Plane after plane. */
kol_status preconditioner_contraction_random(const struct domain *domain, real *r)
{
    const struct grid *g = &domain->grid;
    const struct box b = g->box;
    const int *o = domain->decomp.offset;
    static const uint32_t KEY[2] = {0x6b6f6cu, 0x6d6fu};
    const ptrdiff_t first = b.start - b.h * b.sz; /* of (0, 0) in a plane */
    const double *f[3] = {g->face[X] + o[X], g->face[Y] + o[Y], g->face[Z] + o[Z]};
    const double cells = (double)g->n_g[X] * g->n_g[Y] * g->n_g[Z];
    kol_status st = KOL_OK;
    real *plane = NULL;
    TRY(mem_host_alloc((size_t)b.sz * sizeof *plane, (void **)&plane));
    for (ptrdiff_t q = 0; q < b.sz; ++q) plane[q] = 0;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const double area = (f[Z][k + 1] - f[Z][k]) * (f[Y][j + 1] - f[Y][j]) * cells / g->volume;
            for (int i = 0; i < b.nx; ++i) {
                const uint32_t cell[4] = {(uint32_t)(i + o[X]), (uint32_t)(j + o[Y]), (uint32_t)(k + o[Z]),
                                          0};
                uint32_t word[4];
                random_philox(cell, KEY, word);
                plane[first + i + j * b.sy] =
                    (real)(area * (f[X][i + 1] - f[X][i]) * (2 * random_unit(word[0]) - 1));
            }
        }
        TRY_OR(done, mem_to_kernel(r + (k + b.h) * b.sz, plane, (size_t)b.sz * sizeof *plane));
    }
done:
    mem_host_free(plane);
    return st;
}

/* Computes r_new = (r - mean V) - A z, and result[]: its sum, the sum of V z, and max |r_new|/V. */
static kol_status step(const struct domain *domain, double mean, const real *r, real *z, real *r_new,
                       double result[3])
{
    TRY(halo_fill_one(domain->halo, z, HALO_FACES));
    if (laplace_around()) TRY(halo_wrap(domain->halo, z));
    TRY(laplace_residual(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1),
                         reduction_blocks(domain->reduction), halo_cells(domain->halo, CELLS_ALL), (real)mean,
                         r, z, r_new));
    return reduction_finish(domain->reduction, 2, 1, result);
}

/* The mean that makes a residual solvable, from its sum. In regions of fluid beside the main one r is
 * changed. */
static kol_status mean_of(const struct poisson *poisson, double sum, real *r, double *mean)
{
    *mean = sum / poisson->domain->grid.volume;
    return poisson->regions != NULL ? fluid_regions_balance(poisson->regions, sum, r, mean) : KOL_OK;
}

static kol_status measure(struct poisson *poisson, real *const *scratch, real *r, real *z, real *other,
                          double *rho)
{
    const struct domain *domain = poisson->domain;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const struct box b = domain->grid.box;
    double result[3], first, before, mean;
    TRY(preconditioner_contraction_random(domain, r));
    TRY(mem_fill_real(z, b.size, 0));
    TRY(step(domain, 0, r, z, other, result));
    TRY(mean_of(poisson, result[0], r, &mean));
    TRY(step(domain, mean, r, z, other, result));
    first = result[2];
    for (int n = 0; n < CYCLES; ++n) {
        real *const now = n % 2 == 0 ? other : r, *const next = n % 2 == 0 ? r : other;
        double ignored;
        before = result[2];
        TRY(preconditioner_apply(&poisson->for_pressure, b, bl, NULL, scratch, now, z));
        TRY(reduction_finish(domain->reduction, 1, 0, &ignored));
        TRY(mean_of(poisson, result[0], now, &mean)); /* constants are not the cycle's */
        TRY(step(domain, mean, now, z, next, result));
        if (!isfinite(result[0]))
            RAISE(KOL_ERR_NUMERICAL, "the preconditioner gave values that are not finite");
        *rho = result[2] / before;
        if (result[2] <= NOTHING_LEFT * KOL_EPSILON * first) break; /* what follows would be rounding */
    }
    return KOL_OK;
}

/* Applies z = M r several times to a random residual, without conjugate gradients. *rho: the factor by which
 * the third cycle reduces max|r|/V. If only rounding is left by then, it is the factor of an earlier cycle.
 * *rho is the same on all ranks. */
static kol_status contraction(struct poisson *poisson, double *rho)
{
    const struct domain *domain = poisson->domain;
    enum { OWN = 3 };
    real *a[OWN + PRECONDITIONER_SCRATCH] = {NULL};
    const int count = OWN + preconditioner_scratch(&poisson->for_pressure);
    for (int n = 0; n < count; ++n) TRY(pool_hold(domain->pool, "contraction", &a[n]));
    TRY(measure(poisson, a + OWN, a[0], a[1], a[2], rho));
    for (int n = 0; n < count; ++n) TRY(pool_drop(domain->pool, &a[n]));
    return KOL_OK;
}

kol_status preconditioner_contraction_settle_guess(struct poisson *poisson, char *text, size_t size)
{
    const struct domain *domain = poisson->domain;
    const int guess = poisson->guess;
    double rho = 1;
    text[0] = '\0';
    if (domain->in->pressure.iterations == 0 || (guess != GUESS_LINEAR && guess != GUESS_LLI)) return KOL_OK;
    if (preconditioner_apart(&poisson->for_pressure)) TRY(contraction(poisson, &rho));
    if (rho <= CONTRACTION_MOST) {
        snprintf(text, size,
                 "pressure.iterations = %d: the preconditioner reduces the residual to %.2f of it, so the "
                 "guess may "
                 "extrapolate",
                 domain->in->pressure.iterations, rho);
        return KOL_OK;
    }
    poisson->guess = GUESS_PREVIOUS;
    if (preconditioner_apart(&poisson->for_pressure)) {
        snprintf(text, size,
                 "pressure.guess = 'previous' instead of an extrapolation: the preconditioner reduces the "
                 "residual to %.2f "
                 "of it, and with a fixed number of iterations an extrapolation is stable only below %.2f",
                 rho, CONTRACTION_MOST);
    } else {
        snprintf(text, size,
                 "pressure.guess = 'previous' instead of an extrapolation: with a fixed number of iterations "
                 "a polynomial does not damp the errors that an extrapolation feeds back");
    }
    return KOL_OK;
}
