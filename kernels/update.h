/* Stage combinations of the Runge-Kutta schemes. */
#ifndef KOL_UPDATE_H
#define KOL_UPDATE_H

#include "base/status.h"

KOL_BEGIN_C

/* update_predict: the predicted velocity of a stage,
 *
 *     u = base + a ru + a_old ru_old - dts grad(p)
 *
 * at every own point of the three components; grad(p) at the face i is (p[i] - p[i-1]) / dx_f[i].
 *
 *   base     velocity the stage starts from [U], 3 arrays; may be the same arrays as vel
 *   r, r_old right-hand sides [U/T], 3 arrays each; r_old may be NULL (then a_old is not used)
 *   p        pressure [U^2] at ccc, one halo layer, low faces
 *   vel      out, 3 arrays [U]; halo untouched
 *
 * Per cell: 7 reads (10 with r_old), 3 writes. */
kol_status update_predict(struct box b, struct metrics m, real *const base[3], real *const r[3],
                          real *const r_old[3], real a, real a_old, real dts, const real *p,
                          real *const vel[3]);

/* update_extrapolate: y = c1 p1 + c2 p2 + c3 p3 - p at every own point: the guess of the pressure correction,
 * from pressures of earlier stages. Arrays whose coefficient is 0 are not read and may be NULL. y may be one of
 * p1, p2, p3. Per cell: up to 4 reads, 1 write. */
kol_status update_extrapolate(struct box b, real c1, const real *p1, real c2, const real *p2, real c3,
                              const real *p3, const real *p, real *y);

KOL_END_C

#endif
