/* Tests the sweeps of multigrid levels against tests/reference, on periodic and walled grids of even and odd
 * sizes, whole and cut. Halo cells are filled only as far as each contract says, and not at all where a
 * kernel reads the own cells of the opposite side. Catches a wrong coefficient, a neighbour taken from the
 * wrong side, a halo read beyond a wall, and bits that depend on the cut. test_level_transfer.c tests
 * transfers between levels, and test_level_ends.c the ends of a cycle. No MPI. */
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/level.h"
#include "tests/support/check.h"
#include "tests/support/level_case.h"

/* No value of a sweep is the result of more than ROUNDINGS operations one after another; each is off by half
 * a spacing of the largest magnitude that it is made of. The factor 2: coefficients are rounded, too. */
enum { ROUNDINGS = 24 };
#define BOUND (2 * ROUNDINGS * LEVEL_EPSILON / 2)

/* Own cells within bound of the reference, each by its own magnitude. */
static void check_values(const struct level_case *c, const double *got, const double *want,
                         const double *magnitude)
{
    double worst = 0;
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        const double error = fabs(got[m] - want[m]) / magnitude[m];
        if (!(error <= worst)) worst = error;
    }
    CHECK_BELOW(worst, BOUND);
}

enum { SWEEPS = 4 };
struct sweeps {
    const double *r, *z;
    double *out[SWEEPS];
};
static const double C0 = 1.25, C1 = 0.75, STEP = 1.125;

static void sweep_part(struct level_part *p, struct cells cells, void *data)
{
    const struct sweeps *w = data;
    const level_real *r = level_from(p, w->r, 0, 0), *z = level_from(p, w->z, 1, 0),
                     *r_halo = level_from(p, w->r, 1, 0);
    level_real *out[SWEEPS];
    for (int n = 0; n < SWEEPS; ++n) out[n] = level_array(p, p->lb);
    assert_int_equal(level_start(p->lb, p->s, cells, (level_real)C0, 0, r, out[0]), KOL_OK);
    assert_int_equal(level_start(p->lb, p->s, cells, (level_real)C0, (level_real)C1, r_halo, out[1]), KOL_OK);
    assert_int_equal(level_smooth(p->lb, p->s, cells, (level_real)STEP, r, z, NULL, out[2]), KOL_OK);
    assert_int_equal(level_residual(p->lb, p->s, cells, r, z, out[3]), KOL_OK);
    for (int n = 0; n < SWEEPS; ++n) {
        assert_int_equal(level_outside(p->lb, out[n]), 0);
        level_get(p, out[n], w->out[n]);
    }
}

static void sweeps_open(const struct level_case *c, struct sweeps *w)
{
    w->r = level_values(c->count, 1);
    w->z = level_values(c->count, 2);
    for (int n = 0; n < SWEEPS; ++n) w->out[n] = level_values(c->count, 4);
}

static void sweeps_close(struct sweeps *w)
{
    free((void *)w->r);
    free((void *)w->z);
    for (int n = 0; n < SWEEPS; ++n) free(w->out[n]);
}

static void check_sweeps(struct level_case *c, const struct level_cut *cut)
{
    struct sweeps w;
    sweeps_open(c, &w);
    level_each_part(c, cut, sweep_part, &w);
    double *want = level_values(c->count, 5), *diag = level_values(c->count, 5),
           *relative = level_values(c->count, 5), *whole = level_values(c->count, 5), least = INFINITY;
    ref_level_diagonal(&c->ref, diag);
    for (ptrdiff_t m = 0; m < c->count; ++m) least = fmin(least, diag[m]);
    /* values up to 1: |r - A z| <= 1 + 2 D, and |y| <= 1 / least */
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        whole[m] = 1 + 2 * diag[m];
        relative[m] = 1 + STEP * (2 + 1 / diag[m]);
    }
    double *first = level_values(c->count, 5);
    for (ptrdiff_t m = 0; m < c->count; ++m) first[m] = (C0 + C1) / least;
    ref_level_start(&c->ref, C0, 0, w.r, want);
    check_values(c, w.out[0], want, first);
    ref_level_start(&c->ref, C0, C1, w.r, want);
    check_values(c, w.out[1], want, first);
    ref_level_smooth(&c->ref, STEP, w.r, w.z, want);
    check_values(c, w.out[2], want, relative);
    ref_level_operator(&c->ref, w.z, want);
    for (ptrdiff_t m = 0; m < c->count; ++m) want[m] = w.r[m] - want[m];
    check_values(c, w.out[3], want, whole);
    free(want);
    free(diag);
    free(relative);
    free(whole);
    free(first);
    sweeps_close(&w);
}

