/* Takes one degree of a polynomial in a sweep, which is all that the CPU build does. */
#include "../laplace.h"

/* One step per sweep is best here: planes stay in cache from one row to the next in any sweep, and halos are
 * filled between sweeps. */
kol_status laplace_steps_most(struct box b, struct blocks bl, struct cells cells, int *most)
{
    (void)b;
    (void)bl;
    (void)cells;
    *most = 1;
    return KOL_OK;
}

int laplace_steps_wanted(void)
{
    return 1;
}

kol_status laplace_steps(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly_steps p, const real *r, const real *z,
                         const real *z_prev, real *z_next, real *z_last)
{
    if (s.open != NULL) RAISE(KOL_ERR_INTERNAL, "laplace_steps: not with bodies");
    if (p.n != 1 || z_last != NULL)
        RAISE(KOL_ERR_INTERNAL, "laplace_steps: the CPU build takes 1 step in a sweep, not %d", p.n);
    if (z == NULL) return laplace_start(b, s, bl, cells, cg, p.first, r, z_next);
    return laplace_chebyshev(b, s, bl, cells, cg, p.momentum[0], p.step[0], p.y0, r, z, z_prev, z_next);
}
