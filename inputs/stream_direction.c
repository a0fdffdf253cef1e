/* Finds out where the stream of a flow along walls goes. */
#include "stream_direction.h"

#include <math.h>
#include "drives.h"
#include "face_kinds.h"
#include "rules.h"

int stream_direction(const struct input *in)
{
    int best = -1;
    double most = 0;
    if (drive_has_force(in)) return drive_direction(in);
    for (int f = 0; f < 6; ++f)
        for (int d = 0; d < 3; ++d)
            if (face_has_friction(in, f) && fabs(in->boundary.velocity[f][d]) > most) {
                most = fabs(in->boundary.velocity[f][d]);
                best = d;
            }
    for (int n = 0; n < 18 && best < 0; ++n) /* the sizes of formulas are not known here */
        if (face_has_wall_formula(in, n / 3) && face_moves_along(in, n / 3, n % 3)) best = n % 3;
    for (int d = 0; d < 3 && best < 0; ++d)
        if (direction_is_periodic(in, d)) best = d;
    return best;
}

int channel_inflow(const struct input *in)
{
    for (int f = 0; f < 6 && !drive_has_force(in); ++f)
        if (face_is_inflow(in, f) && !direction_has_wall(in, f / 2) &&
            (!face_has_inflow_velocity(in, f) || in->boundary.velocity[f][f / 2] != 0))
            return f;
    return -1;
}

int channel_stream(const struct input *in)
{
    const int face = channel_inflow(in), d = face < 0 ? stream_direction(in) : face / 2;
    return d >= 0 && direction_has_wall(in, d) ? -1 : d;
}

int inflow_stream(const struct input *in)
{
    int stream = -1;
    if (faces_first(in, face_has_wall_formula) != FACES_NONE) return -1;
    for (int f = 0; f < 6; ++f) {
        if (!face_is_inflow(in, f)) continue;
        if (stream >= 0 && stream != f / 2) return -1;
        stream = f / 2;
    }
    for (int f = 0; f < 6 && stream >= 0; ++f)
        if (face_has_friction(in, f) && f / 2 != stream) return stream;
    return -1;
}

/* Finds a wall that moves across the stream, or any moving wall in a duct; 6 if there is none. */
static int astray(const struct input *in, int stream)
{
    const int duct =
        direction_has_friction(in, 0) + direction_has_friction(in, 1) + direction_has_friction(in, 2) == 2;
    if (duct) return faces_first(in, face_is_moving_wall);
    for (int f = 0; f < 6; ++f)
        for (int d = 0; d < 3; ++d)
            if (face_moves_along(in, f, d) && d != stream) return f;
    return 6;
}

size_t stream_obstacle(const struct input *in, const char **remedy)
{
    const int stream = stream_direction(in), open = faces_first(in, face_is_open);
    if (faces_first(in, face_has_wall_formula) != FACES_NONE) {
        *remedy = "choose walls of uniform velocity";
        return profile_at(faces_first(in, face_has_wall_formula));
    }
    if (open != FACES_NONE) {
        *remedy = "choose faces that no fluid crosses";
        return face_at(open);
    }
    if (!direction_has_friction(in, 0) && !direction_has_friction(in, 1) && !direction_has_friction(in, 2)) {
        *remedy = "choose 'wall' for a face and the one opposite";
        return face_at(0);
    }
    if (stream < 0 || !direction_is_periodic(in, stream)) {
        *remedy = "choose 'periodic' for both ends of the stream's direction";
        return face_at(stream < 0 ? 0 : 2 * stream);
    }
    *remedy = "choose walls that move only along the stream, and in a duct not at all";
    const int f = astray(in, stream);
    return f < 6 ? face_at(f) : 0;
}

int stream_turned(const struct input *in)
{
    for (int d = 0; d < 3; ++d)
        if (direction_has_friction(in, d) && drive_turns_about(in, d)) return 1;
    return 0;
}
