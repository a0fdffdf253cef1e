/* Lists names, descriptions and units of the profiles and numbers between walls. */
#include "wall_profiles.h"

#include <stdio.h>
#include "pattern_names.h"

/* Descriptions of the terms of a budget; terms that are 0 are not written. */
#define BUDGET(NAME, OF)                                                                                     \
    {NAME "_production", "production of " OF, "U3/L", 3, -1},                                                \
        {NAME "_turbulent_transport", "turbulent transport of " OF, "U3/L", 3, -1},                          \
        {NAME "_viscous_diffusion", "viscous diffusion of " OF, "U3/L", 3, -1},                              \
        {NAME "_pressure_transport", "pressure transport of " OF, "U3/L", 3, -1},                            \
        {NAME "_pressure_strain", "pressure strain in the budget of " OF, "U3/L", 3, -1},                    \
        {NAME "_rotation", "gain of " OF " by the Coriolis force", "U3/L", 3, -1},                           \
        {NAME "_dissipation", "dissipation of " OF ", positive", "U3/L", 3, -1},                             \
    {                                                                                                        \
        NAME "_budget_residual", "sum of all gains less the dissipation of " OF, "U3/L", 3, -1               \
    }

#define STRESS_BUDGET(NAME, OF)                                                                              \
    BUDGET(NAME, OF),                                                                                        \
    {                                                                                                        \
        NAME "_convective_remainder",                                                                        \
            "what the discrete convection adds to production and turbulent transport of " OF, "U3/L", 3, -1  \
    }
#define SHARE_OF(END, WHERE)                                                                                 \
    {"quadrant_1_share" END, "share of the shear stress where both velocities are above their means" WHERE,  \
     "1", 0, 0},                                                                                             \
        {"quadrant_2_share" END,                                                                             \
         "share of the shear stress where that along the stream is below, that along %3 above" WHERE, "1",   \
         0, 0},                                                                                              \
        {"quadrant_3_share" END, "share of the shear stress where both are below" WHERE, "1", 0, 0},         \
    {                                                                                                        \
        "quadrant_4_share" END,                                                                              \
            "share of the shear stress where that along the stream is above, that along %3 below" WHERE,     \
            "1", 0, 0                                                                                        \
    }
#define TIME_OF(END, WHERE)                                                                                  \
    {"quadrant_1_fraction" END, "share of the time of the first quadrant" WHERE, "1", 0, 0},                 \
        {"quadrant_2_fraction" END, "share of the time of the second quadrant" WHERE, "1", 0, 0},            \
        {"quadrant_3_fraction" END, "share of the time of the third quadrant" WHERE, "1", 0, 0},             \
    {                                                                                                        \
        "quadrant_4_fraction" END, "share of the time of the fourth quadrant" WHERE, "1", 0, 0               \
    }
#define QUADRANTS_OF(END, WHERE) SHARE_OF(END, WHERE), TIME_OF(END, WHERE)
#define BEYOND(HOLE)             ", beyond the hole number " HOLE
#define MEAN_OF                  "mean of the product of the fluctuations of the velocities along "

