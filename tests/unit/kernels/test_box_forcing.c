/* Tests the sums that the forcing of a box needs, and its waves. Energy and momentum are those of a slow
 * loop, and to the bit those of project_limits(): catches a cell that counts twice or not at all, a volume of
 * another component, and a force that depends on where its sums were taken. The waves are
 * compared with sines and cosines, point by point; their sums have the same bits however the grid is divided.
 * No MPI. */
#include <stdlib.h>
#include "kernels/base/constants.h"
#include "kernels/box_forcing.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 100 * KOL_EPSILON, DTS = 0.125;
static const enum ref_location FACE[3] = {REF_FCC, REF_CFC, REF_CCF};

/* Some corrections leave the sums of project_limits() (step/flow_monitor.h). Behind the others a sweep forms
 * them. */
static void check_bits(struct kernel_case *c, const struct part *p, real *const vel[3])
{
    double sums[BOX_SUMS] = {0, 0, 0, 0}, limits[LIM_COUNT] = {0};
    part_sums(p, BOX_SUMS, 0, sums);
    CASE_TRUE(c, project_limits(p->g.box, p->g.m, reduction_blocks(p->reduction), cells_all(), vel[X], vel[Y],
                                vel[Z]) == KOL_OK);
    part_sums(p, LIM_SUMS, LIM_COUNT - LIM_SUMS, limits);
    CASE_TRUE(c, sums[BOX_SUM_ENERGY] == limits[LIM_ENERGY]);
    for (int d = 0; d < 3; ++d) CASE_TRUE(c, sums[BOX_SUM_MOMENTUM + d] == limits[LIM_MOM_X + d]);
}

static void check_motion(struct kernel_case *c)
{
    double *field[3], sums[BOX_SUMS] = {0, 0, 0, 0}, want[BOX_SUMS] = {0, 0, 0, 0},
                      terms[BOX_SUMS] = {0, 0, 0, 0};
    for (int d = 0; d < 3; ++d) field[d] = case_random(&c->ref, 40 + (unsigned)d);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *vel[3];
        for (int d = 0; d < 3; ++d) vel[d] = part_from(p, OWN_HIGH, field[d]);
        CASE_TRUE(c, box_motion(p->g.box, p->g.m, reduction_blocks(p->reduction), vel) == KOL_OK);
        part_sums(p, BOX_SUMS, 0, sums);
        check_bits(c, p, vel);
        part_release(p);
    }
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const double v = case_volume(&c->ref, FACE[d], n), u = field[d][n];
            want[BOX_SUM_ENERGY] += 0.5 * v * u * u;
            want[BOX_SUM_MOMENTUM + d] += v * u;
            terms[BOX_SUM_MOMENTUM + d] += fabs(v * u);
        }
    }
    terms[BOX_SUM_ENERGY] = want[BOX_SUM_ENERGY];
    for (int n = 0; n < BOX_SUMS; ++n) CASE_BELOW(c, fabs(sums[n] - want[n]), BOUND * terms[n]);
    case_free(field, 3);
}

static void test_energy_and_momentum(void **state)
{
    (void)state;
    case_each(check_motion);
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

/* The functions of direction d at the own centres of a part. */
static const double *table_of(struct kernel_case *c, struct part *p, int d)
{
    const int own = p->d.n[d];
    double *host = malloc(BOX_FUNCTIONS * (size_t)own * sizeof *host), *table = (double *)part_array(p);
    assert_non_null(host);
    CASE_TRUE(c, BOX_FUNCTIONS * (size_t)own * sizeof *host <= (size_t)p->g.box.size * sizeof(real));
    for (int f = 0; f < BOX_FUNCTIONS; ++f) {
        for (int i = 0; i < own; ++i) {
            const int place = d == Z ? BOX_QUAD * i + f - 1 : f * own + i;
            if (d == Z && f == 0) continue;
            host[place] = wave_at(f, 2 * PI * (p->d.offset[d] + i + 0.5) / c->in->n[d]);
        }
    }
    const int values = (d == Z ? BOX_QUAD : BOX_FUNCTIONS) * own;
    CASE_TRUE(c, mem_to_kernel(table, host, (size_t)values * sizeof *host) == KOL_OK);
    free(host);
    return table;
}

static struct box_waves waves_of(struct kernel_case *c, struct part *p)
{
    struct box_waves waves = {
        .count = PRODUCTS, .x = table_of(c, p, X), .y = table_of(c, p, Y), .z = table_of(c, p, Z)};
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < PRODUCTS; ++n) waves.function[d][n] = FUNCTION[d][n];
    return waves;
}

