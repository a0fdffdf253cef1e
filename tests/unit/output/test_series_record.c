/* Tests a record of series.nc. Every column must have the name that docs/output.md gives it, and the number
 * that its name promises. Catches a column that is renamed, a value in the column of a neighbour, and a
 * number that is not finite for a fluid at rest. No MPI. */
#include "solver/output/series_record.h"
#include "tests/support/check.h"

/* As users read them in files: these names may not change. */
static const char *const NAME[SERIES_RECORD_COLUMNS] = {"step",
                                                        "time",
                                                        "dt",
                                                        "cfl",
                                                        "kinetic_energy",
                                                        "dissipation",
                                                        "enstrophy",
                                                        "budget_residual",
                                                        "divergence",
                                                        "divergence_max",
                                                        "momentum_x",
                                                        "momentum_y",
                                                        "momentum_z",
                                                        "force",
                                                        "force_power",
                                                        "wall_work",
                                                        "wall_stress_x_low",
                                                        "wall_stress_x_high",
                                                        "wall_stress_y_low",
                                                        "wall_stress_y_high",
                                                        "wall_stress_z_low",
                                                        "wall_stress_z_high",
                                                        "flux_in",
                                                        "flux_out",
                                                        "open_convection",
                                                        "open_pressure",
                                                        "pressure_iterations",
                                                        "seconds_per_step"};

static struct domain domain;
static struct flow flow;
static struct step step;
static struct control control;
static double value[SERIES_RECORD_COLUMNS];

static int setup(void **state)
{
    (void)state;
    memset(&domain, 0, sizeof domain);
    memset(&flow, 0, sizeof flow);
    memset(&step, 0, sizeof step);
    memset(&control, 0, sizeof control);
    flow.domain = &domain;
    domain.grid.h = 0.25;
    return 0;
}

static double column(const char *name)
{
    for (int n = 0; n < SERIES_RECORD_COLUMNS; ++n)
        if (strcmp(series_record_columns[n].name, name) == 0) return value[n];
    print_error("no column %s\n", name);
    fail();
    return 0;
}

static void test_names(void **state)
{
    (void)state;
    for (int n = 0; n < SERIES_RECORD_COLUMNS; ++n)
        assert_string_equal(series_record_columns[n].name, NAME[n]);
}

static void test_each_value_in_its_column(void **state)
{
    (void)state;
    const double stress[FACES] = {11, 12, 13, 14, 15, 16};
    flow.clock = (struct clock){.step = 7, .t = 1.25, .dt = 0.5};
    flow.now = (struct monitor){.energy = 2,
                                .dissipation = 3,
                                .wall_work = 4,
                                .convection = 5,
                                .enstrophy = 6,
                                .momentum = {7, 8, 9},
                                .div_max = 0.125,
                                .courant = 3,
                                .speed = 2};
    flow.force.gradient = 21;
    flow.force.power = 22;
    flow.budget_residual = 23;
    step.iterations = 24;
    control.seconds_per_step = 25;
    series_record_make(&control, &step, &flow, stress, value);
    const struct {
        const char *name;
        double value;
    } wanted[SERIES_RECORD_COLUMNS] = {{"step", 7},
                                       {"time", 1.25},
                                       {"dt", 0.5},
                                       {"cfl", 1.5},
                                       {"kinetic_energy", 2},
                                       {"dissipation", 3},
                                       {"enstrophy", 6},
                                       {"budget_residual", 23},
                                       {"divergence", 0.125},
                                       {"divergence_max", 0.015625},
                                       {"momentum_x", 7},
                                       {"momentum_y", 8},
                                       {"momentum_z", 9},
                                       {"force", 21},
                                       {"force_power", 22},
                                       {"wall_work", 4},
                                       {"wall_stress_x_low", 11},
                                       {"wall_stress_x_high", 12},
                                       {"wall_stress_y_low", 13},
                                       {"wall_stress_y_high", 14},
                                       {"wall_stress_z_low", 15},
                                       {"wall_stress_z_high", 16},
                                       {"flux_in", 0},
                                       {"flux_out", 0},
                                       {"open_convection", 5},
                                       {"open_pressure", 0},
                                       {"pressure_iterations", 24},
                                       {"seconds_per_step", 25}};
    for (int n = 0; n < SERIES_RECORD_COLUMNS; ++n) CHECK_SAME(column(wanted[n].name), wanted[n].value);
}

static void test_at_rest(void **state)
{
    (void)state;
    const double stress[FACES] = {0};
    series_record_make(&control, &step, &flow, stress, value);
    for (int n = 0; n < SERIES_RECORD_COLUMNS; ++n) CHECK_SAME(value[n], 0.0);
    CHECK_SAME(series_record_divergence(&flow), 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_names, setup),
        cmocka_unit_test_setup(test_each_value_in_its_column, setup),
        cmocka_unit_test_setup(test_at_rest, setup),
    };
    return cmocka_run_group_tests_name("series record", tests, NULL, NULL);
}
