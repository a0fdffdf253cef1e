/* Tests the waves that are forced, and their random amplitudes: which waves there are, that a field goes from
 * vectors to products and back, that it has no divergence on the staggered grid, and that the amplitudes have
 * the variance and the correlation in time of an Ornstein-Uhlenbeck process. Catches a wave that counts
 * twice, a sign of a sine, a wavenumber that is not the grid's, and a variance that depends on the step. No
 * MPI. */
#include <stdlib.h>
#include "inputs/box_forecast.h"
#include "kernels/base/constants.h"
#include "solver/forcing/box_random.h"
#include "solver/forcing/box_wave_set.h"
#include "tests/support/check.h"

enum { NX = 9, NY = 8, NZ = 12, CELLS = NX * NY * NZ };
static const double TOLERANCE = 1e-13;
static struct input in;
static struct box_wave_set set;

static void choose(double k_high, double lx, double ly, double lz)
{
    memset(&in, 0, sizeof in);
    in.forcing.type = FORCING_LOW_WAVENUMBER;
    in.forcing.k_high = k_high;
    for (int d = 0; d < 3; ++d) {
        in.grid.n[d] = (const int[]){NX, NY, NZ}[d];
        in.grid.length[d] = (const double[]){lx, ly, lz}[d];
    }
    box_wave_set_make(&in, &set);
}

static void test_number_of_waves(void **state)
{
    (void)state;
    static const struct {
        double k_high;
        int waves;
    } line[] = {{1, 6}, {1.5, 18}, {1.7321, 26}, {2, 32}, {2.25, 56}, {2.5, 80}, {2.8285, 92}};
    for (size_t n = 0; n < sizeof line / sizeof *line; ++n) {
        choose(line[n].k_high, 2, 2, 2);
        assert_int_equal(box_waves(&in), line[n].waves);
        assert_int_equal(2 * set.pairs, line[n].waves);
        assert_true(set.waves.count <= BOX_PRODUCTS);
        for (int q = 1; q < set.waves.count; ++q)
            assert_true(set.waves.function[Z][q] >= set.waves.function[Z][q - 1]);
    }
    choose(2, 4, 2, 1); /* one period along y is as two along x; none fits along z */
    assert_int_equal(box_waves(&in), 6);
}

/* Vectors orthogonal to the modified wavenumbers. */
static void some_vectors(box_vector c[BOX_PAIRS])
{
    for (int n = 0; n < set.pairs; ++n)
        for (int d = 0; d < 3; ++d)
            c[n][d] =
                (1 + 0.1 * n - 0.3 * I) * set.across[n][0][d] + (0.2 + 0.07 * n * I) * set.across[n][1][d];
}

/* The field at point (i, j, k) of component d: from the vectors, or from the products. */
static double of_vectors(box_vector *c, int d, const int i[3])
{
    double sum = 0;
    for (int n = 0; n < set.pairs; ++n) {
        double phase = 0;
        for (int e = 0; e < 3; ++e)
            phase += 2 * PI * set.periods[n][e] * (i[e] + (e == d ? 0 : 0.5)) / in.grid.n[e];
        sum += 2 * creal(c[n][d] * cexp(I * phase));
    }
    return sum;
}

/* The products are evaluated at the centre of the cell, whatever the component. */
static double of_products(const struct box_amplitudes *a, int d, const int i[3])
{
    double sum = 0;
    for (int n = 0; n < set.waves.count; ++n) {
        double product = a->amplitude[d][n];
        for (int e = 0; e < 3; ++e)
            product *= box_wave_function(set.waves.function[e][n], 2 * PI * (i[e] + 0.5) / in.grid.n[e]);
        sum += product;
    }
    return sum;
}

