/* Conjugate gradients in single precision on the first level of the multigrid, which has the cells of the
 * fields. docs/numerics/pressure.md, "Increments in single precision".
 *
 * All arrays are in kernel memory and of the level's box. Halo layers are needed as in level.h. In a box with
 * bodies z and d are 0 in dead cells, and a sweep reads 1 byte a cell more. Sums and maxima are of double
 * precision, for sums.h. */
#ifndef KOL_LEVEL_CG_H
#define KOL_LEVEL_CG_H

#include "level.h"
#include "projection.h"

KOL_BEGIN_C

/* level_products: forms the sums r.z, z.A z and V z. z: one halo layer at the faces. Per cell: 2 reads. */
kol_status level_products(struct box lb, struct level_stencil s, struct blocks bl, struct cells cells,
                          const level_real *r, const level_real *z);

/* level_reduce: forms q = r - alpha A d, its sum, and the maximum of |q| / V. keep: r becomes q. d: one halo
 * layer at the faces. Per cell: 2 reads; with keep also 1 write. */
kol_status level_reduce(struct box lb, struct level_stencil s, struct blocks bl, struct cells cells,
                        level_real alpha, int keep, const level_real *d, level_real *r);

/* level_turn: takes the next direction, at the own cells,
 *
 *     x = x + alpha d,    d = z + beta d
 *
 * first: x counts as 0 before. Per cell: 3 reads (2 if first), 2 writes. */
kol_status level_turn(struct box lb, int first, level_real alpha, level_real beta, const level_real *z,
                      level_real *d, level_real *x);

/* level_sum: phi = a d + c x, in double precision. x: NULL if it counts as 0. */
struct level_sum {
    struct box box;  /* of d and x */
    unsigned around; /* as in struct cells */
    double a, c;
    const level_real *d, *x; /* one halo layer at the low faces */
};

/* level_add: x += phi at the own cells of field x, whose box is b. Per cell in double precision: 1.5 reads (2
 * with two arrays), 1 write. */
kol_status level_add(struct box b, struct level_sum phi, real *x);

/* project_correct_single: does the work of project_correct() with such a phi and factor 0. Faces that s.open
 * closes keep their velocity, and p is 0 in dead cells; then p is not NULL, and there are no waves. Per cell
 * in double precision: 4.5 reads (5 with x), 4 writes; with bodies 1 byte more. */
kol_status project_correct_single(struct box b, struct stencil s, struct correction c, struct level_sum phi,
                                  const real *p_old, real *p, real *u, real *v, real *w);

/* project_pressure_beyond: forms p at halo cells, with the bits that project_correct_single() gives to them
 * where they are own cells. So nobody has to send them. Per halo cell in double precision: 1.5 reads (2 with
 * x), 1 write; with bodies 1 byte more.
 *
 *   open    mask of struct stencil, whose halo is filled; p is 0 in dead cells. NULL: all cells are live
 *   mean    as in struct correction [U^2]
 *   faces   low faces: bit f is set if the layer beyond face f is formed, without edges and corners
 *   phi     x and d filled in these cells; around is not looked at
 *   p_old   [U^2], filled in these cells
 *   p       [U^2]; may be p_old */
kol_status project_pressure_beyond(struct box b, const unsigned char *open, real mean, unsigned faces,
                                   struct level_sum phi, const real *p_old, real *p);

KOL_END_C

#endif
