/* Tells of what kind a face is. This is the only place that compares boundary.face and boundary.profile with
 * their names. */
#include "face_kinds.h"

#include <string.h>

/* A new kind of face is decided here first: does fluid pass through it, and does it hold the fluid along
 * itself? */

const char *const FACE_NAME[6] = {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"};

int face_is_periodic(const struct input *in, int face)
{
    return in->boundary.face[face] == BOUNDARY_PERIODIC;
}

int face_is_noslip(const struct input *in, int face)
{
    return in->boundary.face[face] == BOUNDARY_WALL;
}

int face_is_free_slip(const struct input *in, int face)
{
    return in->boundary.face[face] == BOUNDARY_SLIP;
}

int face_is_wall(const struct input *in, int face)
{
    return face_is_noslip(in, face) || face_is_free_slip(in, face);
}

int face_has_friction(const struct input *in, int face)
{
    return face_is_noslip(in, face);
}

int face_takes_velocity(const struct input *in, int face)
{
    return face_has_friction(in, face) || face_is_inflow(in, face);
}

int face_moves_along(const struct input *in, int face, int direction)
{
    if (!face_has_friction(in, face)) return 0;
    return face_has_wall_formula(in, face) ? strcmp(in->boundary.formula[face][direction], "0") != 0
                                           : in->boundary.velocity[face][direction] != 0;
}

int face_is_moving_wall(const struct input *in, int face)
{
    return face_moves_along(in, face, 0) || face_moves_along(in, face, 1) || face_moves_along(in, face, 2);
}

int face_is_inflow(const struct input *in, int face)
{
    return in->boundary.face[face] == BOUNDARY_INFLOW;
}

int face_is_outflow(const struct input *in, int face)
{
    return in->boundary.face[face] == BOUNDARY_OUTFLOW;
}

int face_is_open(const struct input *in, int face)
{
    return face_is_inflow(in, face) || face_is_outflow(in, face);
}

int face_has_inflow_velocity(const struct input *in, int face)
{
    return face_is_inflow(in, face) && !face_has_inflow_table(in, face) &&
           !face_has_inflow_planes(in, face) && !face_has_inflow_formula(in, face);
}

int face_has_parabolic_inflow(const struct input *in, int face)
{
    return face_is_inflow(in, face) && in->boundary.profile[face] == PROFILE_PARABOLIC;
}

int face_has_inflow_table(const struct input *in, int face)
{
    return face_is_inflow(in, face) && in->boundary.profile[face] == PROFILE_TABLE;
}

int face_has_inflow_planes(const struct input *in, int face)
{
    return face_is_inflow(in, face) && in->boundary.profile[face] == PROFILE_PLANES;
}

int face_has_inflow_formula(const struct input *in, int face)
{
    return face_is_inflow(in, face) && in->boundary.profile[face] == PROFILE_FORMULA;
}

int face_has_wall_formula(const struct input *in, int face)
{
    return face_has_friction(in, face) && in->boundary.profile[face] == PROFILE_FORMULA;
}

int face_has_turbulent_inflow(const struct input *in, int face)
{
    const double *rms = in->boundary.turbulence[face];
    return face_is_inflow(in, face) && (rms[0] > 0 || rms[1] > 0 || rms[2] > 0);
}

int direction_is_periodic(const struct input *in, int direction)
{
    return face_is_periodic(in, 2 * direction);
}

int direction_has_friction(const struct input *in, int direction)
{
    return face_has_friction(in, 2 * direction) || face_has_friction(in, 2 * direction + 1);
}

int direction_has_wall(const struct input *in, int direction)
{
    return face_is_wall(in, 2 * direction) || face_is_wall(in, 2 * direction + 1);
}

int direction_has_open(const struct input *in, int direction)
{
    return face_is_open(in, 2 * direction) || face_is_open(in, 2 * direction + 1);
}

int faces_first(const struct input *in, int (*test)(const struct input *in, int face))
{
    int face = 0;
    while (face < FACES_NONE && !test(in, face)) ++face;
    return face;
}

int faces_all_periodic(const struct input *in)
{
    for (int face = 0; face < FACES_NONE; ++face)
        if (!face_is_periodic(in, face)) return 0;
    return 1;
}

int faces_any_open(const struct input *in)
{
    return faces_first(in, face_is_open) != FACES_NONE;
}

int faces_any_inflow(const struct input *in)
{
    return faces_first(in, face_is_inflow) != FACES_NONE;
}

int faces_any_outflow(const struct input *in)
{
    return faces_first(in, face_is_outflow) != FACES_NONE;
}

int faces_any_moving_wall(const struct input *in)
{
    return faces_first(in, face_is_moving_wall) != FACES_NONE;
}

double faces_walls_velocity(const struct input *in, int direction)
{
    double shared = 0;
    int walls = 0;
    for (int face = 0; face < FACES_NONE; ++face) {
        if (!face_has_friction(in, face)) continue;
        const int formula = face_has_wall_formula(in, face);
        const double velocity = formula ? 0 : in->boundary.velocity[face][direction];
        if ((formula && face_moves_along(in, face, direction)) || (walls > 0 && velocity != shared)) return 0;
        shared = velocity;
        ++walls;
    }
    return shared;
}

int faces_bounded_directions(const struct input *in)
{
    return !direction_is_periodic(in, 0) + !direction_is_periodic(in, 1) + !direction_is_periodic(in, 2);
}
