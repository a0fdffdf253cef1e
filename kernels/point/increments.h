/* Powers and bins of one increment or value, written once for both backends. */
#ifndef KOL_POINT_INCREMENTS_H
#define KOL_POINT_INCREMENTS_H

#include "../increments.h"
#include "moments.h"

HD void increment_powers(double d, double t[INCREMENT_SUMS])
{
    const double size = d < 0 ? -d : d, square = d * d, cube = square * size, fourth = square * square;
    t[INCREMENT_A1] = size;
    t[INCREMENT_2] = square;
    t[INCREMENT_3] = square * d;
    t[INCREMENT_A3] = cube;
    t[INCREMENT_4] = fourth;
    t[INCREMENT_5] = fourth * d;
    t[INCREMENT_A5] = fourth * size;
    t[INCREMENT_6] = fourth * square;
}

/* count_slot: of a value in units of bins; what is no number counts as far below. */
HD int count_slot(double value)
{
    const double place = value + COUNT_BINS / 2;
    if (!(place >= 0)) return 0;
    return place < COUNT_BINS ? 1 + (int)place : COUNT_SLOTS - 1;
}

/* count_values: the six values of a cell in units of bins: velocity, vorticity. */
HD void count_values(struct moment_fields q, ptrdiff_t o, struct moment_spacings x, struct moment_spacings y,
                     struct moment_spacings z, const struct counted *c, double value[6])
{
    const struct moment_edges e = moment_edges_make(q, o, x, y, z);
    value[0] = ((double)q.u[o] - c->shift[X]) * c->scale[X];
    value[1] = ((double)q.v[o] - c->shift[Y]) * c->scale[Y];
    value[2] = ((double)q.w[o] - c->shift[Z]) * c->scale[Z];
    value[3] = (e.wy - e.vz) * c->scale_vorticity[X];
    value[4] = (e.uz - e.wx) * c->scale_vorticity[Y];
    value[5] = (e.vx - e.uy) * c->scale_vorticity[Z];
}

#endif
