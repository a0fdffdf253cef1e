/* Synthetic turbulence on an inflow: the sum of plane waves at each place of its plane (wall.h).
 * docs/numerics/open.md. */
#ifndef KOL_KERNELS_INFLOW_WAVES_H
#define KOL_KERNELS_INFLOW_WAVES_H

#include "base/status.h"
#include "wall.h"

KOL_BEGIN_C

/* waves: sums and products of tables, so that both backends have the same bits. All arrays in kernel memory.
 * For the two directions along the face, the lower one first, at places of centres and of faces, -1 .. n of
 * this box: line     cos and sin of wave m: line[n][on_face][(2 m + part) (cells + 2) + i + 1] weight
 * strength at the place, 0 where the face is closed: weight[n][on_face][i + 1] */
struct inflow_waves {
    int modes;
    const double *line[2][2], *weight[2][2];
    const double *amplitude; /* of component c of wave m: amplitude[3 m + c] [U] */
    const double *turn;      /* cos and sin of the phase of wave m: turn[2 m], turn[2 m + 1] */
    double excess;           /* what is taken from the component through the face [U] */
};

/* inflow_waves_add: the plane of `face`: component c of the wave that passes, at c's places,
 *
 *     plane = steady + weight weight (sum over m of amplitude cos(angle along the first + angle along the
 * second + phase) - excess)
 *
 * excess only where c leads through the face; the sum in the order of m. steady: a plane [U]. Per place of a
 * component: modes times 4 values of tables. */
kol_status inflow_waves_add(struct box b, int face, struct inflow_waves w, const real *steady, real *plane);

KOL_END_C

#endif