static void test_sweeps_like_reference(void **state)
{
    (void)state;
    level_each_case(check_sweeps);
}

/* The same bits however the grid is cut, with halos and read around. */
static void test_sweeps_same_bits_in_any_cut(void **state)
{
    (void)state;
    for (int n = 0; n < LEVEL_INPUTS; ++n) {
        struct level_case c;
        struct sweeps first, other;
        level_case_open(&level_inputs[n], &c);
        sweeps_open(&c, &first);
        sweeps_open(&c, &other);
        level_each_part(&c, &level_cuts[0], sweep_part, &first);
        for (int m = 1; m < LEVEL_CUTS; ++m) {
            if (!level_cut_fits(&c, &level_cuts[m])) continue;
            level_each_part(&c, &level_cuts[m], sweep_part, &other);
            for (int s = 0; s < SWEEPS; ++s)
                assert_memory_equal(first.out[s], other.out[s], (size_t)c.count * sizeof(double));
        }
        sweeps_close(&first);
        sweeps_close(&other);
        level_case_close(&c);
    }
}

/* inner: nothing beyond faces on their way is read; rim: the rest. */
static void split_part(struct level_part *p, struct cells cells, void *data)
{
    const struct sweeps *w = data;
    const level_real *r = level_from(p, w->r, 0, 0), *z = level_from(p, w->z, 1, 0),
                     *q = level_from(p, w->z, 2, 1), *none = level_from(p, w->z, 0, 0);
    level_real *out[3][2];
    const struct cells inner = {CELLS_INNER, 0x3f, cells.around}, rim = {CELLS_RIM, 0x3f, cells.around};
    for (int n = 0; n < 3; ++n) {
        for (int m = 0; m < 2; ++m) out[n][m] = level_array(p, n < 2 ? p->lb : p->cb);
    }
    for (int m = 0; m < 2; ++m) {
        for (int call = 0; call <= m; ++call) {
            const struct cells now = m == 0 ? cells : call == 0 ? inner : rim;
            const int hidden = now.which == CELLS_INNER;
            assert_int_equal(level_start(p->lb, p->s, now, 1, 1, hidden ? none : z, out[0][m]), KOL_OK);
            assert_int_equal(level_residual(p->lb, p->s, now, r, hidden ? none : z, out[1][m]), KOL_OK);
            assert_int_equal(level_restrict(p->lb, now, p->t, p->nc, p->cb, hidden ? none : q, out[2][m]),
                             KOL_OK);
        }
    }
    for (int n = 0; n < 3; ++n) {
        const struct box b = n < 2 ? p->lb : p->cb;
        level_real *once = level_copy(b, out[n][0]), *twice = level_copy(b, out[n][1]);
        assert_memory_equal(once, twice, (size_t)b.size * sizeof *once);
        free(once);
        free(twice);
    }
}

static void check_split(struct level_case *c, const struct level_cut *cut)
{
    struct sweeps w;
    sweeps_open(c, &w);
    level_each_part(c, cut, split_part, &w);
    sweeps_close(&w);
}

static void test_two_calls_make_the_same_bits(void **state)
{
    (void)state;
    level_each_case(check_split);
}

static double product(ptrdiff_t n, const double *a, const double *b, double *magnitude)
{
    double sum = 0;
    for (ptrdiff_t m = 0; m < n; ++m) {
        sum += a[m] * b[m];
        *magnitude += fabs(a[m] * b[m]);
    }
    return sum;
}

