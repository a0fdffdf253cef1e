/* Tests the laws of the linear force: the power or the rate that is asked for, and how fast an energy or a
 * dissipation that is too high or too low is corrected. Catches a wrong sign, a factor of 2 between power and
 * rate, and a gain of the other control. No MPI. */
#include "solver/forcing/box_control.h"
#include "tests/support/check.h"

static const double K = 0.7, EPS = 0.3, TOLERANCE = 1e-14;
static struct input in;

static int setup(void **state)
{
    (void)state;
    memset(&in, 0, sizeof in);
    in.forcing.type = FORCING_LINEAR;
    in.forcing.value = 0.5;
    return 0;
}

static double power(double k, double eps)
{
    return 2 * k * box_control_rate(&in, k, eps);
}

static void test_rate_and_power(void **state)
{
    (void)state;
    in.forcing.control = CONTROL_NONE;
    CHECK_SAME(box_control_rate(&in, K, EPS), 0.5);
    in.forcing.control = CONTROL_POWER;
    CHECK_NEAR(power(K, EPS), 0.5, TOLERANCE);
    CHECK_NEAR(power(3 * K, 2 * EPS), 0.5, TOLERANCE);
}

static void test_energy(void **state)
{
    (void)state;
    in.forcing.control = CONTROL_ENERGY;
    CHECK_NEAR(power(0.5, EPS), EPS, TOLERANCE); /* the energy stays */
    in.forcing.gain = 4;
    CHECK_NEAR(power(0.6, EPS) - EPS, -4 * 0.1 * EPS / 0.5, TOLERANCE); /* too high: dk/dt below 0 */
    CHECK_NEAR(power(0.3, EPS) - EPS, 4 * 0.2 * EPS / 0.5, TOLERANCE);
}

static void test_dissipation(void **state)
{
    (void)state;
    in.forcing.control = CONTROL_DISSIPATION;
    CHECK_NEAR(power(K, 0.5), 0.5, TOLERANCE);
    in.forcing.gain = 2;
    CHECK_NEAR(power(K, 0.6) - 0.6, -3 * 0.1, TOLERANCE);
    CHECK_NEAR(power(K, 0.4) - 0.4, 3 * 0.1, TOLERANCE);
}

static void test_gains(void **state)
{
    (void)state;
    in.forcing.control = CONTROL_ENERGY;
    CHECK_SAME(box_control_gain(&in), 10.0);
    in.forcing.control = CONTROL_DISSIPATION;
    CHECK_SAME(box_control_gain(&in), 1.0);
    in.forcing.gain = 3;
    CHECK_SAME(box_control_gain(&in), 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rate_and_power, setup), cmocka_unit_test_setup(test_energy, setup),
        cmocka_unit_test_setup(test_dissipation, setup), cmocka_unit_test_setup(test_gains, setup)};
    return cmocka_run_group_tests_name("box control", tests, NULL, NULL);
}
