/* Synthetic turbulence on an inflow: random Fourier modes, a function of seed, place and time alone
 * (Kraichnan, Phys. Fluids 13 (1970) 22). docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_WAVES_H
#define KOL_BOUNDARY_INFLOW_WAVES_H

#include "inputs/input.h"
#include "state/grid.h"

/* inflow_wave: v cos(k.x - rate t + phase), v normal to k. */
struct inflow_wave {
    double k[3], v[3]; /* [1/L], [-]: components of root mean square 1 over all modes */
    double rate;       /* k times the velocity that carries it [1/T] */
    double phase;
};
/* inflow_waves_make: the modes of a face, carried at speed [U] along its direction; whole waves along
 * periodic directions of the face. */
void inflow_waves_make(const struct input *in, const struct grid *g, int face, double speed, int modes,
                       struct inflow_wave *wave);

#endif
