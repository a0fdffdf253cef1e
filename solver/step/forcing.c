/* Finds the force that drives the flow in each stage, and what it means for the choice of dt. */
#include "forcing.h"

#include <math.h>
#include "inputs/buoyancy.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "kernels/base/mem.h"
#include "kernels/stream_copy.h"
#include "kernels/update.h"
#include "boundary/boundary.h"
#include "diffusion.h"
#include "diffusion_z.h"
#include "boundary/open_faces.h"
#include "force.h"
#include "forcing/box_forcing.h"
#include "forcing/formula_force.h"
#include "kernels/base/constants.h"
#include "bodies/bodies_travel.h"
#include "body_response.h"
#include "math/rk3_scheme.h"
#include "state/flow_fields.h"

/* A bulk velocity that differs from the one asked for by more than this multiple of rounding is not a matter
 * of rounding. */
static const double BULK_ROUNDING = 1e3;

/* The largest bulk velocity that is asked for. */
static double bulk_most(const struct input *in)
{
    return drive_holds_bulk_velocity(in) ? drive_most(in) : 0;
}

double forcing_speed(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double most = fmax(boundary_speed(domain), bulk_most(domain->in));
    for (int c = 0; c < 3; ++c) most = fmax(most, fmax(open_faces_along(flow, c), bodies_speed(flow, c)));
    return most;
}

double forcing_turning(const struct input *in)
{
    const double *w = in->forcing.rotation;
    return 2 * sqrt(w[X] * w[X] + w[Y] * w[Y] + w[Z] * w[Z]);
}

double forcing_rate(const struct input *in)
{
    return forcing_turning(in) + (drive_oscillates(in) ? 2 * PI * in->forcing.frequency : 0);
}

double forcing_courant(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        double speed = boundary_speed_along(domain, d);
        if (drive_direction(in) == d) speed = fmax(speed, bulk_most(in));
        speed = fmax(speed, fmax(open_faces_along(flow, d), bodies_speed(flow, d)));
        sum += speed / domain->grid.narrowest[d];
    }
    return sum;
}

double forcing_push(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const double most = drive_most(domain->in);
    const double velocity = fabs(flow->now.momentum[domain->in->forcing.direction]);
    if (drive_forces_box(domain->in)) return box_forcing_push(flow);
    if (flow->force.formula != NULL) return formula_force_push(flow);
    if (drive_gives_force(domain->in)) return most;
    return drive_holds_power(domain->in) && velocity > 0 ? most / velocity : 0;
}

double forcing_push_courant(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    const double push = forcing_push(flow), velocity = fabs(flow->now.momentum[d]);
    const double *narrowest = domain->grid.narrowest;
    const double width =
        flow->force.formula == NULL ? narrowest[d] : fmin(narrowest[X], fmin(narrowest[Y], narrowest[Z]));
    const double alone = sqrt(2 * domain->in->time.cfl * push / width);
    if (drive_forces_box(domain->in)) return fmax(alone, box_forcing_rate(flow));
    /* the force of a power falls as the velocity grows: a step must not change it much */
    return drive_holds_power(domain->in) && velocity > 0 ? fmax(alone, push / velocity) : alone;
}

/* Adds the force for implicit diffusion between walls. It is not uniform then, so it is added here, and the
 * correction adds nothing. */
static kol_status add_shaped(struct poisson *poisson, struct flow *flow, int m, int d, double dts,
                             double *shift)
{
    const struct domain *domain = flow->domain;
    double left = 0;
    real *shape = NULL, *sum = NULL;
    TRY(diffusion_force(poisson, d, dts, &shape));
    if (!pool_counts(domain->pool)) TRY(force_mean(domain, d, shape, &left));
    TRY(force_find_shift(flow, m, d, dts, left, shift));
    TRY(pool_hold(domain->pool, "velocity", &sum));
    if (!pool_counts(domain->pool))
        TRY(stream_triad(domain->grid.box.size, (real)*shift, flow->vel[d], shape, sum));
    TRY(pool_drop(domain->pool, &shape));
    TRY(pool_drop(domain->pool, &flow->vel[d]));
    flow->vel[d] = sum;
    return KOL_OK;
}

kol_status forcing_check(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    if (!drive_holds_power(domain->in) || fabs(flow->now.momentum[d]) > FORCE_POWER_LEAST * flow->now.speed)
        return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: forcing.type = 'power' needs a mean velocity along %c at the start, but it is %.3g; the "
          "largest speed is %.3g; give an initial.velocity(%d), or choose another forcing.type",
          "xyz"[d], flow -> now.momentum[d], flow->now.speed, d + 1);
}

/* Bodies: the force acts over open faces, before the projection. */
static kol_status push_bodies(struct flow *flow, int m, int d, double dts, double *shift)
{
    double left = 1;
    if (body_response_wanted(flow) && !pool_counts(flow->domain->pool)) TRY(bodies_left(flow, d, dts, &left));
    TRY(force_find_shift(flow, m, d, dts, left, shift));
    return bodies_push(flow, d, dts, *shift);
}

kol_status forcing_begin(struct step *step, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    real *jump = NULL;
    flow->force.jump = 0;
    flow->force.push =
        (forcing_push(flow) + buoyancy_most(domain->in, &domain->given_range)) * flow->clock.dt;
    TRY(body_response_prepare(step, flow));
    if (!drive_holds_bulk_velocity(domain->in)) return KOL_OK;
    const double lack = force_value(domain->in, flow->clock.t) - flow->now.momentum[d];
    if (fabs(lack) <= BULK_ROUNDING * KOL_EPSILON * fmax(bulk_most(domain->in), flow->now.speed))
        return KOL_OK;
    if (flow->bodies != NULL) return body_response_jump(step, flow, lack);
    flow->force.jump = lack;
    TRY(pool_hold(domain->pool, "velocity", &jump));
    if (!pool_counts(domain->pool)) {
        TRY(mem_fill_real(jump, domain->grid.box.size, (real)lack));
        TRY(update_combine(domain->grid.box, 1, jump, 1, flow->vel[d], flow->vel[d]));
    }
    flow->halo_filled = 0;
    return pool_drop(domain->pool, &jump);
}

kol_status forcing_stage(struct step *step, struct flow *flow, int m, double dts)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    double shift = 0;
    if (!drive_has_force(domain->in)) return KOL_OK;
    if (flow->bodies != NULL) {
        TRY(push_bodies(flow, m, d, dts, &shift));
        flow->force.shift[d] = 0;
    } else if (diffusion_shapes_force(domain)) {
        TRY(add_shaped(poisson, flow, m, d, dts, &shift));
        flow->force.shift[d] = 0;
    } else if (force_needs_mean(domain->in, m)) {
        flow->force.awaits_mean = !pool_counts(domain->pool);
        return KOL_OK;
    } else {
        TRY(force_find_shift(flow, m, d, dts, diffusion_z_mean(step->diffusion_z), &shift));
        flow->force.shift[d] = shift;
    }
    force_note(flow, m, shift);
    return KOL_OK;
}

void forcing_step(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    const double added = flow->force.jump + flow->force.added;
    flow->force.gradient = drive_has_force(domain->in) ? added / flow->clock.dt : 0;
    flow->force.power = flow->force.gradient * 0.5 * (flow->now.momentum[d] + flow->before.momentum[d]);
    if (flow->force.box != NULL) flow->force.power = box_forcing_power(flow);
    if (flow->force.formula != NULL) flow->force.power = 0.5 * (flow->now.formula + flow->before.formula);
    flow->force.power += 0.0; /* no force on a flow of negative momentum has -0, which becomes 0 */
}
