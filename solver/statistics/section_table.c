/* Lists names, descriptions and units of the fields, sums and numbers over a cross-section. */
#include <stdio.h>
#include "pattern_names.h"
#include "section_fields.h"

const struct section_entry section_field_entries[FIELDS] = {
    [FIELD_S] = {"^S", "mean velocity along %3", "U", 1, 0},
    [FIELD_P] = {"P", "mean pressure over density", "U2", 2, 0},
    [FIELD_SS] = {"%S%S", "variance of the velocity along %3", "U2", 2, 0},
    [FIELD_S_SKEWNESS] = {"%S_skewness", "skewness of the velocity along %3", "1", 0, 0},
    [FIELD_S_FLATNESS] = {"%S_flatness", "flatness of the velocity along %3, 3 for a Gaussian", "1", 0, 0},
    [FIELD_P_RMS] = {"p_rms", "root mean square of the fluctuation of the pressure over density", "U2", 2, 0},
    [FIELD_K] = {"k", "turbulent kinetic energy", "U2", 2, 0},
    [FIELD_PRODUCTION] = {"k_production", "production of the turbulent kinetic energy", "U3/L", 3, -1},
    [FIELD_DISSIPATION] = {"k_dissipation", "dissipation of the turbulent kinetic energy, positive", "U3/L",
                           3, -1},
    [FIELD_A] = {"^A", "mean velocity along %1", "U", 1, 0},
    [FIELD_AA] = {"%A%A", "variance of the velocity along %1", "U2", 2, 0},
    [FIELD_A_SKEWNESS] = {"%A_skewness", "skewness of the velocity along %1", "1", 0, 0},
    [FIELD_A_FLATNESS] = {"%A_flatness", "flatness of the velocity along %1, 3 for a Gaussian", "1", 0, 0},
    [FIELD_SA] = {"%S%A", "covariance of the velocities along %3 and %1, as the momentum equation has it",
                  "U2", 2, 0},
    [FIELD_OMEGA_B_RMS] = {"omega_%2_rms", "root mean square of the fluctuation of the vorticity along %2",
                           "U/L", 1, -1},
    [FIELD_B] = {"^B", "mean velocity along %2", "U", 1, 0},
    [FIELD_BB] = {"%B%B", "variance of the velocity along %2", "U2", 2, 0},
    [FIELD_B_SKEWNESS] = {"%B_skewness", "skewness of the velocity along %2", "1", 0, 0},
    [FIELD_B_FLATNESS] = {"%B_flatness", "flatness of the velocity along %2, 3 for a Gaussian", "1", 0, 0},
    [FIELD_SB] = {"%S%B", "covariance of the velocities along %3 and %2, as the momentum equation has it",
                  "U2", 2, 0},
    [FIELD_OMEGA_A_RMS] = {"omega_%1_rms", "root mean square of the fluctuation of the vorticity along %1",
                           "U/L", 1, -1},
    [FIELD_AB] = {"%A%B", "covariance of the velocities along %1 and %2, mean of both fluxes", "U2", 2, 0},
    [FIELD_OMEGA_S] = {"Omega_%3", "mean vorticity along %3", "U/L", 1, -1},
    [FIELD_OMEGA_S_RMS] = {"omega_%3_rms", "root mean square of the fluctuation of the vorticity along %3",
                           "U/L", 1, -1}};

const struct section_entry section_scalar_entries[SECTION_SCALARS] = {
    [SECTION_U_TAU] = {"u_tau",
                       "friction velocity, from the mean shear stress of the no-slip walls along the stream",
                       "U", 0, 0},
    [SECTION_RE_TAU] = {"Re_tau", "friction Reynolds number, u_tau delta/nu", "1", 0, 0},
    [SECTION_U_B] = {"u_b", "bulk velocity along the stream, volume mean, against walls that move alike", "U",
                     0, 0},
    [SECTION_RE_B] = {"Re_b", "bulk Reynolds number, u_b times the hydraulic diameter over nu", "1", 0, 0},
    [SECTION_FRICTION] = {"friction_coefficient", "2 (u_tau/u_b)^2", "1", 0, 0},
    [SECTION_FRICTION_FACTOR] = {"friction_factor", "8 (u_tau/u_b)^2", "1", 0, 0},
    [SECTION_ENERGY] = {"kinetic_energy", "kinetic energy, that of the mean velocity included, volume mean",
                        "U2", 0, 0},
    [SECTION_DISSIPATION] = {"dissipation",
                             "dissipation of kinetic energy, that of the mean velocity included, by the "
                             "diffusion operator, positive, volume mean",
                             "U3/L", 0, 0},
    [SECTION_FORCE] = {"force", "minus the mean pressure gradient that drives the flow", "U2/L", 0, 0}};

