/* What the input asks of scalars that is possible but may not be meant, for the log and for --check. */
#ifndef KOL_CONTROL_SCALAR_WARNINGS_H
#define KOL_CONTROL_SCALAR_WARNINGS_H

#include "inputs/input.h"

/* scalar_warnings: calls `tell` with each warning: fluxes and sources that are not compared, sources that
 * nothing takes away, and a Rayleigh number that is not that of the faces. */
void scalar_warnings(const struct input *in, void (*tell)(const char *warning));

#endif