const struct profile_entry profile_table[PROFILES] = {
    [PROFILE_A] = {"^A", "mean velocity along %1", "U", 1, 0},
    [PROFILE_B] = {"^B", "mean velocity along %2", "U", 1, 0},
    [PROFILE_P] = {"P", "mean pressure over density, its volume mean taken off", "U2", 2, 0},
    [PROFILE_AA] = {"%A%A", "variance of the velocity along %1", "U2", 2, 0},
    [PROFILE_BB] = {"%B%B", "variance of the velocity along %2", "U2", 2, 0},
    [PROFILE_AB] = {"%A%B", "covariance of the velocities along %1 and %2", "U2", 2, 0},
    [PROFILE_PP] = {"pp", "variance of the pressure over density", "U4", 4, 0},
    [PROFILE_A_RMS] = {"%A_rms", "root mean square of the fluctuation of the velocity along %1", "U", 1, 0},
    [PROFILE_B_RMS] = {"%B_rms", "root mean square of the fluctuation of the velocity along %2", "U", 1, 0},
    [PROFILE_P_RMS] = {"p_rms", "root mean square of the fluctuation of the pressure over density", "U2", 2,
                       0},
    [PROFILE_A_SKEWNESS] = {"%A_skewness", "skewness of the velocity along %1", "1", 0, 0},
    [PROFILE_B_SKEWNESS] = {"%B_skewness", "skewness of the velocity along %2", "1", 0, 0},
    [PROFILE_A_FLATNESS] = {"%A_flatness", "flatness of the velocity along %1, 3 for a Gaussian", "1", 0, 0},
    [PROFILE_B_FLATNESS] = {"%B_flatness", "flatness of the velocity along %2, 3 for a Gaussian", "1", 0, 0},
    [PROFILE_OMEGA_N] = {"omega_%3_rms", "root mean square of the fluctuation of the vorticity along %3",
                         "U/L", 1, -1},
    [PROFILE_K] = {"k", "turbulent kinetic energy", "U2", 2, 0},
    [PROFILE_AA_BUDGET] = BUDGET("%A%A", "the variance of the velocity along %1"),
    [PROFILE_BB_BUDGET] = BUDGET("%B%B", "the variance of the velocity along %2"),
    [PROFILE_K_BUDGET] = BUDGET("k", "the turbulent kinetic energy"),
    [PROFILE_A3] = {"%A%A%A", MEAN_OF "%1, %1, %1", "U3", 3, 0},
    [PROFILE_B3] = {"%B%B%B", MEAN_OF "%2, %2, %2", "U3", 3, 0},
    [PROFILE_AAB] = {"%A%A%B", MEAN_OF "%1, %1, %2", "U3", 3, 0},
    [PROFILE_ABB] = {"%A%B%B", MEAN_OF "%1, %2, %2", "U3", 3, 0},
    [PROFILE_ANN] = {"%A%N%N", MEAN_OF "%1, %3, %3", "U3", 3, 0},
    [PROFILE_BNN] = {"%B%N%N", MEAN_OF "%2, %3, %3", "U3", 3, 0},
    [PROFILE_AB_BUDGET] = STRESS_BUDGET("%A%B", "the covariance of the velocities along %1 and %2"),
    [PROFILE_N] = {"^N", "mean velocity along %3", "U", 1, 0},
    [PROFILE_NN] = {"%N%N", "variance of the velocity along %3", "U2", 2, 0},
    [PROFILE_N_RMS] = {"%N_rms", "root mean square of the fluctuation of the velocity along %3", "U", 1, 0},
    [PROFILE_N_SKEWNESS] = {"%N_skewness", "skewness of the velocity along %3", "1", 0, 0},
    [PROFILE_N_FLATNESS] = {"%N_flatness", "flatness of the velocity along %3, 3 for a Gaussian", "1", 0, 0},
    [PROFILE_AN] = {"%A%N", "covariance of the velocities along %1 and %3, as the momentum equation has it",
                    "U2", 2, 0},
    [PROFILE_BN] = {"%B%N", "covariance of the velocities along %2 and %3, as the momentum equation has it",
                    "U2", 2, 0},
    [PROFILE_OMEGA_A] = {"omega_%1_rms", "root mean square of the fluctuation of the vorticity along %1",
                         "U/L", 1, -1},
    [PROFILE_OMEGA_B] = {"omega_%2_rms", "root mean square of the fluctuation of the vorticity along %2",
                         "U/L", 1, -1},
    [PROFILE_DA] = {"d^Ad%3", "gradient along %3 of the mean velocity along %1", "U/L", 1, -1},
    [PROFILE_DB] = {"d^Bd%3", "gradient along %3 of the mean velocity along %2", "U/L", 1, -1},
    [PROFILE_STRESS_VISCOUS] = {"stress_viscous", "viscous shear stress over density along the stream", "U2",
                                2, 0},
    [PROFILE_STRESS_REYNOLDS] = {"stress_reynolds", "Reynolds shear stress over density along the stream",
                                 "U2", 2, 0},
    [PROFILE_STRESS_TOTAL] = {"stress_total", "total shear stress over density along the stream", "U2", 2, 0},
    [PROFILE_STRESS_LINE] = {"stress_line", "line between the shear stresses on the two walls", "U2", 2, 0},
    [PROFILE_STRESS_RESIDUAL] = {"stress_residual", "total shear stress less the line", "U2", 2, 0},
    [PROFILE_NN_BUDGET] = BUDGET("%N%N", "the variance of the velocity along %3"),
    [PROFILE_N3] = {"%N%N%N", MEAN_OF "%3, %3, %3", "U3", 3, 0},
    [PROFILE_AAN] = {"%A%A%N", MEAN_OF "%1, %1, %3", "U3", 3, 0},
    [PROFILE_BBN] = {"%B%B%N", MEAN_OF "%2, %2, %3", "U3", 3, 0},
    [PROFILE_ABN] = {"%A%B%N", MEAN_OF "%1, %2, %3", "U3", 3, 0},
    [PROFILE_AN_BUDGET] = STRESS_BUDGET("%A%N", "the covariance of the velocities along %1 and %3"),
    [PROFILE_BN_BUDGET] = STRESS_BUDGET("%B%N", "the covariance of the velocities along %2 and %3"),
    [PROFILE_QUADRANT] = QUADRANTS_OF("", ""),
    QUADRANTS_OF("_hole_1", BEYOND("1")),
    QUADRANTS_OF("_hole_2", BEYOND("2")),
    QUADRANTS_OF("_hole_3", BEYOND("3"))};