/* Product n at the centre of cell q of a flat array. */
static double product_at(const struct kernel_case *c, int n, ptrdiff_t q)
{
    const int i[3] = {(int)(q % c->in->n[X]), (int)(q / c->in->n[X] % c->in->n[Y]),
                      (int)(q / c->in->n[X] / c->in->n[Y])};
    double product = 1;
    for (int e = 0; e < 3; ++e) product *= wave_at(FUNCTION[e][n], 2 * PI * (i[e] + 0.5) / c->in->n[e]);
    return product;
}

static struct box_amplitudes some_amplitudes(void)
{
    struct box_amplitudes a = {{{0}}};
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < PRODUCTS; ++n) a.amplitude[d][n] = 0.25 * ((3 * n + 5 * d) % 7 - 3);
    return a;
}

enum { SWEPT, SWEPT_PACKED, ALONE, WAYS };

/* Sums of a part in one of three ways, added to total. */
static void add_sums(struct kernel_case *c, struct part *p, int way, real *const vel[3], const double *rhs,
                     long long total[3 * BOX_PRODUCTS])
{
    const struct blocks bl = reduction_blocks(p->reduction);
    struct box_wave_sums sums = {waves_of(c, p), SCALE, NULL};
    long long host[3 * BOX_PRODUCTS];
    real *out = part_filled(p, 5);
    assert_int_equal(mem_kernel_alloc(BOX_TOTALS * sizeof *host, (void **)&sums.total), KOL_OK);
    if (way == ALONE) CASE_TRUE(c, box_waves_sum(p->g.box, bl, vel, sums) == KOL_OK);
    if (way != ALONE) CASE_TRUE(c, box_waves_begin(sums) == KOL_OK);
    if (way == SWEPT) {
        CASE_TRUE(c, box_waves_divergence(p->g.box, p->g.m, bl, cells_all(), (real)DTS, vel[X], vel[Y],
                                          vel[Z], out, sums) == KOL_OK);
        CASE_BELOW(c, part_error(p, OWN, out, rhs), BOUND * check_max(rhs, NULL, c->count));
    }
    if (way == SWEPT_PACKED)
        CASE_TRUE(c, box_waves_divergence_single(p->g.box, packed_box(p->g.box), p->g.m, bl, cells_all(),
                                                 (real)DTS, 1, vel[X], vel[Y], vel[Z], (float *)out,
                                                 sums) == KOL_OK);
    if (way != ALONE) CASE_TRUE(c, box_waves_finish(sums) == KOL_OK);
    assert_int_equal(mem_to_host(host, sums.total, sizeof host), KOL_OK);
    for (int n = 0; n < 3 * BOX_PRODUCTS; ++n) total[n] += host[n];
    mem_kernel_free(sums.total);
}

/* The sums over the whole grid, in three ways, against those of a slow loop. */
static void check_sums(struct kernel_case *c)
{
    double *field[3], *rhs = ref_new(&c->ref);
    long long total[WAYS][3 * BOX_PRODUCTS] = {{0}};
    for (int d = 0; d < 3; ++d) field[d] = case_random(&c->ref, 60 + (unsigned)d);
    ref_rhs(&c->ref, DTS, field, rhs);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        for (int way = 0; way < WAYS; ++way) {
            real *vel[3];
            for (int d = 0; d < 3; ++d) vel[d] = part_from(p, OWN_HIGH, field[d]);
            add_sums(c, p, way, vel, rhs, total[way]);
            part_release(p);
        }
    }
    for (int d = 0; d < 3; ++d) {
        for (int n = 0; n < PRODUCTS; ++n) {
            double sum = 0, terms = 0;
            for (ptrdiff_t q = 0; q < c->count; ++q) {
                sum += field[d][q] * product_at(c, n, q);
                terms += fabs(field[d][q]);
            }
            for (int way = 0; way < WAYS; ++way)
                CASE_BELOW(c, fabs((double)total[way][d * BOX_PRODUCTS + n] / SCALE - sum),
                           1e-14 * terms + 1e-9);
        }
    }
    case_free(field, 3);
    free(rhs);
}

static void test_sums_like_slow_loops(void **state)
{
    (void)state;
    case_each(check_sums);
}

/* One part: velocity and pressure, corrected with a field of waves. alone: the waves are added before the
 * correction, in a sweep of their own. */
