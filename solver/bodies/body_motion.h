/* The prescribed motion of a body: where it is and how fast it moves, as functions of the time alone. */
#ifndef KOL_BODIES_BODY_MOTION_H
#define KOL_BODIES_BODY_MOTION_H

#include "body_path.h"

/* body_motion: of one body.
 *
 *   kind        enum motion_name; 'none' if the body does not move through the grid
 *   velocity    of 'translate' [U]
 *   amplitude   of 'oscillate' [L]
 *   frequency, phase   of 'oscillate' [1/T], [rad]
 *   rotation, axis     of 'rotate': angular velocity [rad/T] about a unit vector
 *   reach       the largest distance of a point of the body from its centre [L]
 *   path        of 'file'; owned */
struct body_motion {
    int kind;
    double velocity[3], amplitude[3], frequency, phase;
    double rotation, axis[3], reach;
    struct body_path *path;
};

/* body_pose: where a body is, relative to the place for which its geometry is made, and how it moves.
 *
 *   moved      displacement of its centre [L]
 *   turn       rotation about the centre, as a matrix
 *   velocity   of the centre [U]
 *   angular    angular velocity about the centre [rad/T] */
struct body_pose {
    double moved[3], velocity[3], turn[3][3], angular[3];
    int turned; /* whether turn is not the unit matrix */
};

/* body_motion_of: returns the motion that the input gives to body n of &bodies. The caller sets axis, reach
 * and path. */
struct body_motion body_motion_of(const struct input *in, int n);
/* body_motion_travels: returns whether the body moves through the grid. */
int body_motion_travels(const struct body_motion *m);
/* body_motion_at: finds the pose of the body at a time. */
void body_motion_at(const struct body_motion *m, double t, struct body_pose *pose);
/* body_motion_fastest: returns an upper bound of the speed along d of all points of the body at all times
 * [U]. */
double body_motion_fastest(const struct body_motion *m, int d);

#endif
