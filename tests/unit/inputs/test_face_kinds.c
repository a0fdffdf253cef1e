/* Tests the functions that classify faces and drives: every function with every kind. Catches a kind that a
 * function forgets, a face or direction that is mixed up with its neighbour, and a new kind that no function
 * knows. No MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/table.h"

enum { FACES_HERE = 6 };
typedef int face_test(const struct input *in, int face);

static struct input box(void)
{
    struct input in;
    memset(&in, 0, sizeof in);
    return in; /* periodic, nothing drives it */
}

/* Names that the input offers for a variable. */
static int names_of(const char *group, const char *name)
{
    int count = 0, n = 0;
    const struct variable *table = input_table(&count);
    const int v = table_name(table, count, group, name);
    assert_true(v >= 0);
    while (table[v].names[n]) ++n;
    return n;
}

/* The expected results of each test for a face of each kind, in the order of enum boundary_name. */
static void test_kinds(void **state)
{
    (void)state;
    enum { KINDS = 5 };
    static const struct {
        const char *name;
        face_test *test;
        int want[KINDS];
    } line[] = {{"periodic", face_is_periodic, {1, 0, 0, 0, 0}},
                {"no-slip", face_is_noslip, {0, 1, 0, 0, 0}},
                {"free slip", face_is_free_slip, {0, 0, 1, 0, 0}},
                {"wall", face_is_wall, {0, 1, 1, 0, 0}},
                {"friction", face_has_friction, {0, 1, 0, 0, 0}},
                {"takes a velocity", face_takes_velocity, {0, 1, 0, 1, 0}},
                {"moving wall", face_is_moving_wall, {0, 0, 0, 0, 0}},
                {"inflow", face_is_inflow, {0, 0, 0, 1, 0}},
                {"outflow", face_is_outflow, {0, 0, 0, 0, 1}},
                {"open", face_is_open, {0, 0, 0, 1, 1}},
                {"velocity of an inflow", face_has_inflow_velocity, {0, 0, 0, 1, 0}}};
    assert_int_equal(names_of("boundary", "x_low"), KINDS);
    for (size_t l = 0; l < sizeof line / sizeof line[0]; ++l)
        for (int kind = 0; kind < KINDS; ++kind)
            for (int face = 0; face < FACES_HERE; ++face) {
                struct input in = box();
                in.boundary.face[face] = kind;
                for (int other = 0; other < FACES_HERE; ++other) {
                    const int want = line[l].want[other == face ? kind : BOUNDARY_PERIODIC];
                    if (line[l].test(&in, other) != want)
                        fail_msg("%s: kind %d at face %d, asked of face %d: not %d", line[l].name, kind, face,
                                 other, want);
                }
            }
}

/* Only no-slip walls move; a velocity of an inflow is none of a wall. */
static void test_moving_walls(void **state)
{
    (void)state;
    for (int face = 0; face < FACES_HERE; ++face)
        for (int c = 0; c < 3; ++c)
            for (int kind = BOUNDARY_PERIODIC; kind <= BOUNDARY_OUTFLOW; ++kind) {
                struct input in = box();
                in.boundary.face[face] = kind;
                in.boundary.velocity[face][c] = -0.5;
                assert_int_equal(face_is_moving_wall(&in, face), kind == BOUNDARY_WALL);
                assert_int_equal(face_is_moving_wall(&in, face ^ 1), 0);
                assert_int_equal(faces_any_moving_wall(&in), kind == BOUNDARY_WALL);
            }
}

/* The velocity that walls share: no other face counts, and none is shared by walls that differ. */
static void test_walls_velocity(void **state)
{
    (void)state;
    struct input in = box();
    in.boundary.velocity[0][2] = 0.7;
    assert_true(faces_walls_velocity(&in, 2) == 0);
    in.boundary.face[4] = BOUNDARY_WALL;
    in.boundary.face[5] = BOUNDARY_SLIP;
    in.boundary.velocity[4][0] = -0.5;
    assert_true(faces_walls_velocity(&in, 0) == -0.5);
    assert_true(faces_walls_velocity(&in, 1) == 0);
    in.boundary.face[5] = BOUNDARY_WALL;
    assert_true(faces_walls_velocity(&in, 0) == 0);
    in.boundary.velocity[5][0] = -0.5;
    assert_true(faces_walls_velocity(&in, 0) == -0.5);
    in.boundary.face[2] = BOUNDARY_WALL;
    assert_true(faces_walls_velocity(&in, 0) == 0);
    in.boundary.velocity[2][0] = -0.5;
    assert_true(faces_walls_velocity(&in, 0) == -0.5);
    in.boundary.profile[2] = PROFILE_FORMULA;
    for (int c = 0; c < 3; ++c) strcpy(in.boundary.formula[2][c], "0");
    assert_true(faces_walls_velocity(&in, 0) == 0);
    in.boundary.velocity[4][0] = in.boundary.velocity[5][0] = 0;
    strcpy(in.boundary.formula[2][0], "sin(t)");
    assert_true(faces_walls_velocity(&in, 0) == 0);
}

