/* Combines whole fields, and clears their halo beyond faces. */
#include "../update.h"
#include "../point/update.h"

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

kol_status update_combine_three(struct box b, const real c[3], const real *const p[3], real *y)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t o = at(b, 0, j, k);
            for (int i = 0; i < b.nx; ++i)
                y[o + i] = (c[0] * p[0][o + i] + c[1] * p[1][o + i]) + c[2] * p[2][o + i];
        }
    }
    return KOL_OK;
}

kol_status update_shift(struct box b, const real shift[3], const real *profile, real *const u[3])
{
    for (int d = 0; d < 3; ++d) {
        if (shift[d] == 0) continue;
        for (int k = 0; k < b.nz; ++k) {
            const real by = point_shift(shift[d], d < Z ? profile : NULL, k);
            for (int j = 0; j < b.ny; ++j) {
                real *row = u[d] + at(b, 0, j, k);
                for (int i = 0; i < b.nx; ++i) row[i] += by;
            }
        }
    }
    return KOL_OK;
}

kol_status update_zero_beyond(struct box b, unsigned faces, real *x)
{
    for (int f = 0; f < FACES; ++f) {
        const struct range r = point_halo_plane(b, f);
        if (!(faces >> f & 1u)) continue;
        for (int k = r.lo[Z]; k < r.hi[Z]; ++k)
            for (int j = r.lo[Y]; j < r.hi[Y]; ++j)
                for (int i = r.lo[X]; i < r.hi[X]; ++i) x[at(b, i, j, k)] = 0;
    }
    return KOL_OK;
}
