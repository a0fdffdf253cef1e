#include "stream.h"

#include <math.h>
#include "rules.h"

static int is_wall(const struct input *in, int f)
{
    return in->boundary.face[f] == BOUNDARY_WALL;
}

static int walled(const struct input *in, int d)
{
    return is_wall(in, 2 * d) || is_wall(in, 2 * d + 1);
}

int stream_direction(const struct input *in)
{
    int best = -1;
    double most = 0;
    if (in->forcing.type != FORCING_NONE) return in->forcing.direction;
    for (int f = 0; f < 6; ++f)
        for (int d = 0; d < 3; ++d)
            if (is_wall(in, f) && fabs(in->boundary.velocity[f][d]) > most) {
                most = fabs(in->boundary.velocity[f][d]);
                best = d;
            }
    for (int d = 0; d < 3 && best < 0; ++d)
        if (in->boundary.face[2 * d] == BOUNDARY_PERIODIC) best = d;
    return best;
}

int channel_inflow(const struct input *in)
{
    for (int f = 0; f < 6 && in->forcing.type == FORCING_NONE; ++f)
        if (in->boundary.face[f] == BOUNDARY_INFLOW && !has_wall(in, f / 2) &&
            (!takes_velocity(in, f) || in->boundary.velocity[f][f / 2] != 0))
            return f;
    return -1;
}

int channel_stream(const struct input *in)
{
    const int face = channel_inflow(in), d = face < 0 ? stream_direction(in) : face / 2;
    return d >= 0 && has_wall(in, d) ? -1 : d;
}

/* The wall that moves across the stream, or in a duct; 6: none. */
static int astray(const struct input *in, int stream)
{
    const int duct = walled(in, 0) + walled(in, 1) + walled(in, 2) == 2;
    for (int f = 0; f < 6; ++f)
        for (int d = 0; d < 3; ++d)
            if (is_wall(in, f) && in->boundary.velocity[f][d] != 0 && (d != stream || duct)) return f;
    return 6;
}

size_t stream_obstacle(const struct input *in, const char **remedy)
{
    const int stream = stream_direction(in), periodic = BOUNDARY_PERIODIC;
    for (int f = 0; f < 6; ++f)
        if (is_open(in, f)) {
            *remedy = "let no fluid through the faces";
            return face_at(f);
        }
    if (!walled(in, 0) && !walled(in, 1) && !walled(in, 2)) {
        *remedy = "choose 'wall' for a face and the one opposite";
        return face_at(0);
    }
    if (stream < 0 || in->boundary.face[2 * stream] != periodic) {
        *remedy = "choose 'periodic' for both ends of the stream's direction";
        return face_at(stream < 0 ? 0 : 2 * stream);
    }
    *remedy = "let walls move along the stream alone, in a duct not at all";
    const int f = astray(in, stream);
    return f < 6 ? face_at(f) : 0;
}

int stream_turned(const struct input *in)
{
    for (int d = 0; d < 3; ++d)
        if (walled(in, d) && in->forcing.rotation[d] != 0) return 1;
    return 0;
}
