/* Computes the inputs that follow from others. After it, an input is constant; stored_flows.c has what
 * programs of postproc set before. */
#include "resolve.h"

#include <math.h>
#include "face_kinds.h"
#include "rules.h"
#include "stream_direction.h"

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

/* An inflow along a channel's stream brings a velocity of its own. */
static void resolve_amplitude(const struct reading *r, struct input *in)
{
    const int inflow = in->initial.type == INITIAL_CHANNEL ? channel_inflow(in) : -1;
    const int brought = inflow >= 0 && !face_has_inflow_planes(in, inflow);
    if (!is_given(r, OFF(initial.amplitude)) && !brought) in->initial.amplitude = 1;
}

void resolve_inputs(struct reading *r, struct input *in)
{
    resolve_nu(r, in);
    resolve_amplitude(r, in);
}
