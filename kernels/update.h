/* Combinations of whole fields, and zeros beyond faces. */
#ifndef KOL_UPDATE_H
#define KOL_UPDATE_H

#include "base/status.h"

KOL_BEGIN_C

/* update_combine: computes y = c1 p1 + c2 p2 at every own point. It makes the guess of the pressure
 * correction from pressures of earlier stages. Arrays whose coefficient is 0 are not read and may be NULL. y
 * may be p1 or p2. Per cell: up to 2 reads, 1 write. */
kol_status update_combine(struct box b, real c1, const real *p1, real c2, const real *p2, real *y);

/* update_combine_three: computes y = c1 p1 + c2 p2 + c3 p3. y may be one of them. Per cell: 3 reads, 1
 * write. */
kol_status update_combine_three(struct box b, const real c[3], const real *const p[3], real *y);

/* update_shift: u += shift[0] profile and so on at every own point of three components; profile: a factor
 * of the first two at each level k, in kernel memory, NULL: 1. Components whose shift is 0 are left out. Per
 * cell and component: 1 read, 1 write. */
kol_status update_shift(struct box b, const real shift[3], const real *profile, real *const u[3]);

/* update_zero_beyond: sets all halo cells beyond the faces in `faces` to 0 (bit f: face f of types.h), in
 * all layers, including edges and corners. Per cell of a face: 2 writes. */
kol_status update_zero_beyond(struct box b, unsigned faces, real *x);

KOL_END_C

#endif
