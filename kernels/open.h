/* Faces of the grid that fluid passes through: what their planes (wall.h) hold in each stage, and the sums
 * over a face. docs/numerics/open.md. All arrays in kernel memory; planes reach one value beyond the own
 * cells along the face. */
#ifndef KOL_OPEN_H
#define KOL_OPEN_H

#include "base/status.h"
#include "wall.h"

KOL_BEGIN_C

/* open_mix: out = a x + b y, n values; y may be NULL, out may be x or y. */
kol_status open_mix(ptrdiff_t n, real a, const real *x, real b, const real *y, real *out);

/* open_fill: the plane of `face` from the cells inside: the velocity half a cell or a cell away, as if
 * nothing changed across the face. Beyond walls along the face the plane takes what is on their inner side.
 * vel: one halo layer, faces and edges. */
kol_status open_fill(struct box b, struct walls w, int face, real *const vel[3], real *plane);

/* open_faces_stage: one stage of dq/dt + speed dq/dn = 0, n outward, for the plane q of `face`, the velocity
 * through the face and the values beyond it of the velocity along it: F = -speed (q - q_inside) / distance ;
 * plane = base + a F + a_old old ;    old = F with q and q_inside from vel, the velocity of the stage before,
 * whose halo is filled from the plane of then. What would flow in through the face is set to 0. base may be
 * plane. old is not read where a_old = 0; NULL: F is not kept. */
struct open_stage {
    real speed;    /* [U] */
    real a, a_old; /* weights times dt [T] */
};
kol_status open_convect(struct box b, struct metrics m, struct walls w, int face, struct open_stage s,
                        real *const vel[3], const real *base, real *old, real *plane);

/* open_shift: the velocity through the face, outward, plus shift. */
kol_status open_shift(struct box b, int face, real shift, real *plane);

/* open_impulse: impulse = keep impulse + weight p of the cells inside, at one value for each of a plane's
 * component [U^2]. */
kol_status open_impulse(struct box b, int face, real keep, real weight, const real *p, real *impulse);

/* Sums over a face, and a maximum. */
enum {
    OPEN_FLUX,    /* of volume, outward [U L^2] */
    OPEN_ENERGY,  /* of kinetic energy by convection, outward: what the momentum equations of the cells inside
                     lose [U^3 L^2] */
    OPEN_WORK,    /* of the pressure `impulse` on the fluid, over the step from `before` [U^3 L^2] */
    OPEN_KINETIC, /* kinetic energy of the points on the face, with the half of their volume in the box [U^2
                     L^3] */
    OPEN_SUMS,
    OPEN_SPEED = OPEN_SUMS, /* largest |q| on the plane [U] */
    OPEN_COUNT
};
/* open_sums: the first `count` of these, 1 or OPEN_COUNT, over the row pieces of this rank's part of the
 * face: rows[(quantity * rows of the face + j) * blocks + block] one for each row j along the second
 * direction and each block of bl along the first, added in order: the same bits on any ranks. OPEN_FLUX reads
 * the plane alone; the rest vel, one halo layer with edges and filled beyond the face, and the planes impulse
 * and before (the velocity at the start of the step). */
struct open_look {
    const real *plane, *before, *impulse;
    real turn[3]; /* twice the rotation of the frame [1/T] */
    real *const *vel;
};
kol_status open_sums(struct box b, struct metrics m, struct walls w, struct blocks bl, int face, int count,
                     struct open_look look, double *rows);

KOL_END_C

#endif
