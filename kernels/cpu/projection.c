/* Computes the divergence, the correction of velocity and pressure, and the diagnostics of a step. */
#include "../projection.h"
#include "../point/laplace.h"
#include "../point/projection.h"
#include "../point/update.h"
#include "cells.h"
#include "rows.h"

static void divergence_row(struct box b, struct metrics m, struct blocks bl, int j, int k, real idts,
                           const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                           real *KOL_RESTRICT rhs)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT mag = rows_of(bl, b, 1),
                         *KOL_RESTRICT big = rows_of(bl, b, 2);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const real div = point_div(u[o + i], u[o + i + 1], v[o + i], v[o + i + b.sy], w[o + i],
                                   w[o + i + b.sz], m.dxi_c[i], m.dyi_c[j], m.dzi_c[k]);
        const real f = point_poisson(div, m.dx_c[i], m.dy_c[j], m.dz_c[k], idts);
        const double term = f, rate = div; /* in double, because gcc 12 can't vectorise float here */
        rhs[o + i] = f;
        sum[i] = term;
        mag[i] = term < 0 ? -term : term;
        big[i] = rate < 0 ? -rate : rate;
    }
}

kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells, real dts,
                              const real *u, const real *v, const real *w, real *rhs)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    const real idts = 1 / dts;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 3);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    divergence_row(b, m, bl, j, k, idts, u, v, w, rhs);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                    lanes_row_sum(bl, lanes_of(bl, 1, by), rows_of(bl, b, 1));
                    lanes_row_max(bl, lanes_of(bl, 2, by), rows_of(bl, b, 2));
                }
            }
        }
        lanes_flush(bl, 2, 1, bz);
    }
    return KOL_OK;
}

/* pressure: how the pressure is updated. With implicit diffusion it loses factor * lap(phi). */
enum pressure { NO_PRESSURE, PLAIN_PRESSURE, DIFFUSED_PRESSURE };

#define ROW_LOOP __attribute__((always_inline)) static inline void

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

kol_status project_correct(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            if (p == NULL) {
                correct_loop(b, s, c, j, k, phi, p_old, p, u, v, w, NO_PRESSURE);
            } else if (c.factor == 0) {
                correct_loop(b, s, c, j, k, phi, p_old, p, u, v, w, PLAIN_PRESSURE);
            } else {
                correct_loop(b, s, c, j, k, phi, p_old, p, u, v, w, DIFFUSED_PRESSURE);
            }
        }
    }
    return KOL_OK;
}

/* Adds the terms of those cells of a row that lie beside walls to what monitor_row left. */
static void monitor_row_walls(struct box b, struct metrics m, struct walls walls, struct blocks bl, int j,
                              int k, const real *u, const real *v, const real *w)
{
    for (int i = 0; i < b.nx; ++i) {
        if (!point_at_wall(b, walls, i, j, k)) continue;
        const struct wall_terms t = point_monitor_walls(b, m, walls, u, v, w, i, j, k);
        rows_of(bl, b, MON_ENERGY)[i] += t.energy;
        for (int c = 0; c < 3; ++c) rows_of(bl, b, MON_MOM_X + c)[i] += t.momentum[c];
        rows_of(bl, b, MON_DISS)[i] += t.diss;
        rows_of(bl, b, MON_ENSTROPHY)[i] += t.enstrophy;
        rows_of(bl, b, MON_WORK)[i] = t.work;
    }
}

static void monitor_row(struct box b, struct metrics m, struct blocks bl, int j, int k,
                        const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const ptrdiff_t o = at(b, 0, j, k), sy = b.sy, sz = b.sz;
    double *KOL_RESTRICT energy = rows_of(bl, b, MON_ENERGY), *KOL_RESTRICT diss = rows_of(bl, b, MON_DISS),
                         *KOL_RESTRICT enst = rows_of(bl, b, MON_ENSTROPHY),
                         *KOL_RESTRICT mx = rows_of(bl, b, MON_MOM_X),
                         *KOL_RESTRICT my = rows_of(bl, b, MON_MOM_Y),
                         *KOL_RESTRICT mz = rows_of(bl, b, MON_MOM_Z),
                         *KOL_RESTRICT work = rows_of(bl, b, MON_WORK),
                         *KOL_RESTRICT div = rows_of(bl, b, MON_DIV),
                         *KOL_RESTRICT cou = rows_of(bl, b, MON_COURANT),
                         *KOL_RESTRICT speed = rows_of(bl, b, MON_SPEED);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t q = o + i;
        const struct monitor_terms t = point_monitor(b, m, u, v, w, i, j, k);
        energy[i] = t.energy;
        diss[i] = t.diss;
        enst[i] = t.enstrophy;
        mx[i] = t.mx;
        my[i] = t.my;
        mz[i] = t.mz;
        work[i] = 0;
        div[i] = point_abs(
            point_div(u[q], u[q + 1], v[q], v[q + sy], w[q], w[q + sz], m.dxi_c[i], m.dyi_c[j], m.dzi_c[k]));
        cou[i] = point_courant(u[q], u[q + 1], v[q], v[q + sy], w[q], w[q + sz], m.dxi_c[i], m.dyi_c[j],
                               m.dzi_c[k]);
        speed[i] = point_larger(point_larger(point_abs(u[q]), point_abs(v[q])), point_abs(w[q]));
    }
}

kol_status project_monitor(struct box b, struct metrics m, struct walls walls, struct blocks bl,
                           struct cells cells, const real *u, const real *v, const real *w)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, MON_COUNT);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    monitor_row(b, m, bl, j, k, u, v, w);
                    if (walls.faces != 0) monitor_row_walls(b, m, walls, bl, j, k, u, v, w);
                    for (int q = 0; q < MON_SUMS; ++q)
                        lanes_row_sum(bl, lanes_of(bl, q, by), rows_of(bl, b, q));
                    for (int q = MON_SUMS; q < MON_COUNT; ++q) {
                        lanes_row_max(bl, lanes_of(bl, q, by), rows_of(bl, b, q));
                    }
                }
            }
        }
        lanes_flush(bl, MON_SUMS, MON_COUNT - MON_SUMS, bz);
    }
    return KOL_OK;
}
