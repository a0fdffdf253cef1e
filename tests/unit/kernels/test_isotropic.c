/* Tests the coefficients of the isotropic initial flow. Summed over products of sines and cosines at the
 * points of each component, they give the flow that complex waves added up one by one give. The boxes have
 * even and odd numbers of cells, a direction that is not uniform, and unequal sides. Planes that are
 * computed in two calls have the bits of one call. Catches a coefficient at another place, a sign of one of
 * the products, a factor of two, a mirror image that does not match, a shift along the wrong direction, and
 * a wave of two cells. No MPI. */
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "tests/reference/random_waves.h"
#include "tests/support/check.h"

enum { SHELLS = 24, MOST = 8 };
static const double TWO_PI = 6.283185307179586476925286766559;

static const struct box_case {
    int n[3];
    double length[3];
    int uniform[3];
} cases[] = {{{8, 6, 4}, {6.0, 5.0, 4.0}, {1, 1, 1}},
             {{5, 8, 7}, {3.0, 7.0, 5.0}, {1, 1, 1}},
             {{6, 5, 8}, {5.0, 4.0, 6.0}, {1, 0, 1}}};

/* The points of the component, in cells of unequal widths where the direction is not uniform. */
static double place(const struct box_case *c, int component, int d, int i)
{
    const double s = (i + (d == component ? 0 : 0.5)) / c->n[d];
    return c->length[d] * (c->uniform[d] ? s : s + 0.1 * sin(TWO_PI * s) / TWO_PI);
}

static struct isotropic_waves waves_of(const struct box_case *c, int component, double *edge,
                                       double *amplitude)
{
    struct isotropic_waves w = {
        .component = component, .key = {7, 0x4b6f6c6du}, .edge = edge, .amplitude = amplitude, .mean = 0.3};
    double longest = 0;
    for (int d = 0; d < 3; ++d) {
        w.n[d] = c->n[d];
        w.wave[d] = TWO_PI / c->length[d];
        longest = fmax(longest, c->length[d]);
        if (!c->uniform[d]) continue;
        w.spacing[d] = c->length[d] / c->n[d];
        w.shift[d] = d == component ? 0 : 0.5 * TWO_PI / c->n[d];
    }
    w.width = TWO_PI / longest;
    for (int s = 0; s <= SHELLS; ++s) edge[s] = s == 0 ? 0 : pow((s - 0.5) * w.width, 2) * (1 - 1e-12);
    for (int s = 0; s < SHELLS; ++s) amplitude[s] = 1.0 / (1 + s);
    return w;
}

/* The product basis of one direction: 1, 2 cos, -2 sin, ... */
static double basis(const struct box_case *c, int d, double x, int q)
{
    const double phase = TWO_PI * ((q + 1) / 2) * x / c->length[d];
    return q == 0 ? 1 : q % 2 == 1 ? 2 * cos(phase) : -2 * sin(phase);
}

/* In a uniform direction the coefficients are those of the points themselves, counted from the first one. */
static double along(const struct box_case *c, int component, int d, int i)
{
    return c->uniform[d] ? c->length[d] * i / c->n[d] : place(c, component, d, i);
}

static double sum_at(const struct box_case *c, int component, const int at[3], const double *value)
{
    double b[3][MOST], sum = 0;
    for (int d = 0; d < 3; ++d)
        for (int q = 0; q < c->n[d]; ++q) b[d][q] = basis(c, d, along(c, component, d, at[d]), q);
    for (int x = 0; x < c->n[0]; ++x)
        for (int y = 0; y < c->n[1]; ++y)
            for (int z = 0; z < c->n[2]; ++z)
                sum += value[(x * c->n[1] + y) * c->n[2] + z] * b[0][x] * b[1][y] * b[2][z];
    return sum;
}

/* Computes the coefficients in two calls and in one. */
static void coefficients(struct isotropic_waves w, const double *table, double *value)
{
    const size_t cells = (size_t)w.n[0] * (size_t)w.n[1] * (size_t)w.n[2], plane = cells / (size_t)w.n[0];
    double *kernel, *shells, *again = calloc(cells, sizeof *again);
    assert_int_equal(mem_kernel_alloc(cells * sizeof *kernel, (void **)&kernel), KOL_OK);
    assert_int_equal(mem_kernel_alloc((2 * SHELLS + 1) * sizeof *shells, (void **)&shells), KOL_OK);
    assert_int_equal(mem_to_kernel(shells, table, (2 * SHELLS + 1) * sizeof *shells), KOL_OK);
    w.edge = shells;
    w.amplitude = shells + SHELLS + 1;
    assert_int_equal(isotropic_coefficients(w, 0, w.n[0], kernel), KOL_OK);
    assert_int_equal(mem_to_host(value, kernel, cells * sizeof *value), KOL_OK);
    assert_int_equal(isotropic_coefficients(w, 0, 2, kernel), KOL_OK);
    assert_int_equal(isotropic_coefficients(w, 2, w.n[0] - 2, kernel + 2 * plane), KOL_OK);
    assert_int_equal(mem_to_host(again, kernel, cells * sizeof *again), KOL_OK);
    for (size_t i = 0; i < cells; ++i) CHECK_SAME(again[i], value[i]);
    mem_kernel_free(kernel);
    mem_kernel_free(shells);
    free(again);
}

static void test_waves(void **state)
{
    (void)state;
    double table[2 * SHELLS + 1], value[MOST * MOST * MOST];
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        const struct box_case *c = &cases[n];
        for (int component = 0; component < 3; ++component) {
            const struct isotropic_waves w = waves_of(c, component, table, table + SHELLS + 1);
            coefficients(w, table, value);
            for (int p = 0; p < 5; ++p) {
                const int at[3] = {p % c->n[0], (3 * p + 1) % c->n[1], (2 * p) % c->n[2]};
                double x[3];
                for (int d = 0; d < 3; ++d) x[d] = place(c, component, d, at[d]);
                CHECK_NEAR(sum_at(c, component, at, value), reference_random_waves(&w, x), 1e-12);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_waves)};
    return cmocka_run_group_tests_name("isotropic", tests, NULL, NULL);
}
