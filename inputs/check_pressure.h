/* The rules on &pressure. Private to inputs/, except for DIVERGENCE_ROUNDING. */
#ifndef KOL_CHECK_PRESSURE_H
#define KOL_CHECK_PRESSURE_H

#include "reading.h"

/* DIVERGENCE_ROUNDING: the max|div u| h/U that rounding leaves, divided by epsilon h / (smallest width). A
 * tolerance below it is refused. */
enum { DIVERGENCE_ROUNDING = 20 };

/* check_pressure: checks these rules and adds the faults to r. grid_is_good: whether the grid has no faults;
 * otherwise the tolerance is not compared with its widths. pressure_unused: does the same as input_unused of
 * check.h, for the variables of &pressure. */
void check_pressure(struct reading *r, const struct input *in, int grid_is_good);
size_t pressure_unused(const struct input *in, size_t offset, const char **remedy);

#endif