static double *field_of(box_vector *c, int d)
{
    const struct box_amplitudes a = box_waves_expand(&set, c);
    double *f = malloc(CELLS * sizeof *f);
    assert_non_null(f);
    for (int q = 0; q < CELLS; ++q) {
        const int i[3] = {q % NX, q / NX % NY, q / NX / NY};
        f[q] = of_products(&a, d, i);
        CHECK_NEAR(f[q], of_vectors(c, d, i), TOLERANCE * 100);
    }
    return f;
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        box_vector c[BOX_PAIRS], back[BOX_PAIRS];
        double *f[3], mean[3][BOX_PRODUCTS] = {{0}}, square = 0;
        choose(kind == 0 ? 2.8285 : 2, kind == 0 ? 2 : 3, 2, 2.5);
        some_vectors(c);
        for (int d = 0; d < 3; ++d) f[d] = field_of(c, d);
        for (int d = 0; d < 3; ++d) {
            for (int q = 0; q < CELLS; ++q) {
                const int i[3] = {q % NX, q / NX % NY, q / NX / NY};
                square += f[d][q] * f[d][q] / CELLS;
                for (int n = 0; n < set.waves.count; ++n) {
                    double product = f[d][q] / CELLS;
                    for (int e = 0; e < 3; ++e)
                        product *=
                            box_wave_function(set.waves.function[e][n], 2 * PI * (i[e] + 0.5) / in.grid.n[e]);
                    mean[d][n] += product;
                }
            }
        }
        box_waves_find(&set, mean, back);
        for (int n = 0; n < set.pairs; ++n)
            for (int d = 0; d < 3; ++d) CHECK_BELOW(cabs(back[n][d] - c[n][d]), 100 * TOLERANCE);
        CHECK_NEAR(box_waves_dot(&set, c, c), square, 1000 * TOLERANCE);
        /* on the staggered grid it has no divergence */
        double most = 0, size = 0;
        for (int q = 0; q < CELLS; ++q) {
            const int i[3] = {q % NX, q / NX % NY, q / NX / NY}, stride[3] = {1, NX, NX * NY};
            double divergence = 0;
            for (int d = 0; d < 3; ++d) {
                const int next = q + stride[d] * (i[d] + 1 < in.grid.n[d] ? 1 : 1 - in.grid.n[d]);
                divergence += (f[d][next] - f[d][q]) * in.grid.n[d] / in.grid.length[d];
                size = fmax(size, fabs(f[d][next] - f[d][q]) * in.grid.n[d] / in.grid.length[d]);
            }
            most = fmax(most, fabs(divergence));
        }
        CHECK_BELOW(most, TOLERANCE * 10 * size);
        for (int d = 0; d < 3; ++d) free(f[d]);
    }
}

/* Means over many steps of unequal length: the variance, the correlation over a time, and no correlation of
 * two amplitudes. */
static void test_random_amplitudes(void **state)
{
    (void)state;
    enum { STEPS = 200000, LAG = 5, KEPT = LAG + 1 };
    const double variance = 0.7, ratio = 0.1;
    double complex z[2], kept[KEPT] = {0};
    double square = 0, lagged = 0, across = 0, fourth = 0;
    box_random_start(3, 11, variance, z);
    for (int n = 0; n < STEPS; ++n) {
        box_random_step(3, n, 11, variance, n % 2 == 0 ? 0.5 * ratio : 1.5 * ratio, z);
        if (n % 2 == 0) continue; /* after a pair of steps the time is 2 ratio */
        const int at = n / 2;
        kept[at % KEPT] = z[0];
        square += creal(z[0] * conj(z[0])) / (STEPS / 2);
        fourth += pow(creal(z[0]), 4) / (STEPS / 2);
        across += creal(z[0] * conj(z[1])) / (STEPS / 2);
        if (at >= LAG) lagged += creal(z[0] * conj(kept[(at - LAG) % KEPT])) / (STEPS / 2);
    }
    /* about STEPS ratio/2 independent values: a standard error of 1 % */
    CHECK_NEAR(square / variance, 1, 0.04);
    CHECK_NEAR(lagged / variance, exp(-2 * LAG * ratio), 0.04);
    CHECK_NEAR(across / variance, 0, 0.04);
    CHECK_NEAR(fourth / pow(variance / 2, 2), 3, 0.3);
    double g[2][4];
    box_random_gaussians(3, 7, 2, g[0]);
    box_random_gaussians(3, 7, 2, g[1]);
    for (int n = 0; n < 4; ++n) CHECK_SAME(g[0][n], g[1][n]);
    box_random_gaussians(3, 8, 2, g[1]);
    assert_true(g[0][0] != g[1][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_number_of_waves),
                                       cmocka_unit_test(test_there_and_back),
                                       cmocka_unit_test(test_random_amplitudes)};
    return cmocka_run_group_tests_name("box waves", tests, NULL, NULL);
}
