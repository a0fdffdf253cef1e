/* Counts the arrays that are held at the fullest moment of a step, from what its parts say they hold. */
#include "step_arrays.h"

#include "exact_step.h"
#include "inputs/face_kinds.h"
#include "inputs/schemes.h"
#include "math/rk3_scheme.h"
#include "poisson/preconditioner_choice.h"
#include "pressure.h"

/* With implicit diffusion between walls, the solve is for a change of the velocity, or of the force. */
static int solves_for_change(const struct input *in)
{
    return diffusion_is_implicit(in) && !faces_all_periodic(in);
}

/* Number of arrays that a step needs: the velocity, the arrays that a step keeps, and the most that any part
 * of the step needs for a while. The pressure solve of the second stage needs most, because of its correction
 * and its right-hand side. The other parts need no more:
 *
 *   - a diffusion solve has no correction, but one stage pressure more;
 *   - the prediction has three arrays and one stage pressure more, but no solve;
 *   - 'implicit-z' is done before a solve. */
int step_arrays(const struct input *in)
{
    if (method_is_exact(in)) return exact_step_arrays(in);
    return 3 + 3 + (rk3_keeps_base(in) ? 3 : 0) + pressure_arrays(in, in->pressure.guess) + 2 +
           ppcg_arrays(preconditioner_choice_scratch(in), preconditioner_choice_one_wanted(in)) +
           solves_for_change(in);
}
