/* Adds samples of velocity, pressure and their products to sums in every cell. */
#include "../cell_average.h"
#include "../point/cell_average.h"

kol_status cell_average_add(struct box b, const unsigned char *open, struct cell_average_weights by,
                            real *const vel[3], const real *p, real *latest, double *sum, double *before)
{
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    ptrdiff_t n = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i, ++n)
                point_cell_add(b, open, by, vel[X], vel[Y], vel[Z], p, n, cells, at(b, i, j, k), latest, sum,
                               before);
    return KOL_OK;
}
