/* Estimates the stationary state of a forced cube by relations between scales of isotropic turbulence. */
#include "box_forecast.h"

#include <math.h>
#include "drives.h"
#include "kernels/base/constants.h"

/* Linear forcing: u^3 over the dissipation, over the side of the cube, by Rosales and Meneveau, Phys. Fluids
 * 17 (2005) 095106. */
static const double LENGTH_LINEAR = 0.19;

/* Low wavenumbers: the dissipation times the integral scale over u^3 falls from A 92/Re_lambda to 2 A, by the
 * fit of Donzis, Sreenivasan and Yeung, J. Fluid Mech. 532 (2005) 199. The integral scale over the side is a
 * fit to runs of this code at Re_lambda 8 to 36, and to the JHTDB data of Li et al., J. Turbul. 9 (2008) N31,
 * at 418, which are forced at up to twice the lowest wavenumber (docs/numerics/forcing.md). */
static const double DISSIPATION_A = 0.2, DISSIPATION_B = 92, SCALE_HIGH = 0.2, SCALE_LOW = 2.2,
                    SCALE_MOST = 0.5, K_HIGH_OF_IT = 2;

/* The constant of Eswaran and Pope, Comput. Fluids 16 (1988) 257, in the power of random waves. */
static const double RANDOM_BETA = 0.8;

/* Rounding of sums of squares of whole numbers. */
static const double ROUNDING = 1e-9;

int box_is_cube(const struct input *in)
{
    const double *a = in->grid.length;
    return a[0] == a[1] && a[1] == a[2];
}

int box_target_given(const struct input *in)
{
    return in->forcing.target_re_lambda > 0 || in->forcing.target_kmax_eta > 0;
}

int box_wave_is_forced(const struct input *in, const int m[3])
{
    const double *a = in->grid.length, longest = fmax(a[0], fmax(a[1], a[2])), most = in->forcing.k_high;
    double square = 0;
    for (int d = 0; d < 3; ++d) square += m[d] * (longest / a[d]) * m[d] * (longest / a[d]);
    return square > 0 && square <= most * most * (1 + ROUNDING);
}

int box_waves(const struct input *in)
{
    enum { M = BOX_WAVE_MOST };
    int count = 0;
    for (int n = 0; n < (2 * M + 1) * (2 * M + 1) * (2 * M + 1); ++n) {
        const int m[3] = {n % (2 * M + 1) - M, n / (2 * M + 1) % (2 * M + 1) - M,
                          n / ((2 * M + 1) * (2 * M + 1)) - M};
        count += box_wave_is_forced(in, m);
    }
    return count;
}

/* Power of Ornstein-Uhlenbeck amplitudes, by the fit of Eswaran and Pope. */
static double random_power(const struct input *in)
{
    const double f = in->forcing.value, time = in->forcing.correlation_time, waves = box_waves(in),
                 k = 2 * PI / in->grid.length[0];
    const double alone = f * f * time / (4 * waves), scaled = time * cbrt(alone * k * k);
    return f * f * time / (1 + scaled * cbrt(waves) / RANDOM_BETA);
}

/* How the integral scale depends on the forced waves. If their power is constant, each gets it in proportion
 * to its energy. Then the longest ones have most of it, and more of the short ones change nothing. */
static double waves_factor(const struct input *in)
{
    const double factor = K_HIGH_OF_IT / in->forcing.k_high;
    return drive_is_random(in) ? factor : fmax(factor, 1);
}

/* u^3 over the dissipation at a Taylor Reynolds number. */
static double length_at(const struct input *in, double re)
{
    const double side = in->grid.length[0];
    if (drive_is_linear(in)) return LENGTH_LINEAR * side;
    const double constant = DISSIPATION_A * (1 + hypot(1, DISSIPATION_B / re)),
                 scale = waves_factor(in) * (SCALE_HIGH + SCALE_LOW / re);
    return fmin(scale, SCALE_MOST) * side / constant;
}

/* From power = dissipation = u^3/length, energy = 3/2 u^2, and of the force A u: power = 2 A energy. */
static double speed_of(const struct input *in, double length)
{
    const double value = in->forcing.value;
    if (drive_is_random(in)) return cbrt(random_power(in) * length);
    if (drive_gives_rate(in)) return 3 * value * length;
    if (drive_holds_energy(in)) return sqrt(2 * value / 3);
    return cbrt(value * length);
}

/* Of uniform spacings: a target of k_max eta is refused for others. */
static double k_max_of(const struct input *in)
{
    double most = INFINITY;
    for (int d = 0; d < 3; ++d) most = fmin(most, PI * in->grid.n[d] / in->grid.length[d]);
    return most;
}

static double re_lambda_of(double speed, double length, double nu)
{
    return sqrt(15 * speed * length / nu);
}

/* Re_lambda for the viscosity. The length grows with it more slowly than it does, so the iteration
 * converges. */
static double re_lambda_for(const struct input *in)
{
    enum { ITERATIONS = 60, RE_FIRST = 100 };
    double re = RE_FIRST;
    for (int n = 0; n < ITERATIONS; ++n) {
        const double length = length_at(in, re);
        re = re_lambda_of(speed_of(in, length), length, in->fluid.nu);
    }
    return re;
}

struct box_forecast box_forecast_make(const struct input *in)
{
    const double nu = in->fluid.nu;
    struct box_forecast f = {.re_lambda = re_lambda_for(in)};
    f.length = length_at(in, f.re_lambda);
    f.speed = speed_of(in, f.length);
    f.energy = 1.5 * f.speed * f.speed;
    f.dissipation = f.speed * f.speed * f.speed / f.length;
    f.time = f.energy / f.dissipation;
    f.eta = pow(nu * nu * nu / f.dissipation, 0.25);
    return f;
}

double box_target_nu(const struct input *in)
{
    const double re = in->forcing.target_re_lambda, eta = in->forcing.target_kmax_eta / k_max_of(in);
    if (re > 0) {
        const double length = length_at(in, re);
        return 15 * speed_of(in, length) * length / (re * re);
    }
    /* of linear forcing the length is known; of waves the dissipation is the power, whatever the length */
    const double length = length_at(in, 1), u = speed_of(in, length);
    return cbrt(u * u * u / length * eta * eta * eta * eta);
}
