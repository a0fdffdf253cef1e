/* Makes polynomial preconditioners, and applies the preconditioner that a solve uses. */
#include "preconditioner.h"

#include "kernels/volume_dot.h"
#include "chebyshev.h"

_Static_assert((int)POLYNOMIAL_DEGREE_MAX < (int)CHEBYSHEV_STEPS, "degree n is n + 1 steps");

static struct polynomial chebyshev(int degree, double ratio)
{
    const struct chebyshev c = chebyshev_make(degree + 1, ratio);
    struct polynomial p = {.first = {(real)c.c0, (real)c.c1},
                           .steps = degree - 1,
                           .y0 = (real)(1 / c.theta),
                           .first_y0 = (real)(1 / c.theta),
                           .first_momentum = (real)c.momentum[1],
                           .first_step = (real)c.step[1]};
    for (int k = 2; k <= degree; ++k) {
        p.momentum[k - 2] = (real)c.momentum[k];
        p.step[k - 2] = (real)c.step[k];
    }
    return p;
}

/* The polynomial for diffusion, if the pressure has a preconditioner that is not a polynomial. */
static const struct polynomial NEUMANN = {.first = {1, 0.9F}, .first_y0 = 1, .first_step = 0.9F};

struct polynomial polynomial_make(int kind, int degree, double weight, double ratio)
{
    if (kind == PRECOND_JACOBI) return (struct polynomial){.first = {1, 0}};
    if (kind != PRECOND_POLYNOMIAL) return NEUMANN;
    if (degree == 1)
        return (struct polynomial){.first = {1, (real)weight}, .first_y0 = 1, .first_step = (real)weight};
    return chebyshev(degree, ratio);
}

struct poly_steps polynomial_steps(const struct polynomial *p, int done, int n)
{
    struct poly_steps s = {.n = n, .first = p->first, .y0 = p->y0};
    for (int k = 0; k < n; ++k) {
        const int step = done + k - 1; /* the Chebyshev steps begin with degree 2 */
        s.momentum[k] = step < 0 ? 0 : p->momentum[step];
        s.step[k] = step < 0 ? 0 : p->step[step];
    }
    return s;
}

struct polynomial polynomial_by_steps(const struct polynomial *p)
{
    if (p->first.c1 == 0) return *p;
    struct polynomial q = {.first = {p->first_y0, 0}, .steps = p->steps + 1}; /* y0 = 0: no iterate before */
    q.momentum[0] = p->first_momentum;
    q.step[0] = p->first_step;
    for (int n = 0; n < p->steps; ++n) {
        q.momentum[n + 1] = p->momentum[n];
        q.step[n + 1] = p->step[n];
    }
    return q;
}

/* Two sweeps pass two iterates on; a sweep between them also begins from two and leaves two. On several ranks
 * a sweep takes as many degrees as the halo has layers. */
static int polynomial_scratch(int degree)
{
    if (!laplace_around() || degree < 2) return 0; /* a sweep takes one degree */
    return degree > 2 * KOL_HALO ? POLYNOMIAL_SCRATCH : POLYNOMIAL_SCRATCH - 1;
}

int preconditioner_scratch(const struct preconditioner *p)
{
    if (p->multigrid != NULL) return MULTIGRID_SCRATCH;
    return p->direct != NULL ? 0 : polynomial_scratch(p->polynomial.steps + 1);
}

int preconditioner_apart(const struct preconditioner *p)
{
    return p->multigrid != NULL || p->direct != NULL;
}

kol_status preconditioner_apply(const struct preconditioner *p, struct box b, struct blocks bl,
                                const struct cg_state *cg, real *const *scratch, const real *r, real *z)
{
    if (p->direct != NULL) {
        TRY(direct_apply(p->direct, r, z));
        if (p->open != NULL) TRY(laplace_clear(b, p->open, z));
        return volume_dot_product(b, bl, cg, r, z);
    }
    return multigrid_apply(p->multigrid, bl, cg, scratch, r, z);
}

struct direct_single *preconditioner_single(const struct preconditioner *p)
{
    return p->direct != NULL ? direct_in_single(p->direct) : NULL;
}

int preconditioner_inverts(const struct preconditioner *p)
{
    return p->direct != NULL && p->open == NULL;
}

kol_status preconditioner_invert(const struct preconditioner *p, const real *r, real *z)
{
    return direct_apply(p->direct, r, z);
}
