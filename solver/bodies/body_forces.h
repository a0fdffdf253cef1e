/* Force and torque of the fluid on each body, added up over a step. docs/numerics/bodies.md, "Force on a
 * body". The sums are those of the values that the stages used, so the momentum of the fluid balances with
 * them to rounding. */
#ifndef KOL_BODIES_BODY_FORCES_H
#define KOL_BODIES_BODY_FORCES_H

#include "body_geometry.h"
#include "kernels/body_stress.h"
#include "body_surfaces.h"
#include "state/flow.h"

struct body_forces;
/* body_forces_create: lists the surfaces of all bodies, by segments. Collective.
 *
 *   interval   steps between two steps whose forces are wanted; 0: none, and *out is set to NULL */
kol_status body_forces_create(const struct domain *domain, const struct body_geometry *geometry, int interval,
                              struct body_forces **out);
void body_forces_destroy(struct body_forces **f);

/* body_forces_renew: lists the surfaces again after bodies have travelled. Which faces have opened or closed
 * is known from the geometry's travellers. f may be NULL. */
kol_status body_forces_renew(struct body_forces *f, const struct body_geometry *geometry);

/* The next four functions add one contribution of a stage each to the forces of the step. They do nothing if
 * the forces of this step are not wanted, or if f is NULL.
 *
 * body_forces_predict: adds what crosses the surfaces by convection, the plain stencil and the explicit part
 * of the viscous term in stage m. flow->vel is the velocity that the stage reads, its halos filled. */
kol_status body_forces_predict(struct body_forces *f, const struct flow *flow, int m);
/* body_forces_turns: adds the momentum of faces that have opened or closed. It is called before
 * body_forces_predict(). base: the velocity that the stage starts from; old: the right-hand sides of the
 * stage before, or NULL. */
kol_status body_forces_turns(struct body_forces *f, const struct flow *flow, int m, real *const base[3],
                             real *const *old);
/* body_forces_drag: adds the implicit part of the viscous term. The velocity is that of the stage before its
 * projection. dts: length of the stage [T]. */
kol_status body_forces_drag(struct body_forces *f, const struct flow *flow,
                            const struct body_points points[3], double dts);
/* body_forces_pressure: adds the pressure, which is that of the prediction plus its correction phi [U^2]. The
 * low faces of the halos of both are filled. phi: NULL if the pressure has it already. body_forces_adding:
 * returns whether forces of this step are wanted; if not, the functions above do nothing. */
int body_forces_adding(const struct body_forces *f, const struct flow *flow);
kol_status body_forces_pressure(struct body_forces *f, const struct flow *flow, double dts, const real *phi);

/* body_forces_items: returns the links and closed faces in kernel memory. body_forces_surfaces: returns them
 * in host memory, in the same order; borrowed. */
struct body_items body_forces_items(const struct body_forces *f);
const struct body_surfaces *body_forces_surfaces(const struct body_forces *f);

/* body_forces_known: returns whether the step that has just ended has forces. */
int body_forces_known(const struct body_forces *f, const struct flow *flow);
/* body_forces_collect: computes the mean force and torque over the step on each body, on rank 0:
 * value[body * BODY_FORCES + n], in the order of kernels/body_force.h [U^2 L^2, U^2 L^3]. On other ranks
 * value may be NULL. Collective. */
kol_status body_forces_collect(struct body_forces *f, const struct flow *flow, double *value);

#endif
