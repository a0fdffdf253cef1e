/* The kind of boundary that each face of the box is, as far as the input alone decides it. Every test of the
 * kind of a face, in any folder, is one of these functions.
 *
 * Faces are numbered 0 to 5 = 2*direction + side: x_low, x_high, y_low, y_high, z_low, z_high. Directions are
 * 0, 1, 2 = x, y, z. The functions only read the input, and they need no rank, grid or file. */
#ifndef KOL_FACE_KINDS_H
#define KOL_FACE_KINDS_H

#include "input.h"

/* The names of the faces in the input, in messages and in files. */
extern const char *const FACE_NAME[6];

/* One face.
 *
 *   face_is_periodic           The face is joined to the opposite one.
 *   face_is_noslip             The face is a no-slip wall, at rest or moving along itself ('wall').
 *   face_is_free_slip          The face is a plane of symmetry ('slip').
 *   face_is_wall               No fluid crosses the face: no-slip or free slip.
 *   face_has_friction          The face is a wall that holds the fluid back along itself. Stresses, wall
 *                              units and the distance from the wall refer to such faces.
 *   face_takes_velocity        boundary.*_velocity has a meaning on the face.
 *   face_moves_along           The face is a wall with friction, and this component of its velocity is not
 *                              0, or a formula that is not the text '0'.
 *   face_is_moving_wall        At least one component of it is.
 *   face_has_wall_formula      The face is a wall with friction whose velocity comes from formulas.
 *   face_is_inflow             A velocity is prescribed on the face ('inflow').
 *   face_is_outflow            Fluid leaves through the face by convection ('outflow').
 *   face_is_open               Fluid crosses the face: inflow or outflow. */
int face_is_periodic(const struct input *in, int face);
int face_is_noslip(const struct input *in, int face);
int face_is_free_slip(const struct input *in, int face);
int face_is_wall(const struct input *in, int face);
int face_has_friction(const struct input *in, int face);
int face_takes_velocity(const struct input *in, int face);
int face_moves_along(const struct input *in, int face, int direction);
int face_is_moving_wall(const struct input *in, int face);
int face_has_wall_formula(const struct input *in, int face);
int face_is_inflow(const struct input *in, int face);
int face_is_outflow(const struct input *in, int face);
int face_is_open(const struct input *in, int face);

/* These functions return from where an inflow gets its velocity. On faces that are no inflow they return 0.
 *
 *   face_has_inflow_velocity   The input gives the velocity: the profile is 'uniform' or 'parabolic'.
 *   face_has_parabolic_inflow  The profile is 'parabolic'.
 *   face_has_inflow_table      The velocity comes from a text file ('table').
 *   face_has_inflow_planes     The velocity comes from an HDF5 file of planes in time ('planes').
 *   face_has_inflow_formula    The velocity comes from formulas ('formula').
 *   face_has_turbulent_inflow  Synthetic turbulence is added to the velocity. */
int face_has_inflow_velocity(const struct input *in, int face);
int face_has_parabolic_inflow(const struct input *in, int face);
int face_has_inflow_table(const struct input *in, int face);
int face_has_inflow_planes(const struct input *in, int face);
int face_has_inflow_formula(const struct input *in, int face);
int face_has_turbulent_inflow(const struct input *in, int face);

/* The two faces of a direction.
 *
 *   direction_is_periodic      The lower face is periodic; then the upper one is, too.
 *   direction_has_friction      At least one of the faces is a wall with friction.
 *   direction_has_wall         At least one of the faces is a wall, no-slip or free slip.
 *   direction_has_open         At least one of the faces is an inflow or an outflow. */
int direction_is_periodic(const struct input *in, int direction);
int direction_has_friction(const struct input *in, int direction);
int direction_has_wall(const struct input *in, int direction);
int direction_has_open(const struct input *in, int direction);

/* The whole box.
 *
 *   faces_all_periodic         Every face is periodic.
 *   faces_any_open             At least one face is an inflow or an outflow.
 *   faces_any_inflow           At least one face is an inflow.
 *   faces_any_outflow          At least one face is an outflow.
 *   faces_any_moving_wall      At least one face is a moving wall.
 *   faces_walls_velocity       The velocity along a direction that all walls with friction share; 0 if there
 *                              are none, if they move differently, or if a formula moves one.
 *   faces_bounded_directions   Number of directions that are not periodic, 0 to 3.
 *   faces_first                The first face of which the test holds, for example
 *                              faces_first(in, face_is_outflow); FACES_NONE if there is no such face. */
enum { FACES_NONE = 6 };
int faces_all_periodic(const struct input *in);
int faces_any_open(const struct input *in);
int faces_any_inflow(const struct input *in);
int faces_any_outflow(const struct input *in);
int faces_any_moving_wall(const struct input *in);
double faces_walls_velocity(const struct input *in, int direction);
int faces_bounded_directions(const struct input *in);
int faces_first(const struct input *in, int (*test)(const struct input *in, int face));

#endif
