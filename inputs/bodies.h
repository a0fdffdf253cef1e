/* What the inputs of &bodies mean: which bodies there are, and what a shape needs. */
#ifndef KOL_BODIES_INPUT_H
#define KOL_BODIES_INPUT_H

#include "input.h"

/* bodies_any: returns whether the flow has any body. */
int bodies_any(const struct input *in);
/* bodies_coefficient: returns the factor 2/(A U^2) that turns a force into a coefficient; 0 if the input asks
 * for no coefficients. */
double bodies_coefficient(const struct input *in);
/* bodies_in_fields: returns whether field files are to hold the solid share and the level set. */
int bodies_in_fields(const struct input *in);
/* bodies_move: returns whether any body, or its surface, moves. */
int bodies_move(const struct input *in);
/* body_travels: returns whether body n of the input moves through the grid, and not only its surface.
 * bodies_any_travels: returns whether any body does. */
int body_travels(const struct input *in, int n);
int bodies_any_travels(const struct input *in);
/* Bodies that vanish at a given time. A step ends exactly at this time. At the end of that step the body is
 * still there; the next step begins without it.
 *
 *   body_vanishes           returns whether a body is gone at time t. remove: the time at which it vanishes;
 *                           negative if it stays
 *   bodies_next_removal     returns the first time after t at which a body vanishes [T]; INFINITY if there is
 *                           none
 *   bodies_vanish_at        returns this time if bodies vanish at time t, equal to rounding; otherwise a
 *                           negative number
 *   bodies_just_after       returns a time after this removal and before the next one
 *   bodies_removed          counts the bodies of &bodies that are gone at time t; &bodies_list and &packing
 *                           count as one body each
 *   bodies_left_at          returns whether any body is there at time t
 *   bodies_all_vanish       returns whether there are bodies and all of them vanish at some time */
int body_vanishes(double remove, double t);
double bodies_next_removal(const struct input *in, double t);
double bodies_vanish_at(const struct input *in, double t);
double bodies_just_after(double remove);
int bodies_removed(const struct input *in, double t);
int bodies_left_at(const struct input *in, double t);
int bodies_all_vanish(const struct input *in);
/* bodies_turn_cells: returns whether cells become fluid or solid during a run, because bodies move through
 * the grid or vanish. */
int bodies_turn_cells(const struct input *in);

/* body_shape_word: returns the name of a shape. body_sizes_taken: returns how many of the first entries of
 * bodies.size the shape can use. body_size_word: returns what entry e of a shape is, for messages. */
const char *body_shape_word(int shape);
int body_sizes_taken(int shape);
const char *body_size_word(int shape, int e);
/* body_size_wrong: finds the first size of a shape that can't be used. Returns its index 0, 1, 2 and writes
 * what is wrong with it; -1 if there is none. */
struct body_size_fault {
    char text[160];
};
int body_size_wrong(int shape, const double size[3], struct body_size_fault *why);
/* body_has_axis: returns whether the axis changes the shape. */
int body_has_axis(int shape);

#endif
