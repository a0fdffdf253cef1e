/* The passages between multigrid levels against tests/reference, on the grids and cuts of test_level.c. Catches a restriction that
 * is not the transpose of the interpolation, a coarse cell that two parts share and one of them forgets, an index beyond the box
 * that is not turned round, bits that depend on the cut. No MPI. */
#include <stdlib.h>
#include "../../kernels/level.h"
#include "../support/check.h"
#include "../support/level_case.h"

/* As in test_level.c. */
enum { ROUNDINGS = 24 };
#define BOUND (2 * ROUNDINGS * LEVEL_EPSILON / 2)

/* passages: q restricted; z + P e, from a coarse array of the part and from one that holds the whole grid. */
struct passages {
    double *q, *e, *z, *restricted, *prolonged, *from_whole;
};

static void passages_part(struct level_part *p, struct cells cells, void *data)
{
    static const int no_shift[3] = {0, 0, 0};
    const struct passages *w = data;
    const struct level_case *c = p->c;
    const level_real *q = level_from(p, w->q, 2, 1), *e = level_coarse(p, w->e, 1, 1);
    level_real *r = level_array(p, p->cb), *z = level_from(p, w->z, 0, 0);
    assert_int_equal(level_restrict(p->lb, cells, p->t, p->nc, p->cb, q, r), KOL_OK);
    assert_int_equal(level_outside(p->cb, r), 0);
    level_coarse_get(p, r, w->restricted);
    assert_int_equal(level_prolong(p->lb, p->t, p->cb, no_shift, p->around, e, z), KOL_OK);
    assert_int_equal(level_outside(p->lb, z), 0);
    level_get(p, z, w->prolonged);

    struct level_part whole;
    const int from[3] = {0, 0, 0};
    level_part_open(c, from, c->ref.n, &whole);
    if (!level_around()) whole.around = 0;
    e = level_coarse(&whole, w->e, 1, 1);
    z = level_from(p, w->z, 0, 0);
    assert_int_equal(level_prolong(p->lb, p->t, whole.cb, p->coarse_from, whole.around, e, z), KOL_OK);
    level_get(p, z, w->from_whole);
    level_part_close(&whole);
}

static void passages_open(const struct level_case *c, struct passages *w)
{
    w->q = level_values(c->count, 11);
    w->e = level_values(c->coarse_count, 12);
    w->z = level_values(c->count, 13);
    w->restricted = level_values(c->coarse_count, 14);
    w->prolonged = level_values(c->count, 14);
    w->from_whole = level_values(c->count, 14);
}

static void passages_close(struct passages *w)
{
    double *const all[] = {w->q, w->e, w->z, w->restricted, w->prolonged, w->from_whole};
    for (int n = 0; n < 6; ++n) free(all[n]);
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

static void check_passages(struct level_case *c, const struct level_cut *cut)
{
    struct passages w;
    passages_open(c, &w);
    if (c->count <= 2000) {
        double *want = level_values(c->coarse_count, 15), magnitude = 0;
        level_each_part(c, cut, passages_part, &w);
        ref_level_restrict(&c->ref, &c->passage, w.q, want);
        /* a coarse cell collects from up to 8 fine cells' worth of weight */
        CHECK_BELOW(check_max(w.restricted, want, c->coarse_count), 8 * BOUND);
        free(want);
        want = level_values(c->count, 13);
        ref_level_prolong(&c->ref, &c->passage, w.e, want);
        CHECK_BELOW(check_max(w.prolonged, want, c->count), 2 * BOUND);
        assert_memory_equal(w.prolonged, w.from_whole, (size_t)c->count * sizeof *want);
        /* <P e, q> = <e, R q> */
        for (ptrdiff_t m = 0; m < c->count; ++m) want[m] = w.prolonged[m] - w.z[m];
        const double there = product(c->count, want, w.q, &magnitude),
                     back = product(c->coarse_count, w.e, w.restricted, &magnitude);
        CHECK_NEAR(there, back, 8 * BOUND * magnitude);
        free(want);
    }
    passages_close(&w);
}

static void test_passages_like_reference(void **state)
{
    (void)state;
    level_each_case(check_passages);
}

static void test_passages_same_bits_in_any_cut(void **state)
{
    (void)state;
    for (int n = 0; n < LEVEL_INPUTS; ++n) {
        struct level_case c;
        struct passages first, other;
        level_case_open(&level_inputs[n], &c);
        passages_open(&c, &first);
        passages_open(&c, &other);
        level_each_part(&c, &level_cuts[0], passages_part, &first);
        for (int m = 1; m < LEVEL_CUTS; ++m) {
            if (!level_cut_fits(&c, &level_cuts[m])) continue;
            level_each_part(&c, &level_cuts[m], passages_part, &other);
            assert_memory_equal(first.restricted, other.restricted, (size_t)c.coarse_count * sizeof(double));
            assert_memory_equal(first.prolonged, other.prolonged, (size_t)c.count * sizeof(double));
            assert_memory_equal(first.from_whole, other.from_whole, (size_t)c.count * sizeof(double));
        }
        passages_close(&first);
        passages_close(&other);
        level_case_close(&c);
    }
}

/* A constant stays one: 1 - w and w add up to 1, so to a rounding of each direction. */
static void check_constant(struct level_case *c, const struct level_cut *cut)
{
    struct passages w;
    passages_open(c, &w);
    for (ptrdiff_t m = 0; m < c->coarse_count; ++m) w.e[m] = 0.75;
    for (ptrdiff_t m = 0; m < c->count; ++m) w.z[m] = 0;
    level_each_part(c, cut, passages_part, &w);
    for (ptrdiff_t m = 0; m < c->count; ++m) CHECK_NEAR(w.prolonged[m], 0.75, 3 * 2 * LEVEL_EPSILON);
    passages_close(&w);
}

static void test_constants_are_interpolated(void **state)
{
    (void)state;
    level_each_case(check_constant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passages_like_reference),
        cmocka_unit_test(test_passages_same_bits_in_any_cut),
        cmocka_unit_test(test_constants_are_interpolated),
    };
    return cmocka_run_group_tests_name("level transfer", tests, NULL, NULL);
}
