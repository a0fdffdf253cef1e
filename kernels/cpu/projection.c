/* Computes the divergence, and the correction of velocity and pressure. */
#include "../projection.h"
#include "../point/laplace.h"
#include "../point/projection.h"
#include "../point/update.h"
#include "cells.h"
#include "correct_limits.h"
#include "rows.h"
#include "wave_row.h"

#define ROW_LOOP __attribute__((always_inline)) static inline void

/* The right-hand sides of a row go to rhs, or scaled and in single precision to packed. most: number of the
 * maximum among the quantities. */
ROW_LOOP divergence_row(struct box b, struct metrics m, struct blocks bl, int j, int k, real idts, real scale,
                        const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                        real *KOL_RESTRICT rhs, float *KOL_RESTRICT packed, int most)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT mag = rows_of(bl, b, 1),
                         *KOL_RESTRICT big = rows_of(bl, b, most);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const real div = point_div(u[o + i], u[o + i + 1], v[o + i], v[o + i + b.sy], w[o + i],
                                   w[o + i + b.sz], m.dxi_c[i], m.dyi_c[j], m.dzi_c[k]);
        const real f = point_poisson(div, m.dx_c[i], m.dy_c[j], m.dz_c[k], idts);
        const double term = f, rate = div; /* in double, because gcc 12 can't vectorise float here */
        if (packed == NULL) rhs[i] = f;
        else packed[i] = (float)(scale * f);
        sum[i] = term;
        mag[i] = term < 0 ? -term : term;
        big[i] = rate < 0 ? -rate : rate;
    }
}

/* bulk: NULL if the velocity is not summed. */
ROW_LOOP diverge(struct box b, struct box q, struct metrics m, struct blocks bl, real dts, real scale,
                 const real *u, const real *v, const real *w, real *rhs, float *packed,
                 const struct bulk *bulk)
{
    const real idts = 1 / dts;
    const int sums = bulk != NULL ? 3 : 2, most = sums;
    const real *const along = bulk == NULL ? NULL : bulk->d == X ? u : bulk->d == Y ? v : w;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, sums + 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    if (packed == NULL)
                        divergence_row(b, m, bl, j, k, idts, scale, u, v, w, rhs + at(b, 0, j, k), NULL,
                                       most);
                    else
                        divergence_row(b, m, bl, j, k, idts, scale, u, v, w, NULL, packed + at(q, 0, j, k),
                                       most);
                    if (bulk != NULL) rows_volume(bl, b, 2, bulk->wx, bulk->wy, bulk->wz, j, k, along);
                    for (int n = 0; n < sums; ++n) lanes_row_sum(bl, lanes_of(bl, n, by), rows_of(bl, b, n));
                    lanes_row_max(bl, lanes_of(bl, most, by), rows_of(bl, b, most));
                }
            }
        }
        lanes_flush(bl, sums, 1, bz);
    }
}

kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells, real dts,
                              const real *u, const real *v, const real *w, real *rhs)
{
    if (cells_compute_all(cells)) diverge(b, b, m, bl, dts, 1, u, v, w, rhs, NULL, NULL);
    return KOL_OK;
}

kol_status project_divergence_single(struct box b, struct box q, struct metrics m, struct blocks bl,
                                     struct cells cells, real dts, real scale, const real *u, const real *v,
                                     const real *w, float *rhs)
{
    if (cells_compute_all(cells)) diverge(b, q, m, bl, dts, scale, u, v, w, NULL, rhs, NULL);
    return KOL_OK;
}

kol_status project_divergence_bulk(struct box b, struct metrics m, struct blocks bl, struct cells cells,
                                   real dts, const real *u, const real *v, const real *w, real *rhs,
                                   struct bulk bulk)
{
    if (cells_compute_all(cells)) diverge(b, b, m, bl, dts, 1, u, v, w, rhs, NULL, &bulk);
    return KOL_OK;
}

