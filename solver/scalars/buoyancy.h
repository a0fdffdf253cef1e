/* The buoyancy of scalars: the Boussinesq force on the velocity. docs/numerics/scalars.md. */
#ifndef KOL_SCALARS_BUOYANCY_H
#define KOL_SCALARS_BUOYANCY_H

#include "math/rk3_scheme.h"
#include "state/flow.h"

/* buoyancy_create: makes what the force needs. *out stays NULL if the inputs ask for no buoyancy.
 * buoyancy_destroy: frees it and sets the pointer to NULL, which is allowed. */
kol_status buoyancy_create(const struct domain *domain, struct buoyancy **out);
void buoyancy_destroy(struct buoyancy **b);

/* buoyancy_add: adds the buoyancy to the prediction of stage m. It is that of the scalars before the stage,
 * and has the weights of a right-hand side, so that it has the order of the scheme. Without buoyancy nothing
 * is done.
 *
 *   vel   the prediction, at all own points [U]
 *   old   the right-hand sides that the next stage reads [U/T]; NULL: there are none
 *
 * The halos of the scalars must be filled. */
kol_status buoyancy_add(const struct flow *flow, const struct rk3_scheme *rk, int m, real *const vel[3],
                        real *const old[3]);

/* buoyancy_put: adds the buoyancy of the present scalars to f [U/T], at all own points, as a stage has it.
 * The halos of the scalars must be filled. Without buoyancy nothing is done. */
kol_status buoyancy_put(const struct flow *flow, real *const f[3]);

/* buoyancy_field: computes the buoyancy at all own points [U/T], with the state of rest left out: it is the
 * sum of lift times scalar. The halos of the scalars must be filled. Without buoyancy nothing is done. */
kol_status buoyancy_field(const struct flow *flow, real *const out[3]);

/* buoyancy_work: computes the power of the buoyancy over the volume [U^2/T]; 0 without buoyancy. The halos of
 * the flow must be filled. Collective. */
kol_status buoyancy_work(const struct flow *flow, double *work);

#endif
