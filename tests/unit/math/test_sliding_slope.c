/* Tests lines through the latest values of a series: the slope and its error against sums written out, which
 * values are in a window, and when there is no slope. No MPI. */
#include "solver/math/sliding_slope.h"
#include "tests/support/check.h"

static void fill(struct sliding_slope *s, int count, double step)
{
    for (int n = 1; n <= count; ++n)
        assert_int_equal(sliding_slope_add(s, n * step, 3 + 0.75 * n * step), KOL_OK);
}

static void test_line(void **state)
{
    (void)state;
    struct sliding_slope s = {.count = 0};
    double error;
    fill(&s, 1000, 0.01);
    CHECK_NEAR(sliding_slope_fit(&s, &error), 0.75, 1e-12);
    CHECK_BELOW(error, 1e-12);
    sliding_slope_forget(&s);
}

/* times 10, 11, ..., 15: the window 10 to 15 has six values, and 9 is not among them */
static void test_window(void **state)
{
    (void)state;
    const double y[] = {1, 4, 2, 5, 3, 6};
    struct sliding_slope s = {.count = 0};
    double error;
    assert_int_equal(sliding_slope_add(&s, 9, 1e6), KOL_OK);
    for (int n = 0; n < 6; ++n) assert_int_equal(sliding_slope_add(&s, 10 + n, y[n]), KOL_OK);
    /* deviations -2.5, ..., 2.5 of the times; their squares add up to 17.5, their products with y to 12.5 */
    CHECK_NEAR(sliding_slope_fit(&s, &error), 12.5 / 17.5, 1e-14);
    const double rest = 17.5 - 12.5 * 12.5 / 17.5;
    CHECK_NEAR(error, sqrt(rest / 4 / 17.5), 1e-14);
    sliding_slope_forget(&s);
}

static void test_none(void **state)
{
    (void)state;
    struct sliding_slope s = {.count = 0};
    double error;
    assert_true(isnan(sliding_slope_fit(&s, &error)));
    assert_true(isnan(error));
    for (int n = 0; n < 10; ++n) assert_int_equal(sliding_slope_add(&s, 10 + 0.1 * n, n), KOL_OK);
    assert_true(isnan(sliding_slope_fit(&s, &error))); /* the series begins within the window */
    assert_int_equal(sliding_slope_add(&s, 30, NAN), KOL_OK);
    assert_int_equal(sliding_slope_add(&s, 0, 1), KOL_OK);
    assert_int_equal(s.count, 10);
    assert_int_equal(sliding_slope_add(&s, 30, 1), KOL_OK);
    assert_true(isnan(sliding_slope_fit(&s, &error))); /* one value in the window */
    sliding_slope_forget(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests_name("sliding slope", tests, NULL, NULL);
}
