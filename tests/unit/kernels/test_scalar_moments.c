/* ranks: 1 2 4 */
/* Tests the sums of a scalar over a periodic box. Every sum is compared with plain loops that share nothing
 * with the kernels, and it has the same bits in every layout of the ranks. Catches a neighbour taken from the
 * wrong side, a volume of the wrong place, a velocity of another direction, and an order of addition that
 * depends on the ranks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/scalar_moments.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/place.h"
#include "tests/support/ranks.h"

enum { T = 3, FIELDS };

/* --- the judge --- */

static void terms(const struct place *p, double *t)
{
    const double q = place_value(p, T, 0, 0);
    double cell = 1;
    for (int d = 0; d < 3; ++d) cell *= place_spacing(p, p->g->dc, d, 0);
    for (int power = 1; power <= 4; ++power) t[THETA_MOMENT_T + power - 1] = cell * pow(q, power);
    for (int d = 0; d < 3; ++d) {
        const double apart = place_spacing(p, p->g->df, d, 0), wide = place_spacing(p, p->g->dc, d, 0),
                     face = cell / wide * apart, low = place_value(p, T, d, -1),
                     high = place_value(p, T, d, 1);
        const double slope = (q - low) / apart, next = (high - q) / place_spacing(p, p->g->df, d, 1);
        t[THETA_MOMENT_FLUX + d] = cell * q * (place_value(p, d, d, 0) + place_value(p, d, d, 1)) / 2;
        t[THETA_MOMENT_GRADIENT_2 + d] = face * pow(slope, 2);
        t[THETA_MOMENT_GRADIENT_3 + d] = face * pow(slope, 3);
        t[THETA_MOMENT_GRADIENT_4 + d] = face * pow(slope, 4);
        t[THETA_MOMENT_MIXED + d] = cell * (place_value(p, d, d, 1) - place_value(p, d, d, 0)) / wide *
                                    (pow(slope, 2) + pow(next, 2)) / 2;
    }
}

static void judge(const struct ref_grid *g, double *const *field, double *sum, double *size)
{
    struct place p = {.g = g, .field = field};
    memset(sum, 0, sizeof *sum * THETA_MOMENT_COUNT);
    memset(size, 0, sizeof *size * THETA_MOMENT_COUNT);
    for (p.at[2] = 0; p.at[2] < g->n[2]; ++p.at[2])
        for (p.at[1] = 0; p.at[1] < g->n[1]; ++p.at[1])
            for (p.at[0] = 0; p.at[0] < g->n[0]; ++p.at[0]) {
                double t[THETA_MOMENT_COUNT];
                terms(&p, t);
                for (int q = 0; q < THETA_MOMENT_COUNT; ++q) {
                    sum[q] += t[q];
                    size[q] += fabs(t[q]);
                }
            }
}

/* --- the judged --- */

static int sample(struct part *p, double *const *field, double *sum)
{
    real *const vel[3] = {part_from(p, OWN_HIGH, field[0]), part_from(p, OWN_HIGH, field[1]),
                          part_from(p, OWN_HIGH, field[2])};
    const real *theta = part_from(p, OWN_FACES, field[T]);
    int wrong = 0;
    for (int group = 0; group < THETA_MOMENT_GROUPS; ++group) {
        wrong +=
            scalar_moments_sum(group, p->g.box, p->g.m, reduction_blocks(p->reduction), vel, theta) != KOL_OK;
        wrong += reduction_finish(p->reduction, scalar_moments_count(group), 0,
                                  sum + scalar_moments_first(group)) != KOL_OK;
    }
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, double *const *field, const double *alone)
{
    int wrong = 0;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        double sum[THETA_MOMENT_COUNT];
        struct part p;
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        wrong += sample(&p, field, sum);
        wrong += memcmp(sum, alone, sizeof sum) != 0;
        part_destroy(&p);
    }
    return wrong;
}

static void check_sums(const struct case_input *in)
{
    struct ref_grid g;
    struct part p;
    double *field[FIELDS], sum[THETA_MOMENT_COUNT], right[THETA_MOMENT_COUNT], size[THETA_MOMENT_COUNT],
        most = 0;
    case_reference(in, &g);
    for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 701 + (unsigned)f);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    wrong += sample(&p, field, sum);
    part_destroy(&p);
    judge(&g, field, right, size);
    for (int q = 0; q < THETA_MOMENT_COUNT; ++q) {
        const double error = fabs(sum[q] - right[q]) / size[q];
        if (!(error <= most)) most = error;
    }
    CHECK_ALL(wrong == 0);
    /* float: spacings and fields are rounded, and differences of them */
    CHECK_ALL_BELOW(most, KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
    CHECK_ALL(check_layouts(in, field, sum) == 0);
    case_free(field, FIELDS);
    ref_grid_destroy(&g);
}

static void test_sums(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; ++n) check_sums(&case_inputs[n]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_sums, setup, teardown)};
    return MPI_MAIN(argc, argv, "scalar_moments", tests);
}
