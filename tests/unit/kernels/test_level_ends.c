/* Tests the ends of a multigrid cycle: level_enter, level_begin and level_leave. It tests the values, the sum
 * and its bits in any cut and launch shape, and that the scale does not change the result. Catches a scale
 * that rounds, a sum over other values than those written, fused sweeps with other bits than separate ones,
 * and a cycle that goes on after the iteration has ended. No MPI. */
#include <stdlib.h>
#include "kernels/sums.h"
#include "kernels/tune.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/level_case.h"

/* As in test_level.c: at most 24 operations one after another, coefficients rounded. */
static const double OPERATIONS = 24;

static const double FACTOR = 0.375, VOLUME = 0.25, MOST = 37.5;
static const double SCALE = 1.0 / 16; /* MOST * VOLUME = 9.375 = 0.586 * 2^4 */
static const double STEP = 1.125;

/* ends: one cycle on all parts of a case: what entered the level, what left it. */
struct ends {
    double *r, *r_level, *z; /* inputs; r as the level sees it */
    double *entered, *left;
    double *blocks; /* sums of the blocks of the whole grid, in their places */
    double sum;
    int general; /* the level does not say that it is uniform in x */
};

static struct cg_scalars scalars(double most, int outcome)
{
    const struct cg_state state = {.most = most, .outcome = outcome};
    struct cg_scalars cg;
    assert_int_equal(cg_create(&cg), KOL_OK);
    assert_int_equal(cg_start(cg, state), KOL_OK);
    return cg;
}

static void leave(struct part *p, struct level_part *l, struct cells cells, struct cg_scalars cg,
                  const struct ends *e, real *out)
{
    assert_int_equal(level_leave(p->g.box, l->lb, l->s, reduction_blocks(p->reduction), cells, cg.state,
                                 VOLUME, FACTOR, (level_real)STEP, level_from(l, e->r_level, 0, 0),
                                 level_from(l, e->z, 1, 0), part_from(p, OWN, e->r), out),
                     KOL_OK);
}

/* level_enter and level_start in one. */
static void check_begin(struct part *p, struct level_part *l, struct cells cells, struct cg_scalars cg,
                        const struct ends *e)
{
    const level_real c0 = (level_real)1.25, c1 = (level_real)0.75;
    level_real *r_level = level_array(l, l->lb), *z = level_array(l, l->lb), *apart = level_array(l, l->lb);
    double *got[3];
    for (int n = 0; n < 3; ++n) got[n] = level_values(l->c->count, 37);
    assert_int_equal(level_begin(p->g.box, l->lb, l->s, cells, cg.state, VOLUME, c0, c1,
                                 part_from(p, OWN, e->r), r_level, z),
                     KOL_OK);
    assert_int_equal(level_start(l->lb, l->s, cells, c0, c1, level_from(l, e->entered, 1, 0), apart), KOL_OK);
    level_get(l, r_level, got[0]);
    level_get(l, z, got[1]);
    level_get(l, apart, got[2]);
    assert_memory_equal(got[0], e->entered, (size_t)l->c->count * sizeof(double));
    assert_memory_equal(got[1], got[2], (size_t)l->c->count * sizeof(double));
    assert_int_equal(level_outside(l->lb, z), 0);
    part_release(p);
    for (int n = 0; n < 3; ++n) free(got[n]);
}

/* Whether what is joined may be asked of the part. */
static void check_joined(struct part *p, struct level_part *l, struct cells cells, struct cg_scalars cg,
                         const struct ends *e)
{
    const unsigned all = (1u << FACES) - 1;
    int whole = 1;
    for (int d = 0; d < 3; ++d) whole = whole && l->n[d] == l->c->ref.n[d];
    if (whole && (cells.around == all || !level_around())) check_begin(p, l, cells, cg, e);
}