/* e = inverse r in the order of the box, halo untouched; and a grid that is too large is refused. */
static void test_dense_is_a_matrix_product(void **state)
{
    (void)state;
    static const int sizes[][3] = {{1, 1, 1}, {3, 1, 2}, {5, 6, 7}, {8, 8, 8}};
    for (size_t m = 0; m < sizeof sizes / sizeof *sizes; ++m) {
        const struct level_input in = {
            "dense", {sizes[m][0], sizes[m][1], sizes[m][2]}, {0, 0, 0}, {0, 0, 0}, 0, 0};
        const int from[3] = {0, 0, 0};
        struct level_case c;
        struct level_part p;
        level_case_open(&in, &c);
        level_part_open(&c, from, in.n, &p);
        const ptrdiff_t n = c.count;
        double *matrix = level_values(n * n, 21), *r = level_values(n, 22), *got = level_values(n, 23);
        level_real *packed = malloc((size_t)(n * n) * sizeof *packed);
        assert_non_null(packed);
        for (ptrdiff_t q = 0; q < n * n; ++q) packed[q] = (level_real)matrix[q];
        const level_real *inverse = level_kernel(&p, packed, (size_t)(n * n) * sizeof *packed),
                         *from_r = level_from(&p, r, 0, 0);
        level_real *e = level_array(&p, p.lb);
        assert_int_equal(level_dense(p.lb, inverse, from_r, e), KOL_OK);
        assert_int_equal(level_outside(p.lb, e), 0);
        level_get(&p, e, got);
        for (ptrdiff_t row = 0; row < n; ++row) {
            double magnitude = 0;
            const double want = product(n, matrix + row * n, r, &magnitude);
            /* one product, then n / 32 + 6 additions */
            CHECK_NEAR(got[row], want, (double)(n / 32 + 7) * LEVEL_EPSILON / 2 * magnitude);
        }
        free(packed);
        free(matrix);
        free(r);
        free(got);
        level_part_close(&p);
        level_case_close(&c);
    }
    assert_int_equal(level_dense(level_box(LEVEL_DENSE_MOST + 1, 1, 1, 1), NULL, NULL, NULL),
                     KOL_ERR_INTERNAL);
    status_clear();
}

/* One layer, the other side's own cells, whatever the number of cells; nothing else. */
static void test_wrap_fills_one_layer(void **state)
{
    (void)state;
    static const int sizes[][3] = {{4, 3, 2}, {1, 2, 3}, {1, 1, 1}};
    for (size_t m = 0; m < sizeof sizes / sizeof *sizes; ++m) {
        const struct level_input in = {
            "wrap", {sizes[m][0], sizes[m][1], sizes[m][2]}, {0, 0, 0}, {0, 0, 0}, 0, 0};
        const int from[3] = {0, 0, 0};
        struct level_case c;
        struct level_part p;
        level_case_open(&in, &c);
        level_part_open(&c, from, in.n, &p);
        p.around = 0;
        double *values = level_values(c.count, 51);
        level_real *array = level_from(&p, values, 0, 0);
        assert_int_equal(level_wrap(p.lb, array), KOL_OK);
        level_real *want = level_copy(p.lb, level_from(&p, values, !level_around(), 1)),
                   *got = level_copy(p.lb, array);
        assert_memory_equal(want, got, (size_t)p.lb.size * sizeof *got);
        free(want);
        free(got);
        free(values);
        level_part_close(&p);
        level_case_close(&c);
    }
}

static void test_boxes_are_aligned_and_filled(void **state)
{
    (void)state;
    const struct box b = level_box(7, 3, 2, 1);
    void *array = NULL;
    const size_t bytes = (size_t)b.size * sizeof(level_real);
    level_real *host = malloc(bytes);
    assert_non_null(host);
    assert_int_equal(at(b, 0, 0, 0) % LEVEL_ALIGN, 0);
    assert_int_equal(b.sy % LEVEL_ALIGN, 0);
    assert_true(at(b, -1, -1, -1) >= 0 && at(b, 7, 3, 2) < b.size && at(b, 7, 0, 0) < at(b, -1, 1, 0));
    assert_int_equal(mem_kernel_alloc(bytes, &array), KOL_OK);
    assert_int_equal(level_fill(array, b.size, (level_real)NAN), KOL_OK);
    assert_int_equal(level_fill(array, b.size - 1, (level_real)0.5), KOL_OK);
    assert_int_equal(mem_to_host(host, array, bytes), KOL_OK);
    for (ptrdiff_t m = 0; m < b.size - 1; ++m) assert_true(host[m] == (level_real)0.5);
    assert_true(isnan(host[b.size - 1]));
    mem_kernel_free(array);
    free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps_like_reference),
        cmocka_unit_test(test_sweeps_same_bits_in_any_cut),
        cmocka_unit_test(test_two_calls_make_the_same_bits),
        cmocka_unit_test(test_dense_is_a_matrix_product),
        cmocka_unit_test(test_wrap_fills_one_layer),
        cmocka_unit_test(test_boxes_are_aligned_and_filled),
    };
    return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}
