/* Tests the kernels on packed values in single precision: the divergence, the correction and the pressure
 * against tests/reference, on stretched periodic grids with odd numbers of cells; packing and unpacking. The
 * bound is the rounding of single precision. Catches a neighbour across a periodic boundary that is not the
 * right one, a row that is misplaced, a scale that is forgotten, and sums that are rounded. No MPI. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/projection.h"
#include "kernels/volume_dot.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const int whole[3] = {1, 1, 1};
static const double BOUND = 100 * KOL_EPSILON, SINGLE = 4 * FLT_EPSILON, DTS = 0.125;
static const double UNIT = 0.0009765625; /* 2^-10: what values are divided by */
static const double SHIFT[3] = {0.5, -0.25, 0.75};

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

/* packed values in kernel memory: of `global` divided by UNIT, NaN in the places that hold nothing; of NaN
 * alone if global is NULL */
static float *packed_new(const struct part *p, const double *global)
{
    const struct box q = packed_box(p->g.box);
    float *host = malloc((size_t)q.size * sizeof *host), *out = NULL;
    assert_non_null(host);
    for (ptrdiff_t n = 0; n < q.size; ++n) host[n] = NAN;
    for (int k = 0; k < q.nz && global != NULL; ++k)
        for (int j = 0; j < q.ny; ++j)
            for (int i = 0; i < q.nx; ++i)
                host[at(q, i, j, k)] = (float)(global[((ptrdiff_t)k * q.ny + j) * q.nx + i] / UNIT);
    need(mem_kernel_alloc((size_t)q.size * sizeof *out, (void **)&out));
    need(mem_to_kernel(out, host, (size_t)q.size * sizeof *out));
    free(host);
    return out;
}

/* the largest difference of UNIT times packed values from `global`; *written: places between rows that hold
 * something */
static double packed_error(const struct part *p, const float *packed, const double *global, int *written)
{
    const struct box q = packed_box(p->g.box);
    float *host = malloc((size_t)q.size * sizeof *host);
    double most = 0;
    assert_non_null(host);
    need(mem_to_host(host, packed, (size_t)q.size * sizeof *host));
    *written = 0;
    for (int k = 0; k < q.nz; ++k)
        for (int j = 0; j < q.ny; ++j) {
            for (int i = 0; i < q.nx; ++i) {
                const double e =
                    UNIT * (double)host[at(q, i, j, k)] - global[((ptrdiff_t)k * q.ny + j) * q.nx + i];
                most = fabs(e) <= most ? most : fabs(e); /* NaN stays */
            }
            for (int i = q.nx; i < q.sy; ++i) *written += !isnan(host[at(q, i, j, k)]);
        }
    free(host);
    return most;
}

static void each_whole(void (*f)(struct kernel_case *))
{
    for (int n = 0; n < CASES; ++n) {
        struct kernel_case c;
        case_open(&case_inputs[n], whole, &c);
        f(&c);
        case_close(&c);
    }
}

/* With the sum of component d of the velocity, the right-hand sides and their sums are the same. */
static void check_bulk(struct kernel_case *c, real *const u[3], int d, const double *want_rhs,
                       struct ref_rhs_sums ref)
{
    static const enum location location[3] = {LOC_FCC, LOC_CFC, LOC_CCF};
    struct part *p = c->part;
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct stencil s = grid_stencil(&p->g, location[d], 0, 1);
    double with[4] = {0, 0, 0, 0}, want = 0, size = 0;
    float *packed = packed_new(p, NULL);
    int written;
    CASE_TRUE(c, volume_dot_weighted(p->g.box, bl, s, u[d]) == KOL_OK);
    part_sums(p, 1, 0, &want);
    CASE_TRUE(c, volume_dot_square(p->g.box, bl, s, u[d]) == KOL_OK);
    part_sums(p, 1, 0, &size);
    CASE_TRUE(c, project_divergence_single_bulk(p->g.box, packed_box(p->g.box), p->g.m, bl, cells_all(),
                                                (real)DTS, (real)(1 / UNIT), u[X], u[Y], u[Z], packed,
                                                (struct bulk){d, s.wx, s.wy, s.wz}) == KOL_OK);
    part_sums(p, 3, 1, with);
    CASE_BELOW(c, packed_error(p, packed, want_rhs, &written), SINGLE * check_max(want_rhs, NULL, c->count));
    CASE_TRUE(c, written == 0);
    CASE_BELOW(c, fabs(with[0] - ref.sum), BOUND * ref.sum_abs);
    CASE_BELOW(c, fabs(with[1] - ref.sum_abs), BOUND * ref.sum_abs);
    CASE_BELOW(c, fabs(with[2] - want), BOUND * size);
    CASE_BELOW(c, fabs(with[3] - ref.div_max), BOUND * ref.div_max);
    mem_kernel_free(packed);
}

