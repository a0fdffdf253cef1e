/* The terms of the sums that the forcing of a periodic box needs, at one cell. */
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

/* box_row: the amplitudes of the functions of one direction, what is left of box_amplitudes at a place in the
 * two others. point_box_row: returns the sum over the functions at a point; table: value 0 of the point's
 * function 0; n: distance of the functions. */
struct box_row {
    double of[BOX_FUNCTIONS];
};

HD double point_box_row(struct box_row a, const double *table, int n)
{
    double sum = a.of[0] * table[0];
    for (int f = 1; f < BOX_FUNCTIONS; ++f) sum += a.of[f] * table[(ptrdiff_t)f * n];
    return sum;
}

#endif
