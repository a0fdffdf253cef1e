/* Synthetic turbulence on an inflow: random Fourier modes, a function of seed, place and time alone (Kraichnan, Phys. Fluids 13
 * (1970) 22). docs/numerics/open.md. */
#ifndef KOL_INFLOW_WAVES_H
#define KOL_INFLOW_WAVES_H

#include "../inputs/input.h"
#include "grid.h"

/* inflow_wave: v cos(k.x - rate t + phase), v normal to k. */
struct inflow_wave {
    double k[3], v[3]; /* [1/L], [-]: components of root mean square 1 over all modes */
    double rate;       /* k times the velocity that carries it [1/T] */
    double phase;
};
/* inflow_waves_make: the modes of a face, carried at speed [U] along its direction; whole waves along periodic directions of
 * the face. */
void inflow_waves_make(const struct input *in, const struct grid *g, int face, double speed, int modes,
                       struct inflow_wave *wave);
/* inflow_waves_add: value[j * pitch + i] += rms weight[j * pitch + i] u_c at time t at x[i], y[j], along the two directions of the face. scratch:
 * 2 (nx + ny) values. */
struct inflow_points {
    const double *x, *y;
    int along[2], nx, ny;
    ptrdiff_t pitch;
};
void inflow_waves_add(const struct inflow_wave *wave, int modes, struct inflow_points at, int c, double t,
                      double rms, const double *weight, double *scratch, double *value);

#endif