const struct profile_entry profile_scalars[SCALARS] = {
    [SCALAR_U_TAU] = {"u_tau", "friction velocity, from the mean of both walls' shear stresses", "U", 0, 0},
    [SCALAR_RE_TAU] = {"Re_tau", "friction Reynolds number, u_tau delta/nu", "1", 0, 0},
    [SCALAR_STRESS_LOW] = {"wall_stress_low",
                           "force of the fluid on the lower wall along the stream, over area and density",
                           "U2", 0, 0},
    [SCALAR_STRESS_HIGH] = {"wall_stress_high",
                            "force of the fluid on the upper wall along the stream, over area and density",
                            "U2", 0, 0},
    [SCALAR_U_B] = {"u_b", "bulk velocity along the stream, against walls that move alike", "U", 0, 0},
    [SCALAR_RE_B] = {"Re_b", "bulk Reynolds number, u_b times the distance of the walls over nu", "1", 0, 0},
    [SCALAR_FRICTION] = {"friction_coefficient", "2 (u_tau/u_b)^2", "1", 0, 0},
    [SCALAR_FORCE] = {"force", "minus the mean pressure gradient that drives the flow", "U2/L", 0, 0},
    [SCALAR_STRESS_RMS] = {"wall_stress_low_rms",
                           "root mean square of the fluctuation of the shear stress along the stream on the "
                           "lower wall, over density",
                           "U2", 0, 0},
    [SCALAR_STRESS_RMS + 1] = {"wall_stress_high_rms", "the same on the upper wall", "U2", 0, 0},
    [SCALAR_STRESS_ACROSS] = {"wall_stress_low_across_rms",
                              "root mean square of the fluctuation of the shear stress across the stream on "
                              "the lower wall, over density",
                              "U2", 0, 0},
    [SCALAR_STRESS_ACROSS + 1] = {"wall_stress_high_across_rms", "the same on the upper wall", "U2", 0, 0},
    [SCALAR_STRESS_SKEWNESS] = {"wall_stress_low_skewness",
                                "skewness of the shear stress along the stream on the lower wall", "1", 0, 0},
    [SCALAR_STRESS_SKEWNESS + 1] = {"wall_stress_high_skewness", "the same on the upper wall", "1", 0, 0}};

/* Quantities that are summed over the samples. Each is a mean over planes; the order is that of
 * kernels/plane_average.h. */
