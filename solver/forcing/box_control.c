/* Finds the rate of the linear force for each control. */
#include "box_control.h"

#include "inputs/drives.h"

/* The dissipation answers to the force only after the time of an eddy, so its control must not be faster than
 * that; the energy answers at once. */
static const double GAIN_ENERGY = 10, GAIN_DISSIPATION = 1;

double box_control_gain(const struct input *in)
{
    if (in->forcing.gain > 0) return in->forcing.gain;
    return drive_holds_dissipation(in) ? GAIN_DISSIPATION : GAIN_ENERGY;
}

double box_control_rate(const struct input *in, double k, double dissipation)
{
    const double wanted = in->forcing.value, gain = box_control_gain(in);
    if (drive_gives_power(in)) return wanted / (2 * k);
    if (drive_holds_energy(in)) /* dk/dt = - gain (k - wanted) dissipation / wanted */
        return dissipation / (2 * k) * (1 - gain * (k - wanted) / wanted);
    if (drive_holds_dissipation(in)) /* dk/dt = - (1 + gain) (dissipation - wanted) */
        return (wanted + gain * (wanted - dissipation)) / (2 * k);
    return wanted;
}
