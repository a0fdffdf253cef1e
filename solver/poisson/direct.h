/* The exact inverse of the pressure's operator, used as a preconditioner. docs/numerics/direct.md. */
#ifndef KOL_POISSON_DIRECT_H
#define KOL_POISSON_DIRECT_H

#include "state/domain.h"

struct direct;
struct direct_single;

/* direct_create: prepares the inverse of the operator grid_stencil(&domain->grid, LOC_CCC, 0, 1), in double
 * or in single precision (`single`; only without direct_single_obstacle()). Of the
 * domain it reads ranks, cells, grid and the transport of the halo; it borrows domain->comm, and arrays
 * come from domain->memory. KOL_ERR_INPUT if a direction has too many cells, or if two ranks would exchange
 * too many. Collective. */
kol_status direct_create(const struct domain *domain, int single, struct direct **out);
/* direct_destroy: frees the inverse. Collective. */
void direct_destroy(struct direct **s);

/* direct_apply: computes z from
 *
 *     A z = r - mean V
 *
 * where V are the cell volumes. mean is such that the right-hand side sums to zero. The volume mean of z is
 * 0.
 *
 *   r    in: own cells of a field of g->box in kernel memory; its halo is not read
 *   z    out: the same; its halo is not written; z may be r
 *
 * In double precision z is right to rounding, in single precision to that of single precision. The CPU build
 * gives the same bits on any layout of the ranks; for the CUDA build see docs/numerics/direct.md, "Bits".
 * Work goes to the queue in use. Collective. */
kol_status direct_apply(struct direct *s, const real *r, real *z);
/* direct_in_single: returns the inverse in single precision (direct_single.h); NULL: it is in double
 * precision. */
struct direct_single *direct_in_single(struct direct *s);

#endif
