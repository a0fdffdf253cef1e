/* Counts the arrays that are held at the fullest moment of a step, from what its parts say they hold. */
#include "step_arrays.h"

#include "exact_step.h"
#include "inputs/face_kinds.h"
#include "math/rk3_scheme.h"
#include "poisson/preconditioner_choice.h"
#include "pressure.h"

/* An implicit diffusion solve needs the velocity before the stage; rk3-wray keeps it beside its right-hand
 * sides. */
static int keeps_base(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_IMPLICIT && !rk3_scheme(in->time.scheme)->from_start;
}

/* Implicit diffusion between walls solves for a change of the velocity, or of the force. */
static int solves_for_change(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_IMPLICIT && !faces_all_periodic(in);
}

/* Velocity and what a step keeps beside it; then the fullest moment, the pressure solve of the second stage:
 * its correction and right-hand side. A diffusion solve has no correction but one stage pressure more; the
 * prediction takes three arrays, and one stage pressure more, when no solve is under way; 'implicit-z' is
 * done before one. */
int step_arrays(const struct input *in)
{
    if (exact_step_wanted(in)) return exact_step_arrays(in);
    return 3 + 3 + (keeps_base(in) ? 3 : 0) + pressure_arrays(in, in->pressure.guess) + 2 +
           ppcg_arrays(preconditioner_choice_scratch(in), preconditioner_choice_one_wanted(in)) +
           solves_for_change(in);
}
