/* Lists names, descriptions and units of the profiles, numbers and sums of scalars between walls. */
#include <stdio.h>
#include <string.h>
#include "inputs/scalars.h"
#include "pattern_names.h"
#include "wall_scalars.h"

/* The terms of a budget. P, U: power of the scalar's unit, and the rest of the unit. */
#define BUDGET(NAME, OF, P, U)                                                                               \
    {NAME "_production", "production of " OF " by gradients of means", P, U},                                \
        {NAME "_gradient_production", "production of " OF " by the mean gradient of the input", P, U},       \
        {NAME "_turbulent_transport", "turbulent transport of " OF, P, U},                                   \
        {NAME "_molecular_diffusion", "molecular diffusion of " OF, P, U},                                   \
        {NAME "_pressure_transport", "pressure transport of " OF, P, U},                                     \
        {NAME "_pressure_gradient", "pressure times gradient of the scalar, in the budget of " OF, P, U},    \
        {NAME "_buoyancy_production", "production of " OF " by buoyancy", P, U},                             \
        {NAME "_rotation", "gain of " OF " by the Coriolis force", P, U},                                    \
        {NAME "_convective_remainder",                                                                       \
         "what the discrete convection adds to production and turbulent transport of " OF, P, U},            \
        {NAME "_dissipation", "dissipation of " OF ", positive", P, U},                                      \
    {                                                                                                        \
        NAME "_budget_residual", "sum of all gains less the dissipation of " OF, P, U                        \
    }

const struct wall_scalar_entry wall_scalar_profiles[WS_PROFILES] = {
    [WS_MEAN] = {"", "mean", 1, ""},
    [WS_VARIANCE] = {"_variance", "variance", 2, ""},
    [WS_RMS] = {"_rms", "root mean square of the fluctuation", 1, ""},
    [WS_SKEWNESS] = {"_skewness", "skewness", -1, ""},
    [WS_FLATNESS] = {"_flatness", "flatness, 3 for a Gaussian", -1, ""},
    [WS_TA] = {"_%A", "covariance with the velocity along %1", 1, "U"},
    [WS_TB] = {"_%B", "covariance with the velocity along %2", 1, "U"},
    [WS_VARIANCE_BUDGET] = BUDGET("_variance", "the variance", 2, "U/L"),
    [WS_A_BUDGET] = BUDGET("_%A", "the flux along %1", 1, "U2/L"),
    [WS_B_BUDGET] = BUDGET("_%B", "the flux along %2", 1, "U2/L"),
    [WS_GRADIENT] = {"_gradient", "gradient along %3 of the mean", 1, "1/L"},
    [WS_TN] = {"_%N",
               "covariance with the velocity along %3, as the equation of the scalar has it: the "
               "turbulent flux",
               1, "U"},
    [WS_MOLECULAR] = {"_molecular_flux", "molecular flux along %3", 1, "U"},
    [WS_TOTAL] = {"_total_flux", "turbulent and molecular flux along %3", 1, "U"},
    [WS_PRANDTL] = {"_turbulent_prandtl", "turbulent Prandtl number", -1, ""},
    [WS_N_BUDGET] = BUDGET("_%N", "the flux along %3", 1, "U2/L")};

const struct wall_scalar_entry wall_scalar_numbers[WS_NUMBERS] = {
    [WS_FLUX_LOW] = {"_flux_in_low", "mean flux into the fluid through the lower wall", 1, "U"},
    [WS_FLUX_HIGH] = {"_flux_in_high", "mean flux into the fluid through the upper wall", 1, "U"},
    [WS_VOLUME_MEAN] = {"_volume_mean", "volume mean", 1, ""},
    [WS_BULK] =
        {"_bulk",
         "mixed mean: the flux along the stream over the flow rate, both against walls that move alike", 1,
         ""},
    [WS_TAU] = {"_tau", "friction value: mean of the magnitudes of both walls' fluxes over u_tau", 1, ""},
    [WS_NU_BULK] = {"_nusselt_bulk",
                    "Nusselt number of the mean wall flux, with the difference between walls and mixed mean "
                    "and with twice the distance of the walls",
                    -1, ""},
    [WS_NU_LOW] = {"_nusselt_low", "Nusselt number, by the flux through the lower wall", -1, ""},
    [WS_NU_HIGH] = {"_nusselt_high", "Nusselt number, by the flux through the upper wall", -1, ""},
    [WS_NU_FLUX] = {"_nusselt_flux", "Nusselt number, by the volume mean of the flux", -1, ""},
    [WS_NU_DISSIPATION] = {"_nusselt_variance", "Nusselt number, by the dissipation of the variance", -1, ""},
    [WS_NU_ENERGY] =
        {"_nusselt_energy",
         "Nusselt number, by the dissipation of kinetic energy less the work of the other scalars", -1, ""},
    [WS_NU_SPREAD] = {"_nusselt_spread",
                      "difference of the largest and the least of these Nusselt numbers, "
                      "over their mean",
                      -1, ""}};

