/* The terms of the sums that the forcing of a periodic box needs, and its waves, at one cell. */
#ifndef KOL_POINT_BOX_FORCING_H
#define KOL_POINT_BOX_FORCING_H

#include "../box_forcing.h"

/* box_volumes: the volumes round the points of u, v and w of a cell [L^3]. */
struct box_volumes {
    double u, v, w;
};

HD struct box_volumes point_box_volumes(struct metrics m, int i, int j, int k)
{
    struct box_volumes a;
    a.u = (double)m.dx_f[i] * m.dy_c[j] * m.dz_c[k];
    a.v = (double)m.dx_c[i] * m.dy_f[j] * m.dz_c[k];
    a.w = (double)m.dx_c[i] * m.dy_c[j] * m.dz_f[k];
    return a;
}

/* point_box_energy: returns the kinetic energy of a cell's three points [U^2 L^3]. */
HD double point_box_energy(struct box_volumes a, double u, double v, double w)
{
    return 0.5 * (a.u * u * u + a.v * v * v + a.w * w * w);
}

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
