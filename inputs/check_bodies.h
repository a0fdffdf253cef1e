/* The rules on bodies in the flow. Private to inputs/. */
#ifndef KOL_CHECK_BODIES_H
#define KOL_CHECK_BODIES_H

#include "input.h"

struct reading;

/* check_bodies: checks that each body has what its shape needs, and nothing that has no effect. */
void check_bodies(struct reading *r, const struct input *in);

#endif
