#include "../level.h"

#include <string.h>
#include "../point/level.h"
#include "cells.h"
#include "rows.h"

/* Loops over a row are written once, with constant flags. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

int level_around(void)
{
    return 0;
}

int level_late(void)
{
    return 0;
}

kol_status level_fill(level_real *a, ptrdiff_t n, level_real value)
{
    for (ptrdiff_t i = 0; i < n; ++i) a[i] = value;
    return KOL_OK;
}

/* Rows of own cells get their ends, planes their first and last rows with the ends, then whole planes go. */
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

kol_status level_enter(struct box b, struct box lb, const struct cg_state *cg, double volume, const real *r,
                       level_real *r_level)
{
    const double scale = point_level_scale(cg, volume);
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const real *KOL_RESTRICT from = r + at(b, 0, j, k);
            level_real *KOL_RESTRICT to = r_level + at(lb, 0, j, k);
#pragma omp simd
            for (int i = 0; i < b.nx; ++i) to[i] = (level_real)(scale * from[i]);
        }
    }
    return KOL_OK;
}

/* Rows round one: where no flux passes it is the row itself, so that nothing beyond a wall is read. */
struct around_row {
    const level_real *c, *yl, *yh, *zl, *zh;
};

static struct around_row around_row(struct box b, struct level_stencil s, int j, int k, const level_real *z)
{
    struct around_row a;
    a.c = z + at(b, 0, j, k);
    a.yl = s.gy[j] != 0 ? a.c - b.sy : a.c;
    a.yh = s.gy[j + 1] != 0 ? a.c + b.sy : a.c;
    a.zl = s.gz[k] != 0 ? a.c - b.sz : a.c;
    a.zh = s.gz[k + 1] != 0 ? a.c + b.sz : a.c;
    return a;
}

static inline level_real apply(struct level_stencil s, struct level_column c, struct level_plane h,
                               struct around_row a, int i)
{
    const level_real z = a.c[i];
    const level_real xl = s.gx[i] != 0 ? a.c[i - 1] : z, xh = s.gx[i + 1] != 0 ? a.c[i + 1] : z;
    return point_level_apply(c, h, z, xl, xh, a.yl[i], a.yh[i], a.zl[i], a.zh[i]);
}

/* y = r / D of level_start is made in pieces of rows on the stack. Of row (j, k) the rows before and after it
 * in the plane are kept while j goes on, with a cell more at both ends; those of the planes below and above
 * are made anew: 3 divisions a cell instead of 7. */
enum { PIECE = 512, PIECE_ROWS = 3 };

struct pieces {
    level_real row[PIECE_ROWS][PIECE + 2], below[PIECE + 2], above[PIECE + 2];
};

static level_real *piece_of(struct pieces *p, int j)
{
    return p->row[(j + PIECE_ROWS) % PIECE_ROWS] + 1;
}

/* Columns i0 + from .. i0 + to - 1; y[0] is that of column i0. */
static void scaled_row(struct box b, struct level_stencil s, int i0, int from, int to, int j, int k,
                       const level_real *r, level_real *KOL_RESTRICT y)
{
    const level_real *KOL_RESTRICT row = r + at(b, i0, j, k);
    const struct level_plane h = point_level_plane(s, k);
#pragma omp simd
    for (int i = from; i < to; ++i) y[i] = row[i] * point_level_inverse(point_level_column(s, i0 + i, j), h);
}

/* Own row (j, k) of a piece: its ends reach into the halo where flux passes there. */
static void scaled_own(struct box b, struct level_stencil s, int i0, int n, int j, int k, const level_real *r,
                       level_real *y)
{
    const int low = s.gx[i0] != 0, high = s.gx[i0 + n] != 0;
    scaled_row(b, s, i0, -low, n + high, j, k, r, y);
}

