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

/* point_box_row: returns the sum of the functions of a direction at a point, with the amplitudes a of a row.
 * x: the value of function 0, which is 1, at the point; n: distance of the functions. */
HD double point_box_row(const double *a, const double *x, int n)
{
    double sum = a[0];
    for (int f = 1; f < BOX_FUNCTIONS; ++f) sum += a[f] * x[(ptrdiff_t)f * n];
    return sum;
}

/* point_box_waved: returns velocity u of component d at cell (i, j, k) with the waves of rows added [U]. */
HD real point_box_waved(struct box b, struct box_rows rows, real u, int d, int i, int j, int k)
{
    const double *a = rows.row + ((ptrdiff_t)k * b.ny + j) * BOX_ROW + d * BOX_FUNCTIONS;
    return (real)(u + point_box_row(a, rows.x[d != X] + i, b.nx));
}

#endif
