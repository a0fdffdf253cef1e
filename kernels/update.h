/* Combinations of whole fields. */
#ifndef KOL_UPDATE_H
#define KOL_UPDATE_H

#include "base/status.h"

KOL_BEGIN_C

/* update_extrapolate: y = c1 p1 + c2 p2 + c3 p3 - p at every own point: the guess of the pressure correction,
 * from pressures of earlier stages. Arrays whose coefficient is 0 are not read and may be NULL. y may be one of
 * p1, p2, p3. Per cell: up to 4 reads, 1 write. */
kol_status update_extrapolate(struct box b, real c1, const real *p1, real c2, const real *p2, real c3,
                              const real *p3, const real *p, real *y);

KOL_END_C

#endif
