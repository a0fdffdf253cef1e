/* The streamwise direction of a flow along walls, as far as the input decides it. Directions are 0, 1, 2 = x,
 * y, z; -1 stands for none. docs/numerics/walls.md. */
#ifndef KOL_STREAM_DIRECTION_H
#define KOL_STREAM_DIRECTION_H

#include <stddef.h>
#include "input.h"

/* stream_direction: returns the streamwise direction. It is the direction of the force. Without a force it is
 * the direction in which the fastest wall moves. Without moving walls it is the first periodic direction. */
int stream_direction(const struct input *in);
/* channel_inflow: returns the inflow face from which initial.type = 'channel' takes its velocity. It is the
 * first inflow that has a velocity through its face, in a direction without walls. Returns -1 if there is
 * none, or if a force drives the flow.
 *
 * channel_stream: returns the direction of that initial flow. It is the direction of the force; without a
 * force, the direction through this inflow; without an inflow, stream_direction(). Returns -1 if the
 * direction has a wall at either end. */
int channel_inflow(const struct input *in);
int channel_stream(const struct input *in);
/* inflow_stream: returns the direction of the flow that inflows bring along no-slip walls. Returns -1 if
 * there is no such flow, or if there are inflows in several directions. */
int inflow_stream(const struct input *in);
/* stream_obstacle: tests whether the mean flow is unidirectional along walls, so that laws of wall friction
 * apply. Returns 0 if it is. Otherwise it returns the variable (its offset in struct input) that prevents it,
 * and sets *remedy. The reasons, in the order of the test:
 *   - fluid crosses a face;
 *   - there is no no-slip wall;
 *   - the stream's direction is not periodic;
 *   - a wall moves in the spanwise direction, or any wall of a duct moves. */
size_t stream_obstacle(const struct input *in, const char **remedy);
/* stream_turned: returns whether the frame turns about a direction that has no-slip walls. The flow beside
 * these walls is then not parallel to the stream. */
int stream_turned(const struct input *in);

#endif