static void ends_part(struct part *p, struct level_part *l, struct cells cells, double most, struct ends *e)
{
    struct cg_scalars cg = scalars(most, CG_RUNNING);
    level_real *r_level = level_array(l, l->lb);
    assert_int_equal(level_enter(p->g.box, l->lb, cg.state, VOLUME, part_from(p, OWN, e->r), r_level),
                     KOL_OK);
    assert_int_equal(level_outside(l->lb, r_level), 0);
    level_get(l, r_level, e->entered);
    real *out = part_array(p), *before = part_copy(p, out);
    leave(p, l, cells, cg, e, out);
    part_get(p, out, e->left);
    part_sums(p, 1, 0, &e->sum);
    part_place_blocks(p, 1, 0, e->blocks);
    assert_int_equal(part_changed(p, OWN, before, out), 0);
    part_release(p);
    check_joined(p, l, cells, cg, e);
    cg_destroy(&cg);
}

/* Some uniform in x, some coarsened with linear passages. */
static void level_of(const struct kernel_case *c, struct level_input *in, struct level_case *level)
{
    *in = (struct level_input){c->name,
                               {c->ref.n[X], c->ref.n[Y], c->ref.n[Z]},
                               {0, 0, 0},
                               {1, 1, 1},
                               c->ref.n[Z] % 4 == 0,
                               c->ref.n[X] % 2 == 0};
    level_case_open(in, level);
}

/* around: parts that own a direction whole read around */
static void ends_all(struct kernel_case *c, int around, double most, struct ends *e)
{
    struct level_input in;
    struct level_case level;
    level_of(c, &in, &level);
    e->sum = 0;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        struct level_part l;
        level_part_open(&level, p->d.offset, p->d.n, &l);
        if (!around) l.around = 0;
        if (e->general) l.s.uniform_x = l.s.uniform = 0;
        const struct cells cells = {CELLS_ALL, 0, l.around};
        ends_part(p, &l, cells, most, e);
        level_part_close(&l);
    }
    level_case_close(&level);
}

static void ends_open(const struct kernel_case *c, struct ends *e)
{
    e->general = 0;
    e->r = case_random(&c->ref, 31);
    e->r_level = level_values(c->count, 32);
    e->z = level_values(c->count, 33);
    e->entered = ref_new(&c->ref);
    e->left = ref_new(&c->ref);
    e->blocks = level_values(case_blocks(c), 35);
}

static void ends_close(struct ends *e)
{
    case_free((double *[]){e->r, e->r_level, e->z, e->entered, e->left, e->blocks}, 6);
}

static int ends_same(const struct kernel_case *c, const struct ends *a, const struct ends *b)
{
    const size_t cells = (size_t)c->count * sizeof(double), blocks = (size_t)case_blocks(c) * sizeof(double);
    return memcmp(a->entered, b->entered, cells) == 0 && memcmp(a->left, b->left, cells) == 0 &&
           memcmp(a->blocks, b->blocks, blocks) == 0;
}

static void check_ends(struct kernel_case *c)
{
    struct ends e;
    struct level_input in;
    struct level_case level;
    double *want = ref_new(&c->ref), *diag = ref_new(&c->ref);
    ends_open(c, &e);
    ends_all(c, 0, MOST, &e);
    level_of(c, &in, &level);
    ref_level_diagonal(&level.ref, diag);
    for (ptrdiff_t m = 0; m < c->count; ++m) CASE_TRUE(c, e.entered[m] == (level_real)(e.r[m] * SCALE));
    double worst = 0, sum = 0, magnitude = 0;
    ref_level_smooth(&level.ref, STEP, e.r_level, e.z, want);
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        const double made_of = 1 + STEP * (2 + 1 / diag[m]);
        const double error = fabs(e.left[m] - want[m] * FACTOR / SCALE) / (made_of * FACTOR / SCALE);
        if (!(error <= worst)) worst = error;
        sum += e.left[m] * e.r[m];
        magnitude += fabs(e.left[m] * e.r[m]);
    }
    CASE_BELOW(c, worst, OPERATIONS * fmax(LEVEL_EPSILON, KOL_EPSILON));
    CASE_BELOW(c, fabs(e.sum - sum), 1e-13 * magnitude);
    level_case_close(&level);
    ends_close(&e);
    case_free((double *[]){want, diag}, 2);
}

