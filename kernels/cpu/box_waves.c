/* Sums of the velocity times the waves of a periodic box, also together with the divergence; amplitudes of a
 * field of waves in each row of the grid. */
#include <math.h>
#include "../box_forcing.h"
#include "cells.h"
#include "wave_row.h"

kol_status box_waves_rows(struct box b, struct box_waves waves, struct box_amplitudes add, double *rows)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            double *row = rows + ((ptrdiff_t)k * b.ny + j) * BOX_ROW;
            for (int q = 0; q < BOX_ROW; ++q) row[q] = 0;
            for (int c = X; c <= Z; ++c)
                for (int n = 0; n < waves.count; ++n)
                    row[point_box_place(c, waves.function[X][n])] +=
                        add.amplitude[c][n] * waves.y[waves.function[Y][n] * b.ny + j] *
                        point_box_z(waves.z, waves.function[Z][n], k);
        }
    }
    return KOL_OK;
}

kol_status box_waves_add(struct box b, struct box_rows waves, real *const vel[3])
{
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int d = X; d <= Z; ++d) wave_row(b, waves, d, j, k, vel[d]);
    return KOL_OK;
}

/* The sum of a part of a row times a function of x, in lanes whose number is the place in the part modulo
 * KOL_LANES: it depends on the part alone. */
static double product_of(const real *u, const double *x, int n)
{
    double lane[KOL_LANES] = {0};
    int i = 0;
    for (; i + KOL_LANES <= n; i += KOL_LANES)
        for (int l = 0; l < KOL_LANES; ++l) lane[l] += u[i + l] * x[i + l];
    for (int l = 0; i + l < n; ++l) lane[l] += u[i + l] * x[i + l];
    for (int half = KOL_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

/* Adds the products of a block and one component to its sums. The sum over x of a row has the functions of
 * x, that over x and y of a plane those of both. */
static void sum_block(struct box b, struct box_waves waves, const int lo[3], const int hi[3], const real *u,
                      double sum[BOX_PRODUCTS])
{
    for (int k = lo[Z]; k < hi[Z]; ++k) {
        double plane[BOX_FUNCTIONS][BOX_FUNCTIONS] = {{0}};
        for (int j = lo[Y]; j < hi[Y]; ++j) {
            const real *row = u + at(b, lo[X], j, k);
            for (int f = 0; f < BOX_FUNCTIONS; ++f) {
                const double part = product_of(row, waves.x + f * b.nx + lo[X], hi[X] - lo[X]);
                for (int g = 0; g < BOX_FUNCTIONS; ++g) plane[g][f] += part * waves.y[g * b.ny + j];
            }
        }
        for (int n = 0; n < waves.count; ++n)
            sum[n] += plane[waves.function[Y][n]][waves.function[X][n]] *
                      point_box_z(waves.z, waves.function[Z][n], k);
    }
}

/* Adds the sums of a component over all blocks. */
static void sum_component(struct box b, struct blocks bl, const struct box_wave_sums *sums, int c,
                          const real *u)
{
    for (int block = 0; block < (int)blocks_count(bl); ++block) {
        const int bx = block % bl.nx, by = block / bl.nx % bl.ny, bz = block / bl.nx / bl.ny;
        const int lo[3] = {bl.x[bx], bl.y[by], bl.z[bz]}, hi[3] = {bl.x[bx + 1], bl.y[by + 1], bl.z[bz + 1]};
        double sum[BOX_PRODUCTS] = {0};
        sum_block(b, sums->waves, lo, hi, u, sum);
        for (int n = 0; n < sums->waves.count; ++n)
            sums->total[c * BOX_PRODUCTS + n] += llrint(sum[n] * sums->scale);
    }
}

kol_status box_waves_begin(struct box_wave_sums sums)
{
    for (int n = 0; n < BOX_TOTALS; ++n) sums.total[n] = 0;
    return KOL_OK;
}

kol_status box_waves_finish(struct box_wave_sums sums)
{
    (void)sums; /* there is one copy of the totals */
    return KOL_OK;
}

static void sum_velocity(struct box b, struct blocks bl, const real *u, const real *v, const real *w,
                         const struct box_wave_sums *sums)
{
    sum_component(b, bl, sums, X, u);
    sum_component(b, bl, sums, Y, v);
    sum_component(b, bl, sums, Z, w);
}

kol_status box_waves_sum(struct box b, struct blocks bl, real *const vel[3], struct box_wave_sums sums)
{
    TRY(box_waves_begin(sums));
    sum_velocity(b, bl, vel[X], vel[Y], vel[Z], &sums);
    return KOL_OK;
}

kol_status box_waves_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells,
                                real dts, const real *u, const real *v, const real *w, real *rhs,
                                struct box_wave_sums sums)
{
    if (cells_compute_all(cells)) sum_velocity(b, bl, u, v, w, &sums);
    return project_divergence(b, m, bl, cells, dts, u, v, w, rhs);
}

kol_status box_waves_divergence_single(struct box b, struct box q, struct metrics m, struct blocks bl,
                                       struct cells cells, real dts, real scale, const real *u, const real *v,
                                       const real *w, float *rhs, struct box_wave_sums sums)
{
    if (cells_compute_all(cells)) sum_velocity(b, bl, u, v, w, &sums);
    return project_divergence_single(b, q, m, bl, cells, dts, scale, u, v, w, rhs);
}
