/* The kernels that correct velocity and pressure in place. They are compiled twice: for fields of waves, and
 * in correct.cu without fusing multiplications and additions. */
#ifndef KOL_CUDA_CORRECT_CUH
#define KOL_CUDA_CORRECT_CUH

#include "../point/laplace.h"
#include "../point/projection.h"
#include "../point/update.h"
#include "../projection.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"
#include "wave_rows.cuh"

enum { GRID_MOST = 65535 };

/* pressure: how the pressure is updated. With implicit diffusion it loses factor * lap(phi). */
enum pressure { NO_PRESSURE, PLAIN_PRESSURE, DIFFUSED_PRESSURE };

/* p may be p_old, because both are used at the own point only. WAVES: a field of waves is added. */
template <enum pressure PRESSURE, bool WAVES>
static __global__ void __launch_bounds__(TILE_MOST, 2)
    correct_kernel(struct box b, struct stencil s, int planes, struct correction a,
                   const real *KOL_RESTRICT phi, const real *p_old, real *p, real *KOL_RESTRICT u,
                   real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    const real gx = s.gx[t.i], gy = s.gy[t.j];
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
    real below = phi[o - b.sz];
    struct wave_column column = {};
    if (WAVES) column = wave_column_of(b, a.waves, t);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const real c = phi[o], x_low = phi[o - 1], y_low = phi[o - b.sy];
        /* all loads come before the first store, so that they run at the same time */
        const double share = WAVES ? wave_column_load(b, a.waves, column, t.j, k) : 0;
        real old_u = u[o], old_v = v[o], old_w = w[o];
        const real gz = s.gz[k], old = PRESSURE != NO_PRESSURE ? p_old[o] : 0;
        const real u_shift = point_shift(a.shift[X], a.profile, k),
                   v_shift = point_shift(a.shift[Y], a.profile, k);
        if (WAVES) wave_column_add(b, a.waves, column, t.j, k, share, old_u, old_v, old_w);
        u[o] = point_correct(old_u + u_shift, a.dts, c, x_low, gx);
        v[o] = point_correct(old_v + v_shift, a.dts, c, y_low, gy);
        w[o] = point_correct(old_w + a.shift[Z], a.dts, c, below, gz);
        if (PRESSURE == PLAIN_PRESSURE) p[o] = old + (c - a.mean);
        if (PRESSURE == DIFFUSED_PRESSURE) {
            const struct lap_coef coef = point_lap_coef(s, t.i, t.j, k);
            const real minus_lap =
                point_lap_apply(coef, 0, c, x_low, phi[o + 1], y_low, phi[o + b.sy], below, phi[o + b.sz]);
            p[o] = point_pressure(coef, old, c, a.mean, a.factor, minus_lap);
        }
        below = c;
    }
}

/* The same with packed values of phi. Neighbours beyond a periodic boundary are at the other end of the row,
 * the plane or, if ring_z is set, the column. Otherwise those in z lie in the plane beyond, or there is a
 * wall: the gradient is multiplied by 0, and the own value will do. */
