#include "../update.h"

kol_status update_extrapolate(struct box b, real c1, const real *p1, real c2, const real *p2, real c3,
                              const real *p3, const real *p, real *y)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t o = at(b, 0, j, k);
            for (int i = 0; i < b.nx; ++i) {
                real sum = 0;
                if (c1 != 0) sum += c1 * p1[o + i];
                if (c2 != 0) sum += c2 * p2[o + i];
                if (c3 != 0) sum += c3 * p3[o + i];
                y[o + i] = sum - p[o + i];
            }
        }
    }
    return KOL_OK;
}
