/* The rules on &pressure. Private to inputs/, except for DIVERGENCE_ROUNDING. */
#ifndef KOL_CHECK_PRESSURE_H
#define KOL_CHECK_PRESSURE_H

#include "reading.h"

/* DIVERGENCE_ROUNDING: rounding errors leave max|div u| h/U = DIVERGENCE_ROUNDING epsilon h / (smallest
 * width). A smaller tolerance is refused. */
enum { DIVERGENCE_ROUNDING = 20 };

/* check_pressure: checks the rules and adds the faults to r. If the grid has faults itself (grid_is_good =
 * 0), the tolerance is not compared with its widths. pressure_unused: does the same as input_unused of
 * check.h, for the variables of &pressure. */
void check_pressure(struct reading *r, const struct input *in, int grid_is_good);
size_t pressure_unused(const struct input *in, size_t offset, const char **remedy);

#endif
