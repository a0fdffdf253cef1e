/* Averages of a scalar over one homogeneous direction for the budgets of its variance and of its fluxes.
 * docs/statistics.md, "Budgets of scalars over sections".
 *
 * All sums are at the centres of cells. 0 is the homogeneous direction s; 1 and 2 are the directions a and b
 * of the cross-section. u_d is the velocity along d in the cell, the mean of both faces; in the same way a
 * rate of u_d is the mean of both faces. Gradients at centres are half-half means of those on both faces of
 * the cell. */
#ifndef KOL_KERNELS_LINE_BUDGET_H
#define KOL_KERNELS_LINE_BUDGET_H

#include "line_average.h"

KOL_BEGIN_C

/* The sums. Those of three directions follow one another, in the order s, a, b. */
enum {
    LINE_B_C,    /* convection of T [own/T] */
    LINE_B_TC,   /* T times it [own^2/T] */
    LINE_B_M,    /* convection and diffusion of T */
    LINE_B_TM,   /* T times it */
    LINE_B_GRAD, /* squared gradients of T, of the faces of the cell [own^2/L^2] */
    LINE_B_DTA,  /* gradient of T along a [own/L] */
    LINE_B_DTB,
    LINE_B_DSA, /* gradient of u_s along a [1/T] */
    LINE_B_DSB,
    LINE_B_DAB, /* gradient of u_a along b */
    LINE_B_DBA,
    LINE_B_TA, /* T u_a [own U] */
    LINE_B_TB,
    LINE_B_SS, /* products of velocities in the cell [U^2] */
    LINE_B_AA,
    LINE_B_BB,
    LINE_B_SA,
    LINE_B_SB,
    LINE_B_AB,
    LINE_B_P,          /* pressure [U^2] */
    LINE_B_CONVECTION, /* T times convection of u_d, and u_d times that of T [own U/T] */
    LINE_B_TRANSPORT = LINE_B_CONVECTION + 3,    /* the same of convection and diffusion */
    LINE_B_UC = LINE_B_TRANSPORT + 3,            /* convection of u_d [U/T] */
    LINE_B_UM = LINE_B_UC + 3,                   /* its convection and diffusion */
    LINE_B_PRESSURE = LINE_B_UM + 3,             /* T times the gradient of the pressure along d [own U/T] */
    LINE_B_STRAIN = LINE_B_PRESSURE + 3,         /* pressure times the gradient of T along d [own U/T] */
    LINE_B_CALM = LINE_B_STRAIN + 3,             /* how many there are without buoyancy */
    LINE_B_TIMES_BUOYANCY = LINE_B_CALM,         /* T times the buoyancy along d [own U/T] */
    LINE_B_BUOYANCY = LINE_B_TIMES_BUOYANCY + 3, /* the buoyancy along d [U/T] */
    LINE_B_COUNT = LINE_B_BUOYANCY + 3
};

/* line_budget: the fields of a call, in kernel memory; arrays of three are in the order x, y, z.
 *
 *   theta        the scalar at ccc; one halo layer, faces
 *   convection   its convection at own points [own/T]
 *   transport    its convection and diffusion at own points [own/T]
 *   u_convection, u_momentum   convection of the velocity; its convection and diffusion [U/T]
 *   buoyancy     of the velocity [U/T]; NULL: there is none
 *   p            pressure at ccc
 *   held         bit f = 2 direction + side is set if the velocity on face f of the box is no unknown; its
 *                rates count as 0 there
 *
 * The rates of the velocity and the pressure need one halo layer beyond the faces that are not held. */
struct line_budget {
    const real *theta, *convection, *transport, *p;
    real *u_convection[3], *u_momentum[3], *buoyancy[3];
    unsigned held;
};

/* line_budget_sums: adds up terms times the width of the cell along the direction `along`, in the way and in
 * the places of line_scalar_sums(). There are LINE_B_COUNT sums, or LINE_B_CALM without buoyancy. vel: one
 * halo layer with edges. Per cell: 14 reads, with buoyancy 17. */
kol_status line_budget_sums(struct box b, struct metrics m, struct blocks bl, int along, int onto,
                            real *const vel[3], const struct line_budget *f, double *sums);

KOL_END_C

#endif
