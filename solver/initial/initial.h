/* Initial flows, by the name in initial.type. docs/numerics/initial.md. */
#ifndef KOL_INITIAL_INITIAL_H
#define KOL_INITIAL_INITIAL_H

#include "step/step.h"

/* initial_flow: fills flow->vel with the velocity of &initial at its staggered points, fills the planes of
 * open faces, and makes the velocity divergence-free (initial_project()). The pressure stays zero.
 * Collective. */
kol_status initial_flow(struct step *step, struct flow *flow);

/* initial_count: counts the arrays of the pool that initial_flow() takes, before any step. The pool must be
 * one that only counts. */
kol_status initial_count(struct flow *flow);

/* Both of these are for flows that are made elsewhere, as from a file.
 *
 * initial_set: sets the own cells of a velocity component to value[] (packed, x fastest) plus
 * initial.velocity, and its halo to NaN. host: room for a field.
 *
 * initial_given: starts the scalars, fills the planes of open faces, projects a velocity that comes from the
 * user, and writes into flow->given what the projection has changed. from: words for the log; given: one bit
 * for each scalar that has its values already. Collective. */
kol_status initial_set(struct flow *flow, int component, const double *value, real *host);
kol_status initial_given(struct step *step, struct flow *flow, const char *from, unsigned given);

/* initial_project: makes flow->vel divergence-free by the discrete operators, to a small part of
 * pressure.tolerance. If it is divergence-free to rounding already, it is not changed. Sets flow->now.speed.
 * Collective. */
kol_status initial_project(struct step *step, struct flow *flow);

/* initial_courant_estimate: returns an estimate, for --check, of the largest sum over directions of
 * |velocity| / width in the initial flow [1/T]. No field is needed. */
double initial_courant_estimate(const struct flow *flow);

/* initial_isotropic: fills flow->vel with the random solenoidal field of isotropic.c plus initial.velocity,
 * and its halo with NaN. If arrays are only counted, those that it takes are counted. Collective. */
kol_status initial_isotropic(struct flow *flow);

/* initial_formula: writes one component (0, 1, 2) of initial.type = 'formula' to value[]: host values of
 * this rank's own cells, packed, x fastest. KOL_ERR_INPUT if a value is not finite. Collective.
 *
 * initial_formula_courant: returns an estimate of the largest sum over directions of |velocity| / width, from
 * a sample of the points [1/T]. */
kol_status initial_formula(const struct domain *domain, int component, double *value);
double initial_formula_courant(const struct domain *domain);

/* initial_channel: the same for the laminar flow with disturbances between the walls of one direction or of
 * two. Local. */
kol_status initial_channel(const struct flow *flow, int component, double *value);

/* initial_channel_speed: returns a bound of this component's magnitude [U]. */
double initial_channel_speed(const struct flow *flow, int component);

/* initial_tell_skewness: if the flow begins with random waves, tells in the log how long the skewness of the
 * gradients needs to develop. Needs flow->now. */
void initial_tell_skewness(const struct flow *flow);

#endif
