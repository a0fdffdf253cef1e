/* Computes the right-hand sides of the momentum equations, and the prediction of a stage. */
#include "../momentum.h"
#include "../point/body.h"
#include "../point/laplace.h"
#include "../point/momentum.h"
#include "../point/update.h"
#include "cells.h"

/* Loops over a row are written once. The component, and what is done with its right-hand side, are
 * constants. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

/* Right-hand side of one component at a point. more: forces besides; part: of the diffusion in z; NULL if
 * there are none. */
__attribute__((always_inline)) static inline real rhs_at(struct box b, struct metrics m, real nu,
                                                         const struct stage *more, const struct stage *part,
                                                         const real *u, const real *v, const real *w, int i,
                                                         int j, int k, const int component)
{
    const ptrdiff_t o = at(b, i, j, k);
    const struct momentum_values a = component == X   ? point_values(u, v, w, o, 1, b.sy, b.sz)
                                     : component == Y ? point_values(v, u, w, o, b.sy, 1, b.sz)
                                                      : point_values(w, u, v, o, b.sz, 1, b.sy);
    const struct momentum_spacings s = component == X   ? point_spacings_u(m, i, j, k)
                                       : component == Y ? point_spacings_v(m, i, j, k)
                                                        : point_spacings_w(m, i, j, k);
    const real in_z = part != NULL ? 1 - part->without : 1;
    const real rhs =
        part == NULL ? point_momentum(a, s, nu)
                     : point_momentum_in_part(a, s, nu, component == Z ? in_z : 1, component == Z ? 1 : in_z);
    if (more == NULL) return rhs;
    return rhs + point_turn(a, s, point_turn_of(more->turn, component)) +
           point_pull(a.c, more->pull, more->mean[component]);
}

ROW_LOOP rhs_loop(struct box b, struct metrics m, int j, int k, int from, int to, real nu,
                  const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                  real *KOL_RESTRICT rhs, const int component)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = from; i < to; ++i) rhs[row + i] = rhs_at(b, m, nu, NULL, NULL, u, v, w, i, j, k, component);
}

kol_status momentum_rhs(struct box b, struct metrics m, struct cells cells, real nu, const real *u,
                        const real *v, const real *w, real *ru, real *rv, real *rw)
{
    struct range range[CELLS_RANGES];
    const int ranges = cells_ranges(b, cells, range);
    for (const struct range *r = range; r < range + ranges; ++r) {
        for (int k = r->lo[Z]; k < r->hi[Z]; ++k) {
            for (int j = r->lo[Y]; j < r->hi[Y]; ++j) {
                rhs_loop(b, m, j, k, r->lo[X], r->hi[X], nu, u, v, w, ru, X);
                rhs_loop(b, m, j, k, r->lo[X], r->hi[X], nu, u, v, w, rv, Y);
                rhs_loop(b, m, j, k, r->lo[X], r->hi[X], nu, u, v, w, rw, Z);
            }
        }
    }
    return KOL_OK;
}

/* history: what happens to the right-hand sides of the stage before and of this one. */
enum history { NOT_KEPT, KEPT, USED_AND_KEPT };
/* more: what else a stage computes: forces; the diffusion in z only in part; 0 at closed faces. */
enum { FORCES = 1, PART = 2, OPEN = 4 };

ROW_LOOP stage_loop(struct box b, struct metrics m, int j, int k, int from, int to, struct stage s,
                    const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                    const real *KOL_RESTRICT base, const real *KOL_RESTRICT p, real *KOL_RESTRICT old,
                    real *KOL_RESTRICT out, const int component, const enum history history, const int more)
{
    const ptrdiff_t row = at(b, 0, j, k), below = component == X ? 1 : component == Y ? b.sy : b.sz;
#pragma omp simd
    for (int i = from; i < to; ++i) {
        const ptrdiff_t o = row + i;
        const real rhs = rhs_at(b, m, s.nu, more & FORCES ? &s : NULL, more & PART ? &s : NULL, u, v, w, i, j,
                                k, component);
        const real inverse = component == X ? m.dxi_f[i] : component == Y ? m.dyi_f[j] : m.dzi_f[k];
        real change = s.a * rhs;
        if (history == USED_AND_KEPT) change += s.a_old * old[o];
        out[o] = point_predict(base[o], change, s.dts, p[o], p[o - below], inverse);
        if (history != NOT_KEPT) old[o] = rhs;
    }
}

ROW_LOOP close_loop(struct box b, int j, int k, int from, int to, const unsigned char *KOL_RESTRICT open,
                    real *KOL_RESTRICT out, const int component)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = from; i < to; ++i)
        out[row + i] = point_body_open(open[row + i], component) ? out[row + i] : 0;
}

