/* What drives the flow, as far as the input alone decides it. Every test of the kind of forcing, in any
 * folder, is one of these functions. They only read the input. solver/step/forcing.h computes the force as a
 * function of time. */
#ifndef KOL_DRIVES_H
#define KOL_DRIVES_H

#include "input.h"

/* The force that is uniform in space (forcing.type, with names that are not those of a forced box below).
 *
 *   drive_has_force            There is such a force, of whatever kind.
 *   drive_gives_force          Its size is given: 'pressure-gradient' [U/T].
 *   drive_holds_bulk_velocity  It takes the size that gives the bulk velocity asked for: 'bulk-velocity' [U].
 *   drive_holds_power          It takes the size that gives the power asked for: 'power' [U^2/T].
 *   drive_is_prescribed        The force or the bulk velocity is a given function of time, so that it may
 *                              oscillate, and a fluid at rest gets a motion that is known.
 *   drive_oscillates           A part that oscillates in time is added to forcing.value.
 *   drive_direction            Direction of the force: 0, 1, 2 = x, y, z; -1 if there is none.
 *   drive_most                 Largest size of what is given, the oscillating part included; its unit is that
 *                              of forcing.value. */
int drive_has_force(const struct input *in);
int drive_gives_force(const struct input *in);
int drive_holds_bulk_velocity(const struct input *in);
int drive_holds_power(const struct input *in);
int drive_is_prescribed(const struct input *in);
int drive_oscillates(const struct input *in);
int drive_direction(const struct input *in);
double drive_most(const struct input *in);

/* The forcing of turbulence in a periodic box, which varies in space. inputs/box_forecast.h tells what comes
 * of it.
 *
 *   drive_is_of_box            forcing.type names such a force.
 *   drive_forces_box           It acts: forcing.decay does not switch it off.
 *   drive_is_linear            It is proportional to the fluctuation of the velocity: 'linear'.
 *   drive_holds_energy         It is linear, and its rate keeps the kinetic energy at forcing.value.
 *   drive_holds_dissipation    It is linear, and its rate keeps the dissipation at forcing.value.
 *   drive_gives_power          It is linear, and its rate gives the power forcing.value.
 *   drive_gives_rate           It is linear, and forcing.value is its rate.
 *   drive_forces_waves         It acts on the lowest wavenumbers: 'low-wavenumber'.
 *   drive_is_random            The amplitudes of these waves are random: 'ornstein-uhlenbeck'.
 *   drive_uses_dissipation     Its rate is computed from the dissipation, whether it acts or not: it holds
 *                              the energy or the dissipation.
 *   drive_follows_dissipation  The same, and it acts: each step needs the dissipation at its start.
 *   drive_needs_motion         It follows the velocity, so it can't set a fluid at rest in motion. */
int drive_uses_dissipation(const struct input *in);
int drive_follows_dissipation(const struct input *in);
int drive_is_of_box(const struct input *in);
int drive_forces_box(const struct input *in);
int drive_is_linear(const struct input *in);
int drive_holds_energy(const struct input *in);
int drive_holds_dissipation(const struct input *in);
int drive_gives_power(const struct input *in);
int drive_gives_rate(const struct input *in);
int drive_forces_waves(const struct input *in);
int drive_is_random(const struct input *in);
int drive_needs_motion(const struct input *in);

/* Other drives.
 *
 *   drive_by_formula           A force is given by formulas in space and time: 'formula'.
 *   drive_turns                The frame of reference turns (forcing.rotation).
 *   drive_turns_about          The frame's angular velocity has a component along this direction.
 *   drive_any                  Something feeds energy into the flow: a force of any kind, buoyancy, a moving
 *                              wall, a moving body or an inflow. A turning frame does no work, so it does
 *                              not count. */
int drive_by_formula(const struct input *in);
int drive_turns(const struct input *in);
int drive_turns_about(const struct input *in, int direction);
int drive_any(const struct input *in);

#endif
