/* Computes the transport of scalars, the layer beyond faces, buoyancy, and the sums of a record. */
#include "../scalar.h"
#include "../point/scalar.h"
#include "cells.h"
#include "rows.h"

#define ROW_LOOP __attribute__((always_inline)) static inline void

/* history: what happens to the right-hand sides of the stage before and of this one. */
enum history { NOT_KEPT, KEPT, USED_AND_KEPT };

ROW_LOOP transport_loop(struct box b, struct metrics m, int j, int k, int from, int to, real a, real a_old,
                        struct scalar_term t, const real *KOL_RESTRICT u, const real *KOL_RESTRICT v,
                        const real *KOL_RESTRICT w, const real *KOL_RESTRICT q, const real *KOL_RESTRICT base,
                        real *KOL_RESTRICT old, real *KOL_RESTRICT out, const enum history history)
{
    const ptrdiff_t row = at(b, 0, j, k);
    const struct scalar_axis y = point_scalar_axis(m.dyi_c, m.dyi_f, j),
                             z = point_scalar_axis(m.dzi_c, m.dzi_f, k);
#pragma omp simd
    for (int i = from; i < to; ++i) {
        const ptrdiff_t o = row + i;
        const struct scalar_axis x = point_scalar_axis(m.dxi_c, m.dxi_f, i);
        const real rhs =
            point_scalar(point_scalar_star(b, q, o), point_scalar_winds(b, u, v, w, o), x, y, z, t);
        real change = a * rhs;
        if (history == USED_AND_KEPT) change += a_old * old[o];
        out[o] = base[o] + change;
        if (history != NOT_KEPT) old[o] = rhs;
    }
}

/* The same with closed faces. */
static void masked_loop(struct box b, struct metrics m, int j, int k, int from, int to,
                        const struct scalar_stage *s, int n, real *const vel[3], const real *q,
                        const real *base, real *old, real *out)
{
    const struct scalar_axis y = point_scalar_axis(m.dyi_c, m.dyi_f, j),
                             z = point_scalar_axis(m.dzi_c, m.dzi_f, k);
    for (int i = from; i < to; ++i) {
        const ptrdiff_t o = at(b, i, j, k);
        const real rhs = point_scalar_masked(s->open[o], point_scalar_star(b, q, o),
                                             point_scalar_winds(b, vel[X], vel[Y], vel[Z], o),
                                             point_scalar_axis(m.dxi_c, m.dxi_f, i), y, z, s->term[n]);
        real change = s->a * rhs;
        if (old != NULL && s->a_old != 0) change += s->a_old * old[o];
        out[o] = base[o] + change;
        if (old != NULL) old[o] = rhs;
    }
}

kol_status scalar_transport(struct box b, struct metrics m, struct cells cells, const struct scalar_stage *s,
                            real *const vel[3], real *const *theta, real *const *base, real *const *old,
                            real *const *out)
{
    const real *u = vel[X], *v = vel[Y], *w = vel[Z];
    struct range range[CELLS_RANGES];
    const int ranges = cells_ranges(b, cells, range);
    for (const struct range *r = range; r < range + ranges; ++r) {
        for (int k = r->lo[Z]; k < r->hi[Z]; ++k) {
            for (int j = r->lo[Y]; j < r->hi[Y]; ++j) {
                for (int n = 0; n < s->count; ++n) {
                    if (s->open != NULL) {
                        masked_loop(b, m, j, k, r->lo[X], r->hi[X], s, n, vel, theta[n], base[n],
                                    old != NULL ? old[n] : NULL, out[n]);
                    } else if (old == NULL) {
                        transport_loop(b, m, j, k, r->lo[X], r->hi[X], s->a, s->a_old, s->term[n], u, v, w,
                                       theta[n], base[n], NULL, out[n], NOT_KEPT);
                    } else if (s->a_old == 0) {
                        transport_loop(b, m, j, k, r->lo[X], r->hi[X], s->a, s->a_old, s->term[n], u, v, w,
                                       theta[n], base[n], old[n], out[n], KEPT);
                    } else {
                        transport_loop(b, m, j, k, r->lo[X], r->hi[X], s->a, s->a_old, s->term[n], u, v, w,
                                       theta[n], base[n], old[n], out[n], USED_AND_KEPT);
                    }
                }
            }
        }
    }
    return KOL_OK;
}

