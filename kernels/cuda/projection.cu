/* Computes the divergence, and the correction of velocity and pressure. */
#include "../projection.h"
#include "correct.cuh"
#include "divergence.cuh"

kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells, real dts,
                              const real *u, const real *v, const real *w, real *rhs)
{
    return diverge<real, false>(b, b, m, bl, cells, dts, 1, u, v, w, rhs, nothing_more());
}

kol_status project_divergence_single(struct box b, struct box q, struct metrics m, struct blocks bl,
                                     struct cells cells, real dts, real scale, const real *u, const real *v,
                                     const real *w, float *rhs)
{
    return diverge<float, true>(b, q, m, bl, cells, dts, scale, u, v, w, rhs, nothing_more());
}

kol_status project_divergence_bulk(struct box b, struct metrics m, struct blocks bl, struct cells cells,
                                   real dts, const real *u, const real *v, const real *w, real *rhs,
                                   struct bulk bulk)
{
    return diverge<real, false>(b, b, m, bl, cells, dts, 1, u, v, w, rhs, bulk);
}

kol_status project_divergence_single_bulk(struct box b, struct box q, struct metrics m, struct blocks bl,
                                          struct cells cells, real dts, real scale, const real *u,
                                          const real *v, const real *w, float *rhs, struct bulk bulk)
{
    return diverge<float, true>(b, q, m, bl, cells, dts, scale, u, v, w, rhs, bulk);
}

kol_status project_correct(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w)
{
    return c.waves.row != NULL ? correct<true>(b, s, c, phi, p_old, p, u, v, w)
                               : correct_unwaved(b, s, c, phi, p_old, p, u, v, w);
}

kol_status project_correct_packed(struct box b, struct stencil s, struct correction c, real scale, int ring_z,
                                  const float *phi, const real *p_old, real *p, real *u, real *v, real *w)
{
    return c.waves.row != NULL ? correct_packed<true>(b, s, c, scale, ring_z, phi, p_old, p, u, v, w)
                               : correct_packed_unwaved(b, s, c, scale, ring_z, phi, p_old, p, u, v, w);
}
