/* Helpers of the rules (check.c and check_*.c). They find where a value was given, for messages. Private to
 * inputs/. */
#ifndef KOL_RULES_H
#define KOL_RULES_H

#include "input.h"
#include "reading.h"
#include "values.h"

#define OFF(member) offsetof(struct input, member)

/* These functions return properties of the variable at an offset of struct input.
 *   rule_variable  its number in the table
 *   is_given       whether the input sets it
 *   is_good        whether it is free of faults. Rules skip values with a fault. */
int rule_variable(const struct reading *r, size_t offset);
int is_given(const struct reading *r, size_t offset);
int is_good(const struct reading *r, size_t offset);

/* place_of: returns the place where a variable was set. place_of_element: returns the place where an element
 * was set. If the element was not set, it is the place of its variable; if that was not set either, it is the
 * place of the `other` variable that made it wrong. origin_of: returns the words "(line 7)", "(given by
 * --set)", with the option that gave the setting, or "(the default)". */
struct origin {
    char text[32];
};
struct place place_of(const struct reading *r, size_t offset);
struct place place_of_element(const struct reading *r, size_t offset, int e, size_t other);
struct origin origin_of(const struct reading *r, size_t offset);
/* ask_for: returns the words "ask for 1.2e-6 or more". The number has two digits and is not below `least`. */
struct origin ask_for(double least);

/* use: a condition for a variable to have an effect. The variable `of` has an effect only if `useful` is true
 * for the values. The variable `on` decides this, and `remedy` says how it would have to change.
 *
 * use_lacking: looks for the variable at `offset` in these lines. If `useful` is false in a line, it returns
 * `on` and the remedy of the first such line. Otherwise it returns 0. */
struct use {
    size_t of, on;
    int (*useful)(const struct input *in);
    const char *remedy;
};
size_t use_lacking(const struct use *use, size_t count, const struct input *in, size_t offset,
                   const char **remedy);

/* face_at, velocity_at, profile_at, formula_at: return the offsets in struct input of the condition of a
 * face, of its velocity, of its profile and of its three formulas. */
size_t face_at(int f);
size_t velocity_at(int f);
size_t profile_at(int f);
size_t formula_at(int f);

#endif
