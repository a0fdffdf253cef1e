#include "../update.h"
#include "../point/update.h"

/* Neighbour below along the component's own direction, and the inverse distance to it: along y and z constant in a
 * row, along x an array. */
static void predict_row(ptrdiff_t o, int n, ptrdiff_t below, const real *KOL_RESTRICT inverse, real constant,
                        const real *base, const real *KOL_RESTRICT r, const real *KOL_RESTRICT r_old, real a,
                        real a_old, real dts, const real *KOL_RESTRICT p, real *vel)
{
    for (int i = 0; i < n; ++i) {
        const real g = inverse != NULL ? inverse[i] : constant;
        real change = a * r[o + i];
        if (r_old != NULL) change += a_old * r_old[o + i];
        vel[o + i] = point_predict(base[o + i], change, dts, p[o + i], p[o + i - below], g);
    }
}

kol_status update_predict(struct box b, struct metrics m, real *const base[3], real *const r[3],
                          real *const r_old[3], real a, real a_old, real dts, const real *p,
                          real *const vel[3])
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t o = at(b, 0, j, k);
            predict_row(o, b.nx, 1, m.dxi_f, 0, base[X], r[X], r_old ? r_old[X] : NULL, a, a_old, dts, p,
                        vel[X]);
            predict_row(o, b.nx, b.sy, NULL, m.dyi_f[j], base[Y], r[Y], r_old ? r_old[Y] : NULL, a, a_old,
                        dts, p, vel[Y]);
            predict_row(o, b.nx, b.sz, NULL, m.dzi_f[k], base[Z], r[Z], r_old ? r_old[Z] : NULL, a, a_old,
                        dts, p, vel[Z]);
        }
    }
    return KOL_OK;
}

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
