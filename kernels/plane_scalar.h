/* Averages of a scalar over planes parallel to the walls, in the form of plane_average.h. docs/statistics.md.
 *
 * A and B are the velocities along the walls, N is the velocity normal to them, T is the scalar. Values
 * between points in the normal direction are half-half means. Along the walls they are means weighted with
 * the widths of cells, so that T has the same mean over the points of A as over the cells. The fluxes are
 * those that the equation of the scalar has, so that the budgets close. */
#ifndef KOL_PLANE_SCALAR_H
#define KOL_PLANE_SCALAR_H

#include "plane_average.h"

KOL_BEGIN_C

/* The sums of plane_scalar_means(). Those at cell centres come first. */
enum {
    THETA_T, /* [own] */
    THETA_TT,
    THETA_TTT,
    THETA_TTTT,
    THETA_TA,   /* T times A, the mean of both faces of the cell [own U] */
    THETA_TB,   /* likewise of B */
    THETA_GRAD, /* (dT along a)^2 + (dT along b)^2 [own^2/L^2] */
    THETA_C,    /* convection [own/T] */
    THETA_TC,   /* T times convection [own^2/T] */
    THETA_TS,   /* T times the source that a mean gradient makes [own^2/T] */
    THETA_CENTRES,
    THETA_TN = THETA_CENTRES, /* flux of T through the lower face [own U] */
    THETA_FLUX_TT,            /* N times the product of T above and below: the flux of T^2 [own^2 U] */
    THETA_SHEAR,              /* (dT along n)^2 [own^2/L^2] */
    THETA_COUNT
};

/* The sums of plane_scalar_fluxes(), for the budgets of the fluxes. LOW and UP tell from which face of the
 * cell, the lower or the upper one, N or the difference dT along n is taken. */
enum {
    FLUXES_PT,      /* pressure times T [own U^2] */
    FLUXES_PDA,     /* pressure times dT along a, dT between the faces of the cell [own U^2/L] */
    FLUXES_PDB,     /* likewise along b */
    FLUXES_PDN_LOW, /* pressure times dT along n */
    FLUXES_PDN_UP,
    FLUXES_CA, /* convection of A times T, and of T times A [own U/T] */
    FLUXES_CB,
    FLUXES_MA, /* the same of convection and diffusion together */
    FLUXES_MB,
    FLUXES_SA, /* A times the source that a mean gradient makes [own U/T] */
    FLUXES_SB,
    FLUXES_BA, /* T times the buoyancy along a [own U/T] */
    FLUXES_BB,
    FLUXES_LA, /* the buoyancy along a [U/T] */
    FLUXES_LB,
    FLUXES_CTN_LOW, /* convection of T times N [own U/T] */
    FLUXES_CTN_UP,
    FLUXES_MTN_LOW, /* the same of convection and diffusion together */
    FLUXES_MTN_UP,
    FLUXES_NNT, /* N^2 T at the cell's centre [own U^2] */
    FLUXES_CENTRES,
    FLUXES_ATN = FLUXES_CENTRES, /* N times T on the lower face times the mean of A round it [own U^2] */
    FLUXES_BTN,
    FLUXES_CN, /* convection of N times T on the face [own U/T] */
    FLUXES_MN, /* the same of convection and diffusion together */
    FLUXES_SN, /* N times the source that a mean gradient makes */
    FLUXES_BN, /* T times the buoyancy along n */
    FLUXES_COUNT
};

/* plane_scalar: the fields of a call, in kernel memory.
 *
 *   theta        the scalar at ccc; one halo layer, faces
 *   convection   its convection at own points (scalar_transport() without diffusion and sources) [own/T]
 *   gradient     the mean gradient that makes a source [own/L]
 *
 * plane_scalar_means() does not read the other members:
 *
 *   transport    convection and diffusion of the scalar at own points [own/T]
 *   u_convection, u_momentum   convection of the velocity; its convection and diffusion, as
 *                              plane_average_stresses() takes them [U/T]
 *   buoyancy     at own points of the velocity [U/T]; NULL: there is none */
struct plane_scalar {
    const real *theta, *convection, *transport;
    double gradient[3];
    real *u_convection[3], *u_momentum[3], *buoyancy[3];
};

/* plane_scalar_means: computes the sums THETA_ in the way of plane_average_planes(), in arrays of the same
 * length. There is room for AVG_COUNT sums; those from THETA_COUNT on are 0. The halo of vel needs faces and
 * edges. Per cell: 5 reads. */
kol_status plane_scalar_means(struct box b, struct metrics m, struct blocks bl, int normal,
                              real *const vel[3], const struct plane_scalar *s, double *part,
                              double *scratch);

/* plane_scalar_fluxes: computes the sums FLUXES_ in the same way. Those with N on a wall have no meaning. Per
 * cell: 13 reads, with buoyancy 16. */
kol_status plane_scalar_fluxes(struct box b, struct metrics m, struct blocks bl, int normal,
                               real *const vel[3], const real *p, const struct plane_scalar *s, double *part,
                               double *scratch);

KOL_END_C

#endif
