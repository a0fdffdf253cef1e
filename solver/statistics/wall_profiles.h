/* Profiles between walls: fluctuations, stresses and budgets, in the run's units and in wall units. They are
 * computed from the plane averages of kernels/plane_average.h. docs/statistics.md has the formulas. */
#ifndef KOL_STATISTICS_WALL_PROFILES_H
#define KOL_STATISTICS_WALL_PROFILES_H

#include <stdio.h>
#include "inputs/input.h"
#include "kernels/plane_scalar.h"
#include "state/grid.h"

/* Terms of a budget. */
enum budget_term {
    BUDGET_PRODUCTION,
    BUDGET_TURBULENT,
    BUDGET_VISCOUS,
    BUDGET_PRESSURE,
    BUDGET_STRAIN,
    BUDGET_ROTATION, /* gain by the Coriolis force */
    BUDGET_DISSIPATION,
    BUDGET_RESIDUAL,
    BUDGET_REMAINDER, /* of shear stresses alone: of convection, beside production and transport */
    BUDGET_TERMS
};

/* Profiles. Those at cell centres come first, then those at faces. A and B are the homogeneous directions, N
 * is the wall-normal direction, as in kernels/plane_average.h. */
enum {
    PROFILE_A,
    PROFILE_B,
    PROFILE_P,
    PROFILE_AA,
    PROFILE_BB,
    PROFILE_AB,
    PROFILE_PP,
    PROFILE_A_RMS,
    PROFILE_B_RMS,
    PROFILE_P_RMS,
    PROFILE_A_SKEWNESS,
    PROFILE_B_SKEWNESS,
    PROFILE_A_FLATNESS,
    PROFILE_B_FLATNESS,
    PROFILE_OMEGA_N,
    PROFILE_K,
    /* budgets of AA, of BB, of k: in the order of enum budget_term */
    PROFILE_AA_BUDGET,
    PROFILE_BB_BUDGET = PROFILE_AA_BUDGET + BUDGET_REMAINDER,
    PROFILE_K_BUDGET = PROFILE_BB_BUDGET + BUDGET_REMAINDER,
    /* triple moments of fluctuations */
    PROFILE_A3 = PROFILE_K_BUDGET + BUDGET_REMAINDER,
    PROFILE_B3,
    PROFILE_AAB, /* of STRESS_ sums: this and the next */
    PROFILE_ABB,
    PROFILE_ANN,
    PROFILE_BNN,
    PROFILE_AB_BUDGET, /* all of enum budget_term */
    PROFILE_CENTRES = PROFILE_AB_BUDGET + BUDGET_TERMS,
    PROFILE_N = PROFILE_CENTRES, /* at faces from here on */
    PROFILE_NN,
    PROFILE_N_RMS,
    PROFILE_N_SKEWNESS,
    PROFILE_N_FLATNESS,
    PROFILE_AN,
    PROFILE_BN,
    PROFILE_OMEGA_A,
    PROFILE_OMEGA_B,
    PROFILE_DA,
    PROFILE_DB,
    PROFILE_STRESS_VISCOUS,
    PROFILE_STRESS_REYNOLDS,
    PROFILE_STRESS_TOTAL,
    PROFILE_STRESS_LINE,
    PROFILE_STRESS_RESIDUAL,
    PROFILE_NN_BUDGET,
    PROFILE_N3 = PROFILE_NN_BUDGET + BUDGET_REMAINDER,
    PROFILE_AAN,
    PROFILE_BBN,
    PROFILE_ABN, /* of STRESS_ sums from here on */
    PROFILE_AN_BUDGET,
    PROFILE_BN_BUDGET = PROFILE_AN_BUDGET + BUDGET_TERMS,
    PROFILE_QUADRANT =
        PROFILE_BN_BUDGET + BUDGET_TERMS, /* in the order of the sums of plane_average_quadrants */
    PROFILES = PROFILE_QUADRANT + QUADRANT_SUMS
};
enum {
    SCALAR_U_TAU,
    SCALAR_RE_TAU,
    SCALAR_STRESS_LOW,
    SCALAR_STRESS_HIGH,
    SCALAR_U_B,
    SCALAR_RE_B,
    SCALAR_FRICTION,
    SCALAR_FORCE,
    SCALAR_STRESS_RMS, /* lower wall, upper wall: along the stream */
    SCALAR_STRESS_ACROSS = SCALAR_STRESS_RMS + 2,
    SCALAR_STRESS_SKEWNESS = SCALAR_STRESS_ACROSS + 2,
    SCALARS = SCALAR_STRESS_SKEWNESS + 2
};
/* Values of a sample beside the plane averages. */
enum {
    PROFILE_EXTRA_FORCE, /* of the step [U/T] */
    PROFILE_EXTRA_KIND,  /* which sums there are: profiles_kind() */
    PROFILE_EXTRA_HOLES, /* sizes of the holes of the quadrant analysis */
    PROFILE_EXTRAS = PROFILE_EXTRA_HOLES + QUADRANT_HOLES
};

