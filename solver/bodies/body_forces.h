/* Force and torque of the fluid on each body, added up over a step. docs/numerics/bodies.md, "Force on a
 * body". The sums are those of the values that the stages used, so the momentum of the fluid balances with
 * them to rounding. */
#ifndef KOL_BODIES_BODY_FORCES_H
#define KOL_BODIES_BODY_FORCES_H

#include "body_geometry.h"
#include "kernels/body_force.h"
#include "state/flow.h"

struct body_forces;
/* body_forces_create: lists the surfaces of all bodies, by segments. Collective.
 *
 *   interval   steps between two steps whose forces are wanted; 0: none, and *out is set to NULL */
kol_status body_forces_create(const struct domain *domain, const struct body_geometry *geometry, int interval,
                              struct body_forces **out);
void body_forces_destroy(struct body_forces **f);

/* body_forces_renew: lists the surfaces again after bodies have travelled; the turns are those of the
 * geometry's travellers. f may be NULL. */
kol_status body_forces_renew(struct body_forces *f, const struct body_geometry *geometry);

/* The following add to the forces of a step, if those of this step are wanted. f may be NULL.
 *
 * body_forces_predict: for stage m, with the velocity that it reads, its halos filled. */
kol_status body_forces_predict(struct body_forces *f, const struct flow *flow,
                               const struct body_points points[3], int m);
/* body_forces_turns: before body_forces_predict(), what the faces take that have opened or closed. base: the
 * velocity that the stage starts from; old: the right-hand sides of the stage before, or NULL. */
kol_status body_forces_turns(struct body_forces *f, const struct flow *flow, int m, real *const base[3],
                             real *const *old);
/* body_forces_drag: with the velocity of the stage before its projection. dts: length of the stage [T]. */
kol_status body_forces_drag(struct body_forces *f, const struct flow *flow,
                            const struct body_points points[3], double dts);
/* body_forces_pressure: with the pressure that the prediction has, and its correction phi [U^2]. The low
 * faces of their halos are filled. */
kol_status body_forces_pressure(struct body_forces *f, const struct flow *flow, double dts, const real *phi);

/* body_forces_known: returns whether the step that has just ended has forces. */
int body_forces_known(const struct body_forces *f, const struct flow *flow);
/* body_forces_collect: computes the mean force and torque over the step on each body, on rank 0:
 * value[body * BODY_FORCES + n], in the order of kernels/body_force.h [U^2 L^2, U^2 L^3]. On other ranks
 * value may be NULL. Collective. */
kol_status body_forces_collect(struct body_forces *f, const struct flow *flow, double *value);

#endif
