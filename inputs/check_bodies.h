/* The rules on bodies in the flow. Private to inputs/. */
#ifndef KOL_CHECK_BODIES_H
#define KOL_CHECK_BODIES_H

#include <stddef.h>
#include "input.h"

struct reading;

/* bodies_unused: does for the inputs of bodies what input_unused() of check.h does. */
size_t bodies_unused(const struct input *in, size_t offset, const char **remedy);

/* check_bodies: checks that each body has what its shape needs, and nothing that has no effect. */
void check_bodies(struct reading *r, const struct input *in);

#endif
