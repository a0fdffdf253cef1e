/* Computes moments, scales and dimensionless numbers of the turbulence in a periodic box. */
#include "box_moments.h"

#include <math.h>
#include "kernels/base/constants.h"
#include "math/central_moments.h"

struct box_moments box_moments_make(double nu, const struct grid *g)
{
    double most = 0;
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < g->n_g[d]; ++i) most = fmax(most, grid_width(g, d, i));
    return (struct box_moments){.nu = nu, .volume = g->volume, .k_max = PI / most};
}

kol_status box_sample(const struct box_moments *b, const struct grid *g, struct reduction *r,
                      real *const vel[3], const real *p, double *value)
{
    for (int group = 0; group < MOMENT_GROUPS; ++group) {
        TRY(moments_sum(group, g->box, g->m, reduction_blocks(r), vel, p));
        TRY(reduction_finish(r, moments_count(group), 0, value + group * MOMENT_GROUP));
    }
    for (int n = 0; n < MOMENT_COUNT; ++n) value[n] = value[n] / b->volume + 0.0; /* no negative zeros */
    return KOL_OK;
}

kol_status box_vorticity(const struct box_moments *b, const struct grid *g, struct reduction *r,
                         real *const vel[3], const real *p, double square[3])
{
    enum { GROUP = MOMENT_OMEGA_2 / MOMENT_GROUP, PLACE = MOMENT_OMEGA_2 % MOMENT_GROUP };
    double value[MOMENT_GROUP];
    TRY(moments_sum(GROUP, g->box, g->m, reduction_blocks(r), vel, p));
    TRY(reduction_finish(r, moments_count(GROUP), 0, value));
    for (int d = 0; d < 3; ++d) square[d] = value[PLACE + d] / b->volume;
    return KOL_OK;
}

/* --- quantities --- */

#define M(Q) mean[MOMENT_##Q]

static double sum_of(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; ++i) s += v[i];
    return s;
}

static void derive_velocity(const double *mean, double *out)
{
    const double square = sum_of(mean + MOMENT_UU, 3), pressure[4] = {M(P), M(PP), M(PPP), M(PPPP)};
    for (int d = 0; d < 3; ++d) {
        const int e = d < 2 ? 0 : 1, f = d < 1 ? 1 : 2; /* the pairs x y, x z, y z */
        const double raw[4] = {mean[MOMENT_U + d], mean[MOMENT_UU + d], mean[MOMENT_UUU + d],
                               mean[MOMENT_UUUU + d]};
        const struct central c = central_moments(raw, square);
        out[BOX_U + d] = raw[0];
        out[BOX_UU + d] = c.variance;
        out[BOX_SKEWNESS + d] = c.skewness;
        out[BOX_FLATNESS + d] = c.flatness;
        out[BOX_UV + d] = mean[MOMENT_UV + d] - mean[MOMENT_U + e] * mean[MOMENT_U + f];
    }
    const struct central c = central_moments(pressure, square * square);
    out[BOX_P_RMS] = sqrt(c.variance);
    out[BOX_P_SKEWNESS] = c.skewness;
    out[BOX_P_FLATNESS] = c.flatness;
    out[BOX_KINETIC_ENERGY] = 0.5 * square;
    out[BOX_K] = 0.5 * sum_of(out + BOX_UU, 3);
    out[BOX_RMS] = sqrt(2 * out[BOX_K] / 3);
}