static void waves_part(struct kernel_case *c, struct part *p, double factor, int alone,
                       double *const field[5], double *const got[4])
{
    const struct box_waves waves = waves_of(c, p);
    const struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    struct correction a = {.dts = (real)DTS, .mean = (real)0.3, .factor = (real)factor};
    double *rows = NULL;
    real *vel[3], *phi = part_from(p, factor == 0 ? OWN_LOW : OWN_FACES, field[3]),
                  *old = part_from(p, OWN, field[4]), *pressure = part_filled(p, 5);
    const size_t bytes = BOX_ROW * (size_t)p->d.n[Y] * (size_t)p->d.n[Z] * sizeof *rows;
    assert_int_equal(mem_kernel_alloc(bytes, (void **)&rows), KOL_OK);
    CASE_TRUE(c, box_waves_rows(p->g.box, waves, some_amplitudes(), rows) == KOL_OK);
    a.waves = (struct box_rows){rows, waves.x};
    for (int d = 0; d < 3; ++d) vel[d] = part_from(p, OWN, field[d]);
    if (alone) {
        CASE_TRUE(c, box_waves_add(p->g.box, a.waves, vel) == KOL_OK);
        a.waves.row = NULL;
    }
    CASE_TRUE(c, project_correct(p->g.box, s, a, phi, old, pressure, vel[X], vel[Y], vel[Z]) == KOL_OK);
    for (int d = 0; d < 3; ++d) part_get(p, vel[d], got[d]);
    part_get(p, pressure, got[3]);
    mem_kernel_free(rows);
    part_release(p);
}

static void check_waves_with(struct kernel_case *c, double factor, int alone)
{
    const struct box_amplitudes a = some_amplitudes();
    double *field[5], *want[4], *got[4];
    for (int n = 0; n < 5; ++n) field[n] = case_random(&c->ref, 50 + (unsigned)n);
    for (int n = 0; n < 4; ++n) {
        want[n] = case_random(&c->ref, 50 + (unsigned)n);
        got[n] = ref_new(&c->ref);
    }
    for (int d = 0; d < 3; ++d)
        for (ptrdiff_t q = 0; q < c->count; ++q)
            for (int n = 0; n < PRODUCTS; ++n) want[d][q] += a.amplitude[d][n] * product_at(c, n, q);
    ref_correct(&c->ref, DTS, field[3], want);
    ref_pressure(&c->ref, (double)(real)0.3, factor, field[3], field[4], want[3]);
    for (struct part *p = c->part; p < c->part + c->size; ++p) waves_part(c, p, factor, alone, field, got);
    for (int n = 0; n < 4; ++n)
        CASE_BELOW(c, check_max(got[n], want[n], c->count), BOUND * check_max(want[n], NULL, c->count));
    case_free(field, 5);
    case_free(want, 4);
    case_free(got, 4);
}

static void check_waves(struct kernel_case *c)
{
    check_waves_with(c, 0, 0);
    check_waves_with(c, 0.0625, 0);
    check_waves_with(c, 0, 1);
}

static void test_waves_like_sines(void **state)
{
    (void)state;
    case_each(check_waves);
}

/* The sums of whole numbers that the blocks leave, for the same field divided in another way. */
static void check_division(struct kernel_case *c)
{
    static long long first[2][3 * BOX_PRODUCTS];
    static const struct case_input *of = NULL;
    double *field[3], *rhs = ref_new(&c->ref);
    for (int d = 0; d < 3; ++d) field[d] = case_random(&c->ref, 60 + (unsigned)d);
    ref_rhs(&c->ref, DTS, field, rhs);
    for (int swept = 0; swept < 2; ++swept) {
        long long total[3 * BOX_PRODUCTS] = {0};
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *vel[3];
            for (int d = 0; d < 3; ++d) vel[d] = part_from(p, OWN_HIGH, field[d]);
            add_sums(c, p, swept ? SWEPT : ALONE, vel, rhs, total);
            part_release(p);
        }
        if (of != c->in) memcpy(first[swept], total, sizeof total);
        CASE_TRUE(c, memcmp(first[swept], total, sizeof total) == 0);
    }
    of = c->in;
    case_free(field, 3);
    free(rhs);
}

static void test_sums_do_not_depend_on_the_division(void **state)
{
    (void)state;
    case_each(check_division);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_and_momentum), cmocka_unit_test(test_sums_like_slow_loops),
        cmocka_unit_test(test_waves_like_sines), cmocka_unit_test(test_sums_do_not_depend_on_the_division)};
    return cmocka_run_group_tests_name("box forcing", tests, NULL, NULL);
}
