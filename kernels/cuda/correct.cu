/* Corrects velocity and pressure in place, without waves. Multiplications and additions of this file are not
 * fused (Makefile), so that correct_limits.cu gives the same bits. */
#include "correct.cuh"

kol_status correct_unwaved(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w)
{
    return correct<false>(b, s, c, phi, p_old, p, u, v, w);
}

kol_status correct_packed_unwaved(struct box b, struct stencil s, struct correction c, real scale, int ring_z,
                                  const float *phi, const real *p_old, real *p, real *u, real *v, real *w)
{
    return correct_packed<false>(b, s, c, scale, ring_z, phi, p_old, p, u, v, w);
}
