/* Names of variables that depend on the directions of a flow: patterns with its letters filled in. */
#ifndef KOL_STATISTICS_PATTERN_NAMES_H
#define KOL_STATISTICS_PATTERN_NAMES_H

#include <stddef.h>

/* pattern_names_fill: writes a pattern into out. %A and %B become the velocity components u, v, w along the
 * first two directions, and any other letter, such as %S or %N, the one along the third. ^A, ^B, ^S become
 * U, V, W. %1, %2, %3 become the axes x, y, z of the three directions. Velocity components that stand
 * together at the beginning come in the order u, v, w. */
void pattern_names_fill(const int direction[3], const char *pattern, char *out, size_t size);

#endif
