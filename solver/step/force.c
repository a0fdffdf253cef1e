/* Computes what a force along a periodic direction adds to the velocity in a stage. */
#include "force.h"

#include <math.h>
#include "inputs/drives.h"
#include "kernels/base/constants.h"
#include "kernels/volume_dot.h"
#include "bodies/bodies.h"
#include "diffusion_z.h"
#include "math/rk3_scheme.h"
#include "state/flow_fields.h"

static double oscillation(const struct input *in, double t)
{
    if (!drive_oscillates(in)) return 0;
    return in->forcing.amplitude * cos(2 * PI * in->forcing.frequency * t + in->forcing.phase);
}

double force_value(const struct input *in, double t)
{
    return in->forcing.value + oscillation(in, t);
}

kol_status force_mean(const struct domain *domain, int d, const real *field, double *mean)
{
    TRY(volume_dot_weighted(domain->grid.box, reduction_blocks(domain->reduction),
                            grid_stencil(&domain->grid, flow_field[d].location, 0, 1), field));
    TRY(reduction_finish(domain->reduction, 1, 0, mean));
    *mean /= domain->grid.volume;
    return KOL_OK;
}

/* The volume mean along d that the stage ends with, but for the force that is still to be added. Without
 * bodies the pressure does not change the mean of the prediction. */
static kol_status mean_without_force(struct flow *flow, int d, double *mean)
{
    if (flow->bodies != NULL) return bodies_mean(flow, d, mean);
    if (!flow->force.awaits_mean) return force_mean(flow->domain, d, flow->vel[d], mean);
    *mean = flow->force.mean;
    return KOL_OK;
}

/* The force [U/T] that belongs to the velocity at the start of stage m: the part that oscillates of a given
 * force, or the power over the mean velocity there. */
static double force_at_stage(const struct flow *flow, const struct rk3_scheme *rk, int m)
{
    const struct input *in = flow->domain->in;
    if (drive_holds_power(in)) return in->forcing.value / flow->force.velocity[m];
    return oscillation(in, flow->clock.t + rk3_stage_end(rk, m - 1) * flow->clock.dt);
}

/* What a force that changes in time adds to the velocity in stage m: it is part of the right-hand sides, with
 * their weights, so that it has the order of the scheme. */
static double changing_shift(const struct flow *flow, int m)
{
    const struct rk3_scheme *rk = rk3_scheme(flow->domain->in->time.scheme);
    const struct rk3_stage s = rk->stage[m];
    double sum = s.a * force_at_stage(flow, rk, m);
    if (s.a_old != 0) sum += s.a_old * force_at_stage(flow, rk, m - 1);
    return flow->clock.dt * sum;
}

/* A power: KOL_ERR_NUMERICAL if the mean velocity at the start of stage m is too small to divide by. */
static kol_status check_stage_velocity(const struct flow *flow, int m, int d)
{
    if (fabs(flow->force.velocity[m]) > FORCE_POWER_LEAST * flow->now.speed) return KOL_OK;
    RAISE(
        KOL_ERR_NUMERICAL,
        "forcing.type = 'power': the mean velocity along %c is nearly 0, so no force can have the power %g; "
        "start from a moving fluid",
        "xyz"[d], flow -> domain -> in -> forcing.value);
}

kol_status force_find_shift(struct flow *flow, int m, int d, double dts, double left, double *shift)
{
    const struct domain *domain = flow->domain;
    double mean = 0;
    if (pool_counts(domain->pool)) return KOL_OK;
    if (drive_gives_force(domain->in)) {
        *shift = dts * domain->in->forcing.value + changing_shift(flow, m);
    } else if (drive_holds_bulk_velocity(domain->in)) {
        const double end =
            flow->clock.t + rk3_stage_end(rk3_scheme(domain->in->time.scheme), m) * flow->clock.dt;
        TRY(mean_without_force(flow, d, &mean));
        *shift = (force_value(domain->in, end) - mean) / left;
    } else if (drive_holds_power(domain->in)) {
        if (m == 0) flow->force.velocity[0] = flow->now.momentum[d];
        TRY(check_stage_velocity(flow, m, d));
        *shift = changing_shift(flow, m);
        if (m == 2) return KOL_OK;
        TRY(mean_without_force(flow, d, &mean));
        flow->force.velocity[m + 1] = mean + *shift * left;
    } else {
        RAISE(KOL_ERR_INTERNAL, "force_find_shift() has no rule for this forcing.type");
    }
    return KOL_OK;
}

void force_note(struct flow *flow, int m, double shift)
{
    /* stages that begin at the start of the step include what the stage before added */
    const int afresh = m == 0 || rk3_scheme(flow->domain->in->time.scheme)->from_start;
    flow->force.added = afresh ? shift : flow->force.added + shift;
}

int force_needs_mean(const struct input *in, int m)
{
    return drive_holds_bulk_velocity(in) || (drive_holds_power(in) && m < 2);
}

struct bulk force_bulk(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = domain->in->forcing.direction;
    const struct stencil s = grid_stencil(&domain->grid, flow_field[d].location, 0, 1);
    return (struct bulk){d, s.wx, s.wy, s.wz};
}

kol_status force_finish(const struct step *step, struct flow *flow, int m, double dts, double mean)
{
    const int d = flow->domain->in->forcing.direction;
    double *shift = &flow->force.shift[d];
    flow->force.mean = mean;
    TRY(force_find_shift(flow, m, d, dts, diffusion_z_mean(step->diffusion_z), shift));
    flow->force.awaits_mean = 0;
    force_note(flow, m, *shift);
    return KOL_OK;
}
