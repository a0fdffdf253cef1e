/* ranks: 1 2 4 */
/* Tests the sums over a periodic box. Every sum is compared with plain loops that share nothing with the
 * kernels, and it has the same bits in every layout of the ranks. Then the statistics that follow from them
 * are tested: known numbers of a field with random Gaussian gradients, and missing values in a fluid at rest.
 * Catches a neighbour taken from the wrong side, a volume of the wrong place, an order of addition that
 * depends on the ranks, raw moments taken for central ones, and a wrong factor in a scale. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solver/statistics/box_moments.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/place.h"
#include "tests/support/ranks.h"

/* --- the judge --- */

/* d component / d direction: in the cell where both are one, else on the low edge. */
static double slope(const struct place *p, int component, int direction)
{
    if (component == direction)
        return (place_value(p, component, direction, 1) - place_value(p, component, direction, 0)) /
               place_spacing(p, p->g->dc, direction, 0);
    return (place_value(p, component, direction, 0) - place_value(p, component, direction, -1)) /
           place_spacing(p, p->g->df, direction, 0);
}

/* Returns the vorticity along d on an edge of a cell. The edge lies on the low sides of the cell `steps`
 * cells away along a and b, the two other directions. */
static double omega(const struct place *p, int d, int steps_next, int steps_last)
{
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    struct place q = *p;
    q.at[a] += steps_next;
    q.at[b] += steps_last;
    return slope(&q, b, a) - slope(&q, a, b);
}

/* Volume of the point at faces in the directions whose bit is set. */
static double volume(const struct place *p, int faces)
{
    double v = 1;
    for (int d = 0; d < 3; ++d) v *= place_spacing(p, faces >> d & 1 ? p->g->df : p->g->dc, d, 0);
    return v;
}

static void terms(const struct place *p, double *t)
{
    static const int ACROSS[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
    const double q = place_value(p, 3, 0, 0), cell = volume(p, 0);
    memset(t, 0, sizeof *t * MOMENT_COUNT);
    for (int d = 0; d < 3; ++d) {
        const double u = place_value(p, d, 0, 0), a = slope(p, d, d), o = omega(p, d, 0, 0);
        const int next = (d + 1) % 3, last = (d + 2) % 3;
        for (int power = 1; power <= 4; ++power)
            t[MOMENT_U + 3 * (power - 1) + d] = volume(p, 1 << d) * pow(u, power);
        t[MOMENT_ALONG_2 + d] = cell * pow(a, 2);
        t[MOMENT_ALONG_3 + d] = cell * pow(a, 3);
        t[MOMENT_ALONG_4 + d] = cell * pow(a, 4);
        t[MOMENT_OMEGA_2 + d] = volume(p, 7 - (1 << d)) * pow(o, 2);
        t[MOMENT_OMEGA_4 + d] = volume(p, 7 - (1 << d)) * pow(o, 4);
        const double middle =
            (omega(p, d, 0, 0) + omega(p, d, 1, 0) + omega(p, d, 0, 1) + omega(p, d, 1, 1)) / 4;
        t[MOMENT_HELICITY] += cell * (u + place_value(p, d, d, 1)) / 2 * middle;
        /* the products u v, u w, v w are numbered by the third direction, from the last */
        t[MOMENT_UV + 2 - d] = volume(p, 7 - (1 << d)) *
                               (place_value(p, next, 0, 0) + place_value(p, next, last, -1)) / 2 *
                               (place_value(p, last, 0, 0) + place_value(p, last, next, -1)) / 2;
    }
    for (int n = 0; n < 6; ++n) {
        const int c = ACROSS[n][0], d = ACROSS[n][1];
        const double v = volume(p, 1 << c | 1 << d), a = slope(p, c, d);
        t[MOMENT_ACROSS_2 + n] = v * pow(a, 2);
        t[MOMENT_ACROSS_3 + c] += v * pow(a, 3);
        t[MOMENT_ACROSS_4 + c] += v * pow(a, 4);
    }
    t[MOMENT_P] = cell * q;
    t[MOMENT_PP] = cell * pow(q, 2);
    t[MOMENT_PPP] = cell * pow(q, 3);
    t[MOMENT_PPPP] = cell * pow(q, 4);
}

/* Means, and means of magnitudes for the rounding. */
static void judge(const struct ref_grid *g, double *const field[4], double *mean, double *size)
{
    double all = 1, t[MOMENT_COUNT];
    for (int d = 0; d < 3; ++d) all *= g->face[d][g->n[d]] - g->face[d][0];
    memset(mean, 0, sizeof *mean * MOMENT_COUNT);
    memset(size, 0, sizeof *size * MOMENT_COUNT);
    for (int k = 0; k < g->n[2]; ++k) {
        for (int j = 0; j < g->n[1]; ++j) {
            for (int i = 0; i < g->n[0]; ++i) {
                const struct place p = {.g = g, .field = field, .at = {i, j, k}};
                terms(&p, t);
                for (int q = 0; q < MOMENT_COUNT; ++q) {
                    mean[q] += t[q] / all;
                    size[q] += fabs(t[q]) / all;
                }
            }
        }
    }
}

/* --- the judged --- */

static int sample(struct part *p, double *const field[4], double *mean)
{
    real *const vel[3] = {part_from(p, OWN_EDGES, field[0]), part_from(p, OWN_EDGES, field[1]),
                          part_from(p, OWN_EDGES, field[2])};
    const real *pressure = part_from(p, OWN, field[3]);
    const struct box_moments b = {.nu = 1, .volume = p->g.volume, .k_max = 1};
    const int wrong = box_sample(&b, &p->g, p->reduction, vel, pressure, mean) != KOL_OK;
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, double *const field[4], const double *alone,
                         int *layouts)
{
    double mean[BOX_VALUES];
    int wrong = 0;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct part p;
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        wrong += sample(&p, field, mean);
        wrong += memcmp(mean, alone, sizeof *mean * MOMENT_COUNT) != 0;
        part_destroy(&p);
        ++*layouts;
    }
    return wrong;
}