static void test_ends_like_reference(void **state)
{
    (void)state;
    case_each(check_ends);
}

/* Around and with halos. */
static void check_shape(struct kernel_case *c, int shape, void *data)
{
    const struct ends *first = data;
    (void)shape;
    for (int around = 0; around <= level_around(); ++around) {
        struct ends other;
        ends_open(c, &other);
        ends_all(c, around, MOST, &other);
        CASE_TRUE(c, ends_same(c, first, &other));
        ends_close(&other);
    }
}

static void check_bits(const struct case_input *in)
{
    struct kernel_case c;
    struct ends first;
    case_open(in, (const int[]){1, 1, 1}, &c);
    ends_open(&c, &first);
    ends_all(&c, 0, MOST, &first);
    case_close(&c);
    case_each_shape(in, TUNE_CHEBYSHEV, check_shape, &first);
    ends_close(&first);
}

static void test_same_bits_in_any_cut_and_shape(void **state)
{
    (void)state;
    static const struct case_input whole_tiles = {"whole tiles", {64, 16, 8}, {0, 0, 0}, {0, 0, 0}};
    check_bits(&case_inputs[0]);
    check_bits(&whole_tiles);
    check_bits(&case_inputs[CASE_STRETCHED + 1]);
}

/* The same bits from kernels for rows that are uniform and cut into whole pieces as from those for all. */
static void test_same_bits_of_uniform_rows(void **state)
{
    (void)state;
    static const struct case_input wide[] = {{"whole pieces", {128, 128, 2}, {0, 0, 0}, {0, 0, 0}},
                                             {"whole pieces, linear", {128, 128, 4}, {0, 0, 0}, {0, 0, 0}}};
    for (size_t n = 0; n < sizeof wide / sizeof *wide; ++n) {
        struct kernel_case c;
        struct ends uniform, general;
        case_open(&wide[n], (const int[]){1, 1, 1}, &c);
        ends_open(&c, &uniform);
        ends_open(&c, &general);
        general.general = 1;
        ends_all(&c, level_around(), MOST, &uniform);
        ends_all(&c, level_around(), MOST, &general);
        CASE_TRUE(&c, ends_same(&c, &uniform, &general));
        ends_close(&uniform);
        ends_close(&general);
        case_close(&c);
    }
}

/* Tests that the scale has no effect. If r and `most` are multiplied by 2^k, the level gets the same bits,
 * and its result is 2^k times as large, bit by bit. */
static void test_scale_is_not_seen(void **state)
{
    (void)state;
    static const int powers[] = {1, -1, 60, -60, KOL_CHOOSE(300, 80), KOL_CHOOSE(-300, -80)};
    struct kernel_case c;
    case_open(&case_inputs[CASE_STRETCHED], (const int[]){1, 1, 1}, &c);
    struct ends first, other;
    ends_open(&c, &first);
    ends_all(&c, 0, MOST, &first);
    for (size_t n = 0; n < sizeof powers / sizeof *powers; ++n) {
        ends_open(&c, &other);
        for (ptrdiff_t m = 0; m < c.count; ++m) other.r[m] = ldexp(first.r[m], powers[n]);
        ends_all(&c, 0, ldexp(MOST, powers[n]), &other);
        for (ptrdiff_t m = 0; m < c.count; ++m) other.left[m] = ldexp(other.left[m], -powers[n]);
        for (ptrdiff_t m = 0; m < case_blocks(&c); ++m)
            other.blocks[m] = ldexp(other.blocks[m], -2 * powers[n]);
        CASE_TRUE(&c, ends_same(&c, &first, &other));
        ends_close(&other);
    }
    ends_close(&first);
    case_close(&c);
}

/* Tests residuals for which there is no scale, so that it is 1: there is no state, the residual is 0, or it
 * is not finite. The smallest and the largest numbers give finite values. */
