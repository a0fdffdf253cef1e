/* Tells what drives the flow. This is the only place that compares forcing.type, forcing.control and
 * forcing.law with their names. */
#include "drives.h"

#include <math.h>
#include "bodies.h"
#include "buoyancy.h"
#include "face_kinds.h"

int drive_has_force(const struct input *in)
{
    return in->forcing.type != FORCING_NONE && !drive_is_of_box(in) && !drive_by_formula(in);
}

int drive_by_formula(const struct input *in)
{
    return in->forcing.type == FORCING_FORMULA;
}

int drive_forces_box(const struct input *in)
{
    return drive_is_of_box(in) && !in->forcing.decay;
}

int drive_uses_dissipation(const struct input *in)
{
    return drive_holds_energy(in) || drive_holds_dissipation(in);
}

int drive_follows_dissipation(const struct input *in)
{
    return drive_forces_box(in) && drive_uses_dissipation(in);
}

int drive_is_of_box(const struct input *in)
{
    return drive_is_linear(in) || drive_forces_waves(in);
}

int drive_is_linear(const struct input *in)
{
    return in->forcing.type == FORCING_LINEAR;
}

int drive_holds_energy(const struct input *in)
{
    return drive_is_linear(in) && in->forcing.control == CONTROL_ENERGY;
}

int drive_holds_dissipation(const struct input *in)
{
    return drive_is_linear(in) && in->forcing.control == CONTROL_DISSIPATION;
}

int drive_gives_power(const struct input *in)
{
    return drive_is_linear(in) && in->forcing.control == CONTROL_POWER;
}

int drive_gives_rate(const struct input *in)
{
    return drive_is_linear(in) && in->forcing.control == CONTROL_NONE;
}

int drive_forces_waves(const struct input *in)
{
    return in->forcing.type == FORCING_LOW_WAVENUMBER;
}

int drive_is_random(const struct input *in)
{
    return drive_forces_waves(in) && in->forcing.law == LAW_ORNSTEIN_UHLENBECK;
}

int drive_needs_motion(const struct input *in)
{
    return drive_is_of_box(in) && !drive_is_random(in);
}

int drive_gives_force(const struct input *in)
{
    return in->forcing.type == FORCING_PRESSURE_GRADIENT;
}

int drive_holds_bulk_velocity(const struct input *in)
{
    return in->forcing.type == FORCING_BULK_VELOCITY;
}

int drive_holds_power(const struct input *in)
{
    return in->forcing.type == FORCING_POWER;
}

int drive_is_prescribed(const struct input *in)
{
    return drive_gives_force(in) || drive_holds_bulk_velocity(in);
}

int drive_oscillates(const struct input *in)
{
    return in->forcing.amplitude != 0;
}

int drive_direction(const struct input *in)
{
    return drive_has_force(in) ? in->forcing.direction : -1;
}

double drive_most(const struct input *in)
{
    return fabs(in->forcing.value) + fabs(in->forcing.amplitude);
}

int drive_turns_about(const struct input *in, int direction)
{
    return in->forcing.rotation[direction] != 0;
}

int drive_turns(const struct input *in)
{
    return drive_turns_about(in, 0) || drive_turns_about(in, 1) || drive_turns_about(in, 2);
}

int drive_any(const struct input *in)
{
    return drive_has_force(in) || drive_forces_box(in) || drive_by_formula(in) || buoyancy_wanted(in) ||
           faces_any_moving_wall(in) || faces_any_inflow(in) || bodies_move(in);
}
