/* A dot product by the staged sums of sums.h. */
#ifndef KOL_KERNELS_VOLUME_DOT_H
#define KOL_KERNELS_VOLUME_DOT_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* volume_dot_product: sum: a c over the own cells, left for sums.h; nothing where cg->outcome says that the
 * iteration has ended (cg may be NULL: running). a may be c. Arrays in kernel memory. Per cell: 2 reads. */
kol_status volume_dot_product(struct box b, struct blocks bl, const struct cg_state *cg, const real *a,
                              const real *c);

/* volume_dot_weighted: sum: V a over the own cells, left for sums.h. V = wx wy wz of the stencil, whose other
 * members are not read. Per cell: 1 read. */
kol_status volume_dot_weighted(struct box b, struct blocks bl, struct stencil s, const real *a);

/* volume_dot_square: sum: V a^2 likewise. */
kol_status volume_dot_square(struct box b, struct blocks bl, struct stencil s, const real *a);

KOL_END_C

#endif
