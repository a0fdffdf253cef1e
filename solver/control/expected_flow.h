/* The flow that a run is expected to develop, as far as a few numbers tell it, for the estimates of
 * --check. */
#ifndef KOL_CONTROL_EXPECTED_FLOW_H
#define KOL_CONTROL_EXPECTED_FLOW_H

#include "state/domain.h"

/* expected_flow_courant: the Courant sum of the developed flow [1/T], for flows along walls that
 * wall_friction.h describes; 0 if it is not known. *speed: its largest speed along the stream [U].
 *
 *   turbulent   the log law's centreline velocity with a constant of 5.8 and 5 % more for the fluctuations,
 *               and 5 u_tau across the stream; the width of the cells along the walls' normal is their mean
 *   laminar     1.5 times the bulk velocity between two walls, 2.1 times in a duct */
double expected_flow_courant(const struct domain *domain, double *speed);

#endif
