/* Copy and triad over plain arrays. They give the bandwidth that the simplest sweeps reach on this device,
 * against which the other kernels are measured (tests/bench). */
#ifndef KOL_STREAM_COPY_H
#define KOL_STREAM_COPY_H

#include "base/status.h"

KOL_BEGIN_C

/* stream_copy: computes b = a, with 1 read and 1 write per value. stream_triad: computes a = b + s c, with 2
 * reads and 1 write. n values must fill whole multiples of KOL_ALIGN_BYTES. Arrays are aligned to
 * KOL_ALIGN_BYTES, lie in kernel memory and do not overlap. */
kol_status stream_copy(ptrdiff_t n, const real *a, real *b);
kol_status stream_triad(ptrdiff_t n, real s, const real *b, const real *c, real *a);

KOL_END_C

#endif