const struct profile_entry profile_sums[AVG_COUNT] = {
    [AVG_A] = {"sum_^A", "%A", "U", 0, 0},
    [AVG_B] = {"sum_^B", "%B", "U", 0, 0},
    [AVG_P] = {"sum_P", "p", "U2", 0, 0},
    [AVG_AA] = {"sum_%A%A", "%A^2", "U2", 0, 0},
    [AVG_BB] = {"sum_%B%B", "%B^2", "U2", 0, 0},
    [AVG_PP] = {"sum_pp", "p^2", "U4", 0, 0},
    [AVG_AB] = {"sum_%A%B", "%A %B on edges", "U2", 0, 0},
    [AVG_AAA] = {"sum_%A%A%A", "%A^3", "U3", 0, 0},
    [AVG_BBB] = {"sum_%B%B%B", "%B^3", "U3", 0, 0},
    [AVG_AAAA] = {"sum_%A%A%A%A", "%A^4", "U4", 0, 0},
    [AVG_BBBB] = {"sum_%B%B%B%B", "%B^4", "U4", 0, 0},
    [AVG_OMEGA_N] = {"sum_omega_%3_squared", "vorticity along %3, squared", "U2/L2", 0, 0},
    [AVG_GRAD_A] = {"sum_gradient_%A", "(d%A/d%1)^2 + (d%A/d%2)^2", "U2/L2", 0, 0},
    [AVG_GRAD_B] = {"sum_gradient_%B", "(d%B/d%1)^2 + (d%B/d%2)^2", "U2/L2", 0, 0},
    [AVG_GRAD_N] = {"sum_gradient_%N", "(d%N/d%3)^2", "U2/L2", 0, 0},
    [AVG_FLUX_NN] = {"sum_flux_%N%N", "flux of %N^2 along %3", "U3", 0, 0},
    [AVG_PN] = {"sum_p%N", "p %N", "U3", 0, 0},
    [AVG_PDA] = {"sum_p_d%A", "p d%A/d%1", "U3/L", 0, 0},
    [AVG_PDB] = {"sum_p_d%B", "p d%B/d%2", "U3/L", 0, 0},
    [AVG_N] = {"sum_^N", "%N", "U", 0, 0},
    [AVG_NN] = {"sum_%N%N", "%N^2", "U2", 0, 0},
    [AVG_NNN] = {"sum_%N%N%N", "%N^3", "U3", 0, 0},
    [AVG_NNNN] = {"sum_%N%N%N%N", "%N^4", "U4", 0, 0},
    [AVG_AN] = {"sum_%A%N", "flux of %A along %3", "U2", 0, 0},
    [AVG_BN] = {"sum_%B%N", "flux of %B along %3", "U2", 0, 0},
    [AVG_FLUX_AA] = {"sum_flux_%A%A", "flux of %A^2 along %3", "U3", 0, 0},
    [AVG_FLUX_BB] = {"sum_flux_%B%B", "flux of %B^2 along %3", "U3", 0, 0},
    [AVG_OMEGA_A] = {"sum_omega_%1_squared", "vorticity along %1, squared", "U2/L2", 0, 0},
    [AVG_OMEGA_B] = {"sum_omega_%2_squared", "vorticity along %2, squared", "U2/L2", 0, 0},
    [AVG_SHEAR_A] = {"sum_shear_%A", "(d%A/d%3)^2", "U2/L2", 0, 0},
    [AVG_SHEAR_B] = {"sum_shear_%B", "(d%B/d%3)^2", "U2/L2", 0, 0},
    [AVG_SHEAR_N] = {"sum_shear_%N", "(d%N/d%1)^2 + (d%N/d%2)^2", "U2/L2", 0, 0}};