static void test_sums(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n) {
        const struct case_input *in = &case_inputs[n];
        struct ref_grid g;
        struct part p;
        double *field[4], mean[BOX_VALUES], right[MOMENT_COUNT], size[MOMENT_COUNT], most = 0;
        case_reference(in, &g);
        for (int f = 0; f < 4; ++f) field[f] = case_random(&g, 401 + (unsigned)f);
        int wrong = part_create(in, self, whole, &p) != KOL_OK;
        wrong += sample(&p, field, mean);
        part_destroy(&p);
        judge(&g, field, right, size);
        for (int q = 0; q < MOMENT_COUNT; ++q) {
            const double error = fabs(mean[q] - right[q]) / size[q];
            if (!(error <= most)) most = error;
        }
        CHECK_ALL(wrong == 0);
        /* float: spacings and fields are rounded, and differences of them */
        CHECK_ALL_BELOW(most, KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
        CHECK_ALL(check_layouts(in, field, mean, &layouts) == 0);
        case_free(field, 4);
        ref_grid_destroy(&g);
    }
    CHECK_ALL(layouts >= 1);
}

/* Tests the scales of isotropic Gaussian turbulence with the mean (1, 2, 3), u' = 2, (du/dx)^2 = 5 and nu =
 * 0.1. Each moment is set by hand. */
