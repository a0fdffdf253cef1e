/* Corrects the velocity and the pressure of a stage by what the pressure solve has found. */
#include "correction.h"

#include "diffusion_z.h"
#include "flow_monitor.h"
#include "inputs/schemes.h"
#include "kernels/base/device.h"
#include "kernels/box_forcing.h"
#include "kernels/correct_limits.h"
#include "kernels/update.h"
#include "bodies/bodies.h"
#include "poisson/direct_single.h"

int correction_increments(const struct step *step)
{
    return step->poisson.increment.multigrid != NULL;
}

/* Corrects by an increment. Without one the velocity gets no more than what the force adds; with bodies it
 * has that already. */
static kol_status correct_increment(const struct step *step, struct flow *flow, struct correction c, real *p)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const struct level_sum phi = step->increment.phi;
    const real *old = flow->pressure.p;
    if (phi.d == NULL) {
        if (p != old) TRY(update_combine(b, 1, old, 0, NULL, p));
        if (c.waves.row != NULL) TRY(box_waves_add(b, c.waves, flow->vel));
        return domain->grid.bodies ? KOL_OK : update_shift(b, c.shift, c.profile, flow->vel);
    }
    TRY(project_correct_single(b, grid_stencil(&domain->grid, LOC_CCC, 0, 1), c, phi, old, p, flow->vel[X],
                               flow->vel[Y], flow->vel[Z]));
    return step->poisson.regions != NULL ? fluid_regions_shift(step->poisson.regions, p) : KOL_OK;
}

/* Tells the bodies of the new pressure. Without an increment the guess is the pressure of the stage. */
static kol_status pass_to_bodies(const struct step *step, struct flow *flow, real *p)
{
    struct level_sum phi = step->increment.phi;
    if (!correction_increments(step) || (phi.d == NULL && p == flow->pressure.p)) return KOL_OK;
    if (step->poisson.regions != NULL && fluid_regions_count(step->poisson.regions) > 1)
        phi.d = NULL; /* each region has got a shift of its own */
    return bodies_beyond(flow, step->phi_mean, phi, flow->pressure.p, p);
}

static struct correction correction_of(const struct step *step, const struct flow *flow, double dts,
                                       const double shift[3])
{
    return (struct correction){.dts = (real)dts,
                               .mean = (real)step->phi_mean,
                               .factor = (real)diffusion_implicit_factor(flow->domain->in, dts),
                               .shift = {(real)shift[X], (real)shift[Y], (real)shift[Z]},
                               .profile = diffusion_z_profile(step->diffusion_z)};
}

kol_status correction_apply(const struct step *step, struct flow *flow, double dts, const double shift[3],
                            struct box_rows waves, real *p)
{
    const struct domain *domain = flow->domain;
    struct direct_single *inverse = preconditioner_single(&step->poisson.for_pressure);
    if (pool_counts(domain->pool)) return KOL_OK;
    struct correction c = correction_of(step, flow, dts, shift);
    c.waves = waves;
    if (correction_increments(step)) {
        TRY(correct_increment(step, flow, c, p));
        return pass_to_bodies(step, flow, p);
    }
    if (inverse != NULL)
        return project_correct_packed(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1), c,
                                      (real)step->phi_unit, direct_single_rings(inverse),
                                      direct_single_values(inverse), flow->pressure.p, p, flow->vel[X],
                                      flow->vel[Y], flow->vel[Z]);
    return project_correct(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1), c, step->phi,
                           flow->pressure.p, p, flow->vel[X], flow->vel[Y], flow->vel[Z]);
}

/* Whether the limits need a sweep of their own: beside bodies, if closed faces are held after the
 * correction; on a GPU, if phi is a field, because two sweeps are faster then (docs/decisions/010); with
 * increments before the last stage, because they hold arrays beside those of rk3.c, so that a run would need
 * three more. */
static int two_sweeps(const struct step *step, int stage)
{
    const int sum = correction_increments(step);
    if (sum && stage < 2) return 1;
    const int field = !sum && preconditioner_single(&step->poisson.for_pressure) == NULL;
    return (field && device_is_gpu()) || (step->domain->grid.bodies && !sum);
}

/* Whether there is nothing to correct by. */
static int nothing(const struct step *step)
{
    return correction_increments(step) && step->increment.phi.d == NULL;
}

/* Sums the limits as it corrects. */
static kol_status sweep_limits(const struct step *step, const struct last_correction *a)
{
    struct direct_single *inverse = preconditioner_single(&step->poisson.for_pressure);
    if (correction_increments(step)) return project_correct_limits_single(a, step->increment.phi);
    if (inverse != NULL)
        return project_correct_limits_packed(a, (real)step->phi_unit, direct_single_rings(inverse),
                                             direct_single_values(inverse));
    return project_correct_limits(a, step->phi);
}

kol_status correction_limits(const struct step *step, struct flow *flow, int stage, double dts,
                             const double shift[3], real *p)
{
    const struct domain *domain = flow->domain;
    real *vel[3] = {NULL, NULL, NULL};
    if (two_sweeps(step, stage) || (nothing(step) && !pool_counts(domain->pool)))
        return correction_apply(step, flow, dts, shift, (struct box_rows){.row = NULL}, p);
    for (int d = 0; d < 3; ++d) TRY(pool_hold(domain->pool, "velocity", &vel[d]));
    if (!pool_counts(domain->pool)) {
        const struct last_correction a = {.b = domain->grid.box,
                                          .m = domain->grid.m,
                                          .s = grid_stencil(&domain->grid, LOC_CCC, 0, 1),
                                          .blocks = reduction_blocks(domain->reduction),
                                          .c = correction_of(step, flow, dts, shift),
                                          .p_old = flow->pressure.p,
                                          .p = p,
                                          .from = {flow->vel[X], flow->vel[Y], flow->vel[Z]},
                                          .to = {vel[X], vel[Y], vel[Z]}};
        TRY(sweep_limits(step, &a));
        TRY(flow_monitor_begin(flow));
        if (step->poisson.regions != NULL) TRY(fluid_regions_shift(step->poisson.regions, p));
        TRY(pass_to_bodies(step, flow, p));
    }
    for (int d = 0; d < 3; ++d) {
        TRY(pool_drop(domain->pool, &flow->vel[d]));
        flow->vel[d] = vel[d];
    }
    return KOL_OK;
}
