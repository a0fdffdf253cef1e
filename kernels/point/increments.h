/* Powers and bins of one increment or value, for both backends. */
#ifndef KOL_POINT_INCREMENTS_H
#define KOL_POINT_INCREMENTS_H

#include "../increments.h"
#include "moments.h"

/* increment_powers: computes the powers of an increment, in the order of ../increments.h. */
struct increment_terms {
    double a1, p2, p3, a3, p4, p5, a5, p6;
};
HD struct increment_terms increment_powers(double d)
{
    const double size = d < 0 ? -d : d, square = d * d, fourth = square * square;
    struct increment_terms t;
    t.a1 = size;
    t.p2 = square;
    t.p3 = square * d;
    t.a3 = square * size;
    t.p4 = fourth;
    t.p5 = fourth * d;
    t.a5 = fourth * size;
    t.p6 = fourth * square;
    return t;
}

/* count_slot: returns the slot of a value in units of bins. A NaN is counted in the slot of the lowest
 * values. */
HD int count_slot(double value)
{
    const double most = COUNT_BINS, place = value + COUNT_BINS / 2, below = place < most ? place : most;
    return 1 + (int)(place >= 0 ? below : -1);
}

/* count_values: computes the six values of a cell in units of bins: the velocity, then the vorticity. */
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

/* count_volume: returns how often the cell at place i, j, k counts. */
HD unsigned long long count_volume(struct metrics m, struct counted_volume c, int i, int j, int k)
{
    const double volume = (double)m.dx_c[i] * (double)m.dy_c[j] * (double)m.dz_c[k];
    return (unsigned long long)(volume / c.whole * COUNT_UNITS + 0.5);
}

/* count_volume_slot: returns the slot of a value. */
HD int count_volume_slot(struct counted_volume c, real theta)
{
    return count_slot(((double)theta - c.shift) * c.scale);
}

#endif
