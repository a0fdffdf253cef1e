/* Tests the guesses of the pressure of a stage. For a pressure that is linear in time they must be exact,
 * and each guess may read only what it says. Catches a weight of the wrong size or sign, a weight that
 * ignores that dt has changed, a pressure that is read but not kept, and a guess although the exact inverse
 * reads none. No MPI. */
#include "solver/step/guess_table.h"
#include "tests/support/check.h"

enum { STAGES = 3 };
static const double TOLERANCE = 1e-14, BEFORE = 0.3, NOW = 0.45; /* the last step and this one [T] */

static struct input input_of(int scheme, int preconditioner)
{
    struct input in;
    memset(&in, 0, sizeof in);
    in.time.scheme = scheme;
    in.pressure.preconditioner = preconditioner;
    return in;
}

/* A pressure that is linear in time. */
static double pressure(double t)
{
    return 1.7 - 2.3 * t;
}

/* The times to which the pressures of the stages belong, in units of dt after the start of the step
 * (docs/numerics/time.md, and the study in docs/numerics/pressure.md). */
static const double HALF[STAGES] = {0, 0.5, 0.5}, WRAY[STAGES] = {0, 5.0 / 3, 5.0 / 6};

/* The guess of a stage of the step that begins at t = 0, the running pressure included. */
static double guessed(const struct guess *g, const double when[STAGES], int m)
{
    const double source[GUESS_SOURCES] = {[GUESS_P1_BEFORE] = pressure((when[0] - 1) * BEFORE),
                                          [GUESS_P2_BEFORE] = pressure((when[1] - 1) * BEFORE),
                                          [GUESS_P3_BEFORE] = pressure((when[2] - 1) * BEFORE),
                                          [GUESS_P1] = pressure(when[0] * NOW),
                                          [GUESS_P2] = pressure(when[1] * NOW)};
    double sum = m == 0 ? source[GUESS_P3_BEFORE] : m == 1 ? source[GUESS_P1] : source[GUESS_P2];
    for (int s = 0; s < GUESS_SOURCES; ++s) sum += (g->constant[s] + g->ratio[s] * NOW / BEFORE) * source[s];
    return sum;
}

static void test_exact_for_linear_pressures(void **state)
{
    (void)state;
    const struct input half = input_of(SCHEME_RK3_HALF, PRECOND_MULTIGRID),
                       wray = input_of(SCHEME_RK3_WRAY, PRECOND_MULTIGRID);
    for (int m = 0; m < STAGES; ++m) {
        CHECK_NEAR(guessed(&guess_table(&half, GUESS_LINEAR)[m], HALF, m), pressure(HALF[m] * NOW),
                   TOLERANCE);
        CHECK_NEAR(guessed(&guess_table(&half, GUESS_LLI)[m], HALF, m), pressure(HALF[m] * NOW), TOLERANCE);
        CHECK_NEAR(guessed(&guess_table(&wray, GUESS_LLI)[m], WRAY, m), pressure(WRAY[m] * NOW), TOLERANCE);
        /* the second stage of rk3-wray ends beyond the step: 'linear' takes the pressure of the first */
        CHECK_NEAR(guessed(&guess_table(&wray, GUESS_LINEAR)[m], WRAY, m),
                   pressure(m == 1 ? 0 : WRAY[m] * NOW), TOLERANCE);
    }
}

static void test_what_is_read_is_kept(void **state)
{
    (void)state;
    static const int guesses[] = {GUESS_PREVIOUS, GUESS_LINEAR, GUESS_LLI};
    for (int scheme = SCHEME_RK3_HALF; scheme <= SCHEME_RK3_WRAY; ++scheme) {
        for (int n = 0; n < 3; ++n) {
            const struct input in = input_of(scheme, PRECOND_POLYNOMIAL);
            const struct guess *table = guess_table(&in, guesses[n]);
            int read[GUESS_SOURCES] = {0};
            for (int m = 0; m < STAGES; ++m)
                for (int s = 0; s < GUESS_SOURCES; ++s) {
                    read[s] += guess_reads(&table[m], s);
                    /* a stage can't read what comes after it */
                    assert_false(guess_reads(&table[m], s) && s >= GUESS_P1 && s - GUESS_P1 >= m);
                }
            const int wanted = (read[GUESS_P1_BEFORE] > 0) + 2 * (read[GUESS_P2_BEFORE] > 0);
            assert_int_equal(pressure_stages_wanted(&in, guesses[n]), wanted);
            assert_int_equal(pressure_stages_kept(&in, guesses[n]), 1 + (wanted & 1) + (wanted >> 1));
            assert_int_equal(guess_is_zero(table), n == 0);
        }
    }
}

static void test_stage_ahead(void **state)
{
    (void)state;
    const struct input half = input_of(SCHEME_RK3_HALF, PRECOND_JACOBI),
                       wray = input_of(SCHEME_RK3_WRAY, PRECOND_JACOBI);
    assert_int_equal(guess_stage_ahead(guess_table(&half, GUESS_LLI)), 2);
    assert_int_equal(guess_stage_ahead(guess_table(&half, GUESS_LINEAR)), -1);
    assert_int_equal(guess_stage_ahead(guess_table(&wray, GUESS_LLI)), 1);
    assert_int_equal(guess_stage_ahead(guess_table(&wray, GUESS_LINEAR)), -1);
    /* read from: the stage itself and later ones, without the one that is left out */
    const struct guess *lli = guess_table(&half, GUESS_LLI);
    assert_true(guess_read_from(lli, 2, -1, GUESS_P2_BEFORE));
    assert_false(guess_read_from(lli, 0, 2, GUESS_P2_BEFORE));
    assert_true(guess_read_from(lli, 1, 2, GUESS_P3_BEFORE));
    assert_false(guess_read_from(lli, 1, -1, GUESS_P1_BEFORE));
}

static void test_none_for_an_inverse(void **state)
{
    (void)state;
    const struct input direct = input_of(SCHEME_RK3_HALF, PRECOND_DIRECT);
    struct input exact = input_of(SCHEME_RK3_HALF, PRECOND_MULTIGRID);
    exact.pressure.method = METHOD_EXACT;
    assert_true(guess_is_zero(guess_table(&direct, GUESS_LLI)));
    assert_int_equal(pressure_stages_wanted(&direct, GUESS_LLI), 0);
    assert_int_equal(pressure_stages_wanted(&exact, GUESS_LLI), 0);
    assert_int_equal(pressure_stages_kept(&exact, GUESS_LLI), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_for_linear_pressures),
        cmocka_unit_test(test_what_is_read_is_kept),
        cmocka_unit_test(test_stage_ahead),
        cmocka_unit_test(test_none_for_an_inverse),
    };
    return cmocka_run_group_tests_name("guess table", tests, NULL, NULL);
}
