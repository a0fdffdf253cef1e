/* Tests what each kind of force means for the choice of dt, and its value in time. Catches a kind that is
 * taken for another one, a phase or frequency in the wrong unit, a wall whose speed is left out, and a step
 * in which the force alone would change the flow by more than is promised. No MPI. */
#include "kernels/base/constants.h"
#include "solver/step/force.h"
#include "solver/step/forcing.h"
#include "tests/support/check.h"

static const double TOLERANCE = 1e-14;
static struct input in;
static struct domain domain;
static struct flow flow;

static int setup(void **state)
{
    (void)state;
    memset(&in, 0, sizeof in);
    memset(&domain, 0, sizeof domain);
    memset(&flow, 0, sizeof flow);
    domain.in = &in;
    flow.domain = &domain;
    in.time.cfl = 0.8;
    in.forcing.direction = X;
    in.forcing.value = 0.5;
    for (int d = 0; d < 3; ++d) domain.grid.narrowest[d] = 0.1 * (d + 1);
    return 0;
}

static void test_value_in_time(void **state)
{
    (void)state;
    in.forcing.type = FORCING_PRESSURE_GRADIENT;
    CHECK_SAME(force_value(&in, 3), 0.5);
    in.forcing.amplitude = 0.2;
    in.forcing.frequency = 0.25; /* a period of 4 [T] */
    in.forcing.phase = PI / 2;   /* radians */
    CHECK_NEAR(force_value(&in, 0), 0.5, TOLERANCE);
    CHECK_NEAR(force_value(&in, 1), 0.3, TOLERANCE);
    CHECK_NEAR(force_value(&in, 3), 0.7, TOLERANCE);
    CHECK_NEAR(force_value(&in, 5), 0.3, TOLERANCE);
    CHECK_NEAR(forcing_push(&flow), 0.7, TOLERANCE);
}

static void test_rates(void **state)
{
    (void)state;
    CHECK_SAME(forcing_rate(&in), 0.0);
    in.forcing.rotation[X] = 0.3;
    in.forcing.rotation[Z] = 0.4;
    CHECK_NEAR(forcing_turning(&in), 1, TOLERANCE); /* the Coriolis force has the eigenvalues +- 2i |Omega| */
    in.forcing.type = FORCING_BULK_VELOCITY;
    in.forcing.amplitude = 0.2;
    in.forcing.frequency = 2;
    CHECK_NEAR(forcing_rate(&in), 1 + 4 * PI, TOLERANCE * 10);
}

static void test_push(void **state)
{
    (void)state;
    CHECK_SAME(forcing_push(&flow), 0.0);
    CHECK_SAME(forcing_push_courant(&flow), 0.0);
    in.forcing.type = FORCING_BULK_VELOCITY;
    CHECK_SAME(forcing_push(&flow), 0.0); /* what holds the velocity does not push it away */
    in.forcing.type = FORCING_PRESSURE_GRADIENT;
    CHECK_SAME(forcing_push(&flow), 0.5);
    /* of a fluid at rest, in the longest step: what the force adds to the Courant number */
    const double dt = in.time.cfl / forcing_push_courant(&flow);
    CHECK_RELATIVE(forcing_push(&flow) * dt * dt / domain.grid.narrowest[X], in.time.cfl / 2, TOLERANCE);
}

static void test_push_of_a_power(void **state)
{
    (void)state;
    in.forcing.type = FORCING_POWER;
    in.forcing.direction = Y;
    CHECK_SAME(forcing_push(&flow), 0.0); /* at rest no force has a power */
    flow.now.momentum[X] = 9;
    flow.now.momentum[Y] = -0.02;
    CHECK_NEAR(forcing_push(&flow), 25, 1e-12);
    const double dt = in.time.cfl / forcing_push_courant(&flow);
    CHECK_BELOW(forcing_push(&flow) * dt, in.time.cfl * 0.02 * (1 + TOLERANCE)); /* a power changes slowly */
    CHECK_BELOW(forcing_push(&flow) * dt * dt / domain.grid.narrowest[Y], in.time.cfl / 2 * (1 + TOLERANCE));
}

static void test_speeds_to_come(void **state)
{
    (void)state;
    CHECK_SAME(forcing_speed(&flow), 0.0);
    in.boundary.face[FACE_Z_HIGH] = BOUNDARY_WALL;
    in.boundary.velocity[FACE_Z_HIGH][X] = -2;
    in.boundary.velocity[FACE_Z_HIGH][Y] = 1;
    CHECK_RELATIVE(forcing_courant(&flow), 2 / 0.1 + 1 / 0.2, TOLERANCE);
    in.forcing.type = FORCING_BULK_VELOCITY; /* slower than the wall along x, alone along nothing else */
    CHECK_RELATIVE(forcing_courant(&flow), 2 / 0.1 + 1 / 0.2, TOLERANCE);
    in.forcing.value = 3;
    CHECK_RELATIVE(forcing_courant(&flow), 3 / 0.1 + 1 / 0.2, TOLERANCE);
    CHECK_SAME(forcing_speed(&flow), 3.0);
    in.forcing.type = FORCING_PRESSURE_GRADIENT; /* the velocity that it leads to is not known */
    CHECK_RELATIVE(forcing_courant(&flow), 2 / 0.1 + 1 / 0.2, TOLERANCE);
}

#define CASE(f) cmocka_unit_test_setup(f, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(test_value_in_time), CASE(test_rates), CASE(test_push),
                                       CASE(test_push_of_a_power), CASE(test_speeds_to_come)};
    return cmocka_run_group_tests_name("forcing", tests, NULL, NULL);
}