static void test_scales(void **state)
{
    (void)state;
    const struct box_moments b = {.nu = 0.1, .volume = 1, .k_max = 30};
    double mean[BOX_VALUES] = {0}, out[BOX_SCALARS];
    for (int d = 0; d < 3; ++d) {
        const double u = d + 1, s = 4;
        mean[MOMENT_U + d] = u;
        mean[MOMENT_UU + d] = u * u + s;
        mean[MOMENT_UUU + d] = u * u * u + 3 * u * s;
        mean[MOMENT_UUUU + d] = u * u * u * u + 6 * u * u * s + 3 * s * s;
        mean[MOMENT_ALONG_2 + d] = 5;
        mean[MOMENT_ALONG_3 + d] = -0.5 * 5 * sqrt(5);
        mean[MOMENT_ALONG_4 + d] = 75;
        mean[MOMENT_ACROSS_3 + d] = 0;
        mean[MOMENT_ACROSS_4 + d] = 2 * 300;
        mean[MOMENT_OMEGA_2 + d] = 25;
        mean[MOMENT_OMEGA_4 + d] = 3 * 625;
    }
    for (int n = 0; n < 6; ++n) mean[MOMENT_ACROSS_2 + n] = 10;
    mean[MOMENT_UV] = 1 * 2 + 0.5;
    mean[MOMENT_UW] = 1 * 3 - 0.25;
    mean[MOMENT_VW] = 2 * 3 + 0.125;
    mean[MOMENT_P] = 1;
    mean[MOMENT_PP] = 10;
    mean[MOMENT_HELICITY] = -7;
    mean[BOX_EXTRA_POWER] = 0.75;
    box_derive(&b, mean, out);
    const double dissipation = 0.1 * (3 * 5 + 6 * 10), eta = pow(0.001 / dissipation, 0.25);
    const struct {
        int q;
        double is;
    } EXPECTED[] = {{BOX_U + 1, 2},
                    {BOX_UU + 2, 4},
                    {BOX_UV, 0.5},
                    {BOX_UV + 1, -0.25},
                    {BOX_UV + 2, 0.125},
                    {BOX_FLATNESS + 2, 3},
                    {BOX_P_RMS, 3},
                    {BOX_KINETIC_ENERGY, 7 + 6},
                    {BOX_K, 6},
                    {BOX_RMS, 2},
                    {BOX_DISSIPATION, dissipation},
                    {BOX_ENSTROPHY, 37.5},
                    {BOX_HELICITY, -7},
                    {BOX_POWER, 0.75},
                    {BOX_TAYLOR, 2 * sqrt(15 * 0.1 / dissipation)},
                    {BOX_TAYLOR_ALONG, 2 / sqrt(5)},
                    {BOX_TAYLOR_ACROSS, 2 / sqrt(5)},
                    {BOX_RE_LAMBDA, 2 * 2 / sqrt(5) / 0.1},
                    {BOX_ETA, eta},
                    {BOX_ETA_TIME, sqrt(0.1 / dissipation)},
                    {BOX_ETA_VELOCITY, pow(0.1 * dissipation, 0.25)},
                    {BOX_K_MAX_ETA, 30 * eta},
                    {BOX_LARGE_LENGTH, 8 / dissipation},
                    {BOX_LARGE_TIME, 6 / dissipation},
                    {BOX_ISOTROPY, 1},
                    {BOX_ALONG_SKEWNESS + 1, -0.5},
                    {BOX_ALL_ALONG_SKEWNESS, -0.5},
                    {BOX_ALL_ALONG_FLATNESS, 3},
                    {BOX_ALL_ACROSS_FLATNESS, 3},
                    {BOX_OMEGA + 1, 5},
                    {BOX_OMEGA_FLATNESS, 3}};
    for (size_t n = 0; n < sizeof EXPECTED / sizeof *EXPECTED; ++n)
        CHECK_RELATIVE(out[EXPECTED[n].q], EXPECTED[n].is, 1e-13);
    CHECK_NEAR(out[BOX_SKEWNESS + 1], 0, 1e-13);
    CHECK_NEAR(out[BOX_ALL_ACROSS_SKEWNESS], 0, 0);
    memset(mean, 0, sizeof mean);
    box_derive(&b, mean, out);
    assert_true(isnan(out[BOX_FLATNESS]) && isnan(out[BOX_TAYLOR]) && isnan(out[BOX_ETA]) &&
                isnan(out[BOX_ALL_ALONG_SKEWNESS]));
    CHECK_NEAR(out[BOX_K], 0, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_sums, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_scales, setup, teardown)};
    return MPI_MAIN(argc, argv, "moments", tests);
}
