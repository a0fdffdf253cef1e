/* Counts the arrays that are held at the fullest moment of a step, from what its parts say they hold. */
#include "step_arrays.h"

#include "exact_step.h"
#include "inputs/face_kinds.h"
#include "inputs/schemes.h"
#include "math/rk3_scheme.h"
#include "poisson/preconditioner_choice.h"
#include "pressure.h"
#include "state/field.h"

/* With implicit diffusion between walls, the solve is for a change of the velocity, or of the force. */
static int solves_for_change(const struct input *in)
{
    return diffusion_is_implicit(in) && !faces_all_periodic(in);
}

/* Number of arrays: the fields without the pressure, what a step keeps with the velocity, then the most that
 * any part of the step holds. This is the pressure solve of the second stage, with its correction and
 * right-hand side. The other parts hold no more:
 *
 *   - a diffusion solve has no correction, but one stage pressure more;
 *   - the prediction has three arrays and one stage pressure more, but no solve;
 *   - 'implicit-z' is done before a solve. */
int step_arrays(const struct input *in)
{
    if (method_is_exact(in)) return exact_step_arrays(in);
    return field_count(in) - 1 + 3 + (rk3_keeps_base(in) ? 3 : 0) + pressure_arrays(in, in->pressure.guess) +
           2 + ppcg_arrays(preconditioner_choice_scratch(in), preconditioner_choice_one_wanted(in)) +
           solves_for_change(in);
}