ROW_LOOP stage_rows(struct box b, struct metrics m, struct range r, struct stage s, const unsigned char *open,
                    real *const vel[3], real *const base[3], const real *p, real *const old[3],
                    real *const out[3], const enum history history, const int more)
{
    static real *const none[3] = {NULL, NULL, NULL};
    real *const *kept = history == NOT_KEPT ? none : old;
    for (int k = r.lo[Z]; k < r.hi[Z]; ++k) {
        for (int j = r.lo[Y]; j < r.hi[Y]; ++j) {
            stage_loop(b, m, j, k, r.lo[X], r.hi[X], s, vel[X], vel[Y], vel[Z], base[X], p, kept[X], out[X],
                       X, history, more);
            stage_loop(b, m, j, k, r.lo[X], r.hi[X], s, vel[X], vel[Y], vel[Z], base[Y], p, kept[Y], out[Y],
                       Y, history, more);
            stage_loop(b, m, j, k, r.lo[X], r.hi[X], s, vel[X], vel[Y], vel[Z], base[Z], p, kept[Z], out[Z],
                       Z, history, more);
            for (int d = X; d <= Z && (more & OPEN); ++d)
                close_loop(b, j, k, r.lo[X], r.hi[X], open, out[d], d);
        }
    }
}

ROW_LOOP stage_range(struct box b, struct metrics m, struct range r, struct stage s,
                     const unsigned char *open, real *const vel[3], real *const base[3], const real *p,
                     real *const old[3], real *const out[3], const enum history history, const int more)
{
    if (history == NOT_KEPT) {
        stage_rows(b, m, r, s, open, vel, base, p, old, out, NOT_KEPT, more);
    } else if (history == KEPT) {
        stage_rows(b, m, r, s, open, vel, base, p, old, out, KEPT, more);
    } else {
        stage_rows(b, m, r, s, open, vel, base, p, old, out, USED_AND_KEPT, more);
    }
}

/* Number of rows that are taken through all planes together, so that what three planes of the velocity and
 * the planes of the other arrays have in these rows stays in the second-level cache. */
static int rows_together(struct box b)
{
    enum { PLANES = 17, CACHE = 512 * 1024 };
    const ptrdiff_t rows = CACHE / (PLANES * b.sy * (ptrdiff_t)sizeof(real));
    return rows > 4 ? (int)rows : 4;
}

static struct range part_of(struct range r, int from, int rows)
{
    r.lo[Y] = from;
    if (from + rows < r.hi[Y]) r.hi[Y] = from + rows;
    return r;
}

static int forces_of(struct stage s)
{
    return s.turn[X] != 0 || s.turn[Y] != 0 || s.turn[Z] != 0 || s.pull != 0 ? FORCES : 0;
}

kol_status momentum_stage_open(struct box b, struct metrics m, struct cells cells, struct stage s,
                               const unsigned char *open, real *const vel[3], real *const base[3],
                               const real *p, real *const old[3], real *const out[3])
{
    struct range range[CELLS_RANGES];
    const int ranges = cells_ranges(b, cells, range), rows = rows_together(b), forces = forces_of(s);
    const enum history history = old == NULL ? NOT_KEPT : s.a_old == 0 ? KEPT : USED_AND_KEPT;
    for (int n = 0; n < ranges; ++n) {
        for (int j = range[n].lo[Y]; j < range[n].hi[Y]; j += rows) {
            const struct range part = part_of(range[n], j, rows);
            if (forces) stage_range(b, m, part, s, open, vel, base, p, old, out, history, FORCES | OPEN);
            else stage_range(b, m, part, s, open, vel, base, p, old, out, history, OPEN);
        }
    }
    return KOL_OK;
}

kol_status momentum_stage(struct box b, struct metrics m, struct cells cells, struct stage s,
                          real *const vel[3], real *const base[3], const real *p, real *const old[3],
                          real *const out[3])
{
    struct range range[CELLS_RANGES];
    const int ranges = cells_ranges(b, cells, range), rows = rows_together(b),
              more = forces_of(s) | (s.without != 0 ? PART : 0);
    const enum history history = old == NULL ? NOT_KEPT : s.a_old == 0 ? KEPT : USED_AND_KEPT;
    for (int n = 0; n < ranges; ++n) {
        for (int j = range[n].lo[Y]; j < range[n].hi[Y]; j += rows) {
            const struct range part = part_of(range[n], j, rows);
            if (more == (FORCES | PART))
                stage_range(b, m, part, s, NULL, vel, base, p, old, out, history, FORCES | PART);
            else if (more == PART) stage_range(b, m, part, s, NULL, vel, base, p, old, out, history, PART);
            else if (more == FORCES)
                stage_range(b, m, part, s, NULL, vel, base, p, old, out, history, FORCES);
            else stage_range(b, m, part, s, NULL, vel, base, p, old, out, history, 0);
        }
    }
    return KOL_OK;
}

ROW_LOOP source_loop(struct box b, struct stencil s, int j, int k, real factor, const real *KOL_RESTRICT base,
                     const real *KOL_RESTRICT x, real *KOL_RESTRICT y, const int based)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t o = row + i;
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        y[o] = point_source(c, based ? base[o] : 0, factor,
                            point_lap_apply(c, 0, x[o], x[o - 1], x[o + 1], x[o - b.sy], x[o + b.sy],
                                            x[o - b.sz], x[o + b.sz]));
    }
}

kol_status stencil_source(struct box b, struct stencil s, real factor, const real *base, const real *x,
                          real *y)
{
    s.scale = 1;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            if (base != NULL) {
                source_loop(b, s, j, k, factor, base, x, y, 1);
            } else {
                source_loop(b, s, j, k, factor, base, x, y, 0);
            }
        }
    }
    return KOL_OK;
}