/* Quantities that are summed over the samples. Each is a mean over the homogeneous direction; the order is
 * that of kernels/line_average.h. */
const struct section_entry section_sum_entries[LINE_SUM_COUNT] = {
    [LINE_SUM_S] = {"sum_^S", "%S", "U", 0, 0},
    [LINE_SUM_P] = {"sum_P", "p", "U2", 0, 0},
    [LINE_SUM_SS] = {"sum_%S%S", "%S^2", "U2", 0, 0},
    [LINE_SUM_SSS] = {"sum_%S%S%S", "%S^3", "U3", 0, 0},
    [LINE_SUM_SSSS] = {"sum_%S%S%S%S", "%S^4", "U4", 0, 0},
    [LINE_SUM_PP] = {"sum_pp", "p^2", "U4", 0, 0},
    [LINE_SUM_FLUX_AA] = {"sum_flux_%A_%1", "flux of %A along %1", "U2", 0, 0},
    [LINE_SUM_FLUX_BB] = {"sum_flux_%B_%2", "flux of %B along %2", "U2", 0, 0},
    [LINE_SUM_GRAD_S] = {"sum_d%Sd%3_2", "(d%S/d%3)^2", "U2/L2", 0, 0},
    [LINE_SUM_GRAD_A] = {"sum_d%Ad%1_2", "(d%A/d%1)^2", "U2/L2", 0, 0},
    [LINE_SUM_GRAD_B] = {"sum_d%Bd%2_2", "(d%B/d%2)^2", "U2/L2", 0, 0},
    [LINE_SUM_A] = {"sum_^A", "%A", "U", 0, 0},
    [LINE_SUM_AA] = {"sum_%A%A", "%A^2", "U2", 0, 0},
    [LINE_SUM_AAA] = {"sum_%A%A%A", "%A^3", "U3", 0, 0},
    [LINE_SUM_AAAA] = {"sum_%A%A%A%A", "%A^4", "U4", 0, 0},
    [LINE_SUM_SA] = {"sum_flux_%S_%1", "flux of %S along %1", "U2", 0, 0},
    [LINE_SUM_DSA] = {"sum_d%Sd%1", "d%S/d%1", "U/L", 0, 0},
    [LINE_SUM_DSA2] = {"sum_d%Sd%1_2", "(d%S/d%1)^2", "U2/L2", 0, 0},
    [LINE_SUM_DAS2] = {"sum_d%Ad%3_2", "(d%A/d%3)^2", "U2/L2", 0, 0},
    [LINE_SUM_OMEGA_B] = {"sum_omega_%2_2", "vorticity along %2, squared", "U2/L2", 0, 0},
    [LINE_SUM_B] = {"sum_^B", "%B", "U", 0, 0},
    [LINE_SUM_BB] = {"sum_%B%B", "%B^2", "U2", 0, 0},
    [LINE_SUM_BBB] = {"sum_%B%B%B", "%B^3", "U3", 0, 0},
    [LINE_SUM_BBBB] = {"sum_%B%B%B%B", "%B^4", "U4", 0, 0},
    [LINE_SUM_SB] = {"sum_flux_%S_%2", "flux of %S along %2", "U2", 0, 0},
    [LINE_SUM_DSB] = {"sum_d%Sd%2", "d%S/d%2", "U/L", 0, 0},
    [LINE_SUM_DSB2] = {"sum_d%Sd%2_2", "(d%S/d%2)^2", "U2/L2", 0, 0},
    [LINE_SUM_DBS2] = {"sum_d%Bd%3_2", "(d%B/d%3)^2", "U2/L2", 0, 0},
    [LINE_SUM_OMEGA_A] = {"sum_omega_%1_2", "vorticity along %1, squared", "U2/L2", 0, 0},
    [LINE_SUM_FLUX_AB] = {"sum_flux_%A_%2", "flux of %A along %2", "U2", 0, 0},
    [LINE_SUM_FLUX_BA] = {"sum_flux_%B_%1", "flux of %B along %1", "U2", 0, 0},
    [LINE_SUM_DAB] = {"sum_d%Ad%2", "d%A/d%2", "U/L", 0, 0},
    [LINE_SUM_DBA] = {"sum_d%Bd%1", "d%B/d%1", "U/L", 0, 0},
    [LINE_SUM_DAB2] = {"sum_d%Ad%2_2", "(d%A/d%2)^2", "U2/L2", 0, 0},
    [LINE_SUM_DBA2] = {"sum_d%Bd%1_2", "(d%B/d%1)^2", "U2/L2", 0, 0},
    [LINE_SUM_OMEGA_S] = {"sum_omega_%3_2", "vorticity along %3, squared", "U2/L2", 0, 0}};

