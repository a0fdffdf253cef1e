/* Tests the correction of a stage with the sums that the forcing of a box needs: the fields have the bits of
 * project_correct(), and the sums are those of a slow loop over the corrected velocity. Catches a cell that
 * counts twice or not at all, a volume of another component, and sums of the velocity before the correction.
 * The waves are compared with sines and cosines, point by point; their sums have the same bits however the
 * grid is divided. No MPI. */
#include <stdlib.h>
#include "kernels/base/constants.h"
#include "kernels/box_forcing.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 100 * KOL_EPSILON;
static const enum ref_location FACE[3] = {REF_FCC, REF_CFC, REF_CCF};

/* One part, by both functions. Returns how many values differ. */
static int correct_part(struct kernel_case *c, struct part *p, double factor, double *const field[5],
                        double *const corrected[3], double sums[BOX_SUMS])
{
    const struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    const struct correction a = {
        (real)0.125, (real)0.3, (real)factor, {(real)0.5, (real)-0.25, (real)0.75}, NULL};
    real *vel[2][3], *pressure[2];
    int differ = 0;
    for (int way = 0; way < 2; ++way) {
        real *phi = part_from(p, factor == 0 ? OWN_LOW : OWN_FACES, field[3]),
             *old = part_from(p, OWN, field[4]);
        pressure[way] = part_filled(p, 5);
        for (int d = 0; d < 3; ++d) vel[way][d] = part_from(p, OWN, field[d]);
        CASE_TRUE(c, (way == 0 ? project_correct(p->g.box, s, a, phi, old, pressure[way], vel[way][X],
                                                 vel[way][Y], vel[way][Z])
                               : box_correct(p->g.box, p->g.m, reduction_blocks(p->reduction), s, a, phi, old,
                                             pressure[way], vel[way])) == KOL_OK);
    }
    part_sums(p, BOX_SUMS, 0, sums);
    for (int d = 0; d < 3; ++d) {
        differ += part_changed(p, NOWHERE, part_copy(p, vel[0][d]), vel[1][d]);
        part_get(p, vel[1][d], corrected[d]);
    }
    differ += part_changed(p, NOWHERE, part_copy(p, pressure[0]), pressure[1]);
    part_release(p);
    return differ;
}

static void check_correct(struct kernel_case *c)
{
    double *field[5], *corrected[3];
    for (int n = 0; n < 5; ++n) field[n] = case_random(&c->ref, 40 + (unsigned)n);
    for (int d = 0; d < 3; ++d) corrected[d] = ref_new(&c->ref);
    for (int implicit = 0; implicit < 2; ++implicit) {
        double sums[BOX_SUMS] = {0, 0, 0, 0}, want[BOX_SUMS] = {0, 0, 0, 0}, terms[BOX_SUMS] = {0, 0, 0, 0};
        for (struct part *p = c->part; p < c->part + c->size; ++p)
            CASE_TRUE(c, correct_part(c, p, implicit ? 0.0625 : 0, field, corrected, sums) == 0);
        for (int d = 0; d < 3; ++d) {
            for (ptrdiff_t n = 0; n < c->count; ++n) {
                const double v = case_volume(&c->ref, FACE[d], n), u = corrected[d][n];
                want[BOX_SUM_ENERGY] += 0.5 * v * u * u;
                want[BOX_SUM_MOMENTUM + d] += v * u;
                terms[BOX_SUM_MOMENTUM + d] += fabs(v * u);
            }
        }
        terms[BOX_SUM_ENERGY] = want[BOX_SUM_ENERGY];
        for (int n = 0; n < BOX_SUMS; ++n) CASE_BELOW(c, fabs(sums[n] - want[n]), BOUND * terms[n]);
    }
    case_free(field, 5);
    case_free(corrected, 3);
}

static void test_correction_and_sums(void **state)
{
    (void)state;
    case_each(check_correct);
}

/* --- waves --- */

static const double SCALE = 1099511627776.0; /* 2^40 */
enum { PRODUCTS = 7 };
/* Functions of x, y, z: the order is that of the functions of z. */
static const unsigned char FUNCTION[3][PRODUCTS] = {
    {1, 2, 0, 4, 0, 3, 2}, {0, 1, 0, 2, 3, 4, 0}, {0, 0, 1, 2, 2, 3, 4}};

