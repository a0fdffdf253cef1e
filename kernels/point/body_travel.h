/* One cell or one face that a travelling body uncovers or covers, for both backends. */
#ifndef KOL_POINT_BODY_TRAVEL_H
#define KOL_POINT_BODY_TRAVEL_H

#include "../body_travel.h"
#include "body.h"

/* point_uncovered: returns the pressure of a cell. */
HD real point_uncovered(struct box b, struct body_uncovered c, const real *p)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    real sum = 0;
    int count = 0;
    for (int f = 0; f < FACES; ++f) {
        if (!(c.from >> f & 1)) continue;
        sum += p[c.at + (f % 2 ? stride[f / 2] : -stride[f / 2])];
        ++count;
    }
    return count > 0 ? sum / (real)count : 0;
}

/* point_body_turn: returns the momentum that the fluid loses at a face. u, old: of its component. */
HD double point_body_turn(struct box b, struct metrics m, struct body_turn f, double a_old, const real *u,
                          const real *old)
{
    const double volume = point_body_volume(m, point_body_cell(b, f.at), f.d);
    if (!f.closes) return -volume * (double)u[f.at];
    return volume * ((double)u[f.at] + (a_old != 0 ? a_old * (double)old[f.at] : 0));
}

#endif
