/* ranks: 1 */
/* The smoothers of the multigrid preconditioner. Catches a root taken twice, an interval that is not the one asked for, first steps that
 * are not those of the rest, an order of steps that lets single precision lose digits. */
#include <math.h>
#include "../../solver/smoother.h"
#include "../support/check.h"

/* T_n(x) of Chebyshev for x >= -1. */
static double chebyshev(int n, double x)
{
    return x <= 1 ? cos(n * acos(fmax(x, -1))) : cosh(n * acosh(x));
}

/* Left of an eigenvalue is T_n((mid - lambda)/half)/T_n(mid/half), also by the first two steps in one and the others one by one. What
 * stands between steps, and what becomes of a rounding error made there, stays small: in the order of the roots either would be 2000
 * times with eight steps on [2/100, 2]. */
static void check_polynomial(int steps, double low, double high)
{
    const struct smoother s = smoother_make(steps, low, high);
    const double mid = (high + low) / 2, half = (high - low) / 2;
    assert_int_equal(s.steps, steps);
    for (int n = 0; n <= 200; ++n) {
        const double lambda = high * n / 200;
        const double want = chebyshev(steps, (mid - lambda) / half) / chebyshev(steps, mid / half);
        double z = s.c0 + s.c1 * (1 - lambda), between = fabs(1 - lambda * z), later = 1; /* y = 1 */
        for (int k = 2; k < steps; ++k) {
            z += s.step[k] * (1 - lambda * z);
            between = fmax(between, fabs(1 - lambda * z));
        }
        CHECK_BELOW(fabs(smoother_left(&s, lambda) - want), 1e-12);
        CHECK_BELOW(fabs(1 - lambda * z - want), 1e-12);
        CHECK_BELOW(between, 16);
        for (int k = steps - 1; k > 1; --k) {
            later *= 1 - s.step[k] * lambda;
            CHECK_BELOW(fabs(later), 16);
        }
    }
}

static void test_polynomial(void **state)
{
    (void)state;
    for (int steps = 1; steps <= SMOOTHER_STEPS; ++steps) {
        check_polynomial(steps, 2.0 / 6, 2);
        check_polynomial(steps, 2.0 / 20, 2);
        check_polynomial(steps, 2.0 / 100, 2);
        check_polynomial(steps, 0.4, 1.95);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_polynomial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