/* Work of buoyancy of all scalars in the budgets of the velocity; those at centres come first. */
enum {
    BUOYANCY_AA,
    BUOYANCY_BB,
    BUOYANCY_K,
    BUOYANCY_CENTRES,
    BUOYANCY_NN = BUOYANCY_CENTRES,
    BUOYANCY_AN,
    BUOYANCY_BN,
    BUOYANCY_PROFILES
};

/* profile_entry: name, description and unit of a profile or scalar, as patterns of profiles_name(). velocity
 * and length are the powers of u_tau and of nu/u_tau in its unit. */
struct profile_entry {
    const char *name, *long_name, *unit;
    int velocity, length;
};
extern const struct profile_entry profile_table[PROFILES], profile_scalars[SCALARS], profile_sums[AVG_COUNT],
    profile_stress_sums[STRESS_COUNT], profile_quadrant_sums[QUADRANT_SUMS], wall_buoyancy[BUOYANCY_PROFILES];

/* wall_scalar: a scalar between the walls. Components are in the order a, b, normal.
 *
 *   kappa, gradient    diffusivity [U L]; mean gradient that makes a source [own/L]
 *   lift               buoyancy per unit of the scalar [U/T over own]
 *   factor, add        the value beyond the lower, upper face is factor times the value inside plus add
 *   drop               value on the lower face minus value on the upper one, if both are given; otherwise 0
 *   limited            whether its convection has a limiter
 *   drives             whether it makes buoyancy, that of all scalars acts along the normal, and nothing else
 *                      drives the flow */
struct wall_scalar {
    const char *name, *unit; /* borrowed from the input */
    double kappa, gradient[3], lift[3], factor[2], add[2], drop;
    int limited, drives;
};
struct wall_scalars {
    int count;
    int stream; /* whether something other than buoyancy drives the flow */
    struct wall_scalar of[SCALARS_MOST];
};

struct wall_profiles {
    int normal, a, b; /* directions */
    int cells, levels;
    int stresses;                /* whether there are STRESS_ sums */
    int pressure;                /* enum sample_pressure_name */
    int quadrants;               /* whether there are sums of quadrants */
    double hole[QUADRANT_HOLES]; /* sizes of the holes; the first is 0, a negative one is not used */
    int stream;                  /* which of A and B goes along the stream: 0, 1 */
    int across;                  /* whether the stream goes through the planes instead */
    double frame;                /* velocity of the walls along the stream; 0 if they move differently [U] */
    double nu;                   /* [U L] */
    double turn[3];              /* the Coriolis force on A is turn[2] B - turn[1] N,
                                  * on B turn[0] N - turn[2] A, on N turn[1] A - turn[0] B [1/T] */
    double low, height;          /* of the lower wall; between the walls [L] */
    double delta;                /* half the height; all of it where one wall is a slip wall [L] */
    int rough[2];                /* whether the lower, upper wall has friction */
    int open[2];                 /* whether fluid passes through it: what is beyond is in no mean */
    double factor[2];            /* u_beyond = factor u + (1 - factor) u_wall */
    double wall[2][2];           /* velocity along a, b of the lower, upper wall [U] */
    /* widths of cells; distances of centres at faces; widths that belong to faces, half on walls [L] */
    double *c, *f, *e;
    const double *centre, *face; /* coordinates, borrowed from the grid [L] */
    struct wall_scalars scalars; /* wall_scalars.h */
};

/* profiles_create: fills in *w for the one direction that has walls. profiles_destroy: frees its members. */
kol_status profiles_create(const struct input *in, const struct grid *g, struct wall_profiles *w);
void profiles_destroy(struct wall_profiles *w);
/* profiles_normal    The one direction that has walls or open faces; -1 if there is none, or several.
 * profiles_walled    There is a no-slip wall, so there are wall units. */
int profiles_normal(const struct input *in);
static inline int profiles_walled(const struct wall_profiles *w)
{
    return w->rough[0] || w->rough[1];
}
/* profiles_values: returns the number of values that profiles_derive() computes. They are PROFILES profiles
 * of `levels` values, then the same profiles in wall units, then the numbers, then what wall_scalars.h
 * derives. */
int profiles_values(const struct wall_profiles *w);
static inline int profiles_first_of_scalars(const struct wall_profiles *w)
{
    return 2 * PROFILES * w->levels + SCALARS;
}
/* profiles_sample: returns the number of values of a sample. They are AVG_COUNT plane averages of `levels`
 * values; the STRESS_ sums and the sums of quadrants, if there are any, also of `levels` values; then for
 * each transported scalar its sums; and then the extras. profiles_extra: returns the place of an extra.
 * profiles_quadrants: returns the place of the first sum of quadrants. profiles_scalar: returns the place of
 * the first sum of scalar n: the sums THETA_, and with STRESS_ sums also FLUXES_. */
static inline int profiles_quadrants(const struct wall_profiles *w)
{
    return (AVG_COUNT + (w->stresses ? STRESS_COUNT : 0)) * w->levels;
}

