/* Initial flows, by the name in initial.type. docs/numerics/initial.md. */
#ifndef KOL_INITIAL_INITIAL_H
#define KOL_INITIAL_INITIAL_H

#include "step/step.h"

/* initial_flow: fill flow->vel with the velocity of &initial at its staggered points, fill the planes of open
 * faces, and make the velocity divergence-free (initial_project()). The pressure stays zero. Collective. */
kol_status initial_flow(struct step *step, struct flow *flow);

/* initial_project: make flow->vel divergence-free by the discrete operators, to a small part of
 * pressure.tolerance. If it is divergence-free to rounding already, it is not changed. Sets flow->now.speed.
 * Collective. */
kol_status initial_project(struct step *step, struct flow *flow);

/* initial_courant_estimate: returns an estimate, for --check, of the largest sum over directions of
 * |velocity| / width in the initial flow [1/T]. No field is needed. */
double initial_courant_estimate(const struct flow *flow);

/* initial_isotropic: write one component (0, 1, 2) of the random solenoidal field of isotropic.c to value[]:
 * host values of this rank's own cells, packed, x fastest. Collective. */
kol_status initial_isotropic(const struct domain *domain, int component, double *value);

/* initial_channel: the same for the laminar flow with disturbances between the walls of one direction or of
 * two. Local. */
kol_status initial_channel(const struct flow *flow, int component, double *value);

/* initial_channel_speed: returns a bound of this component's magnitude [U]. */
double initial_channel_speed(const struct flow *flow, int component);

#endif
