/* Takes bodies out of the flow at the times that the input gives. */
#include "body_removal.h"

#include "bodies/bodies.h"
#include "initial.h"
#include "inputs/bodies.h"
#include "inputs/buoyancy.h"
#include "inputs/drives.h"
#include "io/log.h"
#include "step/bodies_renewal.h"

kol_status body_removal_step(struct step *step, struct flow *flow, int *vanished)
{
    const double t = bodies_vanish_at(flow->domain->in, flow->clock.t);
    *vanished = t >= 0 && flow->bodies != NULL;
    if (!*vanished) return KOL_OK;
    TRY(bodies_renewal(step, flow, bodies_just_after(t)));
    flow->halo_filled = 0;
    TRY(initial_project(step, flow));
    flow->complete = 0; /* the energy budget of a step does not reach across this change */
    flow->sums.taken = 0;
    return bodies_measure(flow);
}

int body_removal_decays(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    const int *periodic = domain->grid.periodic;
    return flow->bodies == NULL && periodic[X] && periodic[Y] && periodic[Z] && !drive_by_formula(in) &&
           !drive_forces_box(in) && !buoyancy_wanted(in) &&
           (!drive_has_force(in) || (drive_holds_bulk_velocity(in) && !drive_oscillates(in)));
}

void body_removal_measured(const struct step *step, struct flow *flow, double energy)
{
    const char *note = step->poisson.note;
    flow->energy_start = flow->now.energy;
    if (body_removal_decays(flow)) flow->clock.decays_since = flow->clock.t;
    log_info("t %.6g: bodies have vanished, %s: fluid with their velocity is in their place, and the flow "
             "was projected; kinetic energy %.6g before, %.6g after; pressure: %s",
             flow->clock.t, flow->bodies == NULL ? "none are left" : "others stay", energy, flow->now.energy,
             note[0] != '\0' ? note : "as before");
}