static void derive_gradients(const double *mean, double *out)
{
    const double along = sum_of(mean + MOMENT_ALONG_2, 3) / 3, across = sum_of(mean + MOMENT_ACROSS_2, 6) / 6,
                 omega = sum_of(mean + MOMENT_OMEGA_2, 3) / 3, all = 3 * along + 6 * across;
    for (int d = 0; d < 3; ++d) {
        const double square = mean[MOMENT_ALONG_2 + d];
        out[BOX_ALONG + d] = square;
        out[BOX_ALONG_SKEWNESS + d] = skewness_of(square, mean[MOMENT_ALONG_3 + d], all);
        out[BOX_ALONG_FLATNESS + d] = flatness_of(square, mean[MOMENT_ALONG_4 + d], all);
        out[BOX_OMEGA + d] = sqrt(mean[MOMENT_OMEGA_2 + d]);
    }
    for (int n = 0; n < 6; ++n) out[BOX_ACROSS + n] = mean[MOMENT_ACROSS_2 + n];
    out[BOX_ALL_ALONG_SKEWNESS] = skewness_of(along, sum_of(mean + MOMENT_ALONG_3, 3) / 3, all);
    out[BOX_ALL_ALONG_FLATNESS] = flatness_of(along, sum_of(mean + MOMENT_ALONG_4, 3) / 3, all);
    out[BOX_ALL_ACROSS_SKEWNESS] = skewness_of(across, sum_of(mean + MOMENT_ACROSS_3, 3) / 6, all);
    out[BOX_ALL_ACROSS_FLATNESS] = flatness_of(across, sum_of(mean + MOMENT_ACROSS_4, 3) / 6, all);
    out[BOX_OMEGA_FLATNESS] = flatness_of(omega, sum_of(mean + MOMENT_OMEGA_4, 3) / 3, all);
    out[BOX_ENSTROPHY] = 1.5 * omega;
    out[BOX_HELICITY] = M(HELICITY);
    out[BOX_ISOTROPY] = across > 0 ? 2 * along / across : NAN;
    out[BOX_TAYLOR_ALONG] = along > 0 ? out[BOX_RMS] / sqrt(along) : NAN;
    out[BOX_TAYLOR_ACROSS] = across > 0 ? out[BOX_RMS] * sqrt(2 / across) : NAN;
}

static void derive_scales(const struct box_moments *b, const double *mean, double *out)
{
    const double squares = sum_of(mean + MOMENT_ALONG_2, 3) + sum_of(mean + MOMENT_ACROSS_2, 6);
    const double nu = b->nu, rms = out[BOX_RMS], dissipation = nu * squares;
    const int decays = dissipation > 0;
    out[BOX_DISSIPATION] = dissipation;
    out[BOX_POWER] = mean[BOX_EXTRA_POWER];
    out[BOX_TAYLOR] = squares > 0 ? rms * sqrt(15 / squares) : NAN;
    out[BOX_RE_LAMBDA] = nu > 0 ? rms * out[BOX_TAYLOR] / nu : NAN;
    out[BOX_ETA] = decays ? sqrt(nu) / sqrt(sqrt(squares)) : NAN;
    out[BOX_ETA_TIME] = decays ? 1 / sqrt(squares) : NAN;
    out[BOX_ETA_VELOCITY] = decays ? sqrt(nu) * sqrt(sqrt(squares)) : NAN;
    out[BOX_K_MAX_ETA] = b->k_max * out[BOX_ETA];
    out[BOX_LARGE_LENGTH] = decays ? rms * rms * rms / dissipation : NAN;
    out[BOX_LARGE_TIME] = decays ? out[BOX_K] / dissipation : NAN;
}

static void derive_scalars(const struct box_moments *b, const double *mean, double *out)
{
    struct box_scalars_flow flow = {
        .k = out[BOX_K], .dissipation = out[BOX_DISSIPATION], .eta = out[BOX_ETA], .nu = b->nu};
    for (int d = 0; d < 3; ++d) {
        flow.mean[d] = out[BOX_U + d];
        flow.variance[d] = out[BOX_UU + d];
        flow.along[d] = out[BOX_ALONG + d];
    }
    box_scalars_derive(&b->scalars, flow, mean + BOX_VALUES, out + BOX_SCALARS);
}

void box_derive(const void *context, const double *mean, double *out)
{
    derive_velocity(mean, out);
    derive_gradients(mean, out);
    derive_scales(context, mean, out);
    derive_scalars(context, mean, out);
}

