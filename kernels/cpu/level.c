/* Fills level arrays and their halos, and says what the level kernels of this build can do. */
#include "../level.h"

#include <string.h>

int level_around(void)
{
    return 0;
}

kol_status level_fill(level_real *a, ptrdiff_t n, level_real value)
{
    for (ptrdiff_t i = 0; i < n; ++i) a[i] = value;
    return KOL_OK;
}

/* First the rows of own cells get their ends. Then planes get their first and last rows, ends included. Then
 * complete planes are copied. */
kol_status level_wrap(struct box lb, level_real *a)
{
    const size_t row = (size_t)(lb.nx + 2) * sizeof *a;
    for (int k = 0; k < lb.nz; ++k) {
        for (int j = 0; j < lb.ny; ++j) {
            a[at(lb, -1, j, k)] = a[at(lb, lb.nx - 1, j, k)];
            a[at(lb, lb.nx, j, k)] = a[at(lb, 0, j, k)];
        }
        memcpy(a + at(lb, -1, -1, k), a + at(lb, -1, lb.ny - 1, k), row);
        memcpy(a + at(lb, -1, lb.ny, k), a + at(lb, -1, 0, k), row);
    }
    for (int j = -1; j <= lb.ny; ++j) {
        memcpy(a + at(lb, -1, j, -1), a + at(lb, -1, j, lb.nz - 1), row);
        memcpy(a + at(lb, -1, j, lb.nz), a + at(lb, -1, j, 0), row);
    }
    return KOL_OK;
}
