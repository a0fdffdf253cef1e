/* Open faces, through which fluid passes. The kernels compute the planes of velocity (wall.h) in each stage,
 * and sums over a face. docs/numerics/open.md. All arrays are in kernel memory. A plane reaches one value
 * beyond the own cells along the face. */
#ifndef KOL_OPEN_FACE_H
#define KOL_OPEN_FACE_H

#include "base/status.h"
#include "wall.h"

KOL_BEGIN_C

/* open_mix: computes out = a x + b y for n values. y may be NULL. out may be x or y. */
kol_status open_mix(ptrdiff_t n, real a, const real *x, real b, const real *y, real *out);

/* open_fill: fills the plane of `face` as if the velocity did not change across the face. The values come
 * from the cells inside, half a cell or a cell away. Beyond walls along the face the plane takes the values
 * on their inner side. vel: one halo layer at faces and edges. */
kol_status open_fill(struct box b, struct walls w, int face, real *const vel[3], real *plane);

/* open_convect: takes one stage of dq/dt + speed dq/dn = 0 for the plane q of `face`, where n points outward.
 * q holds the velocity component through the face on the face itself, and the two components along the face
 * in the layer beyond it:
 *
 *     F = -speed (q - q_inside) / distance ;    plane = base + a F + a_old old ;    old = F
 *
 * q and q_inside come from vel, the velocity of the stage before. Its halo was filled from the plane of that
 * stage. If fluid would flow in through the face, the velocity is set to 0. base may be plane. If a_old = 0,
 * old is not read. If old is NULL, F is not kept. */
struct open_stage {
    real speed;    /* [U] */
    real a, a_old; /* weights times dt [T] */
};
kol_status open_convect(struct box b, struct metrics m, struct walls w, int face, struct open_stage s,
                        real *const vel[3], const real *base, real *old, real *plane);

/* open_shift: adds `shift` to the velocity through the face, counted outward. */
kol_status open_shift(struct box b, int face, real shift, real *plane);

/* open_impulse: computes impulse = keep impulse + weight p. p comes from the cells inside. There is one value
 * for each place of a component of a plane [U^2]. */
kol_status open_impulse(struct box b, int face, real keep, real weight, const real *p, real *impulse);

/* Sums over a face. The last entry is a maximum. */
enum {
    OPEN_FLUX,    /* flux of volume, outward [U L^2] */
    OPEN_ENERGY,  /* flux of kinetic energy by convection, outward: what the momentum equations of the cells
                     inside lose [U^3 L^2] */
    OPEN_WORK,    /* work of the pressure `impulse` on the fluid over the step, from `before` [U^3 L^2] */
    OPEN_KINETIC, /* kinetic energy of the points on the face, with the half of their volume in the box [U^2
                     L^3] */
    OPEN_SUMS,
    OPEN_SPEED = OPEN_SUMS, /* largest |q| on the plane [U] */
    OPEN_COUNT
};
/* open_sums: computes the first `count` of these quantities over this rank's part of the face; count is 1 or
 * OPEN_COUNT. The result is
 *
 *     rows[(quantity * rows of the face + j) * blocks + block]
 *
 * There is one value for each row j along the second direction of the face and each block of bl along the
 * first. Terms are added in order, so the bits are the same on any number of ranks.
 *
 * OPEN_FLUX reads the plane alone. The other quantities also read the planes `impulse` and `before`, which is
 * the velocity at the start of the step. They read vel with one halo layer, edges included, which must be
 * filled beyond the face. */
struct open_look {
    const real *plane, *before, *impulse;
    real turn[3]; /* twice the angular velocity of the frame [1/T] */
    real *const *vel;
};
kol_status open_sums(struct box b, struct metrics m, struct walls w, struct blocks bl, int face, int count,
                     struct open_look look, double *rows);

KOL_END_C

#endif