static void start_row(struct box b, struct level_stencil s, int i0, int n, int j, int k, level_real c0,
                      level_real c1, struct around_row a, level_real *z)
{
    const struct level_plane h = point_level_plane(s, k);
    level_real *KOL_RESTRICT to = z + at(b, i0, j, k);
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const struct level_column c = point_level_column(s, i0 + i, j);
        const level_real y = a.c[i];
        const level_real xl = s.gx[i0 + i] != 0 ? a.c[i - 1] : y, xh = s.gx[i0 + i + 1] != 0 ? a.c[i + 1] : y;
        to[i] = point_level_start(c, h, point_level_inverse(c, h), c0, c1, y, xl, xh, a.yl[i], a.yh[i],
                                  a.zl[i], a.zh[i]);
    }
}

static void start_piece(struct box b, struct level_stencil s, int i0, int n, int k, level_real c0,
                        level_real c1, const level_real *r, level_real *z)
{
    struct pieces p;
    if (s.gy[0] != 0) scaled_row(b, s, i0, 0, n, -1, k, r, piece_of(&p, -1));
    scaled_own(b, s, i0, n, 0, k, r, piece_of(&p, 0));
    for (int j = 0; j < b.ny; ++j) {
        const level_real *c = piece_of(&p, j);
        const struct around_row a = {c, s.gy[j] != 0 ? piece_of(&p, j - 1) : c,
                                     s.gy[j + 1] != 0 ? piece_of(&p, j + 1) : c, s.gz[k] != 0 ? p.below : c,
                                     s.gz[k + 1] != 0 ? p.above : c};
        if (j + 1 < b.ny) {
            scaled_own(b, s, i0, n, j + 1, k, r, piece_of(&p, j + 1));
        } else if (s.gy[b.ny] != 0) {
            scaled_row(b, s, i0, 0, n, b.ny, k, r, piece_of(&p, b.ny));
        }
        if (s.gz[k] != 0) scaled_row(b, s, i0, 0, n, j, k - 1, r, p.below);
        if (s.gz[k + 1] != 0) scaled_row(b, s, i0, 0, n, j, k + 1, r, p.above);
        start_row(b, s, i0, n, j, k, c0, c1, a, z);
    }
}

static void start_jacobi(struct box b, struct level_stencil s, level_real c0, const level_real *r,
                         level_real *z)
{
    for (int k = 0; k < b.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < b.ny; ++j) {
            const level_real *KOL_RESTRICT from = r + at(b, 0, j, k);
            level_real *KOL_RESTRICT to = z + at(b, 0, j, k);
#pragma omp simd
            for (int i = 0; i < b.nx; ++i)
                to[i] = c0 * (from[i] * point_level_inverse(point_level_column(s, i, j), h));
        }
    }
}

kol_status level_start(struct box lb, struct level_stencil s, struct cells cells, level_real c0,
                       level_real c1, const level_real *r, level_real *z)
{
    if (!cells_whole(cells)) return KOL_OK;
    if (c1 == 0) {
        start_jacobi(lb, s, c0, r, z);
        return KOL_OK;
    }
    for (int k = 0; k < lb.nz; ++k) {
        for (int i = 0; i < lb.nx; i += PIECE)
            start_piece(lb, s, i, lb.nx - i < PIECE ? lb.nx - i : PIECE, k, c0, c1, r, z);
    }
    return KOL_OK;
}

kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z)
{
    TRY(level_enter(b, lb, cg, volume, r, r_level));
    TRY(level_wrap(lb, r_level));
    return level_start(lb, s, cells, c0, c1, r_level, z);
}

ROW_LOOP smooth_loop(struct box b, struct level_stencil s, int j, int k, level_real step,
                     const level_real *KOL_RESTRICT r, const level_real *z, level_real *KOL_RESTRICT next)
{
    const struct level_plane h = point_level_plane(s, k);
    const struct around_row a = around_row(b, s, j, k, z);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct level_column c = point_level_column(s, i, j);
        next[i] = point_level_smooth(a.c[i], step, (r[i] - apply(s, c, h, a, i)) * point_level_inverse(c, h));
    }
}

kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *late,
                        level_real *z_next)
{
    if (late != NULL) RAISE(KOL_ERR_INTERNAL, "a late correction, which these sweeps do not know");
    if (!cells_whole(cells)) return KOL_OK;
    for (int k = 0; k < lb.nz; ++k) {
        for (int j = 0; j < lb.ny; ++j) {
            const ptrdiff_t o = at(lb, 0, j, k);
            smooth_loop(lb, s, j, k, step, r + o, z, z_next + o);
        }
    }
    return KOL_OK;
}

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    if (!cells_whole(cells)) return KOL_OK;
    for (int k = 0; k < lb.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < lb.ny; ++j) {
            const struct around_row a = around_row(lb, s, j, k, z);
            const level_real *KOL_RESTRICT from = r + at(lb, 0, j, k);
            level_real *KOL_RESTRICT to = q + at(lb, 0, j, k);
#pragma omp simd
            for (int i = 0; i < lb.nx; ++i) to[i] = from[i] - apply(s, point_level_column(s, i, j), h, a, i);
        }
    }
    return KOL_OK;
}

/* The arrays of level_leave. */
struct leaving {
    const level_real *r_level, *z;
    const real *r;
    real *z_out;
};

ROW_LOOP leave_row(struct box b, struct box lb, struct level_stencil s, struct blocks bl, int j, int k,
                   double unscale, level_real step, struct leaving f)
{
    const ptrdiff_t o = at(b, 0, j, k), ol = at(lb, 0, j, k);
    const struct level_plane h = point_level_plane(s, k);
    const struct around_row a = around_row(lb, s, j, k, f.z);
    const level_real *KOL_RESTRICT rl = f.r_level + ol;
    const real *KOL_RESTRICT r = f.r + o;
    real *KOL_RESTRICT out = f.z_out + o;
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct level_column c = point_level_column(s, i, j);
        const level_real correction = (rl[i] - apply(s, c, h, a, i)) * point_level_inverse(c, h);
        const real value = (real)(unscale * (double)point_level_smooth(a.c[i], step, correction));
        out[i] = value;
        dot[i] = (double)value * r[i];
    }
}

kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real step, const level_real *r_level, const level_real *z, const real *r,
                       real *z_out)
{
    if ((cg != NULL && cg->outcome != CG_RUNNING) || !cells_whole(cells)) return KOL_OK;
    const double unscale = factor / point_level_scale(cg, volume);
    const struct leaving f = {r_level, z, r, z_out};
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    leave_row(b, lb, s, bl, j, k, unscale, step, f);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

kol_status level_dense(struct box cb, const level_real *inverse, const level_real *r, level_real *e)
{
    const ptrdiff_t cells = (ptrdiff_t)cb.nx * cb.ny * cb.nz;
    const int n = (int)cells;
    level_real packed[LEVEL_DENSE_MOST];
    if (cells > LEVEL_DENSE_MOST)
        RAISE(KOL_ERR_INTERNAL, "a dense level of %td cells, %d are the most", cells, LEVEL_DENSE_MOST);
    for (int m = 0; m < n; ++m) packed[m] = r[at(cb, m % cb.nx, m / cb.nx % cb.ny, m / cb.nx / cb.ny)];
    for (int m = 0; m < n; ++m) {
        const level_real *KOL_RESTRICT row = inverse + (ptrdiff_t)m * n;
        level_real lane[LEVEL_LANES] = {0};
        int i = 0;
        for (; i + LEVEL_LANES <= n; i += LEVEL_LANES) {
#pragma omp simd
            for (int l = 0; l < LEVEL_LANES; ++l) lane[l] += row[i + l] * packed[i + l];
        }
        for (int l = 0; i + l < n; ++l) lane[l] += row[i + l] * packed[i + l];
        for (int half = LEVEL_LANES / 2; half > 0; half /= 2) {
            for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
        }
        e[at(cb, m % cb.nx, m / cb.nx % cb.ny, m / cb.nx / cb.ny)] = lane[0];
    }
    return KOL_OK;
}
