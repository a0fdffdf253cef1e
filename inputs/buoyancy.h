/* The buoyancy that the input asks for. Every test of &buoyancy, in any folder, is one of these functions.
 * They only read the input. */
#ifndef KOL_BUOYANCY_INPUT_H
#define KOL_BUOYANCY_INPUT_H

#include "input.h"
#include "scalars.h"

/* buoyancy_wanted: there is gravity, and a scalar with an expansion coefficient. buoyancy_free_fall: a
 * Rayleigh number is given, so that the units are those of free fall. buoyancy_scaled: a Rayleigh or a
 * Richardson number is given, so that the gravity vector only has a direction. */
int buoyancy_wanted(const struct input *in);
int buoyancy_free_fall(const struct input *in);
int buoyancy_scaled(const struct input *in);

/* buoyancy_lift: computes minus the expansion coefficient of scalar n times the gravity vector [U/T over
 * own].
 *
 * buoyancy_rest: computes the state of rest of scalar n at the position x, as *rest + slope . x [own]. Its
 * buoyancy is that of a pressure.
 *
 * buoyancy_wants_reference: scalar n has buoyancy, is not held on both faces across gravity, and the input
 * gives no buoyancy.reference; without it, the reference is its initial value.
 *
 * buoyancy_lacks_reference: the input must give buoyancy.reference of scalar n, since this scalar begins with
 * a formula and is not held on both faces across gravity. */
void buoyancy_lift(const struct input *in, int n, double lift[3]);
void buoyancy_rest(const struct input *in, int n, double *rest, double slope[3]);
int buoyancy_wants_reference(const struct input *in, int n);
int buoyancy_lacks_reference(const struct input *in, int n);

/* buoyancy_push: returns an estimate of the largest buoyancy that the input causes [U/T]. For each scalar it
 * takes the difference between the largest and the least of its values on faces and its initial values, and
 * of what its fluxes make without a flow. ranges: of what is given on faces. */
double buoyancy_push(const struct input *in, const struct scalar_ranges *ranges);
/* buoyancy_range_unknown: scalar n has buoyancy, and this difference is 0: the input does not tell how much
 * it varies. */
int buoyancy_range_unknown(const struct input *in, int n, const struct scalar_ranges *ranges);
/* buoyancy_most: returns the same for the whole force [U/T]. Where buoyancy.reference is given, the force has
 * a part that the pressure may balance. */
double buoyancy_most(const struct input *in, const struct scalar_ranges *ranges);

#endif