/* --- the file --- */

static const struct netcdf_content_entry box_table[BOX_SCALARS] = {
    [BOX_U] = {"U", "mean velocity along x", "U"},
    [BOX_U + 1] = {"V", "mean velocity along y", "U"},
    [BOX_U + 2] = {"W", "mean velocity along z", "U"},
    [BOX_UU] = {"uu", "variance of the velocity along x", "U2"},
    [BOX_UU + 1] = {"vv", "variance of the velocity along y", "U2"},
    [BOX_UU + 2] = {"ww", "variance of the velocity along z", "U2"},
    [BOX_UV] = {"uv", "covariance of the velocities along x and y", "U2"},
    [BOX_UV + 1] = {"uw", "covariance of the velocities along x and z", "U2"},
    [BOX_UV + 2] = {"vw", "covariance of the velocities along y and z", "U2"},
    [BOX_SKEWNESS] = {"u_skewness", "skewness of the velocity along x", "1"},
    [BOX_SKEWNESS + 1] = {"v_skewness", "skewness of the velocity along y", "1"},
    [BOX_SKEWNESS + 2] = {"w_skewness", "skewness of the velocity along z", "1"},
    [BOX_FLATNESS] = {"u_flatness", "flatness of the velocity along x, 3 for a Gaussian", "1"},
    [BOX_FLATNESS + 1] = {"v_flatness", "flatness of the velocity along y, 3 for a Gaussian", "1"},
    [BOX_FLATNESS + 2] = {"w_flatness", "flatness of the velocity along z, 3 for a Gaussian", "1"},
    [BOX_P_RMS] = {"p_rms", "root mean square of the fluctuation of the pressure over density", "U2"},
    [BOX_P_SKEWNESS] = {"p_skewness", "skewness of the pressure", "1"},
    [BOX_P_FLATNESS] = {"p_flatness", "flatness of the pressure, 3 for a Gaussian", "1"},
    [BOX_KINETIC_ENERGY] = {"kinetic_energy", "kinetic energy, that of the mean velocity included", "U2"},
    [BOX_K] = {"k", "turbulent kinetic energy", "U2"},
    [BOX_DISSIPATION] = {"dissipation", "dissipation of kinetic energy, by the diffusion operator, positive",
                         "U3/L"},
    [BOX_ENSTROPHY] = {"enstrophy", "half the mean square of the vorticity", "U2/L2"},
    [BOX_HELICITY] = {"helicity", "mean of velocity times vorticity", "U2/L"},
    [BOX_POWER] = {"power", "power of the force, over the volume", "U3/L"},
    [BOX_RMS] = {"velocity_rms", "root mean square of one component of the fluctuation, sqrt(2 k/3)", "U"},
    [BOX_TAYLOR] = {"taylor_length", "Taylor scale, velocity_rms sqrt(15 nu/dissipation)", "L"},
    [BOX_TAYLOR_ALONG] = {"taylor_length_along", "Taylor scale from the longitudinal gradients", "L"},
    [BOX_TAYLOR_ACROSS] = {"taylor_length_across", "Taylor scale from the transverse gradients", "L"},
    [BOX_RE_LAMBDA] = {"Re_lambda", "Taylor Reynolds number, velocity_rms taylor_length/nu", "1"},
    [BOX_ETA] = {"kolmogorov_length", "Kolmogorov length", "L"},
    [BOX_ETA_TIME] = {"kolmogorov_time", "Kolmogorov time", "L/U"},
    [BOX_ETA_VELOCITY] = {"kolmogorov_velocity", "Kolmogorov velocity", "U"},
    [BOX_K_MAX_ETA] =
        {
            "k_max_eta",
            "largest wavenumber of the grid, pi over the largest spacing, times the Kolmogorov length", "1"},
    [BOX_LARGE_LENGTH] = {"dissipation_length", "length of the large eddies, velocity_rms^3/dissipation",
                          "L"},
    [BOX_LARGE_TIME] = {"dissipation_time", "time of the large eddies, k/dissipation", "L/U"},
    [BOX_ISOTROPY] = {"gradient_isotropy",
                      "twice the mean square of longitudinal over that of transverse gradients, 1 in "
                      "isotropic turbulence",
                      "1"},
    [BOX_ALONG] = {"dudx_squared", "mean of (du/dx)^2", "U2/L2"},
    [BOX_ALONG + 1] = {"dvdy_squared", "mean of (dv/dy)^2", "U2/L2"},
    [BOX_ALONG + 2] = {"dwdz_squared", "mean of (dw/dz)^2", "U2/L2"},
    [BOX_ACROSS] = {"dudy_squared", "mean of (du/dy)^2", "U2/L2"},
    [BOX_ACROSS + 1] = {"dudz_squared", "mean of (du/dz)^2", "U2/L2"},
    [BOX_ACROSS + 2] = {"dvdx_squared", "mean of (dv/dx)^2", "U2/L2"},
    [BOX_ACROSS + 3] = {"dvdz_squared", "mean of (dv/dz)^2", "U2/L2"},
    [BOX_ACROSS + 4] = {"dwdx_squared", "mean of (dw/dx)^2", "U2/L2"},
    [BOX_ACROSS + 5] = {"dwdy_squared", "mean of (dw/dy)^2", "U2/L2"},
    [BOX_ALONG_SKEWNESS] = {"dudx_skewness", "skewness of du/dx", "1"},
    [BOX_ALONG_SKEWNESS + 1] = {"dvdy_skewness", "skewness of dv/dy", "1"},
    [BOX_ALONG_SKEWNESS + 2] = {"dwdz_skewness", "skewness of dw/dz", "1"},
    [BOX_ALONG_FLATNESS] = {"dudx_flatness", "flatness of du/dx", "1"},
    [BOX_ALONG_FLATNESS + 1] = {"dvdy_flatness", "flatness of dv/dy", "1"},
    [BOX_ALONG_FLATNESS + 2] = {"dwdz_flatness", "flatness of dw/dz", "1"},
    [BOX_ALL_ALONG_SKEWNESS] = {"gradient_along_skewness",
                                "skewness of longitudinal gradients, of moments averaged over the three",
                                "1"},
    [BOX_ALL_ALONG_FLATNESS] = {"gradient_along_flatness",
                                "flatness of longitudinal gradients, of moments averaged over the three",
                                "1"},
    [BOX_ALL_ACROSS_SKEWNESS] = {"gradient_across_skewness",
                                 "skewness of transverse gradients, of moments averaged over the six", "1"},
    [BOX_ALL_ACROSS_FLATNESS] = {"gradient_across_flatness",
                                 "flatness of transverse gradients, of moments averaged over the six", "1"},
    [BOX_OMEGA] = {"omega_x_rms", "root mean square of the vorticity along x", "U/L"},
    [BOX_OMEGA + 1] = {"omega_y_rms", "root mean square of the vorticity along y", "U/L"},
    [BOX_OMEGA + 2] = {"omega_z_rms", "root mean square of the vorticity along z", "U/L"},
    [BOX_OMEGA_FLATNESS] = {"omega_flatness", "flatness of the vorticity, of moments averaged over the three",
                            "1"}};

