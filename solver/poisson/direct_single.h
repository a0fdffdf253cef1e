/* The exact inverse in single precision, in the CUDA build, if x and y are uniform and periodic and each rank
 * has all of them. docs/numerics/direct.md, "Single precision". */
#ifndef KOL_POISSON_DIRECT_SINGLE_H
#define KOL_POISSON_DIRECT_SINGLE_H

#include "direct_operator.h"
#include "state/domain.h"

struct direct_single;

/* direct_single_obstacle: returns why the inverse of this grid can't be in single precision; NULL: it can. */
const char *direct_single_obstacle(const struct domain *domain);
/* direct_single_create: prepares the inverse. op is the operator with z left; if memory is only counted, it
 * needs only direct_operator_plan(). It reads the same members of the domain as direct_create(), and borrows
 * domain->comm. Collective. */
kol_status direct_single_create(const struct domain *domain, const struct direct_operator *op,
                                struct direct_single **out);
/* direct_single_destroy: frees the inverse. Collective. */
void direct_single_destroy(struct direct_single **s);
/* direct_single_apply: does the same as direct_apply(), with the rounding of single precision. Collective. */
kol_status direct_single_apply(struct direct_single *s, const real *r, real *z);

/* direct_single_values: returns the array in which the inverse works: own cells of a field, packed
 * (kernels/packed.h), in kernel memory. direct_single_solve: replaces the right-hand side in it by the
 * solution. The values should be neither huge nor tiny for single precision; the solution has the scale of
 * the right-hand side. Collective.
 *
 * direct_single_rings: whether neighbours of the solution across a periodic boundary in z are at the other
 * end of the array: on one rank. On several ranks the planes of the neighbours lie before and after it. */
float *direct_single_values(struct direct_single *s);
kol_status direct_single_solve(struct direct_single *s);
int direct_single_rings(const struct direct_single *s);

#endif
