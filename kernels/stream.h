/* Copy and triad over plain arrays: the bandwidth that the simplest sweeps of all reach on this device, which
 * the other kernels are measured against (tests/bench). */
#ifndef KOL_STREAM_H
#define KOL_STREAM_H

#include "base/status.h"

KOL_BEGIN_C

/* stream_copy: b = a, 1 read, 1 write a value. stream_triad: a = b + s c, 2 reads, 1 write. n values that
 * fill whole multiples of KOL_ALIGN_BYTES, arrays aligned to that, in kernel memory, apart from each other.
 */
kol_status stream_copy(ptrdiff_t n, const real *a, real *b);
kol_status stream_triad(ptrdiff_t n, real s, const real *b, const real *c, real *a);

KOL_END_C

#endif
