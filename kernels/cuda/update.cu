#include "../update.h"
#include "../point/update.h"
#include "check.cuh"

/* The arrays of update_predict, by value: kernels cannot read the caller's arrays of pointers. */
struct predict_arrays {
    const real *base[3], *r[3], *r_old[3];
    real *vel[3];
};

/* below: distance in memory of the neighbour below along the component's direction; g: inverse distance to it. */
__device__ __forceinline__ void predict_point(const struct predict_arrays &f, int component, ptrdiff_t o,
                                              ptrdiff_t below, real g, real a, real a_old, real dts,
                                              const real *p)
{
    real change = a * f.r[component][o];
    if (f.r_old[component] != NULL) change += a_old * f.r_old[component][o];
    f.vel[component][o] = point_predict(f.base[component][o], change, dts, p[o], p[o - below], g);
}

static __global__ void __launch_bounds__(TILE_THREADS)
    predict_kernel(struct box b, struct metrics m, int planes,
                   const __grid_constant__ struct predict_arrays f, real a, real a_old, real dts,
                   const real *p)
{
    tiles_each(range_all(b), planes, [&](int i, int j, int k) {
        const ptrdiff_t o = at(b, i, j, k);
        predict_point(f, X, o, 1, m.dxi_f[i], a, a_old, dts, p);
        predict_point(f, Y, o, b.sy, m.dyi_f[j], a, a_old, dts, p);
        predict_point(f, Z, o, b.sz, m.dzi_f[k], a, a_old, dts, p);
    });
}

kol_status update_predict(struct box b, struct metrics m, real *const base[3], real *const r[3],
                          real *const r_old[3], real a, real a_old, real dts, const real *p,
                          real *const vel[3])
{
    struct predict_arrays f;
    for (int d = X; d <= Z; ++d) {
        f.base[d] = base[d];
        f.r[d] = r[d];
        f.r_old[d] = r_old != NULL ? r_old[d] : NULL;
        f.vel[d] = vel[d];
    }
    const struct tiles t = tiles_make(range_all(b));
    predict_kernel<<<t.grid, t.threads>>>(b, m, t.planes, f, a, a_old, dts, p);
    CUDA_LAUNCHED("update_predict");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_THREADS)
    extrapolate_kernel(struct box b, int planes, real c1, const real *p1, real c2, const real *p2, real c3,
                       const real *p3, const real *p, real *y)
{
    tiles_each(range_all(b), planes, [&](int i, int j, int k) {
        const ptrdiff_t o = at(b, i, j, k);
        real sum = 0;
        if (c1 != 0) sum += c1 * p1[o];
        if (c2 != 0) sum += c2 * p2[o];
        if (c3 != 0) sum += c3 * p3[o];
        y[o] = sum - p[o];
    });
}

kol_status update_extrapolate(struct box b, real c1, const real *p1, real c2, const real *p2, real c3,
                              const real *p3, const real *p, real *y)
{
    const struct tiles t = tiles_make(range_all(b));
    extrapolate_kernel<<<t.grid, t.threads>>>(b, t.planes, c1, p1, c2, p2, c3, p3, p, y);
    CUDA_LAUNCHED("update_extrapolate");
    return KOL_OK;
}
