/* The rules between several inputs. Private to inputs/. */
#ifndef KOL_CHECK_H
#define KOL_CHECK_H

#include <stddef.h>
#include "input.h"

struct reading;

/* input_unused: finds out whether a variable has an effect with these values. offset: the offset of the
 * variable in struct input.
 *
 * If the variable has an effect, it returns 0. Otherwise another variable has a value for which this one is
 * not used. Then it returns the offset of that other variable, and *remedy says how its value would have to
 * change. (Offset 0 is run.title, which never has this role.) */
size_t input_unused(const struct input *in, size_t offset, const char **remedy);

/* check_given: adds faults for required inputs that are missing, and for given inputs that have no effect.
 * check_rules: applies all other rules to the resolved input (resolve.h), and adds their faults to r. nranks:
 * the number of ranks. If it is 0, the number is not known, and the layout of the ranks is not checked. */
void check_given(struct reading *r, const struct input *in);
void check_rules(struct reading *r, const struct input *in, int nranks);

#endif