const struct netcdf_content_entry box_sums[BOX_VALUES] = {
    [MOMENT_U] = {"sum_U", "u", "U"},
    [MOMENT_V] = {"sum_V", "v", "U"},
    [MOMENT_W] = {"sum_W", "w", "U"},
    [MOMENT_UU] = {"sum_uu", "u^2", "U2"},
    [MOMENT_VV] = {"sum_vv", "v^2", "U2"},
    [MOMENT_WW] = {"sum_ww", "w^2", "U2"},
    [MOMENT_UUU] = {"sum_uuu", "u^3", "U3"},
    [MOMENT_VVV] = {"sum_vvv", "v^3", "U3"},
    [MOMENT_WWW] = {"sum_www", "w^3", "U3"},
    [MOMENT_UUUU] = {"sum_uuuu", "u^4", "U4"},
    [MOMENT_VVVV] = {"sum_vvvv", "v^4", "U4"},
    [MOMENT_WWWW] = {"sum_wwww", "w^4", "U4"},
    [MOMENT_ALONG_2] = {"sum_dudx_2", "(du/dx)^2", "U2/L2"},
    [MOMENT_ALONG_2 + 1] = {"sum_dvdy_2", "(dv/dy)^2", "U2/L2"},
    [MOMENT_ALONG_2 + 2] = {"sum_dwdz_2", "(dw/dz)^2", "U2/L2"},
    [MOMENT_ALONG_3] = {"sum_dudx_3", "(du/dx)^3", "U3/L3"},
    [MOMENT_ALONG_3 + 1] = {"sum_dvdy_3", "(dv/dy)^3", "U3/L3"},
    [MOMENT_ALONG_3 + 2] = {"sum_dwdz_3", "(dw/dz)^3", "U3/L3"},
    [MOMENT_ALONG_4] = {"sum_dudx_4", "(du/dx)^4", "U4/L4"},
    [MOMENT_ALONG_4 + 1] = {"sum_dvdy_4", "(dv/dy)^4", "U4/L4"},
    [MOMENT_ALONG_4 + 2] = {"sum_dwdz_4", "(dw/dz)^4", "U4/L4"},
    [MOMENT_P] = {"sum_p", "p", "U2"},
    [MOMENT_PP] = {"sum_pp", "p^2", "U4"},
    [MOMENT_HELICITY] = {"sum_helicity", "velocity times vorticity", "U2/L"},
    [MOMENT_ACROSS_2] = {"sum_dudy_2", "(du/dy)^2", "U2/L2"},
    [MOMENT_ACROSS_2 + 1] = {"sum_dudz_2", "(du/dz)^2", "U2/L2"},
    [MOMENT_ACROSS_2 + 2] = {"sum_dvdx_2", "(dv/dx)^2", "U2/L2"},
    [MOMENT_ACROSS_2 + 3] = {"sum_dvdz_2", "(dv/dz)^2", "U2/L2"},
    [MOMENT_ACROSS_2 + 4] = {"sum_dwdx_2", "(dw/dx)^2", "U2/L2"},
    [MOMENT_ACROSS_2 + 5] = {"sum_dwdy_2", "(dw/dy)^2", "U2/L2"},
    [MOMENT_ACROSS_3] = {"sum_du_across_3", "(du/dy)^3 + (du/dz)^3", "U3/L3"},
    [MOMENT_ACROSS_3 + 1] = {"sum_dv_across_3", "(dv/dx)^3 + (dv/dz)^3", "U3/L3"},
    [MOMENT_ACROSS_3 + 2] = {"sum_dw_across_3", "(dw/dx)^3 + (dw/dy)^3", "U3/L3"},
    [MOMENT_ACROSS_4] = {"sum_du_across_4", "(du/dy)^4 + (du/dz)^4", "U4/L4"},
    [MOMENT_ACROSS_4 + 1] = {"sum_dv_across_4", "(dv/dx)^4 + (dv/dz)^4", "U4/L4"},
    [MOMENT_ACROSS_4 + 2] = {"sum_dw_across_4", "(dw/dx)^4 + (dw/dy)^4", "U4/L4"},
    [MOMENT_OMEGA_2] = {"sum_omega_x_2", "vorticity along x, squared", "U2/L2"},
    [MOMENT_OMEGA_2 + 1] = {"sum_omega_y_2", "vorticity along y, squared", "U2/L2"},
    [MOMENT_OMEGA_2 + 2] = {"sum_omega_z_2", "vorticity along z, squared", "U2/L2"},
    [MOMENT_OMEGA_4] = {"sum_omega_x_4", "vorticity along x to the fourth power", "U4/L4"},
    [MOMENT_OMEGA_4 + 1] = {"sum_omega_y_4", "vorticity along y to the fourth power", "U4/L4"},
    [MOMENT_OMEGA_4 + 2] = {"sum_omega_z_4", "vorticity along z to the fourth power", "U4/L4"},
    [MOMENT_UV] = {"sum_uv", "u v on edges", "U2"},
    [MOMENT_UW] = {"sum_uw", "u w on edges", "U2"},
    [MOMENT_VW] = {"sum_vw", "v w on edges", "U2"},
    [MOMENT_PPP] = {"sum_ppp", "p^3", "U6"},
    [MOMENT_PPPP] = {"sum_pppp", "p^4", "U8"},
    [BOX_EXTRA_POWER] = {"sum_power", "power of the force", "U3/L"}};

