/* Renews the geometry and the pressure's operator in a stage if bodies travel. */
#include "travel_stage.h"

#include "bodies/bodies_travel.h"
#include "poisson/preconditioner_choice.h"
#include "travel_energy.h"

kol_status travel_stage_place(struct step *step, struct flow *flow)
{
    if (!bodies_travelling(flow)) return KOL_OK;
    if (fluid_regions_count(step->poisson.regions) > 1)
        RAISE(KOL_ERR_INPUT,
              "error: the bodies at rest divide the fluid into %d regions, which is not available if other "
              "bodies move through the grid (bodies.motion); leave no cavity in them",
              fluid_regions_count(step->poisson.regions));
    TRY(bodies_place(flow));
    return preconditioner_choice_renew(&step->poisson, flow->bodies->covered);
}

kol_status travel_stage(struct step *step, struct flow *flow, int m, real *const base[3], real *const *old)
{
    if (!bodies_travelling(flow)) return KOL_OK;
    TRY(profile_phase(flow->domain->profile, "bodies"));
    TRY(bodies_travel(flow, m, base, old));
    TRY(travel_energy_turns(flow, m, base, old));
    return preconditioner_choice_renew(&step->poisson, flow->bodies->covered);
}
