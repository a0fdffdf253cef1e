/* Adds a force in the waves of a periodic box to the velocity of a stage, and adds up the products of the
 * velocity with these waves. */
#include <math.h>
#include "../box_forcing.h"
#include "../point/box_forcing.h"

/* Table of direction d for the points of component c. */
static const double *table_of(struct box_waves waves, int d, int c)
{
    return waves.table[d][d != c];
}

/* The amplitudes of the functions of x in a row of component c. */
static struct box_row row_of(struct box b, struct box_waves waves, const struct box_amplitudes *add, int c,
                             int j, int k)
{
    const double *y = table_of(waves, Y, c), *z = table_of(waves, Z, c);
    struct box_row row = {{0}};
    for (int n = 0; n < waves.count; ++n)
        row.of[waves.function[X][n]] +=
            add->amplitude[c][n] * y[waves.function[Y][n] * b.ny + j] * z[waves.function[Z][n] * b.nz + k];
    return row;
}

static void push_row(struct box b, struct box_row row, const double *x, real *KOL_RESTRICT u)
{
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) u[i] = (real)(u[i] + point_box_row(row, x + i, b.nx));
}

static void push(struct box b, struct box_waves waves, const struct box_amplitudes *add, real *const vel[3])
{
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int c = X; c <= Z; ++c)
                push_row(b, row_of(b, waves, add, c, j, k), table_of(waves, X, c), vel[c] + at(b, 0, j, k));
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
static void sum_block(struct box b, struct box_waves waves, const int lo[3], const int hi[3], int c,
                      const real *u, double sum[BOX_PRODUCTS])
{
    const double *x = table_of(waves, X, c), *y = table_of(waves, Y, c), *z = table_of(waves, Z, c);
    for (int k = lo[Z]; k < hi[Z]; ++k) {
        double plane[BOX_FUNCTIONS][BOX_FUNCTIONS] = {{0}};
        for (int j = lo[Y]; j < hi[Y]; ++j) {
            const real *row = u + at(b, lo[X], j, k);
            for (int f = 0; f < BOX_FUNCTIONS; ++f) {
                const double part = product_of(row, x + f * b.nx + lo[X], hi[X] - lo[X]);
                for (int g = 0; g < BOX_FUNCTIONS; ++g) plane[g][f] += part * y[g * b.ny + j];
            }
        }
        for (int n = 0; n < waves.count; ++n)
            sum[n] += plane[waves.function[Y][n]][waves.function[X][n]] * z[waves.function[Z][n] * b.nz + k];
    }
}

kol_status box_waves_sum(struct box b, struct blocks bl, struct box_waves waves, double scale,
                         real *const vel[3], long long *total)
{
    for (int n = 0; n < 3 * BOX_PRODUCTS; ++n) total[n] = 0;
    for (ptrdiff_t q = 0; q < 3 * blocks_count(bl); ++q) {
        const int c = (int)(q / blocks_count(bl)), block = (int)(q % blocks_count(bl));
        const int bx = block % bl.nx, by = block / bl.nx % bl.ny, bz = block / bl.nx / bl.ny;
        const int lo[3] = {bl.x[bx], bl.y[by], bl.z[bz]}, hi[3] = {bl.x[bx + 1], bl.y[by + 1], bl.z[bz + 1]};
        double sum[BOX_PRODUCTS] = {0};
        sum_block(b, waves, lo, hi, c, vel[c], sum);
        for (int n = 0; n < waves.count; ++n) total[c * BOX_PRODUCTS + n] += llrint(sum[n] * scale);
    }
    return KOL_OK;
}

kol_status box_waves_correct(struct box b, struct blocks bl, struct stencil s, struct correction c,
                             struct box_waves waves, struct box_amplitudes add, double scale, const real *phi,
                             const real *p_old, real *p, real *const vel[3], long long *total)
{
    push(b, waves, &add, vel);
    TRY(project_correct(b, s, c, phi, p_old, p, vel[X], vel[Y], vel[Z]));
    return box_waves_sum(b, bl, waves, scale, vel, total);
}