static inline int profiles_scalar_sums(const struct wall_profiles *w)
{
    return THETA_COUNT + (w->stresses ? FLUXES_COUNT : 0);
}

static inline int profiles_scalar(const struct wall_profiles *w, int n)
{
    return profiles_quadrants(w) +
           ((w->quadrants ? QUADRANT_SUMS : 0) + n * profiles_scalar_sums(w)) * w->levels;
}

static inline int profiles_sample(const struct wall_profiles *w)
{
    return profiles_scalar(w, w->scalars.count) + PROFILE_EXTRAS;
}

static inline int profiles_extra(const struct wall_profiles *w, int extra)
{
    return profiles_sample(w) - PROFILE_EXTRAS + extra;
}

/* profiles_kind: returns a number that identifies which sums a sample has. profiles_same: returns whether a
 * mean of samples, for example from a checkpoint, has the same sums and the same holes. */
int profiles_kind(const struct wall_profiles *w);
int profiles_same(const struct wall_profiles *w, const double *mean);
/* profiles_name_sum: writes the description of sum n of a sample. */
void profiles_name_sum(const struct wall_profiles *w, int n, char *out, size_t size);
/* profiles_derive: computes all profiles and scalars from a mean of samples. It is a batch_means_derive
 * function, and its context is a struct wall_profiles. Values that are not defined are NaN. */
void profiles_derive(const void *context, const double *mean, double *out);
/* These functions return whether the following is true.
 *
 *   profile_is_zero      The profile is a term that its budget does not have.
 *   profile_of_stresses  The profile needs STRESS_ sums.
 *   profile_is_there     The profile can be computed, because the sums that it needs are there. A stress also
 *                        needs a stream along the planes, and the line of the total stress needs walls on
 *                        both faces. */
int profile_is_zero(int profile);
int profile_of_stresses(int profile);
int profile_is_there(const struct wall_profiles *w, int profile);
/* profiles_shared: returns a profile at faces brought to the centre of level k by shares: half of the volume
 * e of each face goes to either side, so that sums over the height are kept. */
static inline double profiles_shared(const struct wall_profiles *w, const double *at_faces, int k)
{
    const double low = k == 0 ? w->e[0] : 0.5 * w->e[k],
                 high = k == w->cells - 1 ? w->e[w->cells] : 0.5 * w->e[k + 1];
    return (low * at_faces[k] + high * at_faces[k + 1]) / w->c[k];
}
/* Parts of profiles_derive. stresses_derive: computes what follows from STRESS_ sums; it is called last.
 * quadrants_derive: computes what follows from the sums of quadrants. */
void stresses_derive(const struct wall_profiles *w, const double *mean, double *out);
void quadrants_derive(const struct wall_profiles *w, const double *mean, double *out);
/* Gains by the Coriolis force of a rotating frame (rotation_terms.c).
 *
 *   rotation_make              sets w->turn. The directions of w are set before
 *   rotation_changes           returns whether the Coriolis force has a component along 0: A, 1: B, 2: N; -1:
 *                              whether there is a rotation
 *   rotation_profile           returns whether a profile is written; 1 if it is not a gain by this force
 *   rotation_normal_stresses   computes the terms of AA, BB, NN. Fluxes and covariances are computed before
 *   rotation_shear_stresses    computes those of AB, AN, BN from STRESS_ sums, on inner faces */
void rotation_make(const struct input *in, struct wall_profiles *w);
int rotation_changes(const struct wall_profiles *w, int component);
int rotation_profile(const struct wall_profiles *w, int profile);
void rotation_normal_stresses(const struct wall_profiles *w, const double *mean, double *out);
void rotation_shear_stresses(const struct wall_profiles *w, const double *mean, double *out);
/* The part of transported scalars, see wall_scalars.h.
 *
 *   wall_scalars_make       sets w->scalars. The other members of w, except the spacings, are set before
 *   wall_scalars_values     returns the number of values that wall_scalars_derive() computes
 *   wall_scalars_derive     computes these values from a mean of samples, and adds the work of buoyancy to
 *                           the residuals of the budgets of the velocity. In `out` they stand behind the
 *                           values of profiles_derive()
 *   wall_scalars_name_sum   writes the description of sum n. Sums are counted from the first one of the first
 *                           scalar */
void wall_scalars_make(const struct input *in, const struct grid *g, struct wall_profiles *w);
int wall_scalars_values(const struct wall_profiles *w);
void wall_scalars_derive(const struct wall_profiles *w, const double *mean, double *out);
void wall_scalars_name_sum(const struct wall_profiles *w, int n, char *out, size_t size);
/* profiles_print: prints a table of names, units and descriptions for walls in z, for docs/statistics.md. */
void profiles_print(FILE *out);
/* profiles_name: writes a pattern with its letters replaced.
 *
 *   %A %B %N   become the velocity components u, v, w along a, b and the normal
 *   ^A ^B ^N   become U, V, W
 *   %1 %2 %3   become the axes x, y, z
 *
 * Two components that stand together come in the order u, v, w. */
void profiles_name(const struct wall_profiles *w, const char *pattern, char *out, size_t size);

#endif