kol_status scalar_transport_limited(struct box b, struct metrics m, unsigned faces,
                                    const struct scalar_stage *s, real *const vel[3], real *const *theta,
                                    real *const *base, real *const *old, real *const *out)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t o = at(b, i, j, k);
                const struct scalar_winds f = point_scalar_winds(b, vel[X], vel[Y], vel[Z], o);
                for (int n = 0; n < s->count; ++n) {
                    const real rhs = point_scalar_rhs_limited(b, m, faces, theta[n], f, s->term[n], i, j, k);
                    real change = s->a * rhs;
                    if (old != NULL && s->a_old != 0) change += s->a_old * old[n][o];
                    out[n][o] = base[n][o] + change;
                    if (old != NULL) old[n][o] = rhs;
                }
            }
        }
    }
    return KOL_OK;
}

kol_status scalar_limiter_loss(struct box b, struct metrics m, struct blocks bl, unsigned faces,
                               real *const vel[3], const real *theta)
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    for (int i = 0; i < b.nx; ++i)
                        rows_of(bl, b, 0)[i] =
                            point_scalar_loss(b, m, faces, vel[X], vel[Y], vel[Z], theta, i, j, k);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

kol_status scalar_fill(struct box b, const struct scalar_faces *w, real *const *theta)
{
    for (int f = 0; f < FACES; ++f) {
        const struct wall_row r = wall_row_make(b, f);
        if (!(w->faces >> f & 1u)) continue;
        for (int n = 0; n < w->count; ++n)
            for (int j = 0; j < r.n[1]; ++j)
                for (int i = 0; i < r.n[0]; ++i) point_scalar_beyond(b, w, r, f, n, i, j, theta[n]);
    }
    return KOL_OK;
}

kol_status scalar_buoyancy(struct box b, const struct scalar_lift *l, real *const *theta, real *const vel[3],
                           real *const old[3])
{
    for (int d = 0; d < 3; ++d) {
        if (!point_scalar_lifts(l, d)) continue;
        for (int k = 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i) {
                    const real lift = point_scalar_lift(b, l, theta, d, i, j, k);
                    vel[d][at(b, i, j, k)] += l->a * lift;
                    if (old != NULL) old[d][at(b, i, j, k)] += lift;
                }
    }
    return KOL_OK;
}

kol_status scalar_buoyancy_work(struct box b, struct metrics m, struct blocks bl, const struct scalar_lift *l,
                                real *const *theta, real *const vel[3])
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    for (int i = 0; i < b.nx; ++i)
                        rows_of(bl, b, 0)[i] =
                            point_scalar_work(b, m, l, theta, vel[X], vel[Y], vel[Z], i, j, k);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

static void record_row(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                       const unsigned char *live, double mean, int j, int k, const real *u, const real *v,
                       const real *w, const real *q)
{
    for (int i = 0; i < b.nx; ++i) {
        const struct scalar_numbers n = point_scalar_numbers(b, m, open, live, mean, u, v, w, q, i, j, k);
        for (int s = 0; s < SCALAR_SUMS; ++s) rows_of(bl, b, s)[i] = n.term[s];
        rows_of(bl, b, SCALAR_ABOVE)[i] = n.above;
        rows_of(bl, b, SCALAR_BELOW)[i] = n.below;
    }
}

kol_status scalar_record(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                         const unsigned char *live, double mean, real *const vel[3], const real *theta)
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, SCALAR_NUMBERS);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    record_row(b, m, bl, open, live, mean, j, k, vel[X], vel[Y], vel[Z], theta);
                    for (int s = 0; s < SCALAR_SUMS; ++s)
                        lanes_row_sum(bl, lanes_of(bl, s, by), rows_of(bl, b, s));
                    for (int s = SCALAR_SUMS; s < SCALAR_NUMBERS; ++s)
                        lanes_row_max(bl, lanes_of(bl, s, by), rows_of(bl, b, s));
                }
            }
        }
        lanes_flush(bl, SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS, bz);
    }
    return KOL_OK;
}

kol_status scalar_face_flux(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                            int face, real kappa, const real *vel, const real *theta, double *rows)
{
    const struct wall_row r = wall_row_make(b, face);
    const int blocks = r.a == X ? bl.nx : bl.ny;
    for (int j = 0; j < r.n[1]; ++j)
        for (int block = 0; block < blocks; ++block)
            rows[(ptrdiff_t)j * blocks + block] =
                point_scalar_face_flux(m, bl, open, r, b, kappa, vel, theta, block, j);
    return KOL_OK;
}
