/* The prescribed motion of a body: where it is and how fast it moves, as functions of the time alone. */
#ifndef KOL_BODIES_BODY_MOTION_H
#define KOL_BODIES_BODY_MOTION_H

#include "inputs/input.h"

/* body_motion: of one body.
 *
 *   kind        enum motion_name; only 'translate' and 'oscillate' move the body through the grid
 *   velocity    of 'translate' [U]
 *   amplitude   of 'oscillate' [L]
 *   frequency, phase   of 'oscillate' [1/T], [rad] */
struct body_motion {
    int kind;
    double velocity[3], amplitude[3], frequency, phase;
};

/* body_motion_of: the motion that the input gives body n of &bodies. */
struct body_motion body_motion_of(const struct input *in, int n);
/* body_motion_travels: returns whether the body moves through the grid. */
int body_motion_travels(const struct body_motion *m);
/* body_motion_at: finds how far the body is from its centre in the input [L], and its velocity [U]. */
void body_motion_at(const struct body_motion *m, double t, double moved[3], double velocity[3]);
/* body_motion_fastest: returns the largest speed along d at any time [U]. */
double body_motion_fastest(const struct body_motion *m, int d);

#endif
