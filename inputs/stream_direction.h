/* Where the stream of a flow along walls goes, as far as the input decides it. Directions are 0, 1, 2 =
 * x, y, z; -1 stands for none. More in docs/numerics/walls.md. */
#ifndef KOL_STREAM_DIRECTION_H
#define KOL_STREAM_DIRECTION_H

#include <stddef.h>
#include "input.h"

/* stream_direction: the direction of the stream. It is that of the force; without a force, that of the
 * fastest wall; without moving walls, the first periodic direction. */
int stream_direction(const struct input *in);
/* channel_inflow: the inflow that initial.type = 'channel' starts with: the first one that has a velocity
 * across its face, in a direction without walls. Returns -1 if there is none, or if a force drives the
 * flow.
 * channel_stream: the direction in which that initial flow goes: along the force, else through this
 * inflow, else as stream_direction says. Returns -1 if the direction has a wall at either end. */
int channel_inflow(const struct input *in);
int channel_stream(const struct input *in);
/* inflow_stream: the direction of the stream that inflows bring along no-slip walls. Returns -1 if there
 * is none, or if there are inflows in several directions. */
int inflow_stream(const struct input *in);
/* stream_obstacle: tests whether the mean flow is unidirectional along walls, so that laws of wall
 * friction apply. Returns 0 if it is. Otherwise it returns the variable (its offset in struct input) that
 * prevents it, and sets *remedy. The reasons, in the order of the test:
 *   - fluid crosses a face;
 *   - there is no no-slip wall;
 *   - the stream's direction is not periodic;
 *   - a wall moves across the stream, or in a duct at all. */
size_t stream_obstacle(const struct input *in, const char **remedy);
/* stream_turned: whether the frame turns about a direction that has no-slip walls. The flow beside them
 * then does not have the stream's direction. */
int stream_turned(const struct input *in);

#endif