kol_status box_netcdf(const struct box_moments *b, const struct batch_means *average, const double *latest,
                      struct netcdf_content **out)
{
    static const struct netcdf_content_entry NU = {"nu", "kinematic viscosity", "U L"},
                                             K_MAX = {"k_max", "pi over the largest spacing of the grid",
                                                      "L-1"};
    enum { OTHERS = NETCDF_CONTENT_SAMPLES + 2 };
    const int values = box_moments_values(b), sums = box_moments_sums(b);
    TRY(netcdf_content_create(NULL, 2 * BOX_SCALARS + BOX_VALUES + OTHERS + box_scalars_room(&b->scalars),
                              3 * values + 2 * sums + OTHERS, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, values), *error = netcdf_content_numbers(p, values),
           *now = netcdf_content_numbers(p, values), *sum = netcdf_content_numbers(p, sums),
           *mean = netcdf_content_numbers(p, sums);
    batch_means_mean(average, mean);
    batch_means_sum(average, sum);
    box_derive(b, mean, value);
    box_derive(b, latest, now);
    TRY(batch_means_errors(average, box_derive, b, values, error));
    netcdf_content_text(p, "title", "statistics of a periodic box, averaged over its volume and over time");
    netcdf_content_text(p, "scaling", "_error: standard error, from batch means");
    for (int n = 0; n < BOX_SCALARS; ++n) {
        struct stats_variable *v = netcdf_content_add(p, box_table[n], "", -1, value + n);
        v->error = error + n;
        v->methods = NETCDF_CONTENT_MEAN;
        v = netcdf_content_add(p, box_table[n], "", -1, now + n);
        v->group = NETCDF_CONTENT_LATEST;
        v->methods = NETCDF_CONTENT_POINT;
    }
    for (int n = 0; n < BOX_VALUES; ++n) {
        struct stats_variable *v = netcdf_content_add(p, box_sums[n], "", -1, sum + n);
        v->group = "raw";
        v->methods = NETCDF_CONTENT_SUM;
    }
    box_scalars_add(&b->scalars, p, value + BOX_SCALARS, error + BOX_SCALARS, now + BOX_SCALARS,
                    sum + BOX_VALUES);
    netcdf_content_samples(p, average);
    netcdf_content_number(p, NU, b->nu);
    netcdf_content_number(p, K_MAX, b->k_max);
    return KOL_OK;
}

static void print_rows(FILE *out, const struct netcdf_content_entry *e, int n)
{
    fputs("| variable | unit | what |\n| --- | --- | --- |\n", out);
    for (int i = 0; i < n; ++i) fprintf(out, "| `%s` | %s | %s |\n", e[i].name, e[i].unit, e[i].long_name);
}

void box_print(FILE *out)
{
    print_rows(out, box_table, BOX_SCALARS);
    fputs("\nIn the group `raw`, volume means summed over the samples:\n\n", out);
    print_rows(out, box_sums, BOX_VALUES);
}
