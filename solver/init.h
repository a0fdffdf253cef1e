/* Initial flows by name. */
#ifndef KOL_INIT_H
#define KOL_INIT_H

#include "run.h"

/* init_flow: the velocity of &initial at its staggered points, then made divergence-free by the discrete operators (not
 * needed, and not done, where it is so to rounding). The pressure stays zero. Collective. docs/numerics/initial.md. */
kol_status init_flow(struct run *run);
/* init_project: make run->vel divergence-free, to a small part of pressure.tolerance; nothing is done where it is so to
 * rounding. Collective. */
kol_status init_project(struct run *run);
/* init_courant_estimate: bound of the sum over directions of |velocity| / width for --check [1/T]. */
double init_courant_estimate(const struct run *run);

/* init_isotropic: one component (0, 1, 2) of the random solenoidal field of init_isotropic.c into host values of this
 * rank's own cells, packed, x fastest. Collective. */
kol_status init_isotropic(struct run *run, int component, double *value);

/* init_channel: one component of the laminar flow between the walls of one direction, or of two, with disturbances, likewise.
 * init_channel_speed: a bound of it [U]. */
kol_status init_channel(const struct run *run, int component, double *value);
double init_channel_speed(const struct run *run, int component);

#endif
