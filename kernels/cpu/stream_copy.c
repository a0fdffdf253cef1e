/* Copies and adds plain arrays, which measures the bandwidth of the device. */
#include "../stream_copy.h"

#include <string.h>

kol_status stream_copy(ptrdiff_t n, const real *a, real *b)
{
    memcpy(b, a, (size_t)n * sizeof *a);
    return KOL_OK;
}

kol_status stream_triad(ptrdiff_t n, real s, const real *KOL_RESTRICT b, const real *KOL_RESTRICT c,
                        real *KOL_RESTRICT a)
{
    for (ptrdiff_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
    return KOL_OK;
}
