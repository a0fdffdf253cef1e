/* The rules on &boundary and &forcing, and on inputs that need walls or exclude them. Private to inputs/. */
#ifndef KOL_CHECK_BOUNDARY_H
#define KOL_CHECK_BOUNDARY_H

#include "reading.h"

/* check_boundary: checks these rules and adds the faults to r. It calls check_open and check_statistics. */
void check_boundary(struct reading *r, const struct input *in);

/* boundary_unused: does the same as input_unused() of check.h, for the variables of &boundary that only
 * some kinds of faces use. */
size_t boundary_unused(const struct input *in, size_t offset, const char **remedy);

#endif