kol_status project_divergence_single_bulk(struct box b, struct box q, struct metrics m, struct blocks bl,
                                          struct cells cells, real dts, real scale, const real *u,
                                          const real *v, const real *w, float *rhs, struct bulk bulk)
{
    if (cells_compute_all(cells)) diverge(b, q, m, bl, dts, scale, u, v, w, NULL, rhs, &bulk);
    return KOL_OK;
}

/* pressure: how the pressure is updated. With implicit diffusion it loses factor * lap(phi). */
enum pressure { NO_PRESSURE, PLAIN_PRESSURE, DIFFUSED_PRESSURE };

ROW_LOOP correct_loop(struct box b, struct stencil s, struct correction a, int j, int k,
                      const real *KOL_RESTRICT phi, const real *p_old, real *p, real *KOL_RESTRICT u,
                      real *KOL_RESTRICT v, real *KOL_RESTRICT w, const enum pressure pressure)
{
    const ptrdiff_t row = at(b, 0, j, k);
    const real u_shift = point_shift(a.shift[X], a.profile, k),
               v_shift = point_shift(a.shift[Y], a.profile, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t o = row + i;
        const real c = phi[o];
        u[o] = point_correct(u[o] + u_shift, a.dts, c, phi[o - 1], s.gx[i]);
        v[o] = point_correct(v[o] + v_shift, a.dts, c, phi[o - b.sy], s.gy[j]);
        w[o] = point_correct(w[o] + a.shift[Z], a.dts, c, phi[o - b.sz], s.gz[k]);
        if (pressure == PLAIN_PRESSURE) p[o] = p_old[o] + (c - a.mean);
        if (pressure == DIFFUSED_PRESSURE) {
            const struct lap_coef lap = point_lap_coef(s, i, j, k);
            const real minus_lap = point_lap_apply(lap, 0, c, phi[o - 1], phi[o + 1], phi[o - b.sy],
                                                   phi[o + b.sy], phi[o - b.sz], phi[o + b.sz]);
            p[o] = point_pressure(lap, p_old[o], c, a.mean, a.factor, minus_lap);
        }
    }
}

/* field_rows: a correction by a field phi. */
struct field_rows {
    struct box b;
    struct stencil s;
    struct correction c;
    const real *phi, *p_old;
    real *p;
};

static void correct_row(const void *of, int j, int k, real *const vel[3])
{
    const struct field_rows *f = of;
    const struct box b = f->b;
    real *const u = vel[X], *const v = vel[Y], *const w = vel[Z];
    for (int d = X; d <= Z; ++d) wave_row(b, f->c.waves, d, j, k, vel[d]);
    if (f->p == NULL) {
        correct_loop(b, f->s, f->c, j, k, f->phi, f->p_old, f->p, u, v, w, NO_PRESSURE);
    } else if (f->c.factor == 0) {
        correct_loop(b, f->s, f->c, j, k, f->phi, f->p_old, f->p, u, v, w, PLAIN_PRESSURE);
    } else {
        correct_loop(b, f->s, f->c, j, k, f->phi, f->p_old, f->p, u, v, w, DIFFUSED_PRESSURE);
    }
}

kol_status project_correct(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w)
{
    const struct field_rows f = {b, s, c, phi, p_old, p};
    real *const vel[3] = {u, v, w};
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) correct_row(&f, j, k, vel);
    return KOL_OK;
}

static real field_phi(const void *of, int i, int j, int k)
{
    const struct field_rows *f = of;
    return f->phi[at(f->b, i, j, k)];
}

kol_status project_correct_limits(const struct last_correction *a, const real *phi)
{
    const struct field_rows f = {a->b, a->s, a->c, phi, a->p_old, a->p};
    return correct_limits_sweep(a, (struct correct_rows){correct_row, field_phi, &f, 0});
}

