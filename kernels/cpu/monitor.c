/* Sums the diagnostics of a step: all of them, or those that every step needs. */
#include "../projection.h"
#include "../point/projection.h"
#include "cells.h"
#include "limits.h"
#include "rows.h"

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

static void limits_row(struct box b, struct metrics m, struct blocks bl, int j, int k,
                       const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const ptrdiff_t o = at(b, 0, j, k), sy = b.sy, sz = b.sz;
    double *KOL_RESTRICT energy = rows_of(bl, b, LIM_ENERGY), *KOL_RESTRICT mx = rows_of(bl, b, LIM_MOM_X),
                         *KOL_RESTRICT my = rows_of(bl, b, LIM_MOM_Y),
                         *KOL_RESTRICT mz = rows_of(bl, b, LIM_MOM_Z),
                         *KOL_RESTRICT div = rows_of(bl, b, LIM_DIV),
                         *KOL_RESTRICT cou = rows_of(bl, b, LIM_COURANT),
                         *KOL_RESTRICT speed = rows_of(bl, b, LIM_SPEED);
    const struct monitor_spacings y = point_monitor_y(m, j), z = point_monitor_z(m, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t q = o + i;
        const struct motion_terms t = point_motion_terms(u[q], v[q], w[q], point_monitor_x(m, i), y, z);
        energy[i] = t.energy;
        mx[i] = t.mx;
        my[i] = t.my;
        mz[i] = t.mz;
        div[i] = point_abs(
            point_div(u[q], u[q + 1], v[q], v[q + sy], w[q], w[q + sz], m.dxi_c[i], m.dyi_c[j], m.dzi_c[k]));
        cou[i] = point_courant(u[q], u[q + 1], v[q], v[q + sy], w[q], w[q + sz], m.dxi_c[i], m.dyi_c[j],
                               m.dzi_c[k]);
        speed[i] = point_larger(point_larger(point_abs(u[q]), point_abs(v[q])), point_abs(w[q]));
    }
}

/* Adds up the first `sums` rows, and raises the maxima of the others. */
static void add_rows(struct box b, struct blocks bl, int by, int sums, int count)
{
    for (int q = 0; q < sums; ++q) lanes_row_sum(bl, lanes_of(bl, q, by), rows_of(bl, b, q));
    for (int q = sums; q < count; ++q) lanes_row_max(bl, lanes_of(bl, q, by), rows_of(bl, b, q));
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
                    add_rows(b, bl, by, MON_SUMS, MON_COUNT);
                }
            }
        }
        lanes_flush(bl, MON_SUMS, MON_COUNT - MON_SUMS, bz);
    }
    return KOL_OK;
}

void limits_plane(struct box b, struct metrics m, struct blocks bl, int k, const real *u, const real *v,
                  const real *w)
{
    int bz = 0;
    while (k >= bl.z[bz + 1]) ++bz;
    if (k == bl.z[bz]) lanes_clear(bl, LIM_COUNT);
    for (int by = 0; by < bl.ny; ++by) {
        for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
            limits_row(b, m, bl, j, k, u, v, w);
            add_rows(b, bl, by, LIM_SUMS, LIM_COUNT);
        }
    }
    if (k + 1 == bl.z[bz + 1]) lanes_flush(bl, LIM_SUMS, LIM_COUNT - LIM_SUMS, bz);
}

kol_status project_limits(struct box b, struct metrics m, struct blocks bl, struct cells cells, const real *u,
                          const real *v, const real *w)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < b.nz; ++k) limits_plane(b, m, bl, k, u, v, w);
    return KOL_OK;
}
