/* Sets a field to 0 in dead cells. */
#include "../laplace.h"

kol_status laplace_clear(struct box b, const unsigned char *open, real *x)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const unsigned char *KOL_RESTRICT live = open + at(b, 0, j, k);
            real *KOL_RESTRICT row = x + at(b, 0, j, k);
#pragma omp simd
            for (int i = 0; i < b.nx; ++i) row[i] = live[i] != 0 ? row[i] : 0;
        }
    }
    return KOL_OK;
}
