/* Makes the solvers of a step again after bodies have vanished. */
#ifndef KOL_STEP_BODIES_RENEWAL_H
#define KOL_STEP_BODIES_RENEWAL_H

#include "step.h"

/* bodies_renewal: makes geometry, lists and solvers again without the bodies that have vanished by time t
 * (bodies_renew()). The next step has no guess of the pressure, and 'auto' chooses a preconditioner anew. The
 * flow is not changed. Collective. */
kol_status bodies_renewal(struct step *step, struct flow *flow, double t);

#endif
