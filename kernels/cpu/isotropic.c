/* Computes the coefficients of the isotropic initial flow, plane by plane. */
#include "../isotropic.h"
#include "../point/isotropic.h"

kol_status isotropic_coefficients(struct isotropic_waves w, int first, int planes, double *out)
{
    const ptrdiff_t plane = (ptrdiff_t)w.n[1] * w.n[2];
    for (int p = 0; p < planes; ++p)
        for (int y = 0; y <= w.n[1] / 2; ++y)
            for (int z = 0; z <= w.n[2] / 2; ++z) point_isotropic_write(w, first + p, y, z, out + p * plane);
    return KOL_OK;
}