static void test_scale_without_a_residual(void **state)
{
    (void)state;
    static const double mosts[] = {0, NAN, INFINITY, -1}, ends_of_range[] = {5e-324, 1.7e308};
    struct kernel_case c;
    struct level_input in;
    struct level_case level;
    struct level_part l;
    case_open(&case_inputs[0], (const int[]){1, 1, 1}, &c);
    struct part *p = &c.part[0];
    double *r = case_random(&c.ref, 41), *got = ref_new(&c.ref);
    level_of(&c, &in, &level);
    level_part_open(&level, p->d.offset, p->d.n, &l);
    level_real *to = level_array(&l, l.lb);
    const real *from = part_from(p, OWN, r);
    for (size_t n = 0; n <= sizeof mosts / sizeof *mosts; ++n) {
        struct cg_scalars cg = scalars(n > 0 ? mosts[n - 1] : 0, CG_RUNNING);
        assert_int_equal(level_enter(p->g.box, l.lb, n > 0 ? cg.state : NULL, VOLUME, from, to), KOL_OK);
        level_get(&l, to, got);
        for (ptrdiff_t m = 0; m < c.count; ++m) CASE_TRUE(&c, got[m] == (level_real)r[m]);
        cg_destroy(&cg);
    }
    for (ptrdiff_t m = 0; m < c.count; ++m) r[m] = 0;
    part_put(p, OWN, r, p->array[0]);
    for (size_t n = 0; n < sizeof ends_of_range / sizeof *ends_of_range; ++n) {
        struct cg_scalars cg = scalars(ends_of_range[n], CG_RUNNING);
        assert_int_equal(level_enter(p->g.box, l.lb, cg.state, 1, from, to), KOL_OK);
        level_get(&l, to, got);
        for (ptrdiff_t m = 0; m < c.count; ++m) CASE_TRUE(&c, got[m] == 0);
        cg_destroy(&cg);
    }
    case_free((double *[]){r, got}, 2);
    level_part_close(&l);
    level_case_close(&level);
    case_close(&c);
}

/* Nothing is written after the end; in two calls the same as in one. */
static void test_leave_when_told(void **state)
{
    (void)state;
    struct kernel_case c;
    struct level_input in;
    struct level_case level;
    struct level_part l;
    struct ends e;
    case_open(&case_inputs[0], (const int[]){1, 1, 1}, &c);
    struct part *p = &c.part[0];
    ends_open(&c, &e);
    level_of(&c, &in, &level);
    level_part_open(&level, p->d.offset, p->d.n, &l);
    l.around = 0;
    struct cg_scalars ended = scalars(MOST, CG_MET), runs = scalars(MOST, CG_RUNNING);
    const unsigned all = (1u << FACES) - 1;
    real *out = part_array(p), *once = part_array(p);
    leave(p, &l, cells_all(), ended, &e, out);
    assert_int_equal(part_changed(p, NOWHERE, part_copy(p, once), out), 0);
    leave(p, &l, cells_all(), runs, &e, once);
    double *sum_once = part_blocks(p, 1, 0);
    leave(p, &l, (struct cells){CELLS_INNER, all, 0}, runs, &e, out);
    leave(p, &l, (struct cells){CELLS_RIM, all, 0}, runs, &e, out);
    double *sum_twice = part_blocks(p, 1, 0);
    assert_int_equal(part_changed(p, NOWHERE, part_copy(p, once), out), 0);
    assert_memory_equal(sum_once, sum_twice, (size_t)case_blocks(&c) * sizeof(double));
    case_free((double *[]){sum_once, sum_twice}, 2);
    cg_destroy(&ended);
    cg_destroy(&runs);
    level_part_close(&l);
    level_case_close(&level);
    ends_close(&e);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_like_reference), cmocka_unit_test(test_same_bits_in_any_cut_and_shape),
        cmocka_unit_test(test_scale_is_not_seen),   cmocka_unit_test(test_scale_without_a_residual),
        cmocka_unit_test(test_leave_when_told),     cmocka_unit_test(test_same_bits_of_uniform_rows),
    };
    return cmocka_run_group_tests_name("level ends", tests, NULL, NULL);
}
