/* The flow that a run is expected to develop, as far as a few numbers tell it, for the estimates of
 * --check. */
#ifndef KOL_CONTROL_EXPECTED_FLOW_H
#define KOL_CONTROL_EXPECTED_FLOW_H

#include "state/domain.h"

/* expected_flow_courant: returns the Courant sum of the developed flow [1/T], for flows along walls that
 * wall_friction.h describes. If it is not known, 0 is returned. *speed: the largest speed along the stream
 * [U].
 *
 *   turbulent   Along the stream, the speed is the log law's centreline velocity with a constant of 5.8,
 *               plus 5 % for the fluctuations. Across the stream it is 5 u_tau. The width of the cells along
 *               the walls' normal is their mean width.
 *   laminar     The speed is 1.5 times the bulk velocity between two walls, and 2.1 times in a duct. */
double expected_flow_courant(const struct domain *domain, double *speed);

#endif
