/* The exact inverse on several ranks where x and y are uniform and periodic and whole planes can be
 * transformed: z is cut over all ranks, and between two transforms nothing but separators leaves its rank.
 * docs/numerics/direct.md, "Levels of several ranks". */
#ifndef KOL_POISSON_DIRECT_PLANES_H
#define KOL_POISSON_DIRECT_PLANES_H

#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "direct_operator.h"

struct direct_planes;

/* direct_planes_there: whether this is the way to go. */
int direct_planes_there(const struct comm *c, const struct decomp *d, const struct grid *g);
/* direct_planes_create: op: the operator with z left, planned alone where memory is only counted; transport:
 * that of the halo. c is borrowed, the others only during the call. Collective. direct_planes_destroy:
 * collective. */
kol_status direct_planes_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                                const struct grid *g, const struct direct_operator *op, const char *transport,
                                struct direct_planes **out);
void direct_planes_destroy(struct direct_planes **s);
/* direct_planes_apply: as direct_apply(). */
kol_status direct_planes_apply(struct direct_planes *s, const real *r, real *z);

#endif