template <enum pressure PRESSURE, bool WAVES>
static __global__ void __launch_bounds__(TILE_MOST, 2)
    correct_packed_kernel(struct box b, struct box q, struct stencil s, int planes, struct correction a,
                          real scale, int ring_z, const float *KOL_RESTRICT phi, const real *p_old, real *p,
                          real *KOL_RESTRICT u, real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    const int i = t.i, i_low = i > 0 ? i - 1 : b.nx - 1, i_high = i + 1 < b.nx ? i + 1 : 0;
    const int j_low = t.j > 0 ? t.j - 1 : b.ny - 1, j_high = t.j + 1 < b.ny ? t.j + 1 : 0;
    const int under = t.z0 > 0 ? t.z0 - 1 : ring_z ? b.nz - 1 : s.gz[0] != 0 ? -1 : 0;
    const float *row = phi + at(q, 0, t.j, t.z0), *low = phi + at(q, 0, j_low, t.z0),
                *high = phi + at(q, 0, j_high, t.z0);
    const real gx = s.gx[i], gy = s.gy[t.j];
    ptrdiff_t o = at(b, i, t.j, t.z0);
    float below = phi[at(q, i, t.j, under)];
    const ptrdiff_t last = ring_z            ? (1 - b.nz) * q.sz
                           : s.gz[b.nz] != 0 ? q.sz
                                             : 0; /* from the last plane up */
    struct wave_column column = {};
    if (WAVES) column = wave_column_of(b, a.waves, t);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz, row += q.sz, low += q.sz, high += q.sz) {
        const float own = row[i], own_x = row[i_low], own_y = low[i];
        /* all loads come before the first store, so that they run at the same time */
        const double share = WAVES ? wave_column_load(b, a.waves, column, t.j, k) : 0;
        real old_u = u[o], old_v = v[o], old_w = w[o];
        const real gz = s.gz[k], old = PRESSURE != NO_PRESSURE ? p_old[o] : 0;
        const real u_shift = point_shift(a.shift[X], a.profile, k),
                   v_shift = point_shift(a.shift[Y], a.profile, k);
        const real c = scale * (real)own, x_low = scale * (real)own_x, y_low = scale * (real)own_y,
                   z_low = scale * (real)below;
        if (WAVES) wave_column_add(b, a.waves, column, t.j, k, share, old_u, old_v, old_w);
        u[o] = point_correct(old_u + u_shift, a.dts, c, x_low, gx);
        v[o] = point_correct(old_v + v_shift, a.dts, c, y_low, gy);
        w[o] = point_correct(old_w + a.shift[Z], a.dts, c, z_low, gz);
        if (PRESSURE == PLAIN_PRESSURE) p[o] = old + (c - a.mean);
        if (PRESSURE == DIFFUSED_PRESSURE) {
            const struct lap_coef coef = point_lap_coef(s, i, t.j, k);
            const ptrdiff_t up = k + 1 < b.nz ? q.sz : last;
            const real minus_lap = point_lap_apply(coef, 0, c, x_low, scale * (real)row[i_high], y_low,
                                                   scale * (real)high[i], z_low, scale * (real)row[i + up]);
            p[o] = point_pressure(coef, old, c, a.mean, a.factor, minus_lap);
        }
        below = own;
    }
}

/* correct_shape: returns the launch. */
static inline kol_status correct_shape(struct box b, struct shape *shape)
{
    *shape = shape_chosen(TUNE_CORRECT);
    if (b.ny > GRID_MOST || b.nz > GRID_MOST) *shape = TILE_PLAIN; /* no more blocks in y and z */
    if (shape->x * shape->y > TILE_MOST)
        RAISE(KOL_ERR_INTERNAL, "project_correct: no launch has tiles of %d x %d", shape->x, shape->y);
    return KOL_OK;
}

/* correct, correct_packed: launch the kernels, with or without waves. */
template <bool WAVES>
static inline kol_status correct(struct box b, struct stencil s, struct correction c, const real *phi,
                                 const real *p_old, real *p, real *u, real *v, real *w)
{
    struct shape shape;
    TRY(correct_shape(b, &shape));
    const auto kernel = p == NULL       ? correct_kernel<NO_PRESSURE, WAVES>
                        : c.factor == 0 ? correct_kernel<PLAIN_PRESSURE, WAVES>
                                        : correct_kernel<DIFFUSED_PRESSURE, WAVES>;
    kernel<<<tile_grid(b, shape), tile_threads(shape), 0, queue_stream()>>>(b, s, shape.z, c, phi, p_old, p,
                                                                            u, v, w);
    CUDA_LAUNCHED("project_correct");
    return KOL_OK;
}

template <bool WAVES>
static inline kol_status correct_packed(struct box b, struct stencil s, struct correction c, real scale,
                                        int ring_z, const float *phi, const real *p_old, real *p, real *u,
                                        real *v, real *w)
{
    struct shape shape;
    TRY(correct_shape(b, &shape));
    const auto kernel = p == NULL       ? correct_packed_kernel<NO_PRESSURE, WAVES>
                        : c.factor == 0 ? correct_packed_kernel<PLAIN_PRESSURE, WAVES>
                                        : correct_packed_kernel<DIFFUSED_PRESSURE, WAVES>;
    kernel<<<tile_grid(b, shape), tile_threads(shape), 0, queue_stream()>>>(
        b, packed_box(b), s, shape.z, c, scale, ring_z, phi, p_old, p, u, v, w);
    CUDA_LAUNCHED("project_correct_packed");
    return KOL_OK;
}

/* correct_unwaved, correct_packed_unwaved: do the same without waves, in correct.cu. */
kol_status correct_unwaved(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w);
kol_status correct_packed_unwaved(struct box b, struct stencil s, struct correction c, real scale, int ring_z,
                                  const float *phi, const real *p_old, real *p, real *u, real *v, real *w);

#endif
