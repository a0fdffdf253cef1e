/* The largest speed that arithmetic takes. */
#ifndef KOL_BASE_SPEED_H
#define KOL_BASE_SPEED_H

#include "types.h"

/* What is computed with speeds squares them, and sums of squares are squared again. */
static const double SPEED_MOST = sizeof(real) == 4 ? 1e9 : 1e60;

#endif