static void check_divergence(struct kernel_case *c)
{
    struct part *p = c->part;
    double *vel[3], *want = ref_new(&c->ref), sums[3] = {0, 0, 0};
    real *u[3];
    int written;
    for (int a = 0; a < 3; ++a) {
        vel[a] = case_random(&c->ref, 20 + (unsigned)a);
        u[a] = part_from(p, OWN_HIGH, vel[a]);
    }
    const struct ref_rhs_sums ref = ref_rhs(&c->ref, DTS, vel, want);
    float *packed = packed_new(p, NULL);
    CASE_TRUE(c, project_divergence_single(p->g.box, packed_box(p->g.box), p->g.m,
                                           reduction_blocks(p->reduction), cells_all(), (real)DTS,
                                           (real)(1 / UNIT), u[X], u[Y], u[Z], packed) == KOL_OK);
    part_sums(p, 2, 1, sums);
    CASE_BELOW(c, packed_error(p, packed, want, &written), SINGLE * check_max(want, NULL, c->count));
    CASE_TRUE(c, written == 0);
    for (int d = X; d <= Z; ++d) check_bulk(c, u, d, want, ref);
    CASE_BELOW(c, fabs(sums[0] - ref.sum), BOUND * ref.sum_abs); /* of the values before they are rounded */
    CASE_BELOW(c, fabs(sums[1] - ref.sum_abs), BOUND * ref.sum_abs);
    CASE_BELOW(c, fabs(sums[2] - ref.div_max), BOUND * ref.div_max);
    mem_kernel_free(packed);
    part_release(p);
    case_free(vel, 3);
    free(want);
}

static void test_divergence_like_reference(void **state)
{
    (void)state;
    each_whole(check_divergence);
}

/* The same values with the neighbours' planes before and after them, as on several ranks. Returns the first
 * of the values; *memory is to be freed. */
static float *between_planes(const struct part *p, const float *packed, float **memory)
{
    const struct box q = packed_box(p->g.box);
    float *host = malloc((size_t)(q.size + 2 * q.sz) * sizeof *host);
    assert_non_null(host);
    need(mem_to_host(host + q.sz, packed, (size_t)q.size * sizeof *host));
    memcpy(host, host + q.size, (size_t)q.sz * sizeof *host);
    memcpy(host + q.sz + q.size, host + q.sz, (size_t)q.sz * sizeof *host);
    need(mem_kernel_alloc((size_t)(q.size + 2 * q.sz) * sizeof *host, (void **)memory));
    need(mem_to_kernel(*memory, host, (size_t)(q.size + 2 * q.sz) * sizeof *host));
    free(host);
    return *memory + q.sz;
}

/* velocity alone, with the pressure, with that of implicit diffusion; in place or apart; neighbours in z at
 * the other end, or in planes of their own */
static void check_correct(struct kernel_case *c, int rings)
{
    struct part *p = c->part;
    double *field[5], *want[4];
    for (int n = 0; n < 5; ++n) field[n] = case_random(&c->ref, 22 + (unsigned)n);
    for (int a = 0; a < 3; ++a) want[a] = case_random(&c->ref, 22 + (unsigned)a);
    want[3] = ref_new(&c->ref);
    ref_correct(&c->ref, DTS, field[3], want);
    for (int a = 0; a < 3; ++a)
        for (ptrdiff_t n = 0; n < c->count; ++n) want[a][n] += SHIFT[a];
    for (int way = 0; way < 5; ++way) {
        const double factor = way < 2 ? 0 : 0.0625, mean = (double)(real)0.3;
        float *packed = packed_new(p, field[3]), *planes = NULL,
              *phi = rings ? packed : between_planes(p, packed, &planes);
        real *u[3], *old = part_from(p, OWN, field[4]), *out = way % 2 ? old : part_filled(p, 5);
        const struct correction by = {.dts = (real)DTS,
                                      .mean = (real)mean,
                                      .factor = (real)factor,
                                      .shift = {(real)SHIFT[X], (real)SHIFT[Y], (real)SHIFT[Z]}};
        for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN, field[a]);
        if (way == 4) out = NULL;
        ref_pressure(&c->ref, mean, factor, field[3], field[4], want[3]);
        CASE_TRUE(c, project_correct_packed(p->g.box, grid_stencil(&p->g, LOC_CCC, 0, 1), by, (real)UNIT,
                                            rings, phi, old, out, u[X], u[Y], u[Z]) == KOL_OK);
        for (int a = 0; a < 3; ++a)
            CASE_BELOW(c, part_error(p, OWN, u[a], want[a]), SINGLE * check_max(want[a], NULL, c->count));
        if (out != NULL)
            CASE_BELOW(c, part_error(p, OWN, out, want[3]), SINGLE * check_max(want[3], NULL, c->count));
        mem_kernel_free(packed);
        mem_kernel_free(planes);
        part_release(p);
    }
    case_free(field, 5);
    case_free(want, 4);
}

static void check_correct_ring(struct kernel_case *c)
{
    check_correct(c, 1);
}

static void check_correct_planes(struct kernel_case *c)
{
    check_correct(c, 0);
}

static void test_correct_like_reference(void **state)
{
    (void)state;
    each_whole(check_correct_ring);
    each_whole(check_correct_planes);
}

static void check_packing(struct kernel_case *c)
{
    struct part *p = c->part;
    double *values = case_random(&c->ref, 40);
    float *packed = packed_new(p, NULL);
    real *field = part_from(p, OWN, values), *back = part_filled(p, 5), *before = part_copy(p, back);
    int written;
    CASE_TRUE(c, packed_from_field(p->g.box, (real)(1 / UNIT), field, packed) == KOL_OK);
    CASE_BELOW(c, packed_error(p, packed, values, &written), SINGLE);
    CASE_TRUE(c, written == 0);
    CASE_TRUE(c, packed_to_field(p->g.box, (real)UNIT, packed, back) == KOL_OK);
    CASE_BELOW(c, part_error(p, OWN, back, values), SINGLE);
    CASE_TRUE(c, part_changed(p, OWN, before, back) == 0);
    mem_kernel_free(packed);
    part_release(p);
    free(values);
}

static void test_packing(void **state)
{
    (void)state;
    each_whole(check_packing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergence_like_reference),
        cmocka_unit_test(test_correct_like_reference),
        cmocka_unit_test(test_packing),
    };
    return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
