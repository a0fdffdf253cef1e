/* The bodies of a run in kernel memory, and what they do in a stage. They give the faces inside them the
 * velocity of the body. They change the viscous term and the drive at the faces beside their surface.
 * docs/numerics/bodies.md.
 *
 * A stage calls, in this order: bodies_guess_begin() and bodies_guess() if the guess of the pressure belongs
 * to the prediction, bodies_predict() after the right-hand sides, bodies_drag(), bodies_hold_stage(),
 * bodies_push() if a force drives the flow, then the pressure correction over open faces and, where it
 * changes closed ones, bodies_hold(); bodies_beyond() after a correction by an increment. Without bodies
 * (flow->bodies is NULL) all of these functions do nothing. */
#ifndef KOL_BODIES_BODIES_H
#define KOL_BODIES_BODIES_H

#include "body_forces.h"
#include "body_geometry.h"
#include "body_lists.h"
#include "body_scalars.h"
#include "body_stresses.h"
#include "kernels/body.h"
#include "kernels/body_travel.h"
#include "kernels/level_cg.h"
#include "state/flow.h"

enum { TRAVEL_ROOMS = 6, BODIES_LEFT = 3 };
struct bodies {
    struct domain *domain;          /* borrowed */
    struct body_geometry *geometry; /* borrowed; only bodies_travel.c changes it */
    struct body_geometry *own;      /* the same, if bodies_renew() made it; else NULL */
    int removed;                    /* bodies_removed() of the state that it belongs to */
    unsigned char *open;            /* the mask of struct stencil, in kernel memory */
    struct body_points points[3];   /* of the three components */
    real *lead[3];                  /* their lead, which points has in stages that have a guess */
    /* the pressure whose halo is filled at the low faces, in step `filled_in` alone; NULL: none */
    const real *filled;
    long long filled_in;
    int filling; /* whether bodies_guess_begin() has begun to fill one */
    int stage;   /* the latest of bodies_predict() */
    /* the pressure in whose place the prediction takes a guess; NULL: there is none, or it may be gone */
    const real *before;
    struct body_held held[3]; /* faces in bodies that turn */
    struct body_turns
        turned; /* faces that travelling bodies have opened or closed in a stage with old rates */
    struct point_rooms point_rooms[3];
    struct held_rooms held_rooms[3];
    struct kernel_room travel_rooms[TRAVEL_ROOMS]; /* of bodies_travel.c */
    struct body_forces *forces;                    /* NULL: they are not wanted */
    struct body_scalars *scalars;                  /* NULL: no body holds a scalar */
    struct body_stresses *stresses;                /* surface data; NULL: they are not wanted */
    /* The potential that projects a uniform field along the force over the open faces [L], one array of the
     * pool, and its gradient at the points. NULL: not computed, because no drive needs it. */
    real *potential;
    real *gradient;
    int answers;           /* whether they and `response` are known */
    double open_volume[3]; /* of the open faces of each component; all 0 until bodies_measure() [L^3] */
    int turns;             /* whether a body or its surface moves, on any rank */
    /* the volume of the cells of this rank that bodies which travel have covered, in COVERED_UNITS of the
     * box: whole numbers, so that the sum over ranks is exact; and the part of the box on all ranks */
    long long covered_own;
    double covered;
    double response; /* what a unit of force over open faces leaves in the mean velocity, without the drag */
    struct {
        double dts, left;
    } left[BODIES_LEFT]; /* the last results of bodies_left(), by length of the stage; dts = 0: none */
    int left_next;       /* which of them is replaced next */
    double lifted;    /* what the last move of bodies has added to the sum of V p over the fluid [U^2 L^3] */
    double pushed[3]; /* what a uniform force has added to open faces in the last stage that had one [U] */
    /* of bodies that travel: the energy that the fluid has got in the stages so far of step `step` (-1:
     * none), and how fast in the last of them, both over the volume of the box [U^2, U^2/T];
     * step/travel_energy.h */
    struct {
        long long step;
        double got, rate;
    } energy;
};

/* bodies_create: moves a geometry into kernel memory, and sets domain->grid.open, the mask of the pressure's
 * operator. Call it after domain->reduction is made, and before the solvers are.
 *
 *   geometry   NULL: there are no bodies, and *out is set to NULL
 *
 * Collective. */
kol_status bodies_create(struct domain *domain, struct body_geometry *geometry, struct bodies **out);
/* bodies_destroy: frees them; domain->grid.open becomes NULL. It accepts *bodies = NULL. */
void bodies_destroy(struct domain *domain, struct bodies **bodies);

/* bodies_renew: makes the geometry and the lists again without the bodies that have vanished by time t, if
 * there are such bodies. If no body is left, flow->bodies becomes NULL. The array of the pool that a drive
 * needs is dropped. The velocity is not changed: faces that were closed keep the velocity of their body. The
 * solvers of step->poisson refer to the old mask, so the caller destroys them before, and makes them again
 * afterwards. Collective. */
kol_status bodies_renew(struct flow *flow, double t);