/* The expected results of each test for an inflow of each profile, in the order of enum profile_name, and
 * for a face that is no inflow. */
static void test_inflows(void **state)
{
    (void)state;
    enum { PROFILES = 5 };
    static const struct {
        const char *name;
        face_test *test;
        int want[PROFILES];
    } line[] = {{"velocity", face_has_inflow_velocity, {1, 1, 0, 0, 0}},
                {"parabolic", face_has_parabolic_inflow, {0, 1, 0, 0, 0}},
                {"table", face_has_inflow_table, {0, 0, 1, 0, 0}},
                {"planes", face_has_inflow_planes, {0, 0, 0, 1, 0}},
                {"formula", face_has_inflow_formula, {0, 0, 0, 0, 1}}};
    assert_int_equal(names_of("boundary", "x_low_profile"), PROFILES);
    for (size_t l = 0; l < sizeof line / sizeof line[0]; ++l)
        for (int profile = 0; profile < PROFILES; ++profile) {
            struct input in = box();
            in.boundary.face[3] = BOUNDARY_INFLOW;
            in.boundary.profile[3] = profile;
            if (line[l].test(&in, 3) != line[l].want[profile])
                fail_msg("%s: profile %d: not %d", line[l].name, profile, line[l].want[profile]);
            in.boundary.face[3] = BOUNDARY_OUTFLOW;
            assert_int_equal(line[l].test(&in, 3), 0);
        }
    for (int c = 0; c < 3; ++c) {
        struct input in = box();
        in.boundary.turbulence[1][c] = 0.1;
        assert_int_equal(face_has_turbulent_inflow(&in, 1), 0);
        in.boundary.face[1] = BOUNDARY_INFLOW;
        assert_int_equal(face_has_turbulent_inflow(&in, 1), 1);
        assert_int_equal(face_has_turbulent_inflow(&in, 0), 0);
    }
}

/* Either face of a direction counts, no face of another does. */
static void test_directions(void **state)
{
    (void)state;
    for (int face = 0; face < FACES_HERE; ++face)
        for (int kind = BOUNDARY_WALL; kind <= BOUNDARY_OUTFLOW; ++kind)
            for (int d = 0; d < 3; ++d) {
                struct input in = box();
                const int here = d == face / 2, noslip = kind == BOUNDARY_WALL,
                          wall = noslip || kind == BOUNDARY_SLIP;
                in.boundary.face[face] = kind;
                in.boundary.face[face ^ 1] = kind == BOUNDARY_SLIP ? BOUNDARY_SLIP : BOUNDARY_OUTFLOW;
                assert_int_equal(direction_is_periodic(&in, d), !here);
                assert_int_equal(direction_has_friction(&in, d), here && noslip);
                assert_int_equal(direction_has_wall(&in, d), here && wall);
                assert_int_equal(direction_has_open(&in, d), here && kind != BOUNDARY_SLIP);
                assert_int_equal(faces_bounded_directions(&in), 1);
            }
}

static void test_box(void **state)
{
    (void)state;
    struct input in = box();
    assert_int_equal(faces_all_periodic(&in), 1);
    assert_int_equal(faces_bounded_directions(&in), 0);
    assert_int_equal(faces_any_open(&in) || faces_any_inflow(&in) || faces_any_outflow(&in), 0);
    assert_int_equal(faces_first(&in, face_is_wall), FACES_NONE);
    for (int face = 0; face < FACES_HERE; ++face) { /* each alone makes the box one that is not periodic */
        in = box();
        in.boundary.face[face] = BOUNDARY_SLIP;
        assert_int_equal(faces_all_periodic(&in), 0);
        assert_int_equal(faces_first(&in, face_is_wall), face);
        assert_int_equal(faces_any_open(&in), 0);
        in.boundary.face[face] = BOUNDARY_INFLOW;
        assert_int_equal(faces_any_open(&in) && faces_any_inflow(&in) && !faces_any_outflow(&in), 1);
        in.boundary.face[face] = BOUNDARY_OUTFLOW;
        assert_int_equal(faces_any_open(&in) && !faces_any_inflow(&in) && faces_any_outflow(&in), 1);
    }
    for (int face = 0; face < FACES_HERE; ++face) in.boundary.face[face] = BOUNDARY_WALL;
    in.boundary.face[4] = in.boundary.face[5] = BOUNDARY_OUTFLOW;
    assert_int_equal(faces_bounded_directions(&in), 3);
    assert_int_equal(faces_first(&in, face_is_outflow), 4);
}

