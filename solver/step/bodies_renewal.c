/* Makes the solvers of a step again when bodies have vanished. */
#include "bodies_renewal.h"

#include "bodies/bodies.h"
#include "poisson/preconditioner_choice.h"
#include "pressure_guess.h"

kol_status bodies_renewal(struct step *step, struct flow *flow, double t)
{
    struct poisson *poisson = &step->poisson;
    TRY(pressure_guess_forget(flow));
    preconditioner_choice_destroy(poisson);
    TRY(bodies_renew(flow, t));
    poisson->guess = flow->domain->in->pressure.guess;
    poisson->choice = 0;
    poisson->strength = (struct increment_strength){0, 0, 0};
    poisson->note[0] = poisson->guess_note[0] = '\0';
    step->inverse_met = 0;
    return preconditioner_choice_create(poisson);
}