static double wave_at(int f, double phase)
{
    static const int periods[BOX_FUNCTIONS] = {0, 1, 1, 2, 2};
    return f % 2 == 0 && f > 0 ? sin(periods[f] * phase) : cos(periods[f] * phase);
}

/* The waves of a part, with tables at its own points. */
static struct box_waves waves_of(struct kernel_case *c, struct part *p)
{
    struct box_waves waves = {.count = PRODUCTS};
    for (int d = 0; d < 3; ++d) {
        const int own = p->d.n[d];
        double *host = malloc(BOX_FUNCTIONS * (size_t)own * sizeof *host);
        assert_non_null(host);
        for (int n = 0; n < PRODUCTS; ++n) waves.function[d][n] = FUNCTION[d][n];
        for (int place = 0; place < 2; ++place) {
            double *table = (double *)part_array(p);
            CASE_TRUE(c, BOX_FUNCTIONS * (size_t)own * sizeof *host <= (size_t)p->g.box.size * sizeof(real));
            for (int q = 0; q < BOX_FUNCTIONS * own; ++q)
                host[q] = wave_at(q / own, 2 * PI * (p->d.offset[d] + q % own + 0.5 * place) / c->in->n[d]);
            CASE_TRUE(c, mem_to_kernel(table, host, BOX_FUNCTIONS * (size_t)own * sizeof *host) == KOL_OK);
            waves.table[d][place] = table;
        }
        free(host);
    }
    return waves;
}

/* Product n at value q of a flat array of component d. */
static double product_at(const struct kernel_case *c, int d, int n, ptrdiff_t q)
{
    const int i[3] = {(int)(q % c->in->n[X]), (int)(q / c->in->n[X] % c->in->n[Y]),
                      (int)(q / c->in->n[X] / c->in->n[Y])};
    double product = 1;
    for (int e = 0; e < 3; ++e)
        product *= wave_at(FUNCTION[e][n], 2 * PI * (i[e] + (e == d ? 0 : 0.5)) / c->in->n[e]);
    return product;
}

static struct box_amplitudes some_amplitudes(void)
{
    struct box_amplitudes a = {{{0}}};
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < PRODUCTS; ++n) a.amplitude[d][n] = 0.25 * ((3 * n + 5 * d) % 7 - 3);
    return a;
}

/* One part: corrected velocity and pressure, and its share of the sums. again: of the result, by
 * box_waves_sum(). */
static void waves_part(struct kernel_case *c, struct part *p, double factor, double *const field[5],
                       double *const got[4], long long total[3 * BOX_PRODUCTS],
                       long long again[3 * BOX_PRODUCTS])
{
    const struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    const struct correction a = {.dts = (real)0.125, .mean = (real)0.3, .factor = (real)factor};
    const struct box_waves waves = waves_of(c, p);
    const struct blocks bl = reduction_blocks(p->reduction);
    long long host[3 * BOX_PRODUCTS], *sums = NULL;
    real *vel[3], *phi = part_from(p, factor == 0 ? OWN_LOW : OWN_FACES, field[3]),
                  *old = part_from(p, OWN, field[4]), *pressure = part_filled(p, 5);
    assert_int_equal(mem_kernel_alloc(sizeof host, (void **)&sums), KOL_OK);
    for (int d = 0; d < 3; ++d) vel[d] = part_from(p, OWN, field[d]);
    CASE_TRUE(c, box_waves_correct(p->g.box, bl, s, a, waves, some_amplitudes(), SCALE, phi, old, pressure,
                                   vel, sums) == KOL_OK);
    assert_int_equal(mem_to_host(host, sums, sizeof host), KOL_OK);
    for (int n = 0; n < 3 * BOX_PRODUCTS; ++n) total[n] += host[n];
    CASE_TRUE(c, box_waves_sum(p->g.box, bl, waves, SCALE, vel, sums) == KOL_OK);
    assert_int_equal(mem_to_host(host, sums, sizeof host), KOL_OK);
    for (int n = 0; n < 3 * BOX_PRODUCTS; ++n) again[n] += host[n];
    for (int d = 0; d < 3; ++d) part_get(p, vel[d], got[d]);
    part_get(p, pressure, got[3]);
    mem_kernel_free(sums);
    part_release(p);
}

