/* ranks: 1 2 4 8 */
/* Tests the limits of a step that its last correction sums: on any number of ranks, cut in each direction,
 * they have the bits of a sweep over the corrected velocity after its halos are filled. Catches halos of the
 * prediction or of phi that are missing or stale at the correction, neighbours across a cut that are
 * corrected differently by their two ranks, and a correction that leaves its sums to a sweep of its own. The
 * linker counts the corrections that sum (tests/tests.mk). */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/correct_limits.h"
#include "solver/control/health.h"
#include "solver/initial/initial.h"
#include "solver/parallel/comm.h"
#include "solver/poisson/preconditioner_choice.h"
#include "solver/run_parts.h"
#include "solver/step/correction.h"
#include "solver/step/flow_monitor.h"
#include "solver/step/rk3.h"
#include "tests/support/mpi_main.h"

/* --- the corrections that sum --- */

static int joined; /* calls of the three functions */

kol_status __real_project_correct_limits(const struct last_correction *a, const real *phi);
kol_status __wrap_project_correct_limits(const struct last_correction *a, const real *phi);
kol_status __real_project_correct_limits_packed(const struct last_correction *a, real scale, int ring_z,
                                                const float *phi);
kol_status __wrap_project_correct_limits_packed(const struct last_correction *a, real scale, int ring_z,
                                                const float *phi);
kol_status __real_project_correct_limits_single(const struct last_correction *a, struct level_sum phi);
kol_status __wrap_project_correct_limits_single(const struct last_correction *a, struct level_sum phi);

kol_status __wrap_project_correct_limits(const struct last_correction *a, const real *phi)
{
    ++joined;
    return __real_project_correct_limits(a, phi);
}

kol_status __wrap_project_correct_limits_packed(const struct last_correction *a, real scale, int ring_z,
                                                const float *phi)
{
    ++joined;
    return __real_project_correct_limits_packed(a, scale, ring_z, phi);
}

kol_status __wrap_project_correct_limits_single(const struct last_correction *a, struct level_sum phi)
{
    ++joined;
    return __real_project_correct_limits_single(a, phi);
}

/* --- runs --- */

#define BOX                                                                                                  \
    "&grid n = 24, 16, 20, length = 6.28, 5, 5.5, stretching = 'uniform', 'uniform', 'sine',"                \
    "stretching_factor = 0, 0, 0.4 / &fluid nu = 0.02 / &initial type = 'isotropic', k_peak = 2,"            \
    "velocity = 0.3, -0.2, 0.1 /"
#define WALLS                                                                                                \
    "&grid n = 24, 16, 20, length = 6.28, 5, 2, stretching = 'uniform', 'uniform', 'tanh',"                  \
    "stretching_factor = 0, 0, 1.2 / &fluid nu = 0.02 / &boundary z_low = 'wall', z_high = 'wall' /"         \
    "&forcing type = 'bulk-velocity', value = 1 / &initial type = 'channel' /"

/* corrections: how many of a step sum the limits, if those of the kind of solver do */
static const struct kind {
    const char *name;
    int corrections;
    const char *text;
} KINDS[] = {
    {"direct", 1, BOX "&pressure preconditioner = 'direct' /"},
    {"direct, implicit", 1,
     BOX "&time diffusion = 'implicit' / &pressure preconditioner = 'direct', tolerance = 1e-5 /"},
    {"direct, double", 1, BOX "&pressure preconditioner = 'direct', direct_precision = 'double' /"},
    {"direct, forced", 3,
     BOX "&pressure preconditioner = 'direct' / &forcing type = 'linear', control = 'power', value = 0.2 /"},
    {"multigrid", 1, BOX "&pressure preconditioner = 'multigrid' / &time scheme = 'rk3-wray' /"},
    {"multigrid, several iterations", 1, BOX "&pressure preconditioner = 'multigrid', iterations = 3 /"},
    {"polynomial", 1, BOX "&pressure preconditioner = 'polynomial', degree = 4 /"},
    {"walls, direct", 1,
     WALLS "&time scheme = 'rk3-wray', diffusion = 'implicit-z' / &pressure preconditioner = 'direct' /"},
    {"walls, multigrid", 1, WALLS "&pressure preconditioner = 'multigrid' /"},
    {"bodies, multigrid", 1,
     BOX "&pressure preconditioner = 'multigrid' /"
         "&bodies shape(1) = 'sphere', centre(:,1) = 3, 2.5, 2.75, size(1,1) = 1.6 /"},
};
enum { KINDS_N = sizeof KINDS / sizeof *KINDS };

static const int LAYOUTS[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 2, 1},
                                 {1, 1, 4}, {4, 1, 1}, {2, 2, 2}, {1, 4, 2}};
