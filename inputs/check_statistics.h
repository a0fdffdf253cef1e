/* The rules on &statistics. Private to inputs/. */
#ifndef KOL_CHECK_STATISTICS_H
#define KOL_CHECK_STATISTICS_H

#include "reading.h"

/* check_statistics: checks these rules and adds the faults to r. statistics_unused: does the same as
 * input_unused of check.h, for the variables of &statistics. */
void check_statistics(struct reading *r, const struct input *in);
size_t statistics_unused(const struct input *in, size_t offset, const char **remedy);

#endif