const struct profile_entry profile_stress_sums[STRESS_COUNT] = {
    [STRESS_PA] = {"sum_p_%A", "p %A in the cell", "U3", 0, 0},
    [STRESS_PB] = {"sum_p_%B", "p %B in the cell", "U3", 0, 0},
    [STRESS_PAN_LOW] = {"sum_p_strain_%A%N_low", "p (d%N/d%1 + d%A/d%3), strain on the lower face", "U3/L", 0,
                        0},
    [STRESS_PAN_UP] = {"sum_p_strain_%A%N_up", "p (d%N/d%1 + d%A/d%3), strain on the upper face", "U3/L", 0,
                       0},
    [STRESS_PBN_LOW] = {"sum_p_strain_%B%N_low", "p (d%N/d%2 + d%B/d%3), strain on the lower face", "U3/L", 0,
                        0},
    [STRESS_PBN_UP] = {"sum_p_strain_%B%N_up", "p (d%N/d%2 + d%B/d%3), strain on the upper face", "U3/L", 0,
                       0},
    [STRESS_PAB] = {"sum_p_strain_%A%B", "p (d%A/d%2 + d%B/d%1)", "U3/L", 0, 0},
    [STRESS_CAN_LOW] = {"sum_convection_%A_times_%N_low", "convection of %A times %N on the lower face",
                        "U3/L", 0, 0},
    [STRESS_CAN_UP] = {"sum_convection_%A_times_%N_up", "convection of %A times %N on the upper face", "U3/L",
                       0, 0},
    [STRESS_CBN_LOW] = {"sum_convection_%B_times_%N_low", "convection of %B times %N on the lower face",
                        "U3/L", 0, 0},
    [STRESS_CBN_UP] = {"sum_convection_%B_times_%N_up", "convection of %B times %N on the upper face", "U3/L",
                       0, 0},
    [STRESS_CAB] = {"sum_convection_%A%B", "convection of %A times %B, and of %B times %A", "U3/L", 0, 0},
    [STRESS_MAN_LOW] = {"sum_momentum_%A_times_%N_low", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_MAN_UP] = {"sum_momentum_%A_times_%N_up", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_MBN_LOW] = {"sum_momentum_%B_times_%N_low", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_MBN_UP] = {"sum_momentum_%B_times_%N_up", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_MAB] = {"sum_momentum_%A%B", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_ANN] = {"sum_%A%N%N", "%A %N^2 in the cell", "U3", 0, 0},
    [STRESS_BNN] = {"sum_%B%N%N", "%B %N^2 in the cell", "U3", 0, 0},
    [STRESS_NN] = {"sum_cell_%N%N", "%N^2 in the cell", "U2", 0, 0},
    [STRESS_AA] = {"sum_cell_%A%A", "%A^2 in the cell", "U2", 0, 0},
    [STRESS_BB] = {"sum_cell_%B%B", "%B^2 in the cell", "U2", 0, 0},
    [STRESS_AB] = {"sum_cell_%A%B", "%A %B in the cell", "U2", 0, 0},
    [STRESS_AAB] = {"sum_%A%A%B", "%A^2 %B in the cell", "U3", 0, 0},
    [STRESS_ABB] = {"sum_%A%B%B", "%A %B^2 in the cell", "U3", 0, 0},
    [STRESS_CNA] = {"sum_convection_%N_times_%A", "convection of %N times %A round the face", "U3/L", 0, 0},
    [STRESS_CNB] = {"sum_convection_%N_times_%B", "convection of %N times %B round the face", "U3/L", 0, 0},
    [STRESS_MNA] = {"sum_momentum_%N_times_%A", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_MNB] = {"sum_momentum_%N_times_%B", "the same of convection and diffusion", "U3/L", 0, 0},
    [STRESS_ABN] = {"sum_%A%B%N", "%A %B %N round the face", "U3", 0, 0},
    [STRESS_SHEAR_AAA] = {"sum_shear_%A_cubed", "(d%A/d%3)^3", "U3/L3", 0, 0},
    [STRESS_SHEAR_BBB] = {"sum_shear_%B_cubed", "(d%B/d%3)^3", "U3/L3", 0, 0}};