/* The next two functions add to the forces on bodies and to their surface data. bodies_finish: adds what
 * bodies_drag() has done. It is called before the projection of a stage, after everything that drives the
 * flow. bodies_pressure: adds what the pressure does. It is called when phi is known, before the pressure is
 * changed; or, with phi = NULL, when flow->pressure.p is that of the stage. */
kol_status bodies_finish(struct flow *flow, double dts);
kol_status bodies_pressure(struct flow *flow, double dts, const real *phi);

/* bodies_surface_stored, bodies_surface_view: return body_stresses_stored() and body_stresses_view() of the
 * bodies; without bodies nothing is stored. */
int bodies_surface_stored(const struct flow *flow);
struct io_view bodies_surface_view(const struct flow *flow);

/* bodies_stored: returns the number of bodies that a checkpoint stores; 0 without bodies. */
double bodies_stored(const struct flow *flow);
/* bodies_hash: returns the hash of their geometry (struct body_geometry); 0 without bodies. */
double bodies_hash(const struct flow *flow);

/* bodies_hold: gives the closed faces of this rank the velocity of their body.
 *
 * bodies_closed_at_once: returns the mask of the faces if nothing gives closed faces a velocity between the
 * prediction of a stage, which then sets them to 0 (momentum_stage_open()), and bodies_hold_stage(); else
 * NULL. bodies_hold_stage: does what bodies_hold() does, after such a prediction. */
kol_status bodies_hold(struct flow *flow);
const unsigned char *bodies_closed_at_once(const struct flow *flow);
kol_status bodies_hold_stage(struct flow *flow);

/* bodies_predict: adds the explicit part of the viscous term beside bodies to the prediction `out`, and keeps
 * the velocity that the stage starts from, `base`. Unless buoyancy or a force by formulas acts, it also
 * applies the implicit part.
 *
 *   m     number of the stage
 *   old   right-hand sides that the next stage reads; NULL: they are not kept
 *
 * flow->vel is the velocity that the stage reads, its halos and that of the pressure filled. */
kol_status bodies_predict(struct flow *flow, int m, real *const base[3], real *const *old,
                          real *const out[3]);

/* bodies_guess: tells the bodies, before bodies_predict(), that the prediction of this stage takes a guess of
 * its pressure, flow->pressure.p, in the place of the pressure `before`. Beside bodies the drag acts on the
 * prediction with the pressure before, and the difference comes after it: so the result is that of a guess of
 * the correction. before: NULL if the pressure is the same; its halo is filled. stays: whether it keeps its
 * values until bodies_predict(). Collective. */
kol_status bodies_guess(struct flow *flow, real *before, int stays);

/* bodies_guess_begin: may be called before bodies_guess() with the same `before`. It begins to fill the halo
 * of this pressure. Then the compute queue may be given work that neither touches this halo nor changes the
 * own cells. No other exchange may be begun in between. Collective. */
kol_status bodies_guess_begin(struct flow *flow, real *before);

/* bodies_beyond: fills the low faces of the halo of p, to which an increment has just been added, if a later
 * part of the step reads them. Cells of other ranks get the bits that these ranks compute, from the halos of
 * p_old and phi, so there are no messages.
 *
 *   phi, mean   the increment and what is taken off, as project_correct_single() got them; phi.d is NULL if
 *               p has been changed otherwise: then nothing is filled, and who reads the halo fills it
 *
 * p_old: the pressure before, its halo filled at the low faces; it may be p. */
kol_status bodies_beyond(struct flow *flow, double mean, struct level_sum phi, const real *p_old, real *p);

/* bodies_drag: applies the implicit part of the viscous term beside bodies to flow->vel, the prediction,
 * unless bodies_predict() has done so. dts: length of the stage [T]. */
kol_status bodies_drag(struct flow *flow, double dts);

/* bodies_push: adds to flow->vel[d] the effect of a uniform force along d: `shift` [U] at open faces, and
 * less beside walls. It is called after bodies_drag(). */
kol_status bodies_push(struct flow *flow, int d, double dts, double shift);

/* bodies_mean: computes the volume mean along d that flow->vel will have after its projection, faces in
 * bodies included [U]. Needs bodies->potential, which is that of direction d. Collective. */
kol_status bodies_mean(struct flow *flow, int d, double *mean);
/* bodies_left: computes how much of a `shift` of bodies_push() remains in that mean after the projection. It
 * stores the results for three lengths of a stage, so that steps of equal length need no new sum. Collective.
 */
kol_status bodies_left(struct flow *flow, int d, double dts, double *left);
/* bodies_response: computes what bodies_mean() and bodies_left() need, from the potential that projects a
 * unit field along d. flow->vel is the unit field. The halo of the potential is filled. */
kol_status bodies_response(struct flow *flow, int d, real *potential);

/* bodies_measure: computes bodies->open_volume. It takes an array of the pool for a while. Collective. */
kol_status bodies_measure(struct flow *flow);

/* bodies_loss: computes the kinetic energy that the fluid loses at bodies in addition to the dissipation of
 * the plain stencil, which knows no wall distances. The result is a rate over the volume of the box [U^2/T];
 * it is 0 without bodies. Halos of flow->vel are filled. Collective. */
kol_status bodies_loss(struct flow *flow, double *loss);

#endif
