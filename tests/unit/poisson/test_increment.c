/* ranks: 1 */
/* Tests how many smoothing steps the first cycle of an increment takes beside bodies. Catches a choice that
 * goes back and forth between two numbers of which one does not suffice, more steps than are needed, and a
 * gain that is learned from two cycles with the same number of steps. */
#include <math.h>
#include "solver/poisson/increment.h"
#include "tests/support/check.h"

static const struct increment_strength NOTHING = {0, 0, 0};
enum { USUAL = 5 };

static void test_little_to_do(void **state)
{
    (void)state;
    const struct increment_strength last = {4, 300, 2};
    assert_int_equal(increment_steps(NOTHING, 10), 0);
    assert_int_equal(increment_steps(last, 20), 0);
    assert_int_equal(increment_steps(NOTHING, 21), USUAL);
    assert_int_equal(increment_steps(NOTHING, 1e9), USUAL);
}

static void test_by_reduction(void **state)
{
    (void)state;
    /* a reduction of 1000 with 5 steps, and of half of it with each step less */
    const struct increment_strength last = {5, 1000, 2};
    assert_int_equal(increment_steps(last, 100), 4); /* one step less at a time */
    assert_int_equal(increment_steps(last, 400), 4);
    assert_int_equal(increment_steps(last, 500), 5);
    assert_int_equal(increment_steps(last, 1000), 6);
    assert_int_equal(increment_steps(last, 3000), 7);
    assert_int_equal(increment_steps(last, 1e5), USUAL);
    /* never more steps for less to do, up to where none suffices */
    for (double wanted = 21; wanted < 3300; ++wanted)
        assert_true(increment_steps(last, wanted) <= increment_steps(last, wanted + 1));
}

static void test_learns(void **state)
{
    (void)state;
    struct increment_strength last = NOTHING;
    increment_learn(&last, 0, 30); /* the usual smoothing says nothing of the strong one */
    assert_int_equal(last.steps, 0);
    increment_learn(&last, 5, 400);
    assert_true(last.steps == 5 && last.reduction == 400 && last.gain == 0);
    increment_learn(&last, 5, 500);
    assert_true(last.reduction == 500 && last.gain == 0);
    increment_learn(&last, 4, 250);
    CHECK_NEAR(last.gain, 2, 1e-15);
    increment_learn(&last, 6, 250 * 1.5 * 1.5);
    CHECK_NEAR(last.gain, 1.5, 1e-15);
    increment_learn(&last, 7, 1e5); /* no step brings as much */
    assert_true(last.gain > 1.5 && last.gain < 5);
    increment_learn(&last, 7, INFINITY);
    assert_true(isfinite(last.reduction));
    const struct increment_strength before = last;
    increment_learn(&last, 6, NAN);
    assert_int_equal(last.steps, before.steps);
    CHECK_NEAR(last.reduction, before.reduction, 0);
}

/* Where the reduction of each number of steps stays what it is, the choice settles: on steps that suffice, if
 * any can be expected to, and on none that would suffice with a step less by the largest gain. */
static void test_settles(void **state)
{
    (void)state;
    for (double gain = 1.25; gain < 2.45; gain += 0.05)
        for (double wanted = 25; wanted < 2000; wanted *= 1.07) {
            struct increment_strength last = NOTHING;
            int steps = 0, changes = 0;
            for (int n = 0; n < 40; ++n) {
                const int next = increment_steps(last, wanted);
                changes += n >= 10 && next != steps;
                steps = next;
                increment_learn(&last, steps, 600 * pow(gain, steps - USUAL));
            }
            const double reduced = 600 * pow(gain, steps - USUAL);
            assert_int_equal(changes, 0);
            if (steps > 3) assert_true(reduced / 2.5 < 1.2 * wanted * (1 + 1e-12));
            const double most = 600 * pow(fmin(gain, 1.4), 2);
            if (most > 1.2 * wanted * (1 + 1e-12)) assert_true(reduced >= wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_little_to_do),
                                       cmocka_unit_test(test_by_reduction), cmocka_unit_test(test_learns),
                                       cmocka_unit_test(test_settles)};
    return cmocka_run_group_tests_name("increments", tests, NULL, NULL);
}
