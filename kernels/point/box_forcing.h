/* The waves that force a periodic box, at one cell. */
#ifndef KOL_POINT_BOX_FORCING_H
#define KOL_POINT_BOX_FORCING_H

#include "../box_forcing.h"

/* point_box_z: returns function f of z at level k. point_box_place: returns the place of the amplitude of
 * function f of component d in a row. */
HD double point_box_z(const double *z, int f, int k)
{
    return f == 0 ? 1 : z[(ptrdiff_t)k * BOX_QUAD + f - 1];
}

HD int point_box_place(int d, int f)
{
    return f == 0 ? d : (d + 1) * BOX_QUAD + f - 1;
}

/* point_box_waved: returns velocity u of component d at cell (i, j, k) with the waves of rows added [U]. */
HD real point_box_waved(struct box b, struct box_rows rows, real u, int d, int i, int j, int k)
{
    const double *a = rows.row + ((ptrdiff_t)k * b.ny + j) * BOX_ROW, *x = rows.x + i;
    double sum = a[d];
    for (int f = 1; f < BOX_FUNCTIONS; ++f) sum += a[point_box_place(d, f)] * x[(ptrdiff_t)f * b.nx];
    return (real)(u + sum);
}

#endif
