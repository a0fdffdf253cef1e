/* The force that forcing.type = 'formula' asks for: given in space and time. docs/own-flows.md. */
#ifndef KOL_FORCING_FORMULA_FORCE_H
#define KOL_FORCING_FORMULA_FORCE_H

#include "math/rk3_scheme.h"
#include "state/flow.h"

/* formula_force_create: compiles the formulas into kernel memory. *out stays NULL if the inputs ask for no
 * such force. KOL_ERR_INPUT, with the component and the place, if at t = 0 it is not finite at one of about
 * 8^3 points outside bodies. The force acts on open faces alone: nothing is evaluated on those that bodies
 * close. formula_force_destroy: frees it and sets the pointer to NULL, which is allowed. */
kol_status formula_force_create(const struct domain *domain, struct formula_force **out);
void formula_force_destroy(struct formula_force **f);

/* formula_force_add: adds the force to the prediction of stage m. It is the force at the time when the stage
 * begins, and has the weights of a right-hand side, so that it has the order of the scheme. Without a force
 * nothing is done.
 *
 *   vel   the prediction, at all own points [U]
 *   old   the right-hand sides that the next stage reads [U/T]; NULL: there are none */
kol_status formula_force_add(const struct flow *flow, const struct rk3_scheme *rk, int m, real *const vel[3],
                             real *const old[3]);

/* formula_force_put: adds the force at the time of the flow to f [U/T], at all own points.
 *
 * formula_force_mean: returns what the force has added to the momentum of the fluid along d in the step that
 * has just ended, over its length [U^2 L^2]; NaN unless this step has forces on bodies. */
kol_status formula_force_put(const struct flow *flow, real *const f[3]);
double formula_force_mean(const struct flow *flow, int d);

/* formula_force_work: computes the power of the force at time t on the fluid, over the volume [U^2/T]; 0
 * without a force. Collective. */
kol_status formula_force_work(const struct flow *flow, double t, double *work);

/* formula_force_blame: for a flow that is no longer finite. Looks at the force at all own points and the
 * times of the stages of a step that begins at `begins`, and at the time of the flow. If it is not finite
 * somewhere, the fault names the component, the place and the time: KOL_ERR_INPUT before the first step,
 * KOL_ERR_NUMERICAL later. Collective. */
kol_status formula_force_blame(const struct flow *flow, double begins);

/* formula_force_push: returns the largest force at the time of the flow [U/T]: the largest sum of the sizes
 * of its components at 8^3 points of the grid, without those in bodies that neither travel nor vanish. It is
 * the same on all ranks. */
double formula_force_push(const struct flow *flow);

#endif
