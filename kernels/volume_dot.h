/* Dot products and volume-weighted sums over the own cells, left for sums.h. */
#ifndef KOL_KERNELS_VOLUME_DOT_H
#define KOL_KERNELS_VOLUME_DOT_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* volume_dot_product: leaves the sum of a c over the own cells. If cg->outcome says that the iteration has
 * ended, it does nothing. cg may be NULL. a may be c. Arrays are in kernel memory. Per cell: 2 reads. */
kol_status volume_dot_product(struct box b, struct blocks bl, const struct cg_state *cg, const real *a,
                              const real *c);

/* volume_dot_weighted: leaves the sum of V a over the own cells. V is wx wy wz of the stencil; its other
 * members are not read. Per cell: 1 read. */
kol_status volume_dot_weighted(struct box b, struct blocks bl, struct stencil s, const real *a);

/* volume_dot_square: leaves the sum of V a^2 over the own cells. */
kol_status volume_dot_square(struct box b, struct blocks bl, struct stencil s, const real *a);

KOL_END_C

#endif