#define QUADRANT_SUM(END)                                                                                    \
    {"sum_quadrant_1" END, "product of the fluctuations in the first quadrant", "U2", 0, 0},                 \
        {"sum_quadrant_2" END, "product of the fluctuations in the second quadrant", "U2", 0, 0},            \
        {"sum_quadrant_3" END, "product of the fluctuations in the third quadrant", "U2", 0, 0},             \
        {"sum_quadrant_4" END, "product of the fluctuations in the fourth quadrant", "U2", 0, 0},            \
        {"sum_quadrant_1_fraction" END, "1 in the first quadrant", "1", 0, 0},                               \
        {"sum_quadrant_2_fraction" END, "1 in the second quadrant", "1", 0, 0},                              \
        {"sum_quadrant_3_fraction" END, "1 in the third quadrant", "1", 0, 0},                               \
    {                                                                                                        \
        "sum_quadrant_4_fraction" END, "1 in the fourth quadrant", "1", 0, 0                                 \
    }
const struct profile_entry profile_quadrant_sums[QUADRANT_SUMS] = {
    QUADRANT_SUM(""), QUADRANT_SUM("_hole_1"), QUADRANT_SUM("_hole_2"), QUADRANT_SUM("_hole_3")};

#define WORK(NAME, OF)                                                                                       \
    {                                                                                                        \
        NAME "_buoyancy_production", "production of " OF " by buoyancy", "U3/L", 3, -1                       \
    }
const struct profile_entry wall_buoyancy[BUOYANCY_PROFILES] = {
    [BUOYANCY_AA] = WORK("%A%A", "the variance of the velocity along %1"),
    [BUOYANCY_BB] = WORK("%B%B", "the variance of the velocity along %2"),
    [BUOYANCY_K] = WORK("k", "the turbulent kinetic energy"),
    [BUOYANCY_NN] = WORK("%N%N", "the variance of the velocity along %3"),
    [BUOYANCY_AN] = WORK("%A%N", "the covariance of the velocities along %1 and %3"),
    [BUOYANCY_BN] = WORK("%B%N", "the covariance of the velocities along %2 and %3")};

void profiles_name(const struct wall_profiles *w, const char *pattern, char *out, size_t size)
{
    const int direction[3] = {w->a, w->b, w->normal};
    pattern_names_fill(direction, pattern, out, size);
}

static void print_rows(FILE *out, const struct profile_entry *entry, int count, int centres,
                       const char *place)
{
    const struct wall_profiles w = {.a = X, .b = Y, .normal = Z};
    for (int n = 0; n < count; ++n) {
        char name[64], words[160];
        if (profile_is_zero(n) && entry == profile_table) continue;
        profiles_name(&w, entry[n].name, name, sizeof name);
        profiles_name(&w, entry[n].long_name, words, sizeof words);
        const char *at = place != NULL ? place : n < centres ? "`z`" : "`z_face`";
        const int units = entry[n].velocity != 0 || entry[n].length != 0;
        fprintf(out, "| `%s`%s | %s | %s | %s |\n", name, units ? ", `_plus`" : "", at, entry[n].unit, words);
    }
}

void profiles_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    print_rows(out, profile_scalars, SCALARS, 0, "");
    print_rows(out, profile_table, PROFILES, PROFILE_CENTRES, NULL);
    print_rows(out, wall_buoyancy, BUOYANCY_PROFILES, BUOYANCY_CENTRES, NULL);
    fputs("\nIn the group `raw`, summed over the samples:\n\n| variable | over | unit | what |\n| --- | --- "
          "| --- | --- |\n",
          out);
    print_rows(out, profile_sums, AVG_COUNT, AVG_CENTRES, NULL);
    print_rows(out, profile_stress_sums, STRESS_COUNT, STRESS_CENTRES, NULL);
    print_rows(out, profile_quadrant_sums, QUADRANT_SUMS, 0, NULL);
}

int profile_is_zero(int profile)
{
    return profile == PROFILE_AA_BUDGET + BUDGET_PRESSURE || profile == PROFILE_BB_BUDGET + BUDGET_PRESSURE ||
           profile == PROFILE_NN_BUDGET + BUDGET_PRODUCTION ||
           profile == PROFILE_AB_BUDGET + BUDGET_PRESSURE || profile == PROFILE_K_BUDGET + BUDGET_ROTATION;
}

int profile_of_stresses(int profile)
{
    return (profile >= PROFILE_AAB && profile < PROFILE_CENTRES) ||
           (profile >= PROFILE_ABN && profile < PROFILE_QUADRANT);
}
