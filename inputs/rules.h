/* What the rules across the inputs (check.c and check_*.c) share: where a value was given, for their
 * messages. Private to inputs/. */
#ifndef KOL_RULES_H
#define KOL_RULES_H

#include "input.h"
#include "reading.h"
#include "values.h"

#define OFF(member) offsetof(struct input, member)

/* rule_variable: number in the table of the variable at this offset. is_given: whether the input sets it.
 * is_good: whether no fault was found in it: rules are not run on values with a fault. */
int rule_variable(const struct reading *r, size_t offset);
int is_given(const struct reading *r, size_t offset);
int is_good(const struct reading *r, size_t offset);

/* place_of: where a variable was set. place_of_element: where an element was, else its variable, else the
 * other one that made it wrong. origin_of: "(line 7)", "(given by --set)" or "(the default)". */
struct origin {
    char text[32];
};
struct place place_of(const struct reading *r, size_t offset);
struct place place_of_element(const struct reading *r, size_t offset, int e, size_t other);
struct origin origin_of(const struct reading *r, size_t offset);

/* use: a variable has an effect only where `useful` holds of the values; `on` is the variable that decides.
 * use_lacking: of the lines for the variable at `offset` the first that fails: its `on` and remedy; 0: none
 * does. */
struct use {
    size_t of, on;
    int (*useful)(const struct input *in);
    const char *remedy;
};
size_t use_lacking(const struct use *use, size_t count, const struct input *in, size_t offset,
                   const char **remedy);

/* FACE_NAME: x_low, x_high, ... face_at, velocity_at: offsets of a face's condition and velocity. */
extern const char *const FACE_NAME[6];
size_t face_at(int f);
size_t velocity_at(int f);

#endif
