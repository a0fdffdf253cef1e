/* Numbers that many files need. Each is defined only here, for the host. */
#ifndef KOL_BASE_CONSTANTS_H
#define KOL_BASE_CONSTANTS_H

static const double PI = 3.14159265358979323846;
static const double MIB = 1048576, GIB = 1073741824; /* bytes in a mebibyte, in a gibibyte */

#endif
