/* What comes of the forcing of turbulence in a cube, estimated in advance from the inputs alone: for --check,
 * the log and the viscosity of a target. docs/numerics/forcing.md has the relations and where they come
 * from. */
#ifndef KOL_BOX_FORECAST_H
#define KOL_BOX_FORECAST_H

#include "input.h"

/* box_forecast: the stationary state of a forced box. */
struct box_forecast {
    double length;         /* u^3 over the dissipation [L] */
    double speed;          /* u, root mean square of one component [U] */
    double energy;         /* 3/2 u^2 [U^2] */
    double dissipation;    /* [U^2/T] */
    double time;           /* energy over dissipation, of the large eddies [T] */
    double re_lambda, eta; /* need the viscosity: [-], [L] */
};

/* box_is_cube: returns whether the three sides of the box are equal, which the relations need.
 * box_waves: returns the number of waves that 'low-wavenumber' forces, of both signs.
 * box_forecast_make: returns the forecast for in->fluid.nu > 0, for a forced cube with a value above 0.
 * box_target_nu: returns the viscosity [U L] with which the forecast has the target that the input gives. */
int box_is_cube(const struct input *in);
int box_waves(const struct input *in);
struct box_forecast box_forecast_make(const struct input *in);
double box_target_nu(const struct input *in);

/* box_target_given: returns whether a target is given in the place of the viscosity. */
int box_target_given(const struct input *in);

/* box_wave_is_forced: returns whether 'low-wavenumber' forces the wave with m[d] periods along direction d.
 * BOX_WAVE_MOST: the largest number of periods along a direction. */
enum { BOX_WAVE_MOST = 2 };
int box_wave_is_forced(const struct input *in, const int m[3]);

#endif
