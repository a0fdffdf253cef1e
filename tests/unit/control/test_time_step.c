/* Tests the tables of the Runge-Kutta schemes: the amplification factor that the stages of a step give, the
 * orders, the ends of the stability region, and the rectangles that time_step_limits() relies on. Catches a
 * wrong coefficient, and a time step that is not stable. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "inputs/input.h"
#include "solver/math/rk3_scheme.h"

static const int SCHEMES[2] = {SCHEME_RK3_HALF, SCHEME_RK3_WRAY};
static const double SAFETY = 0.9; /* as in solver/control/health.c */

/* u after one step of du/dt = lambda u from u = 1, z = lambda dt, stage by stage. */
static double complex amplification(const struct rk3_scheme *rk, double complex z)
{
    double complex u = 1, f_old = 0;
    for (int m = 0; m < 3; ++m) {
        const double complex f = z * u, base = rk->from_start ? 1 : u;
        u = base + rk->stage[m].a * f + rk->stage[m].a_old * f_old;
        f_old = f;
    }
    return u;
}

static void test_polynomials(void **state)
{
    (void)state;
    const double cubic[2] = {0.25, 1.0 / 6};
    for (int n = 0; n < 2; ++n) {
        for (int k = 0; k < 16; ++k) {
            const double complex z = 0.3 * k * cexp(I * (double)k);
            const double complex exact = 1 + z + z * z / 2 + cubic[n] * z * z * z;
            assert_true(cabs(amplification(rk3_scheme(SCHEMES[n]), z) - exact) < 1e-13 * (1 + cabs(exact)));
        }
    }
}

static void test_lengths_add_up(void **state)
{
    (void)state;
    for (int n = 0; n < 2; ++n) {
        const struct rk3_scheme *rk = rk3_scheme(SCHEMES[n]);
        double end = 0;
        for (int m = 0; m < 3; ++m) {
            const struct rk3_stage s = rk->stage[m];
            assert_true(fabs(s.a + s.a_old - s.c) < 1e-15);
            end = rk->from_start ? s.c : end + s.c;
        }
        assert_true(fabs(end - 1) < 1e-15);
    }
}

static void test_ends_of_the_axes(void **state)
{
    (void)state;
    const double inside = 1 - 1e-9, outside = 1 + 1e-3;
    for (int n = 0; n < 2; ++n) {
        const struct rk3_scheme *rk = rk3_scheme(SCHEMES[n]);
        assert_true(cabs(amplification(rk, I * rk->imaginary_limit * inside)) <= 1 + 1e-12);
        assert_true(cabs(amplification(rk, I * rk->imaginary_limit * outside)) > 1);
        assert_true(cabs(amplification(rk, -rk->real_limit * inside)) <= 1 + 1e-12);
        assert_true(cabs(amplification(rk, -rk->real_limit * outside)) > 1);
    }
}

/* Every point of every rectangle that the joint limit allows. */
static void test_joint_limit_is_stable(void **state)
{
    (void)state;
    enum { RECTANGLES = 200, POINTS = 40 };
    for (int n = 0; n < 2; ++n) {
        const struct rk3_scheme *rk = rk3_scheme(SCHEMES[n]);
        double most = 0;
        for (int q = 0; q <= RECTANGLES; ++q) {
            const double part = (double)q / RECTANGLES, p = rk->joint_power;
            const double a = SAFETY * rk->imaginary_limit * pow(part, 1 / p);
            const double r = SAFETY * rk->real_limit * pow(1 - part, 1 / p);
            for (int i = 0; i <= POINTS; ++i) {
                for (int j = 0; j <= POINTS; ++j) {
                    most = fmax(most, cabs(amplification(rk, -r * i / POINTS + I * a * j / POINTS)));
                }
            }
        }
        assert_true(most <= 1 + 1e-12);
    }
}

/* Computes the amplification for du/dt = lambda u + mu u, where mu <= 0 is treated by the trapezoidal rule
 * in each stage; s = -mu dt/2. */
static double complex amplification_split(const struct rk3_scheme *rk, double complex z, double s)
{
    double complex u = 1, f_old = 0;
    for (int m = 0; m < 3; ++m) {
        const double half = rk->stage[m].c * s;
        const double complex f = z * u, base = rk->from_start ? 1 : u;
        u = (base * (1 - half) + rk->stage[m].a * f + rk->stage[m].a_old * f_old) / (1 + half);
        f_old = f;
    }
    return u;
}

/* Tests the same rectangles with diffusion that is implicit in z, slow and fast. time_step_limits() leaves
 * this diffusion out. */
static void test_implicit_direction_is_stable(void **state)
{
    (void)state;
    enum { RECTANGLES = 50, POINTS = 20, RATES = 40 };
    for (int s = 0; s < 2; ++s) {
        const struct rk3_scheme *rk = rk3_scheme(SCHEMES[s]);
        const double complex some = -0.3 + 0.2 * I;
        double most = 0;
        for (int q = 0; q <= RECTANGLES; ++q) {
            const double part = (double)q / RECTANGLES, p = rk->joint_power;
            const double a = SAFETY * rk->imaginary_limit * pow(part, 1 / p);
            const double r = SAFETY * rk->real_limit * pow(1 - part, 1 / p);
            for (int i = 0; i <= POINTS; ++i)
                for (int j = 0; j <= POINTS; ++j)
                    for (int n = 0; n <= RATES; ++n) {
                        const double complex z = -r * i / POINTS + I * a * j / POINTS;
                        most = fmax(most, cabs(amplification_split(rk, z, pow(10, -4 + 0.25 * n))));
                    }
        }
        assert_true(most <= 1 + 1e-12);
        assert_true(cabs(amplification_split(rk, some, 0) - amplification(rk, some)) < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_lengths_add_up),
        cmocka_unit_test(test_ends_of_the_axes),
        cmocka_unit_test(test_joint_limit_is_stable),
        cmocka_unit_test(test_implicit_direction_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