/* packed_rows: a correction by packed values, whose neighbours in periodic directions go round; in z, if
 * ring_z is set. Otherwise those in z lie in the plane beyond, or there is a wall. */
struct packed_rows {
    struct box b;
    struct stencil s;
    struct correction c;
    real scale;
    int ring_z;
    const float *phi;
    const real *p_old;
    real *p;
};

static void correct_packed_row(const void *of, int j, int k, real *const vel[3])
{
    const struct packed_rows *f = of;
    const struct box b = f->b, q = packed_box(b);
    const struct stencil s = f->s;
    const struct correction a = f->c;
    const real scale = f->scale, *const p_old = f->p_old;
    const int ring_z = f->ring_z;
    const float *const phi = f->phi;
    real *const p = f->p;
    const int first = ring_z         ? b.nz - 1
                      : s.gz[0] != 0 ? -1
                                     : 0,
              last = ring_z            ? 0
                     : s.gz[b.nz] != 0 ? b.nz
                                       : k;
    const int below = k > 0 ? k - 1 : first, above = k + 1 < b.nz ? k + 1 : last;
    const float *c = phi + at(q, 0, j, k), *y_low = phi + at(q, 0, j > 0 ? j - 1 : b.ny - 1, k),
                *y_high = phi + at(q, 0, j + 1 < b.ny ? j + 1 : 0, k), *z_low = phi + at(q, 0, j, below),
                *z_high = phi + at(q, 0, j, above);
    const real u_shift = point_shift(a.shift[X], a.profile, k),
               v_shift = point_shift(a.shift[Y], a.profile, k);
    for (int d = X; d <= Z; ++d) wave_row(b, a.waves, d, j, k, vel[d]);
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t o = at(b, i, j, k);
        const real own = scale * (real)c[i], x_low = scale * (real)c[i > 0 ? i - 1 : b.nx - 1],
                   yl = scale * (real)y_low[i], zl = scale * (real)z_low[i];
        vel[X][o] = point_correct(vel[X][o] + u_shift, a.dts, own, x_low, s.gx[i]);
        vel[Y][o] = point_correct(vel[Y][o] + v_shift, a.dts, own, yl, s.gy[j]);
        vel[Z][o] = point_correct(vel[Z][o] + a.shift[Z], a.dts, own, zl, s.gz[k]);
        if (p == NULL) continue;
        if (a.factor == 0) {
            p[o] = p_old[o] + (own - a.mean);
            continue;
        }
        const struct lap_coef lap = point_lap_coef(s, i, j, k);
        const real minus_lap = point_lap_apply(lap, 0, own, x_low, scale * (real)c[i + 1 < b.nx ? i + 1 : 0],
                                               yl, scale * (real)y_high[i], zl, scale * (real)z_high[i]);
        p[o] = point_pressure(lap, p_old[o], own, a.mean, a.factor, minus_lap);
    }
}

kol_status project_correct_packed(struct box b, struct stencil s, struct correction c, real scale, int ring_z,
                                  const float *phi, const real *p_old, real *p, real *u, real *v, real *w)
{
    const struct packed_rows f = {b, s, c, scale, ring_z, phi, p_old, p};
    real *const vel[3] = {u, v, w};
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) correct_packed_row(&f, j, k, vel);
    return KOL_OK;
}

static real packed_phi(const void *of, int i, int j, int k)
{
    const struct packed_rows *f = of;
    const struct box b = f->b;
    const int above = k < b.nz || !f->ring_z ? k : 0;
    return f->scale * (real)f->phi[at(packed_box(b), i < b.nx ? i : 0, j < b.ny ? j : 0, above)];
}

kol_status project_correct_limits_packed(const struct last_correction *a, real scale, int ring_z,
                                         const float *phi)
{
    const struct packed_rows f = {a->b, a->s, a->c, scale, ring_z, phi, a->p_old, a->p};
    return correct_limits_sweep(a, (struct correct_rows){correct_packed_row, packed_phi, &f, 0});
}