const struct wall_scalar_entry wall_scalar_means[THETA_COUNT] = {
    [THETA_T] = {"", "T", 1, ""},
    [THETA_TT] = {"_squared", "T^2", 2, ""},
    [THETA_TTT] = {"_cubed", "T^3", 3, ""},
    [THETA_TTTT] = {"_fourth", "T^4", 4, ""},
    [THETA_TA] = {"_%A", "T %A", 1, "U"},
    [THETA_TB] = {"_%B", "T %B", 1, "U"},
    [THETA_GRAD] = {"_gradient", "(dT/d%1)^2 + (dT/d%2)^2", 2, "1/L2"},
    [THETA_C] = {"_convection", "convection of T", 1, "U/L"},
    [THETA_TC] = {"_convection_times", "T times its convection", 2, "U/L"},
    [THETA_TS] = {"_source_times", "T times the source by the mean gradient", 2, "U/L"},
    [THETA_TN] = {"_flux", "flux of T along %3", 1, "U"},
    [THETA_FLUX_TT] = {"_flux_squared", "flux of T^2 along %3", 2, "U"},
    [THETA_SHEAR] = {"_shear", "(dT/d%3)^2", 2, "1/L2"}};

const struct wall_scalar_entry wall_scalar_fluxes[FLUXES_COUNT] = {
    [FLUXES_PT] = {"_p", "p T", 1, "U2"},
    [FLUXES_PDA] = {"_p_d%1", "p dT/d%1", 1, "U2/L"},
    [FLUXES_PDB] = {"_p_d%2", "p dT/d%2", 1, "U2/L"},
    [FLUXES_PDN_LOW] = {"_p_d%3_low", "p dT/d%3, difference on the lower face", 1, "U2/L"},
    [FLUXES_PDN_UP] = {"_p_d%3_up", "p dT/d%3, difference on the upper face", 1, "U2/L"},
    [FLUXES_CA] = {"_convection_%A", "convection of %A times T, and of T times %A", 1, "U2/L"},
    [FLUXES_CB] = {"_convection_%B", "convection of %B times T, and of T times %B", 1, "U2/L"},
    [FLUXES_MA] = {"_transport_%A", "the same of convection and diffusion", 1, "U2/L"},
    [FLUXES_MB] = {"_transport_%B", "the same of convection and diffusion", 1, "U2/L"},
    [FLUXES_SA] = {"_source_%A", "%A times the source by the mean gradient", 1, "U2/L"},
    [FLUXES_SB] = {"_source_%B", "%B times the source by the mean gradient", 1, "U2/L"},
    [FLUXES_BA] = {"_buoyancy_%A", "T times the buoyancy along %1", 1, "U2/L"},
    [FLUXES_BB] = {"_buoyancy_%B", "T times the buoyancy along %2", 1, "U2/L"},
    [FLUXES_LA] = {"_buoyancy_along_%1", "the buoyancy along %1", -1, "U2/L"},
    [FLUXES_LB] = {"_buoyancy_along_%2", "the buoyancy along %2", -1, "U2/L"},
    [FLUXES_CTN_LOW] = {"_convection_times_%N_low", "convection of T times %N on the lower face", 1, "U2/L"},
    [FLUXES_CTN_UP] = {"_convection_times_%N_up", "convection of T times %N on the upper face", 1, "U2/L"},
    [FLUXES_MTN_LOW] = {"_transport_times_%N_low", "the same of convection and diffusion", 1, "U2/L"},
    [FLUXES_MTN_UP] = {"_transport_times_%N_up", "the same of convection and diffusion", 1, "U2/L"},
    [FLUXES_NNT] = {"_%N%N", "%N^2 T in the cell", 1, "U2"},
    [FLUXES_ATN] = {"_%A_flux", "flux of T along %3 times %A", 1, "U2"},
    [FLUXES_BTN] = {"_%B_flux", "flux of T along %3 times %B", 1, "U2"},
    [FLUXES_CN] = {"_convection_%N", "convection of %N times T on the face", 1, "U2/L"},
    [FLUXES_MN] = {"_transport_%N", "the same of convection and diffusion", 1, "U2/L"},
    [FLUXES_SN] = {"_source_%N", "%N times the source by the mean gradient", 1, "U2/L"},
    [FLUXES_BN] = {"_buoyancy_%N", "T times the buoyancy along %3", 1, "U2/L"}};

