/* Holds the faces in bodies, and computes the viscous stress beside their surface. */
#include "../body.h"
#include "../point/body.h"
#include "rows.h"

static void hold_row(const unsigned char *KOL_RESTRICT open, int nx, int d, real *KOL_RESTRICT u)
{
#pragma omp simd
    for (int i = 0; i < nx; ++i) u[i] = point_body_open(open[i], d) ? u[i] : 0;
}

kol_status body_hold(struct box b, const unsigned char *open, const struct body_held held[3],
                     real *const vel[3])
{
    for (int k = 0; k < b.nz && open != NULL; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t row = at(b, 0, j, k);
            for (int d = 0; d < 3; ++d) hold_row(open + row, b.nx, d, vel[d] + row);
        }
    }
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < held[d].n; ++n) vel[d][held[d].at[n]] = held[d].value[n];
    return KOL_OK;
}

kol_status body_extra(struct box b, struct metrics m, const struct body_points points[3],
                      struct body_stage stage, real *const vel[3], real *const base[3], real *const *old,
                      real *const out[3])
{
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < points[d].n; ++n)
            point_body_predict(b, m, points[d], n, d, stage, vel[d], base[d], old != NULL ? old[d] : NULL,
                               out[d]);
    return KOL_OK;
}

kol_status body_extra_begin(struct box b, struct metrics m, const struct body_points points[3], const real *p)
{
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < points[d].n; ++n)
            points[d].lead[n] = point_body_gradient(b, m, points[d], n, d, p);
    return KOL_OK;
}

kol_status body_rate(struct box b, struct metrics m, struct body_points points, int d, real nu, real dt,
                     const real *vel, real *rate)
{
    for (int n = 0; n < points.n; ++n) {
        const int o = points.point[n].at;
        rate[o] = point_body_rate(b, m, points, n, d, nu, dt, vel, rate[o]);
    }
    return KOL_OK;
}

kol_status body_drag(const struct body_points points[3], real dts, real *const u[3])
{
    for (int d = 0; d < 3; ++d) {
        for (int n = 0; n < points[d].n; ++n) {
            const int o = points[d].point[n].at;
            u[d][o] = point_body_drag(points[d], n, dts, u[d][o]);
        }
    }
    return KOL_OK;
}

static void push_row(const unsigned char *KOL_RESTRICT open, int nx, int d, real shift, real *KOL_RESTRICT u)
{
#pragma omp simd
    for (int i = 0; i < nx; ++i) u[i] += point_body_open(open[i], d) ? shift : 0;
}

kol_status body_push(struct box b, const unsigned char *open, struct body_points points, int d, real dts,
                     real shift, real *u)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t row = at(b, 0, j, k);
            push_row(open + row, b.nx, d, shift, u + row);
        }
    }
    for (int n = 0; n < points.n; ++n)
        u[points.point[n].at] -= shift * (1 - point_body_left(points.point[n], dts));
    return KOL_OK;
}

kol_status body_gather(struct box b, struct metrics m, struct body_points points, int d, const real *x,
                       real *value)
{
    for (int n = 0; n < points.n; ++n) value[n] = point_body_gradient(b, m, points, n, d, x);
    return KOL_OK;
}

kol_status body_response(struct box b, struct metrics m, struct blocks bl, struct body_points points, int d,
                         real dts, const real *gradient)
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int n = points.block[q]; n < points.block[q + 1]; ++n)
            sum += point_body_response(b, m, points, n, d, dts, gradient);
        bl.part[q] = sum;
    }
    return KOL_OK;
}

kol_status body_loss(struct box b, struct metrics m, struct blocks bl, const struct body_points points[3],
                     real nu, real *const vel[3])
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int d = 0; d < 3; ++d)
            for (int n = points[d].block[q]; n < points[d].block[q + 1]; ++n)
                sum += point_body_loss(b, m, points[d], n, d, nu, vel[X], vel[Y], vel[Z]);
        bl.part[q] = sum;
    }
    return KOL_OK;
}

kol_status body_work(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                     const struct body_held held[3], real nu, const real *p, real *const vel[3])
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int d = 0; d < 3; ++d)
            for (int n = held[d].block[q]; n < held[d].block[q + 1]; ++n)
                sum += point_body_work(b, m, open, held[d].at[n], d, nu, p, vel[d]);
        bl.part[q] = sum;
    }
    return KOL_OK;
}

static void mean_row(struct box b, struct stencil s, struct metrics m, struct blocks bl, int d, int j, int k,
                     const real *x, const real *u, const real *v, const real *w)
{
    const ptrdiff_t row = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t o = row + i;
        sum[i] =
            point_body_mean(s, m, d, i, j, k, x[o], x[o - 1], x[o - b.sy], x[o - b.sz], u[o], v[o], w[o]);
    }
}

kol_status body_mean(struct box b, struct stencil s, struct metrics m, struct blocks bl, int d, const real *x,
                     real *const vel[3])
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    mean_row(b, s, m, bl, d, j, k, x, vel[X], vel[Y], vel[Z]);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}
