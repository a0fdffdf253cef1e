/* One plane wave at one place of an inflow plane, and the value of the place. */
#ifndef KOL_POINT_INFLOW_WAVES_H
#define KOL_POINT_INFLOW_WAVES_H

#include "../inflow_waves.h"

/* inflow_waves_pair: a cosine and a sine, both multiplied by an amplitude. */
struct inflow_waves_pair {
    double c, s;
};

/* point_waves_row: returns amplitude times cosine and sine of the sum of two angles. They are the angle of a
 * wave along the second direction, (cy, sy), and the phase of the wave, (ct, st). */
HD struct inflow_waves_pair point_waves_row(double amplitude, double cy, double sy, double ct, double st)
{
    struct inflow_waves_pair p;
    p.c = amplitude * (cy * ct - sy * st);
    p.s = amplitude * (sy * ct + cy * st);
    return p;
}

/* point_waves_term: returns the value of the wave at a place whose angle along the first direction is (cx,
 * sx). */
HD double point_waves_term(struct inflow_waves_pair row, double cx, double sx)
{
    return cx * row.c - sx * row.s;
}

HD real point_waves_value(real steady, double weight, double sum, double excess)
{
    return (real)(steady + weight * (sum - excess));
}

#endif
