/* Synthetic turbulence on an inflow: random Fourier modes (Kraichnan, Phys. Fluids 13 (1970) 22). They depend
 * on seed, place and time alone. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_WAVES_H
#define KOL_BOUNDARY_INFLOW_WAVES_H

#include "inputs/input.h"
#include "state/grid.h"

/* inflow_wave: one mode, v cos(k.x - rate t + phase), with v normal to k. */
struct inflow_wave {
    double k[3], v[3]; /* [1/L], [-]; over all modes each component has the root mean square 1 */
    double rate;       /* k times the velocity that carries the wave [1/T] */
    double phase;
};

/* inflow_waves_make: fills wave[0 .. modes-1] with the modes of a face, where 1/length
 * [1/L] is the standard deviation of each component of the wave vectors. They are carried at speed [U] along
 * the direction normal to the face. Along a periodic direction of the face each mode has a whole number of
 * waves. */
void inflow_waves_make(int seed, double length, const struct grid *g, int face, double speed, int modes,
                       struct inflow_wave *wave);

#endif