static void put_words(const struct wall_profiles *w, const char *name, const char *unit,
                      const struct wall_scalar_entry *e, const char *before, struct wall_scalar_words *out)
{
    char end[32], words[160];
    profiles_name(w, e->name, end, sizeof end);
    profiles_name(w, e->words, words, sizeof words);
    snprintf(out->name, sizeof out->name, "%s%.*s%s", before, SCALAR_NAME, name, end);
    snprintf(out->words, sizeof out->words, "%.*s: %s", SCALAR_NAME, name, words);
    scalar_unit(unit, e->power, e->unit, out->unit, sizeof out->unit);
}

void wall_scalar_words(const struct wall_profiles *w, int n, const struct wall_scalar_entry *e,
                       const char *before, struct wall_scalar_words *out)
{
    put_words(w, w->scalars.of[n].name, w->scalars.of[n].unit, e, before, out);
}

void wall_scalars_name_sum(const struct wall_profiles *w, int n, char *out, size_t size)
{
    const int each = profiles_scalar_sums(w), sum = n % each;
    struct wall_scalar_words words;
    wall_scalar_words(w, n / each,
                      sum < THETA_COUNT ? &wall_scalar_means[sum] : &wall_scalar_fluxes[sum - THETA_COUNT],
                      "", &words);
    snprintf(out, size, "%s", words.words);
}

/* Terms that are always 0, and never written. */
static int is_zero(int profile)
{
    const int of_variance = profile - WS_VARIANCE_BUDGET;
    return of_variance == TERM_PRESSURE || of_variance == TERM_STRAIN || of_variance == TERM_BUOYANCY ||
           of_variance == TERM_ROTATION || profile == WS_A_BUDGET + TERM_PRESSURE ||
           profile == WS_B_BUDGET + TERM_PRESSURE;
}

static void print_rows(FILE *out, const struct wall_scalar_entry *entry, int count, int centres,
                       const char *before, const char *place)
{
    const struct wall_profiles w = {.a = X, .b = Y, .normal = Z};
    for (int n = 0; n < count; ++n) {
        struct wall_scalar_words words;
        if (entry == wall_scalar_profiles && is_zero(n)) continue;
        put_words(&w, "T", "own", &entry[n], before, &words);
        fprintf(out, "| `%s` | %s | %s | %s |\n", words.name,
                place != NULL ? place
                : n < centres ? "`z`"
                              : "`z_face`",
                words.unit, words.words + 3);
    }
}

void wall_scalars_print(FILE *out)
{
    static const char HEAD[] = "| variable | over | unit | what |\n| --- | --- | --- | --- |\n";
    fputs(HEAD, out);
    print_rows(out, wall_scalar_numbers, WS_NUMBERS, 0, "", "");
    print_rows(out, wall_scalar_profiles, WS_PROFILES, WS_CENTRES, "", NULL);
    fputs("\nIn the group `raw`, summed over the samples:\n\n", out);
    fputs(HEAD, out);
    print_rows(out, wall_scalar_means, THETA_COUNT, THETA_CENTRES, "sum_", NULL);
    print_rows(out, wall_scalar_fluxes, FLUXES_COUNT, FLUXES_CENTRES, "sum_", NULL);
}
