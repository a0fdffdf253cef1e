#include "precond.h"

#include "../kernels/dot.h"

/* Chebyshev iteration for (A/D) z = y = r/D from z = 0 on [low, high]: with theta, delta the centre and half width
 * and sigma = theta/delta,
 *     rho_0 = 1/sigma, d_0 = y/theta;  rho_k = 1/(2 sigma - rho_(k-1)),
 *     d_k = rho_k rho_(k-1) d_(k-1) + (2 rho_k/delta) (y - (A/D) z_(k-1)),   z_k = z_(k-1) + d_k.
 * The first step is written out for the fused kernel with (A/D) z_0 = (y - s)/theta, s = (I - A/D) y. */
static struct precond chebyshev(int degree, double ratio)
{
    const double high = 2, low = 2 / ratio;
    const double theta = (high + low) / 2, delta = (high - low) / 2, sigma = theta / delta;
    struct precond p = {.steps = degree - 1, .y0 = (real)(1 / theta)};
    double rho = 1 / sigma;
    for (int k = 1; k <= degree; ++k) {
        const double next = 1 / (2 * sigma - rho), momentum = next * rho, step = 2 * next / delta;
        if (k == 1) {
            p.first.c0 = (real)((1 + momentum) / theta + step * (1 - 1 / theta));
            p.first.c1 = (real)(step / theta);
        } else {
            p.momentum[k - 2] = (real)momentum;
            p.step[k - 2] = (real)step;
        }
        rho = next;
    }
    return p;
}

/* Beside a preconditioner of the pressure that is no polynomial: for diffusion. */
static const struct precond NEUMANN = {.first = {1, 0.9F}};

struct precond precond_make(const struct input *in)
{
    if (in->pressure.preconditioner == PRECOND_JACOBI) return (struct precond){.first = {1, 0}};
    if (in->pressure.preconditioner != PRECOND_POLYNOMIAL) return NEUMANN;
    if (in->pressure.degree == 1) return (struct precond){.first = {1, (real)in->pressure.weight}};
    return chebyshev(in->pressure.degree, in->pressure.ratio);
}

int preconditioner_scratch(const struct preconditioner *p)
{
    return p->multigrid != NULL ? MULTIGRID_SCRATCH : 0;
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
        return dot_product(b, bl, cg, r, z);
    }
    return multigrid_apply(p->multigrid, bl, cg, scratch, r, z);
}
