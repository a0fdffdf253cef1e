/* The exact inverse of the pressure's operator, as a preconditioner. docs/numerics/direct.md. */
#ifndef KOL_POISSON_DIRECT_H
#define KOL_POISSON_DIRECT_H

#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

struct direct;

/* direct_create: for the operator of grid_stencil(g, LOC_CCC, 0, 1). transport: halo_transport(). c is
 * borrowed, g and d only during the call. KOL_ERR_INPUT where a direction has too many cells, or two ranks
 * would exchange too many. Collective. */
kol_status direct_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                         const struct grid *g, const char *transport, struct direct **out);
/* direct_destroy: collective. */
void direct_destroy(struct direct **s);

/* direct_apply: z with A z = r - mean V, V the cell volumes and mean such that the right-hand side sums to
 * zero; the volume mean of z is 0. Both: own cells of fields of g->box in kernel memory, halos neither read
 * nor written; z may be r. Computed in double. The CPU build gives the same bits on any layout of the ranks;
 * the CUDA build: docs/numerics/direct.md, "Bits". In the queue in use. Collective. */
kol_status direct_apply(struct direct *s, const real *r, real *z);

#endif
