/* Tests the functions that say what each choice of a time scheme or pressure method means. Catches a choice
 * that a function forgets, and a limit of the CFL number that is not the one of the Runge-Kutta scheme. No
 * MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/schemes.h"
#include "inputs/table.h"
#include "solver/math/rk3_scheme.h"

/* Names that the input offers for a variable. */
static int names_of(const char *group, const char *name)
{
    int count = 0, n = 0;
    const struct variable *table = input_table(&count);
    while (table[table_name(table, count, group, name)].names[n]) ++n;
    return n;
}

/* Each kind of diffusion is one of the three, and takes its part of the viscosity. */
static void test_diffusion(void **state)
{
    (void)state;
    static const double EXPLICIT[3] = {0.5, 0, 0.5}, FACTOR[3] = {0, 0.05, 0}; /* with nu = 0.5, dts = 0.2 */
    assert_int_equal(names_of("time", "diffusion"), 3);
    for (int kind = 0; kind < 3; ++kind) {
        struct input in;
        memset(&in, 0, sizeof in);
        in.fluid.nu = 0.5;
        in.time.diffusion = kind;
        assert_int_equal(diffusion_is_explicit(&in), kind == DIFFUSION_EXPLICIT);
        assert_int_equal(diffusion_is_implicit(&in), kind == DIFFUSION_IMPLICIT);
        assert_int_equal(diffusion_is_implicit_z(&in), kind == DIFFUSION_IMPLICIT_Z);
        assert_true(diffusion_explicit_viscosity(&in) == EXPLICIT[kind]);
        assert_true(diffusion_implicit_factor(&in, 0.2) == FACTOR[kind]);
    }
}

static void test_method(void **state)
{
    (void)state;
    assert_int_equal(names_of("pressure", "method"), 2);
    for (int method = 0; method < 2; ++method) {
        struct input in;
        memset(&in, 0, sizeof in);
        in.pressure.method = method;
        assert_int_equal(method_is_exact(&in), method == METHOD_EXACT);
    }
}

/* Tests that the limit of the CFL number in the input is that of the scheme, and that a velocity is kept
 * only if the scheme has overwritten it. */
static void test_scheme(void **state)
{
    (void)state;
    const int schemes = names_of("time", "scheme");
    for (int n = 0; n < schemes; ++n) {
        struct input in;
        memset(&in, 0, sizeof in);
        in.time.scheme = n;
        assert_true(scheme_cfl_limit(&in) == rk3_scheme(n)->imaginary_limit);
        assert_int_equal(rk3_keeps_base(&in), 0);
        in.time.diffusion = DIFFUSION_IMPLICIT;
        assert_int_equal(rk3_keeps_base(&in), !rk3_scheme(n)->from_start);
        in.time.diffusion = DIFFUSION_EXPLICIT;
        in.pressure.method = METHOD_EXACT;
        assert_int_equal(rk3_keeps_base(&in), !rk3_scheme(n)->from_start);
    }
}

/* Tests that increments are possible with multigrid, which 'auto' may choose, and that each obstacle to them
 * is one. */
static void test_increments(void **state)
{
    (void)state;
    struct input plain;
    memset(&plain, 0, sizeof plain);
    plain.pressure.guess = GUESS_LLI;
    for (int kind = 0; kind < names_of("pressure", "preconditioner"); ++kind) {
        struct input in = plain;
        in.pressure.preconditioner = kind;
        assert_int_equal(increments_possible(&in), kind == PRECOND_MULTIGRID || kind == PRECOND_AUTO);
        in.pressure.multigrid_precision = MULTIGRID_DOUBLE;
        assert_int_equal(increments_possible(&in), 0);
    }
    enum { OBSTACLES = 6 };
    struct input in[OBSTACLES] = {plain, plain, plain, plain, plain, plain};
    in[0].pressure.method = METHOD_EXACT;
    in[1].time.diffusion = DIFFUSION_IMPLICIT_Z;
    in[2].bodies.shape[1] = SHAPE_SPHERE;
    assert_true(increments_obstacle(&in[2]) == NULL);
    in[2].bodies.motion[1] = MOTION_TRANSLATE;
    in[3].pressure.guess = GUESS_ZERO;
    in[4].pressure.sums = SUMS_SEVERAL;
    in[5].boundary.face[0] = BOUNDARY_INFLOW;
    assert_true(increments_obstacle(&plain) == NULL);
    for (int n = 0; n < OBSTACLES; ++n) {
        assert_true(increments_obstacle(&in[n]) != NULL);
        assert_int_equal(increments_possible(&in[n]), 0);
    }
}

/* Tests that the first stage may take its guess with the scheme and the guess that allow it, and that each
 * obstacle is one. */
static void test_first_stage(void **state)
{
    (void)state;
    struct input plain;
    memset(&plain, 0, sizeof plain);
    plain.time.scheme = SCHEME_RK3_HALF;
    plain.pressure.guess = GUESS_LLI;
    assert_true(first_stage_obstacle(&plain) == NULL);
    enum { OBSTACLES = 4 };
    struct input in[OBSTACLES] = {plain, plain, plain, plain};
    in[3].pressure.multigrid_precision = MULTIGRID_DOUBLE;
    in[0].time.scheme = SCHEME_RK3_WRAY;
    in[1].pressure.guess = GUESS_LINEAR;
    in[2].boundary.face[0] = BOUNDARY_INFLOW;
    for (int n = 0; n < OBSTACLES; ++n) assert_true(first_stage_obstacle(&in[n]) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_diffusion), cmocka_unit_test(test_method),
                                       cmocka_unit_test(test_scheme), cmocka_unit_test(test_increments),
                                       cmocka_unit_test(test_first_stage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
