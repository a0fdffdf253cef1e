/* Profiles of scalars between walls: means, moments, fluxes, budgets and Nusselt numbers. They follow from
 * the sums of kernels/plane_scalar.h. docs/statistics.md, "Scalars between walls". */
#ifndef KOL_STATISTICS_WALL_SCALARS_H
#define KOL_STATISTICS_WALL_SCALARS_H

#include "wall_profiles.h"

/* Terms of a budget. */
enum scalar_term_name {
    TERM_PRODUCTION,
    TERM_GRADIENT, /* production by the mean gradient of the input */
    TERM_TURBULENT,
    TERM_DIFFUSION,
    TERM_PRESSURE, /* transport by pressure */
    TERM_STRAIN,   /* pressure times gradient of the scalar */
    TERM_BUOYANCY,
    TERM_ROTATION,  /* gain by the Coriolis force */
    TERM_REMAINDER, /* what the discrete convection adds to production and turbulent transport */
    TERM_DISSIPATION,
    TERM_RESIDUAL,
    TERMS
};

/* Profiles of each scalar. Those at cell centres come first. */
enum {
    WS_MEAN,
    WS_VARIANCE,
    WS_RMS,
    WS_SKEWNESS,
    WS_FLATNESS,
    WS_TA, /* covariances with the velocities along the walls */
    WS_TB,
    WS_VARIANCE_BUDGET, /* in the order of enum scalar_term_name, as the others */
    WS_A_BUDGET = WS_VARIANCE_BUDGET + TERMS,
    WS_B_BUDGET = WS_A_BUDGET + TERMS,
    WS_CENTRES = WS_B_BUDGET + TERMS,
    WS_GRADIENT = WS_CENTRES, /* at faces from here on */
    WS_TN,                    /* covariance with the normal velocity, as convection has it */
    WS_MOLECULAR,
    WS_TOTAL,
    WS_PRANDTL,
    WS_N_BUDGET,
    WS_PROFILES = WS_N_BUDGET + TERMS
};
/* Numbers of each scalar. */
enum {
    WS_FLUX_LOW,
    WS_FLUX_HIGH,
    WS_VOLUME_MEAN,
    WS_BULK,
    WS_TAU,
    WS_NU_BULK,
    WS_NU_LOW,
    WS_NU_HIGH,
    WS_NU_FLUX,
    WS_NU_DISSIPATION,
    WS_NU_ENERGY,
    WS_NU_SPREAD,
    WS_NUMBERS
};

/* wall_scalars_place: returns the place of the first value of scalar n among profiles_values(). For each
 * scalar they are WS_PROFILES profiles of `levels` values, then WS_NUMBERS numbers. Behind those of all
 * scalars, at the place of n = count, come BUOYANCY_PROFILES profiles. */
int wall_scalars_place(const struct wall_profiles *w, int n);

/* wall_scalar_sums: a scalar with its sums and its profiles, which the parts of wall_scalars_derive() share.
 */
struct wall_scalar_sums {
    const struct wall_profiles *w;
    const struct wall_scalar *s;
    const double *mean, *own; /* all sums of the sample; those of this scalar */
    const double *flow;       /* profiles of the flow */
    double *out;              /* profiles of this scalar */
};
/* scalar_budgets_derive: computes the budgets of the variance and of the fluxes (wall_scalar_budgets.c). */
void scalar_budgets_derive(struct wall_scalar_sums q);

/* Names of the profiles, numbers and sums of a scalar.
 *
 *   name       what follows the name of the scalar, as a pattern of profiles_name()
 *   words      description, as such a pattern
 *   power      power of the scalar's unit in the unit; -1: it is a pure number
 *   unit       the rest of the unit */
struct wall_scalar_entry {
    const char *name, *words;
    int power;
    const char *unit;
};
extern const struct wall_scalar_entry wall_scalar_profiles[WS_PROFILES], wall_scalar_numbers[WS_NUMBERS],
    wall_scalar_means[THETA_COUNT], wall_scalar_fluxes[FLUXES_COUNT];
/* wall_scalar_has, wall_scalar_has_number, wall_buoyancy_has: return whether a profile, a number, or a
 * profile of the work of buoyancy is written. */
int wall_scalar_has(const struct wall_profiles *w, int n, int profile);
int wall_scalar_has_number(const struct wall_profiles *w, int n, int number);
int wall_buoyancy_has(const struct wall_profiles *w, int profile);
/* wall_scalar_words: writes name, description and unit of an entry of scalar n. before: what comes before the
 * name. */
struct wall_scalar_words {
    char name[64], words[200], unit[64];
};
void wall_scalar_words(const struct wall_profiles *w, int n, const struct wall_scalar_entry *e,
                       const char *before, struct wall_scalar_words *out);
/* wall_scalars_print: prints a table of names, units and descriptions for walls in z, for docs/statistics.md.
 */
void wall_scalars_print(FILE *out);

#endif
