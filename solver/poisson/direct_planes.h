/* The exact inverse on several ranks, if x and y are uniform and periodic and complete planes can be
 * transformed. z is divided between all ranks. Between two transforms only separators are sent to other
 * ranks. docs/numerics/direct.md, "Levels of several ranks". */
#ifndef KOL_POISSON_DIRECT_PLANES_H
#define KOL_POISSON_DIRECT_PLANES_H

#include "direct_operator.h"
#include "state/domain.h"

struct direct_planes;

/* direct_planes_there: returns whether this method can be used and is the one to use. */
int direct_planes_there(const struct domain *domain);
/* direct_planes_create: prepares the inverse. It reads the same members of the domain as direct_create(),
 * and borrows domain->comm. op is the operator with z left; if memory is only counted, it needs only
 * direct_operator_plan(). Collective. */
kol_status direct_planes_create(const struct domain *domain, const struct direct_operator *op,
                                struct direct_planes **out);
/* direct_planes_destroy: frees the inverse. Collective. */
void direct_planes_destroy(struct direct_planes **s);
/* direct_planes_apply: does the same as direct_apply(). */
kol_status direct_planes_apply(struct direct_planes *s, const real *r, real *z);

#endif