static void check_waves_with(struct kernel_case *c, double factor)
{
    const struct box_amplitudes a = some_amplitudes();
    double *field[5], *want[4], *got[4];
    long long total[3 * BOX_PRODUCTS] = {0}, again[3 * BOX_PRODUCTS] = {0};
    for (int n = 0; n < 5; ++n) field[n] = case_random(&c->ref, 50 + (unsigned)n);
    for (int n = 0; n < 4; ++n) {
        want[n] = case_random(&c->ref, 50 + (unsigned)n);
        got[n] = ref_new(&c->ref);
    }
    for (int d = 0; d < 3; ++d)
        for (ptrdiff_t q = 0; q < c->count; ++q)
            for (int n = 0; n < PRODUCTS; ++n) want[d][q] += a.amplitude[d][n] * product_at(c, d, n, q);
    ref_correct(&c->ref, 0.125, field[3], want);
    ref_pressure(&c->ref, (double)(real)0.3, factor, field[3], field[4], want[3]);
    for (struct part *p = c->part; p < c->part + c->size; ++p)
        waves_part(c, p, factor, field, got, total, again);
    for (int n = 0; n < 4; ++n)
        CASE_BELOW(c, check_max(got[n], want[n], c->count), BOUND * check_max(want[n], NULL, c->count));
    for (int d = 0; d < 3; ++d) {
        for (int n = 0; n < PRODUCTS; ++n) {
            double sum = 0, terms = 0;
            for (ptrdiff_t q = 0; q < c->count; ++q) {
                sum += got[d][q] * product_at(c, d, n, q);
                terms += fabs(got[d][q]);
            }
            CASE_BELOW(c, fabs((double)total[d * BOX_PRODUCTS + n] / SCALE - sum), 1e-14 * terms + 1e-9);
            CASE_BELOW(c, fabs((double)again[d * BOX_PRODUCTS + n] / SCALE - sum), 1e-14 * terms + 1e-9);
        }
    }
    case_free(field, 5);
    case_free(want, 4);
    case_free(got, 4);
}

static void check_waves(struct kernel_case *c)
{
    check_waves_with(c, 0);
    check_waves_with(c, 0.0625);
}

static void test_waves_like_sines(void **state)
{
    (void)state;
    case_each(check_waves);
}

/* The sums of whole numbers that the blocks leave, for the same field divided in another way. */
static void check_division(struct kernel_case *c)
{
    static long long first[3 * BOX_PRODUCTS];
    static const struct case_input *of = NULL;
    double *vel[3];
    long long total[3 * BOX_PRODUCTS] = {0}, host[3 * BOX_PRODUCTS], *sums = NULL;
    for (int d = 0; d < 3; ++d) vel[d] = case_random(&c->ref, 60 + (unsigned)d);
    assert_int_equal(mem_kernel_alloc(sizeof host, (void **)&sums), KOL_OK);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3];
        for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN, vel[d]);
        CASE_TRUE(c, box_waves_sum(p->g.box, reduction_blocks(p->reduction), waves_of(c, p), SCALE, u,
                                   sums) == KOL_OK);
        assert_int_equal(mem_to_host(host, sums, sizeof host), KOL_OK);
        for (int n = 0; n < 3 * BOX_PRODUCTS; ++n) total[n] += host[n];
        part_release(p);
    }
    if (of != c->in) memcpy(first, total, sizeof first);
    of = c->in;
    CASE_TRUE(c, memcmp(first, total, sizeof first) == 0);
    mem_kernel_free(sums);
    case_free(vel, 3);
}

static void test_sums_do_not_depend_on_the_division(void **state)
{
    (void)state;
    case_each(check_division);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_correction_and_sums),
                                       cmocka_unit_test(test_waves_like_sines),
                                       cmocka_unit_test(test_sums_do_not_depend_on_the_division)};
    return cmocka_run_group_tests_name("box forcing", tests, NULL, NULL);
}
