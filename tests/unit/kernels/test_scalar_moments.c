/* ranks: 1 2 4 */
/* Tests the sums of a scalar over a periodic box, and counts of its values in bins. All are compared with
 * plain loops that share nothing with the kernels; the sums have the same bits in every layout of the ranks.
 * Catches a neighbour taken from the wrong side, a volume of the wrong place, a velocity of another
 * direction, and an order of addition that depends on the ranks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/increments.h"
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

/* The volume of the values of each slot, over that of the box, by plain loops. */
static void judge_counts(const struct ref_grid *g, double *const *field, struct counted_volume c,
                         double share[COUNT_SLOTS])
{
    struct place p = {.g = g, .field = field};
    memset(share, 0, sizeof *share * COUNT_SLOTS);
    for (p.at[2] = 0; p.at[2] < g->n[2]; ++p.at[2])
        for (p.at[1] = 0; p.at[1] < g->n[1]; ++p.at[1])
            for (p.at[0] = 0; p.at[0] < g->n[0]; ++p.at[0]) {
                const double bin = floor(((double)(real)place_value(&p, T, 0, 0) - c.shift) * c.scale);
                double cell = 1;
                int slot = 0;
                for (int d = 0; d < 3; ++d) cell *= place_spacing(&p, g->dc, d, 0);
                if (bin >= -COUNT_BINS / 2)
                    slot = bin < COUNT_BINS / 2 ? (int)bin + COUNT_BINS / 2 + 1 : COUNT_SLOTS - 1;
                share[slot] += cell / c.whole;
            }
}

static int count_values_of(struct part *p, const double *theta, struct counted_volume c,
                           unsigned long long count[COUNT_SLOTS])
{
    const size_t bytes = sizeof *count * COUNT_SLOTS;
    unsigned long long *kernel = NULL;
    memset(count, 0, bytes);
    int wrong = mem_kernel_alloc(bytes, (void **)&kernel) != KOL_OK;
    wrong += mem_to_kernel(kernel, count, bytes) != KOL_OK;
    wrong += increments_count_volume(p->g.box, p->g.m, c, part_from(p, OWN, theta), kernel) != KOL_OK;
    wrong += mem_to_host(count, kernel, bytes) != KOL_OK;
    mem_kernel_free(kernel);
    part_release(p);
    return wrong;
}

/* Values beyond the bins on both sides, and all shares. */
static void test_counts(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; ++n) {
        struct ref_grid g;
        struct part p;
        unsigned long long count[COUNT_SLOTS];
        double *field[FIELDS] = {NULL}, right[COUNT_SLOTS], worst = 0, sum = 0;
        case_reference(&case_inputs[n], &g);
        field[T] = case_random(&g, 705);
        int wrong = part_create(&case_inputs[n], self, whole, &p) != KOL_OK;
        const struct counted_volume c = {p.g.volume, 0.03, 230};
        judge_counts(&g, field, c, right);
        wrong += count_values_of(&p, field[T], c, count);
        for (int slot = 0; slot < COUNT_SLOTS; ++slot) {
            worst = fmax(worst, fabs((double)count[slot] / COUNT_UNITS - right[slot]));
            sum += (double)count[slot] / COUNT_UNITS;
        }
        CHECK_ALL(wrong == 0);
        CHECK_ALL(count[0] > 0 && count[COUNT_SLOTS - 1] > 0);
        CHECK_ALL_BELOW(worst, KOL_CHOOSE(1e-13, 1e-6));
        CHECK_ALL_BELOW(fabs(sum - 1), KOL_CHOOSE(1e-13, 1e-6));
        part_destroy(&p);
        case_free(field + T, 1);
        ref_grid_destroy(&g);
    }
}

static void test_sums(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; ++n) check_sums(&case_inputs[n]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_sums, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_counts, setup, teardown)};
    return MPI_MAIN(argc, argv, "scalar_moments", tests);
}