/* The expected results of each test for each forcing, in the order of enum forcing_name. */
static void test_forces(void **state)
{
    (void)state;
    enum { KINDS = 7 };
    static const struct {
        const char *name;
        int (*test)(const struct input *in);
        int want[KINDS];
    } line[] = {{"force", drive_has_force, {0, 1, 1, 1, 0, 0, 0}},
                {"given force", drive_gives_force, {0, 1, 0, 0, 0, 0, 0}},
                {"bulk velocity", drive_holds_bulk_velocity, {0, 0, 1, 0, 0, 0, 0}},
                {"power", drive_holds_power, {0, 0, 0, 1, 0, 0, 0}},
                {"prescribed", drive_is_prescribed, {0, 1, 1, 0, 0, 0, 0}},
                {"oscillates", drive_oscillates, {0, 0, 0, 0, 0, 0, 0}},
                {"direction", drive_direction, {-1, 1, 1, 1, -1, -1, -1}},
                {"forced box", drive_forces_box, {0, 0, 0, 0, 1, 1, 0}},
                {"linear", drive_is_linear, {0, 0, 0, 0, 1, 0, 0}},
                {"waves", drive_forces_waves, {0, 0, 0, 0, 0, 1, 0}},
                {"random", drive_is_random, {0, 0, 0, 0, 0, 0, 0}},
                {"needs motion", drive_needs_motion, {0, 0, 0, 0, 1, 1, 0}},
                {"by formula", drive_by_formula, {0, 0, 0, 0, 0, 0, 1}},
                {"any", drive_any, {0, 1, 1, 1, 1, 1, 1}}};
    assert_int_equal(names_of("forcing", "type"), KINDS);
    for (size_t l = 0; l < sizeof line / sizeof line[0]; ++l)
        for (int kind = 0; kind < KINDS; ++kind) {
            struct input in = box();
            in.forcing.type = kind;
            in.forcing.direction = 1;
            if (line[l].test(&in) != line[l].want[kind])
                fail_msg("%s: forcing %d: not %d", line[l].name, kind, line[l].want[kind]);
        }
}

/* The expected results of each test for each control, in the order of enum control_name. They hold for the
 * linear force alone. */
static void test_controls(void **state)
{
    (void)state;
    enum { CONTROLS = 4 };
    static const struct {
        const char *name;
        int (*test)(const struct input *in);
        int want[CONTROLS];
    } line[] = {{"rate", drive_gives_rate, {1, 0, 0, 0}},
                {"power", drive_gives_power, {0, 1, 0, 0}},
                {"energy", drive_holds_energy, {0, 0, 1, 0}},
                {"dissipation", drive_holds_dissipation, {0, 0, 0, 1}},
                {"uses the dissipation", drive_uses_dissipation, {0, 0, 1, 1}},
                {"follows the dissipation", drive_follows_dissipation, {0, 0, 1, 1}}};
    assert_int_equal(names_of("forcing", "control"), CONTROLS);
    for (size_t l = 0; l < sizeof line / sizeof line[0]; ++l)
        for (int control = 0; control < CONTROLS; ++control) {
            struct input in = box();
            in.forcing.control = control;
            for (int type = FORCING_NONE; type <= FORCING_FORMULA; ++type) {
                in.forcing.type = type;
                if (line[l].test(&in) != (type == FORCING_LINEAR && line[l].want[control]))
                    fail_msg("%s: forcing %d, control %d: not as expected", line[l].name, type, control);
            }
        }
    struct input decaying = box(); /* the force is switched off */
    decaying.forcing.type = FORCING_LINEAR;
    decaying.forcing.control = CONTROL_ENERGY;
    decaying.forcing.decay = 1;
    assert_int_equal(drive_uses_dissipation(&decaying), 1);
    assert_int_equal(drive_follows_dissipation(&decaying), 0);
}

static void test_other_drives(void **state)
{
    (void)state;
    struct input in = box();
    in.forcing.value = -2;
    in.forcing.amplitude = -0.5;
    assert_int_equal(drive_oscillates(&in), 1);
    assert_true(drive_most(&in) == 2.5);
    for (int d = 0; d < 3; ++d) {
        in = box();
        in.forcing.rotation[d] = -1;
        assert_int_equal(drive_turns(&in), 1);
        for (int e = 0; e < 3; ++e) assert_int_equal(drive_turns_about(&in, e), e == d);
        assert_int_equal(drive_any(&in), 0);
    }
    in = box();
    assert_int_equal(drive_turns(&in), 0);
    in.boundary.face[2] = BOUNDARY_WALL;
    assert_int_equal(drive_any(&in), 0);
    in.boundary.velocity[2][0] = 1;
    assert_int_equal(drive_any(&in), 1);
    in.boundary.face[2] = BOUNDARY_OUTFLOW;
    assert_int_equal(drive_any(&in), 0);
    in.boundary.face[2] = BOUNDARY_INFLOW;
    assert_int_equal(drive_any(&in), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),          cmocka_unit_test(test_moving_walls),
        cmocka_unit_test(test_walls_velocity), cmocka_unit_test(test_inflows),
        cmocka_unit_test(test_directions),     cmocka_unit_test(test_box),
        cmocka_unit_test(test_forces),         cmocka_unit_test(test_controls),
        cmocka_unit_test(test_other_drives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
