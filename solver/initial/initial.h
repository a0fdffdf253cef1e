/* Initial flows by name. */
#ifndef KOL_INITIAL_INITIAL_H
#define KOL_INITIAL_INITIAL_H

#include "step/step.h"

/* initial_flow: the velocity of &initial at its staggered points, then made divergence-free by the discrete
 * operators (not needed, and not done, where it is so to rounding). The pressure stays zero. Collective.
 * docs/numerics/initial.md. */
kol_status initial_flow(struct step *step, struct flow *flow);
/* initial_project: make flow->vel divergence-free, to a small part of pressure.tolerance; nothing is done
 * where it is so to rounding. Collective. */
kol_status initial_project(struct step *step, struct flow *flow);
/* initial_courant_estimate: bound of the sum over directions of |velocity| / width for --check [1/T]. */
double initial_courant_estimate(const struct flow *flow);

/* initial_isotropic: one component (0, 1, 2) of the random solenoidal field of isotropic.c into host values
 * of this rank's own cells, packed, x fastest. Collective. */
kol_status initial_isotropic(const struct domain *domain, int component, double *value);

/* initial_channel: one component of the laminar flow between the walls of one direction, or of two, with
 * disturbances, likewise. initial_channel_speed: a bound of it [U]. */
kol_status initial_channel(const struct flow *flow, int component, double *value);
double initial_channel_speed(const struct flow *flow, int component);

#endif
