/* Initial values of scalars. */
#ifndef KOL_SCALARS_SCALAR_INITIAL_H
#define KOL_SCALARS_SCALAR_INITIAL_H

#include "state/flow.h"

/* scalar_initial: sets scalar n to its initial values: the initial state and the disturbance of the inputs,
 * and the value of the body in cells whose centre lies in a body that has one. The halo becomes NaN.
 * The values do not depend on the number of ranks. */
kol_status scalar_initial(struct flow *flow, int n);
/* scalar_initial_all: does this for all scalars of the flow. */
kol_status scalar_initial_all(struct flow *flow);
/* scalar_initial_others: does this for all whose bit is not set in `given`. */
kol_status scalar_initial_others(struct flow *flow, unsigned given);

/* scalar_initial_given: sets scalar n to value[] (own cells, packed, x fastest) and its disturbance instead,
 * and to the value of the body in the same cells. host: room for a field. */
kol_status scalar_initial_given(struct flow *flow, int n, const double *value, real *host);

/* scalar_initial_hold: sets scalar n in the cells of these bodies alone, for values that come from a file. */
kol_status scalar_initial_hold(struct flow *flow, int n);

#endif
