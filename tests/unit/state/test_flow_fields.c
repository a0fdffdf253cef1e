/* Tests the list of the fields of a flow against struct flow and against what a checkpoint contains. Catches
 * a row that points to another field's array, a name of a dataset that changes, and a field that a checkpoint
 * or an exchange loses or has twice. No MPI. */
#include <stdio.h>
#include <string.h>
#include "solver/checkpoint/restart.h"
#include "solver/state/flow_fields.h"
#include "tests/support/check.h"

/* The datasets of io/schema.md. */
static const char *const NAME[FLOW_ROWS] = {
    "u",  "v",  "w",  "p",         "s1",        "s2",          "s3",          "s4",         "s5",
    "s6", "s7", "s8", "p_stage_2", "p_stage_1", "potential_x", "potential_y", "potential_z"};
static const enum io_location LOCATION[FLOW_ROWS] = {IO_FCC, IO_CFC, IO_CCF, IO_CCC, IO_CCC, IO_CCC,
                                                     IO_CCC, IO_CCC, IO_CCC, IO_CCC, IO_CCC, IO_CCC,
                                                     IO_CCC, IO_CCC, IO_CFF, IO_FCF, IO_FFC};

static struct input in;
static struct domain domain;
static struct flow flow;
static struct step step;
static struct control control;
static real array[FLOW_ROWS][1]; /* nothing reads what is in them */
static struct host_copy copies;
static struct restart_image image;

static int setup(void **state)
{
    (void)state;
    memset(&in, 0, sizeof in);
    for (int n = 0; n < SCALARS_MOST; ++n) snprintf(in.scalars.name[n], INPUT_TEXT, "s%d", n + 1);
    domain = (struct domain){.in = &in};
    flow = (struct flow){.domain = &domain};
    step = (struct step){.domain = &domain};
    control = (struct control){.domain = &domain};
    memset(&copies, 0, sizeof copies);
    for (int f = 0; f < FLOW_ROWS; ++f) *field_array(&flow, f) = array[f];
    return 0;
}

static void test_rows_are_the_fields(void **state)
{
    (void)state;
    const real *const wanted[FLOW_ROWS] = {
        flow.vel[X],       flow.vel[Y],      flow.vel[Z],          flow.pressure.p,      flow.scalar[0],
        flow.scalar[1],    flow.scalar[2],   flow.scalar[3],       flow.scalar[4],       flow.scalar[5],
        flow.scalar[6],    flow.scalar[7],   flow.pressure.now[1], flow.pressure.now[0], flow.potential[X],
        flow.potential[Y], flow.potential[Z]};
    for (int f = 0; f < FLOW_ROWS; ++f) {
        const struct flow_field of_input = field_row(&in, f), *row = &of_input;
        assert_string_equal(row->name, NAME[f]);
        assert_true(row->long_name != NULL && row->unit != NULL);
        assert_ptr_equal(wanted[f], array[f]);
        assert_ptr_equal(field_values(&flow, f), array[f]);
        assert_int_equal(field_component(f), f < 3 ? f : -1);
        assert_int_equal(row->kept, f < FLOW_FIELDS ? FIELD_ALWAYS : FIELD_FOR_GUESS);
        /* what goes to other files than checkpoints has its words there */
        assert_int_equal(row->name_in_file != NULL && row->at_a_point != NULL, f < FLOW_FIELDS);
    }
}

static void test_halos_of_a_stage(void **state)
{
    (void)state;
    real *found[HALO_FIELDS];
    enum halo_shape shape = HALO_FACES;
    assert_int_equal(field_halos(&flow, found, &shape), FLOW_FIELDS);
    assert_int_equal(shape, HALO_EDGES); /* convection reads cells along the edges */
    for (int f = 0; f < FLOW_FIELDS; ++f) assert_ptr_equal(found[f], array[f]);
    in.scalars.name[2][0] = '\0'; /* the scalars are the first entries with a name */
    assert_int_equal(field_halos(&flow, found, &shape), FLOW_SCALAR + 2);
}

/* A checkpoint, or where not whole what field files take, has the first `rows` rows, each once. */
static void check_taken(int whole, int rows)
{
    assert_int_equal(restart_take(NULL, &control, &step, &flow, &copies, whole, &image), KOL_OK);
    assert_int_equal(copies.listed, rows);
    for (int n = 0; n < rows; ++n) {
        assert_ptr_equal(copies.array[n], array[n]);
        assert_string_equal(image.view[n].name, NAME[n]);
        assert_string_equal(image.view[n].long_name, field_row(&in, n).long_name);
        assert_string_equal(image.view[n].unit, field_row(&in, n).unit);
        assert_int_equal(image.view[n].location, LOCATION[n]);
    }
}

static void test_checkpoints_hold_the_list(void **state)
{
    (void)state;
    copies.domain = &domain;
    check_taken(1, FLOW_ROWS);
    check_taken(0, FLOW_FIELDS);
    for (int f = FLOW_FIELDS; f < FLOW_ROWS; ++f) *field_array(&flow, f) = NULL;
    check_taken(1, FLOW_FIELDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows_are_the_fields, setup),
        cmocka_unit_test_setup(test_halos_of_a_stage, setup),
        cmocka_unit_test_setup(test_checkpoints_hold_the_list, setup),
    };
    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