enum { LAYOUTS_N = sizeof LAYOUTS / sizeof *LAYOUTS };

static struct comm comm;

static kol_status create(struct run *run, const struct kind *kind, const int layout[3])
{
    char ranks[64];
    const char *const set[] = {"output.directory=/nowhere/at/all", "run.steps_max=9", "time.dt=0.01",
                               "device.tuning=.false.", ranks};
    const struct run_parts p = run_parts(run);
    snprintf(ranks, sizeof ranks, "grid.ranks=%d,%d,%d", layout[X], layout[Y], layout[Z]);
    p.domain->comm = comm;
    TRY(input_read("f", kind->text, strlen(kind->text), &(struct input_settings){5, set, NULL}, comm.size,
                   p.in, p.source));
    TRY(run_create(run));
    TRY(preconditioner_choice_create(&p.step->poisson));
    TRY(initial_flow(p.step, p.flow));
    TRY(health_monitor(p.flow));
    p.flow->clock.dt = p.in->time.dt;
    return KOL_OK;
}

/* Takes a step without record, then sums the limits once more with a sweep of its own. */
static kol_status step_twice_summed(struct run *run, double of_step[MON_COUNT])
{
    const struct run_parts p = run_parts(run);
    p.flow->limits_only = 1;
    TRY(rk3_step(p.step, p.flow));
    TRY(health_monitor(p.flow));
    memcpy(of_step, p.flow->sums.value, MON_COUNT * sizeof(double));
    p.flow->clock.dt_before = p.flow->clock.dt;
    TRY(flow_monitor_take(p.flow));
    p.flow->sums.taken = 0;
    return KOL_OK;
}

/* Whether corrections sum with this solver: on a GPU, too, and beside bodies, which in single precision have
 * no increments. */
static int joins(const struct step *step)
{
    if (step->domain->grid.bodies && !correction_increments(step)) return 0;
    return !device_is_gpu() || correction_increments(step) ||
           preconditioner_single(&step->poisson.for_pressure) != NULL;
}

static void check_step(struct run *run, const struct kind *kind, const char *layout)
{
    static const int SUMMED[] = {MON_ENERGY, MON_MOM_X,   MON_MOM_Y, MON_MOM_Z,
                                 MON_DIV,    MON_COURANT, MON_SPEED};
    const struct run_parts p = run_parts(run);
    double of_step[MON_COUNT];
    joined = 0;
    const kol_status st = step_twice_summed(run, of_step);
    if (st != KOL_OK) print_error("%s, %s: %s\n", kind->name, layout, status_message());
    CHECK_ALL(st == KOL_OK);
    const int wanted = joins(p.step) ? kind->corrections : 0;
    if (joined != wanted) print_error("%s, %s: %d corrections summed\n", kind->name, layout, joined);
    CHECK_ALL(joined == wanted);
    for (size_t n = 0; n < sizeof SUMMED / sizeof *SUMMED; ++n) {
        const double a = of_step[SUMMED[n]], b = p.flow->sums.value[SUMMED[n]];
        const int same = isfinite(a) && memcmp(&a, &b, sizeof a) == 0;
        if (!same) print_error("%s, %s: number %d: %.17g and %.17g\n", kind->name, layout, SUMMED[n], a, b);
        CHECK_ALL(same);
    }
    CHECK_ALL(of_step[MON_ENERGY] > 0 && of_step[MON_COURANT] > 0);
}

static void check_kind(const struct kind *kind, const int layout[3])
{
    enum { STEPS = 2 };
    char text[64];
    struct run *run;
    snprintf(text, sizeof text, "%d x %d x %d ranks", layout[X], layout[Y], layout[Z]);
    assert_int_equal(run_new(&run), KOL_OK);
    const kol_status st = create(run, kind, layout);
    if (st != KOL_OK) print_error("%s, %s: %s\n", kind->name, text, status_message());
    CHECK_ALL(st == KOL_OK);
    for (int n = 0; n < STEPS; ++n) check_step(run, kind, text);
    run_destroy(run);
    run_free(&run);
}

static void test_same_bits_as_a_sweep(void **state)
{
    (void)state;
    for (int l = 0; l < LAYOUTS_N; ++l) {
        if (LAYOUTS[l][X] * LAYOUTS[l][Y] * LAYOUTS[l][Z] != comm.size) continue;
        for (int n = 0; n < KINDS_N; ++n) check_kind(&KINDS[n], LAYOUTS[l]);
    }
}

static int setup(void **state)
{
    (void)state;
    return comm_create(&comm) != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    comm_destroy(&comm);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_bits_as_a_sweep, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "flow_monitor", tests);
}
