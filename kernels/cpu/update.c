#include "../update.h"

kol_status update_combine(struct box b, real c1, const real *p1, real c2, const real *p2, real *y)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t o = at(b, 0, j, k);
            for (int i = 0; i < b.nx; ++i) {
                real sum = 0;
                if (c1 != 0) sum += c1 * p1[o + i];
                if (c2 != 0) sum += c2 * p2[o + i];
                y[o + i] = sum;
            }
        }
    }
    return KOL_OK;
}
