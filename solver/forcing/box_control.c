/* Finds the rate of the linear force for each control. */
#include "box_control.h"

/* The dissipation answers to the force only after the time of an eddy, so its control must not be faster than
 * that; the energy answers at once. */
static const double GAIN_ENERGY = 10, GAIN_DISSIPATION = 1;

double box_control_gain(const struct input *in)
{
    if (in->forcing.gain > 0) return in->forcing.gain;
    return in->forcing.control == CONTROL_DISSIPATION ? GAIN_DISSIPATION : GAIN_ENERGY;
}

double box_control_rate(const struct input *in, double k, double dissipation)
{
    const double wanted = in->forcing.value, gain = box_control_gain(in);
    switch (in->forcing.control) {
    case CONTROL_POWER:
        return wanted / (2 * k);
    case CONTROL_ENERGY: /* dk/dt = - gain (k - wanted) dissipation / wanted */
        return dissipation / (2 * k) * (1 - gain * (k - wanted) / wanted);
    case CONTROL_DISSIPATION: /* dk/dt = - (1 + gain) (dissipation - wanted) */
        return (wanted + gain * (wanted - dissipation)) / (2 * k);
    default:
        return wanted;
    }
}
