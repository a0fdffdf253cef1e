/* The rules on &scalars. Private to inputs/. */
#ifndef KOL_CHECK_SCALARS_H
#define KOL_CHECK_SCALARS_H

#include "reading.h"

/* check_scalars: checks these rules and adds the faults to r. scalars_unused: does the same as input_unused
 * of check.h, for the variables of &scalars. */
void check_scalars(struct reading *r, const struct input *in);
size_t scalars_unused(const struct input *in, size_t offset, const char **remedy);

#endif