void section_fields_name(const struct section_fields *s, const char *pattern, char *out, size_t size)
{
    const int direction[3] = {s->a, s->b, s->along};
    pattern_names_fill(direction, pattern, out, size);
}

void section_fields_name_value(const struct section_fields *s, int n, char *name, char *where, size_t size)
{
    int q = 0;
    while (q < LINE_SUM_COUNT - 1 && s->sum_first[q + 1] <= n) ++q;
    const struct section_sums_place p = section_sums_place(s->n_g, s->along, q);
    const int place = n - (int)s->sum_first[q];
    section_fields_name(s, section_sum_entries[q].long_name, name, size);
    snprintf(where, size, " at place %d along %c and %d along %c", place % p.wide, "xyz"[s->a],
             place / p.wide, "xyz"[s->b]);
}

/* The axes of entry n. Entries below `centres` are at centres, those below `faces_a` and `faces_b` on faces,
 * and the others on edges. */
static const char *axes_of(int n, int centres, int faces_a, int faces_b)
{
    if (n < centres) return "`z`, `y`";
    return n < faces_a ? "`z`, `y_face`" : n < faces_b ? "`z_face`, `y`" : "`z_face`, `y_face`";
}

static void print_row(FILE *out, const struct section_fields *s, const struct section_entry *e,
                      const char *axes)
{
    char name[64], words[160];
    section_fields_name(s, e->name, name, sizeof name);
    section_fields_name(s, e->long_name, words, sizeof words);
    fprintf(out, "| `%s`%s | %s | %s | %s |\n", name, e->velocity != 0 || e->length != 0 ? ", `_plus`" : "",
            axes, e->unit, words);
}

void section_fields_print(FILE *out)
{
    static const char HEAD[] = "| variable | over | unit | what |\n| --- | --- | --- | --- |\n";
    const struct section_fields s = {.along = X, .a = Y, .b = Z};
    fputs(HEAD, out);
    for (int n = 0; n < SECTION_SCALARS; ++n) print_row(out, &s, &section_scalar_entries[n], "");
    fputs(
        "| `wall_stress_u_y_low`, `_y_high` | `z` | U2 | force of the fluid along x on the wall, over area "
        "and "
        "density |\n| `wall_stress_w_y_low`, `_y_high` | `z_face` | U2 | force of the fluid along z on the "
        "wall, over area and density |\n| `wall_stress_u_z_low`, `_z_high` | `y` | U2 | likewise along x "
        "|\n| "
        "`wall_stress_v_z_low`, `_z_high` | `y_face` | U2 | likewise along y |\n| `wall_distance`, `_plus` | "
        "`z`, `y` | L | distance of the centre from the nearest no-slip wall |\n",
        out);
    for (int n = 0; n < FIELDS; ++n)
        print_row(out, &s, &section_field_entries[n],
                  axes_of(n, FIELD_CENTRES, FIELD_FACES_A, FIELD_FACES_B));
    fprintf(out, "\nIn the group `raw`, summed over the samples:\n\n%s", HEAD);
    for (int n = 0; n < LINE_SUM_COUNT; ++n)
        print_row(out, &s, &section_sum_entries[n],
                  axes_of(n, LINE_SUM_CENTRES, LINE_SUM_FACES_A, LINE_SUM_FACES_B));
}
