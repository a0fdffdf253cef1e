/* What the inputs of &bodies mean: which bodies there are, and what a shape needs. */
#ifndef KOL_BODIES_INPUT_H
#define KOL_BODIES_INPUT_H

#include "input.h"

/* bodies_any: returns whether the flow has any body. */
int bodies_any(const struct input *in);
/* body_shape_word: returns the name of a shape. body_sizes_needed: returns how many of the first entries of
 * bodies.size must be above 0 for a shape. body_sizes_taken: returns how many entries the shape can use; the
 * others must be 0. body_size_word: returns what entry e of a shape is, for messages. */
const char *body_shape_word(int shape);
int body_sizes_needed(int shape);
int body_sizes_taken(int shape);
const char *body_size_word(int shape, int e);
/* body_has_axis: returns whether the axis changes the shape. */
int body_has_axis(int shape);
/* body_is_symmetric: returns whether body n of &bodies keeps its place when it turns about its axis. */
int body_is_symmetric(const struct input *in, int n);

#endif
