/* Synthetic turbulence on an inflow: adds up plane waves at each place of the inflow plane (wall.h).
 * docs/numerics/open.md. */
#ifndef KOL_KERNELS_INFLOW_WAVES_H
#define KOL_KERNELS_INFLOW_WAVES_H

#include "base/status.h"
#include "wall.h"

KOL_BEGIN_C

/* inflow_waves: tables in kernel memory. Waves are computed from these tables by sums and products only, so
 * both backends get the same bits. Each table belongs to one of the two directions n along the face (the
 * lower one is n = 0), and to places at centres (on_face = 0) or at faces (on_face = 1). Index i goes from -1
 * to the number of cells of this box.
 *
 *   line     line[n][on_face][(2 m + part) (cells + 2) + i + 1]: cosine (part 0) and sine (part 1) of wave m
 *   weight   weight[n][on_face][i + 1]: strength at the place, 0 where the face is closed */
struct inflow_waves {
    int modes;
    const double *line[2][2], *weight[2][2];
    const double *amplitude; /* amplitude of component c of wave m: amplitude[3 m + c] [U] */
    const double *turn;      /* cos and sin of the phase of wave m: turn[2 m], turn[2 m + 1] */
    double excess;           /* subtracted from the component through the face [U] */
};

/* inflow_waves_add: fills the plane of `face` with a steady velocity plus the waves. At the places of
 * component c,
 *
 *     plane = steady + weight weight (sum over m of amplitude cos(phase of the place in wave m) - excess)
 *
 * The phase is the sum of three angles: one for each direction along the face, and the phase of the wave.
 * The excess is subtracted only from the component through the face. The sum is taken in the order of m.
 * The two weights are those of the place in the two directions along the face. steady: a plane [U]. Per
 * place of a component: 4 table values for each mode. */
kol_status inflow_waves_add(struct box b, int face, struct inflow_waves w, const real *steady, real *plane);

KOL_END_C

#endif
