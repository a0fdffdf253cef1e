/* Computes the inputs that follow from others. After it, an input is constant; stored_flows.c has what
 * programs of postproc set before. */
#include "resolve.h"

#include <math.h>
#include "bodies.h"
#include "box_forecast.h"
#include "drives.h"
#include "face_kinds.h"
#include "rules.h"
#include "scalars.h"
#include "schemes.h"
#include "stream_direction.h"

/* The viscosity of free-fall units. */
static void resolve_rayleigh(struct reading *r, struct input *in)
{
    if (!is_good(r, OFF(buoyancy.rayleigh)) || !is_good(r, OFF(scalars.prandtl))) return;
    if (!(in->buoyancy.rayleigh > 0) || !(in->scalars.prandtl[0] > 0))
        return; /* check_buoyancy reports that */
    if (is_given(r, OFF(fluid.nu)) || is_given(r, OFF(fluid.reynolds))) return; /* and check_given that */
    in->fluid.nu = sqrt(in->scalars.prandtl[0] / in->buoyancy.rayleigh);
}

static void resolve_nu(struct reading *r, struct input *in)
{
    if (!is_good(r, OFF(fluid.reynolds)) || !(in->fluid.reynolds > 0)) return;
    if (is_given(r, OFF(fluid.nu))) return; /* check_given has reported that */
    in->fluid.nu = 1 / in->fluid.reynolds;
    if (!isfinite(in->fluid.nu))
        fault_add(&r->faults, place_of(r, OFF(fluid.reynolds)),
                  "nu = 1/reynolds is not finite with reynolds = %g; choose a larger one",
                  in->fluid.reynolds);
}

/* The viscosity of a target. check_forcing reports what hinders it. */
static void resolve_target(struct reading *r, struct input *in)
{
    if (!box_target_given(in) || !drive_is_of_box(in) || !(in->forcing.value > 0) || !box_is_cube(in)) return;
    if (is_given(r, OFF(fluid.nu)) || is_given(r, OFF(fluid.reynolds)) || !is_good(r, OFF(grid.n))) return;
    in->fluid.nu = box_target_nu(in);
}

/* An inflow along a channel's stream brings a velocity of its own. */
static void resolve_amplitude(const struct reading *r, struct input *in)
{
    const int inflow = in->initial.type == INITIAL_CHANNEL ? channel_inflow(in) : -1;
    const int brought = inflow >= 0 && !face_has_inflow_planes(in, inflow);
    if (!is_given(r, OFF(initial.amplitude)) && !brought) in->initial.amplitude = 1;
}

/* Beside bodies the guess of the pressure leaves much more divergence than elsewhere. The first two stages
 * need not remove all of it (docs/decisions/014-stages-beside-bodies.md), unless a small tolerance is
 * wanted. */
static void resolve_stage_reduction(const struct reading *r, struct input *in)
{
    const int extrapolated = in->pressure.guess == GUESS_LINEAR || in->pressure.guess == GUESS_LLI;
    if (is_given(r, OFF(pressure.stage_reduction)) || !bodies_any(in) || bodies_any_travels(in) ||
        in->pressure.preconditioner != PRECOND_MULTIGRID || !extrapolated || in->pressure.iterations > 0 ||
        scalar_count(in) > 0 || method_is_exact(in) || in->pressure.tolerance < 1e-7)
        return;
    in->pressure.stage_reduction = 0.1;
}

/* Beside bodies the first stage does without a solve if the other one before the last leaves a part, too
 * (docs/decisions/016-first-stage-beside-bodies.md). */
static void resolve_first_stage(struct input *in)
{
    const int pays = bodies_any(in) && in->pressure.stage_reduction > 0 && in->pressure.tolerance >= 1e-7 &&
                     in->pressure.preconditioner == PRECOND_MULTIGRID && in->pressure.iterations == 0 &&
                     scalar_count(in) == 0;
    if (in->pressure.first_stage != FIRST_STAGE_AUTO) return;
    in->pressure.first_stage =
        pays && first_stage_obstacle(in) == NULL ? FIRST_STAGE_GUESSED : FIRST_STAGE_SOLVED;
}

void resolve_inputs(struct reading *r, struct input *in)
{
    resolve_nu(r, in);
    resolve_target(r, in);
    resolve_rayleigh(r, in);
    resolve_amplitude(r, in);
    resolve_stage_reduction(r, in);
    resolve_first_stage(in);
}
