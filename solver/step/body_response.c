/* Computes what a uniform force leaves in the mean velocity if there are bodies. */
#include "body_response.h"

#include <stddef.h>
#include "inputs/drives.h"
#include "kernels/base/mem.h"
#include "bodies/bodies.h"
#include "pressure.h"

/* The unit field is projected until its divergence is this small beside 1 / h. The mean of the velocity then
 * has the given value to about this part of it. */
static const double RESPONSE_TOLERANCE = KOL_CHOOSE(1e-11, 1e-5);

/* If less than this many times the tolerance is left of a force, nothing is. */
enum { CLOSED = 100 };

int body_response_wanted(const struct flow *flow)
{
    const struct input *in = flow->domain->in;
    return flow->bodies != NULL && (drive_holds_bulk_velocity(in) || drive_holds_power(in));
}

/* Sets flow->vel to 1 along d over open faces, and to 0 elsewhere. */
static kol_status unit_field(struct flow *flow, int d)
{
    const struct domain *domain = flow->domain;
    if (pool_counts(domain->pool)) return KOL_OK;
    for (int c = 0; c < 3; ++c) TRY(mem_fill_real(flow->vel[c], domain->grid.box.size, 0));
    return bodies_push(flow, d, 0, 1);
}

/* Bodies may close the domain across the force: nothing then flows along it. */
static kol_status check_way(const struct flow *flow, int d)
{
    const struct domain *domain = flow->domain;
    const struct input_place by = input_place(domain->source, offsetof(struct input, forcing.type), 0);
    if (pool_counts(domain->pool) || flow->bodies->response > CLOSED * RESPONSE_TOLERANCE) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s: the bodies close the domain across %c, so that no force gives the fluid a mean "
          "velocity along it; leave a way through, or choose 'pressure-gradient'",
          by.at, by.name, "xyz"[d]);
}

kol_status body_response_prepare(struct step *step, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    const double speed = flow->now.speed;
    const int iterations = step->iterations;
    const long long stages = step->stages, over = step->stages_over;
    real *vel[3];
    if (!body_response_wanted(flow) || flow->bodies->answers) return KOL_OK;
    for (int c = 0; c < 3; ++c) {
        vel[c] = flow->vel[c];
        TRY(pool_hold(domain->pool, "unit field", &flow->vel[c]));
    }
    TRY(unit_field(flow, d));
    flow->now.speed = 1;
    TRY(pressure_potential(step, flow, RESPONSE_TOLERANCE));
    flow->now.speed = speed;
    TRY(bodies_response(flow, d, step->phi));
    TRY(check_way(flow, d));
    step->phi = NULL;
    step->iterations = iterations; /* this solve is of no stage: each start of the program repeats it */
    step->stages = stages;
    step->stages_over = over;
    for (int c = 0; c < 3; ++c) {
        TRY(pool_drop(domain->pool, &flow->vel[c]));
        flow->vel[c] = vel[c];
    }
    return KOL_OK;
}

kol_status body_response_count(struct step *step, struct flow *flow)
{
    struct pool *pool = flow->domain->pool;
    real *unit[3];
    if (!body_response_wanted(flow)) return KOL_OK;
    TRY(pool_drop(pool, &flow->bodies->potential));
    for (int c = 0; c < 3; ++c) TRY(pool_hold(pool, "unit field", &unit[c]));
    TRY(pressure_potential(step, flow, 1));
    flow->bodies->potential = step->phi;
    step->phi = NULL;
    for (int c = 0; c < 3; ++c) TRY(pool_drop(pool, &unit[c]));
    return KOL_OK;
}

kol_status body_response_jump(struct step *step, struct flow *flow, double lack)
{
    const int d = flow->domain->in->forcing.direction;
    flow->force.jump = lack / flow->bodies->response;
    TRY(bodies_push(flow, d, 0, flow->force.jump));
    flow->halo_filled = 0;
    return pressure_project(step, flow, flow->domain->in->pressure.tolerance);
}
