/* Tests the transfers between multigrid levels against tests/reference, on the grids and cuts of
 * test_level.c. Tests also that sweeps fused with a transfer give the bits of the separate sweep and
 * transfer. Catches a restriction that is not the transpose of the interpolation, a coarse cell that two
 * parts share and one of them forgets, an index beyond the box that is not brought back into it, and bits
 * that depend on the cut or on the fusion. No MPI. */
#include <stdlib.h>
#include "kernels/level.h"
#include "tests/support/check.h"
#include "tests/support/level_case.h"

/* As in test_level.c. */
enum { ROUNDINGS = 24 };
#define BOUND (2 * ROUNDINGS * LEVEL_EPSILON / 2)

/* passages: q restricted; z + P e, from a coarse array of the part and from one that holds the whole grid. */
struct passages {
    double *q, *e, *z, *restricted, *prolonged, *from_whole;
};

static void passages_part(struct level_part *p, struct cells cells, void *data)
{
    const struct passages *w = data;
    const struct level_case *c = p->c;
    const level_real *q = level_from(p, w->q, 2, 1), *e = level_coarse(p, w->e, 1, 1);
    level_real *r = level_array(p, p->cb), *z = level_from(p, w->z, 0, 0);
    assert_int_equal(level_restrict(p->lb, cells, p->t, p->nc, p->cb, q, r), KOL_OK);
    assert_int_equal(level_outside(p->cb, r), 0);
    level_coarse_get(p, r, w->restricted);
    const struct level_correction own = {p->t, p->cb, {0, 0, 0}, level_paired(p), p->around, e};
    assert_int_equal(level_prolong(p->lb, &own, z), KOL_OK);
    assert_int_equal(level_outside(p->lb, z), 0);
    level_get(p, z, w->prolonged);

    struct level_part whole;
    const int from[3] = {0, 0, 0};
    level_part_open(c, from, c->ref.n, &whole);
    if (!level_around()) whole.around = 0;
    e = level_coarse(&whole, w->e, 1, 1);
    z = level_from(p, w->z, 0, 0);
    const struct level_correction shifted = {
        p->t,         whole.cb, {p->coarse_from[X], p->coarse_from[Y], p->coarse_from[Z]}, level_paired(p),
        whole.around, e};
    assert_int_equal(level_prolong(p->lb, &shifted, z), KOL_OK);
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

/* joined: right-hand side, iterates before and after the correction, and what steps from them and a descent
 * give, joined and apart. */
enum { JOINED = 2 };
struct joined {
    struct passages w;
    double *r, *residual, *out[2][JOINED];
    int descends;
};
static const level_real STEP = (level_real)1.125;

/* What the contracts of level_smooth_corrects and level_descend ask of a part: its first cell begins a coarse
 * one, or transfers are constant; halo of the residual that is not the part's own isn't wanted. */
static int part_late(const struct level_part *p)
{
    int fits = level_smooth_corrects();
    for (int d = 0; d < 3; ++d) fits = fits && (!p->c->in->linear || level_begins(p->c, d, p->from[d]));
    return fits;
}

static int part_descends(const struct level_part *p)
{
    int whole = 1, paired = 1, around = 1;
    for (int d = 0; d < 3; ++d) {
        const int end = p->from[d] + p->n[d], n = p->c->ref.n[d];
        whole = whole && p->n[d] == n;
        paired = paired && level_begins(p->c, d, p->from[d]) && level_begins(p->c, d, end);
        around = around && (p->c->in->walls[d] || p->around >> (2 * d) & 1 || !level_around());
    }
    return p->c->in->linear ? whole && around : paired;
}

static void residual_part(struct level_part *p, struct cells cells, void *data)
{
    struct joined *a = data;
    level_real *q = level_array(p, p->lb);
    assert_int_equal(
        level_residual(p->lb, p->s, cells, level_from(p, a->r, 0, 0), level_from(p, a->w.z, 1, 0), q),
        KOL_OK);
    level_get(p, q, a->residual);
}

static void joined_part(struct level_part *p, struct cells cells, void *data)
{
    struct joined *a = data;
    const level_real *r = level_from(p, a->r, 0, 0), *z = level_from(p, a->w.z, 1, 0);
    const struct level_correction late = {
        p->t, p->cb, {0, 0, 0}, level_paired(p), p->around, level_coarse(p, a->w.e, 1, 1)};
    for (int way = 0; way < 2 && part_late(p); ++way) {
        const double *from = way == 0 ? a->w.z : a->w.prolonged;
        const struct level_correction *e = way == 0 ? &late : NULL;
        level_real *next = level_array(p, p->lb);
        assert_int_equal(level_smooth(p->lb, p->s, cells, STEP, r, level_from(p, from, 1, 0), e, next),
                         KOL_OK);
        assert_int_equal(level_outside(p->lb, next), 0);
        level_get(p, next, a->out[way][0]);
    }
    if (!part_descends(p)) return;
    level_real *coarse = level_array(p, p->cb), *apart = level_array(p, p->cb), *q = level_array(p, p->lb);
    assert_int_equal(level_descend(p->lb, p->s, cells, p->t, p->nc, p->cb, r, z, q, coarse), KOL_OK);
    assert_int_equal(
        level_restrict(p->lb, cells, p->t, p->nc, p->cb, level_from(p, a->residual, 2, 1), apart), KOL_OK);
    assert_int_equal(level_outside(p->cb, coarse), 0);
    level_coarse_get(p, coarse, a->out[0][1]);
    level_coarse_get(p, apart, a->out[1][1]);
    ++a->descends;
}

static int joined_descends;

static void check_joined(struct level_case *c, const struct level_cut *cut)
{
    struct joined a = {.r = level_values(c->count, 31), .residual = level_values(c->count, 32)};
    const size_t bytes = (size_t)c->count * sizeof(double);
    passages_open(c, &a.w);
    for (int n = 0; n < 2 * JOINED; ++n) a.out[n / JOINED][n % JOINED] = level_values(c->count, 33);
    level_each_part(c, cut, passages_part, &a.w);
    level_each_part(c, cut, residual_part, &a);
    level_each_part(c, cut, joined_part, &a);
    for (int n = 0; n < JOINED; ++n) assert_memory_equal(a.out[0][n], a.out[1][n], bytes);
    joined_descends += a.descends;
    for (int n = 0; n < 2 * JOINED; ++n) free(a.out[n / JOINED][n % JOINED]);
    passages_close(&a.w);
    free(a.r);
    free(a.residual);
}

static void test_joined_sweeps_give_the_same_bits(void **state)
{
    (void)state;
    joined_descends = 0;
    level_each_case(check_joined);
    assert_true(joined_descends > LEVEL_INPUTS); /* parts that are whole, and others */
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
        cmocka_unit_test(test_joined_sweeps_give_the_same_bits),
    };
    return cmocka_run_group_tests_name("level transfer", tests, NULL, NULL);
}
