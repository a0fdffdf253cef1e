/* What the inputs say of a flow along walls: where its stream goes, and whether it is straight.
 * docs/numerics/walls.md. */
#ifndef KOL_STREAM_H
#define KOL_STREAM_H

#include <stddef.h>
#include "input.h"

/* stream_direction: 0, 1, 2 = x, y, z: of the force, else of the fastest wall's motion, else the first
 * periodic one; -1: none. */
int stream_direction(const struct input *in);
/* channel_inflow: the inflow that initial.type = 'channel' starts with: the first that has a velocity across
 * its face in a direction without walls; -1: none, or a force drives the flow. channel_stream: where that
 * start goes: along the force, else through this inflow, else as stream_direction, with no wall at either
 * end; -1: nowhere. */
int channel_inflow(const struct input *in);
int channel_stream(const struct input *in);
/* inflow_stream: the direction of a stream that inflows bring along walls without slip; -1 where none does,
 * or inflows of several directions. */
int inflow_stream(const struct input *in);
/* stream_obstacle: the variable (its offset in struct input) that keeps the flow from being straight, and
 * what it would have to be: fluid passes through faces, no wall is without slip, the stream's direction is
 * not periodic, walls move across the stream or, in a duct, at all. 0: it is straight. */
size_t stream_obstacle(const struct input *in, const char **remedy);
/* stream_turned: whether the frame turns about a normal of walls without slip, so that the flow beside them
 * has not the stream's direction. */
int stream_turned(const struct input *in);

#endif
