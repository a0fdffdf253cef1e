/* Tests that a sweep with several degrees of a polynomial gives the bits of one sweep for each degree. This
 * holds for the last two iterates and for every partial sum. The boxes are read periodically, or have faces
 * beyond which x is 0, or have halos of two layers, and they are divided between ranks in every way.
 * Catches a ring of cells round a tile that is too small, a plane that a step takes too early, an index
 * beyond the box that is not brought back into it, and a sweep that ends a plane too early. No MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/tune.h"
#include "kernels/update.h"
#include "solver/poisson/preconditioner.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

enum { DEGREE_MOST = 8, EVERYTHING = (1 << FACES) - 1 };
static const int whole[3] = {1, 1, 1};
static const double RATIO = 50, BOUND = 100 * KOL_EPSILON;
/* beside those of kernel_case.c, which are small: several tiles, pieces that end early, marches of several
 * blocks */
enum { U = STRETCHING_UNIFORM, T = STRETCHING_TANH, S = STRETCHING_SINE };
static const struct case_input tiles = {"tiles", {150, 9, 12}, {S, T, U}, {0.5, 1.2, 0}};
static const struct case_input even = {"even", {40, 18, 10}, {U, U, U}, {0, 0, 0}};

static struct polynomial polynomial(int degree)
{
    return polynomial_make(PRECOND_POLYNOMIAL, degree, 0, RATIO);
}

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

/* made: own cells of the iterate and of the one before it, values for each block. */
struct made {
    double *z, *last, *sums;
};

static struct made made_new(const struct kernel_case *c)
{
    return (struct made){ref_new(&c->ref), ref_new(&c->ref), NULL};
}

static void made_free(struct made *m)
{
    case_free((double *[]){m->z, m->last, m->sums}, 3);
}

/* What is beyond the faces of a part: own cells of the other side, 0 or a halo. */
struct beyond {
    unsigned held, around;
};

static struct stencil stencil_of(const struct part *p, unsigned held)
{
    struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    s.held = held;
    return s;
}

/* A sweep for each degree; all halos are filled before each. */
static void one_by_one(struct kernel_case *c, struct polynomial m, struct beyond w, const double *r,
                       struct made *out)
{
    struct part *p = &c->part[0];
    const struct box b = p->g.box;
    const struct stencil s = stencil_of(p, w.held);
    const struct blocks bl = reduction_blocks(p->reduction);
    real *rest = part_from(p, OWN_FACES, r), *now = part_array(p), *before = part_array(p);
    need(update_zero_beyond(b, w.held, rest));
    need(laplace_start(b, s, bl, cells_all(), NULL, m.first, rest, now));
    for (int n = 0; n < m.steps; ++n) {
        part_get(p, now, out->last);
        part_put(p, OWN_FACES, out->last, now);
        need(update_zero_beyond(b, w.held, now));
        need(laplace_chebyshev(b, s, bl, cells_all(), NULL, m.momentum[n], m.step[n], m.y0, rest, now,
                               n == 0 ? NULL : before, before));
        real *const next = before;
        before = now;
        now = next;
    }
    part_get(p, now, out->z);
    out->sums = part_blocks(p, 1, 0);
    part_release(p);
}

/* Applies the polynomial in sweeps of `most` degrees and one sweep with the rest. Beyond faces that are
 * held or read on the opposite side there is no halo. */
static void by_several(struct kernel_case *c, struct polynomial m, struct beyond w, int most, const double *r,
                       struct made *out)
{
    struct part *p = &c->part[0];
    const struct cells cells = {CELLS_ALL, 0, w.around};
    real *rest = part_from(p, OWN, r), *z = NULL, *z_prev = NULL;
    for (int n, done = 0; done <= m.steps; done += n) {
        n = m.steps + 1 - done < most ? m.steps + 1 - done : most;
        real *const next = part_array(p), *const last = n > 1 ? part_array(p) : NULL;
        need(laplace_steps(p->g.box, stencil_of(p, w.held), reduction_blocks(p->reduction), cells, NULL,
                           polynomial_steps(&m, done, n), rest, z, z_prev, next, last));
        z_prev = last != NULL ? last : z;
        z = next;
    }
    part_get(p, z, out->z);
    part_get(p, z_prev, out->last);
    out->sums = part_blocks(p, 1, 0);
    part_release(p);
}

/* A compiler that contracts products and sums may do so differently in the two; the emulator's doesn't. */
static double allowed(void)
{
    char device[128] = "";
    need(device_select(0, device, sizeof device));
    return strncmp(device, "emulated", 8) == 0 ? 0 : BOUND;
}

static void check_like_one_by_one(struct kernel_case *c, struct beyond w, int degree, int most)
{
    const ptrdiff_t blocks = blocks_count(reduction_blocks(c->part[0].reduction));
    const struct polynomial m = polynomial(degree);
    double *r = case_random(&c->ref, 400 + (unsigned)degree);
    struct made want = made_new(c), got = made_new(c);
    const double part = degree * allowed();
    one_by_one(c, m, w, r, &want);
    by_several(c, m, w, most, r, &got);
    CASE_BELOW(c, check_max(got.z, want.z, c->count), part * check_max(want.z, NULL, c->count));
    CASE_BELOW(c, check_max(got.last, want.last, c->count), part * check_max(want.last, NULL, c->count));
    CASE_BELOW(c, check_max(got.sums, want.sums, blocks),
               part * check_max(want.z, NULL, c->count) * (double)c->count);
    made_free(&want);
    made_free(&got);
    free(r);
}

/* How a polynomial is cut into sweeps changes no bit, on any device. */
static void check_cuts(struct kernel_case *c, struct beyond w, int degree, int most)
{
    const size_t blocks = (size_t)blocks_count(reduction_blocks(c->part[0].reduction));
    const struct polynomial m = polynomial(degree);
    double *r = case_random(&c->ref, 409);
    struct made want = made_new(c), got = made_new(c);
    by_several(c, m, w, 2, r, &want);
    by_several(c, m, w, most, r, &got);
    CASE_BELOW(c, check_max(got.z, want.z, c->count), 0);
    CASE_BELOW(c, check_max(got.last, want.last, c->count), 0);
    CASE_TRUE(c, memcmp(got.sums, want.sums, blocks * sizeof *got.sums) == 0);
    made_free(&want);
    made_free(&got);
    free(r);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* the most steps that a box of the case has cells for */
static int most_of(const struct kernel_case *c, struct beyond w)
{
    const struct part *p = &c->part[0];
    int most = 0;
    const struct cells cells = {CELLS_ALL, 0, w.around | w.held}; /* a held face needs no halo */
    need(laplace_steps_most(p->g.box, reduction_blocks(p->reduction), cells, &most));
    return most;
}

static void check_degrees(struct kernel_case *c, struct beyond w, int stride)
{
    const int most = most_of(c, w);
    if (most > 2) check_cuts(c, w, DEGREE_MOST, most);
    for (int degree = 2; degree <= DEGREE_MOST; degree += stride)
        for (int steps = 2; steps <= smaller(most, degree); ++steps)
            if (steps == most || degree == 5) check_like_one_by_one(c, w, degree, steps);
}

/* all around; a channel held in z; held in x and y; a cavity */
enum { WAYS = 4 };
static const struct beyond ways[WAYS] = {{0, EVERYTHING}, {0x30, 0x0f}, {0x0f, 0x30}, {EVERYTHING, 0}};

static int blocked(void)
{
    return laplace_around();
}

static void test_like_one_by_one(void **state)
{
    (void)state;
    if (!blocked()) skip();
    for (int n = 0; n < CASES; ++n) {
        struct kernel_case c;
        case_open(&case_inputs[n], whole, &c);
        check_degrees(&c, ways[0], 1);
        check_degrees(&c, ways[1 + n % (WAYS - 1)], 3);
        case_close(&c);
    }
}

/* degree 3, and 7 in two sweeps, each in another launch shape */
static void check_tiles(const struct case_input *in, struct beyond w)
{
    struct kernel_case c;
    case_open(in, whole, &c);
    check_like_one_by_one(&c, w, 3, 3);
    tune_choose(TUNE_STEPS, tune_shapes(TUNE_STEPS) - 1);
    check_like_one_by_one(&c, w, 7, 4);
    tune_choose(TUNE_STEPS, 0);
    case_close(&c);
}

static void test_several_tiles(void **state)
{
    (void)state;
    if (!blocked()) skip();
    check_tiles(&tiles, ways[0]);
    check_tiles(&tiles, ways[3]);
    check_tiles(&even, ways[1]);
}

/* Parts with halos of two layers: what each of them forms, and its sums, are those of the whole. */
static void check_parts(struct kernel_case *c)
{
    const struct polynomial m = polynomial(4);
    struct kernel_case one;
    double *r = case_random(&c->ref, 410);
    case_open(c->in, whole, &one);
    struct made want = made_new(c), got = made_new(c), half = made_new(c);
    by_several(&one, m, ways[0], smaller(2, most_of(&one, ways[0])), r, &want);
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        real *next = part_array(p), *last = part_array(p);
        need(laplace_steps(p->g.box, stencil_of(p, 0), reduction_blocks(p->reduction), cells_all(), NULL,
                           polynomial_steps(&m, 0, 2), part_from(p, OWN_DEEP, r), NULL, NULL, next, last));
        part_get(p, next, half.z);
        part_get(p, last, half.last);
        part_release(p);
    }
    double sum = 0, sum_one = 0;
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        real *next = part_array(p), *last = part_array(p);
        need(laplace_steps(p->g.box, stencil_of(p, 0), reduction_blocks(p->reduction), cells_all(), NULL,
                           polynomial_steps(&m, 2, 2), part_from(p, OWN_FACES, r),
                           part_from(p, OWN_DEEP, half.z), part_from(p, OWN_FACES, half.last), next, last));
        part_get(p, next, got.z);
        part_get(p, last, got.last);
        part_sums(p, 1, 0, &sum);
        part_release(p);
    }
    CASE_BELOW(c, check_max(got.z, want.z, c->count), 0);
    CASE_BELOW(c, check_max(got.last, want.last, c->count), 0);
    for (ptrdiff_t n = 0; n < blocks_count(reduction_blocks(one.part[0].reduction)); ++n)
        sum_one += want.sums[n];
    CASE_BELOW(c, fabs(sum - sum_one), BOUND * fabs(sum_one));
    case_free((double *[]){r}, 1);
    made_free(&want);
    made_free(&got);
    made_free(&half);
    case_close(&one);
}

static void test_parts_like_the_whole(void **state)
{
    (void)state;
    if (!blocked()) skip();
    case_each(check_parts);
}

/* Tests that a call is refused before anything is written if it has more steps than there are halo layers
 * or memory for, or arrays that do not go together. */
static void test_refused(void **state)
{
    (void)state;
    struct kernel_case c;
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    struct part *p = &c.part[0];
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct polynomial m = polynomial(4);
    real *r = part_filled(p, 1), *z = part_array(p), *next = part_array(p);
    struct poly_steps many = polynomial_steps(&m, 0, 4);
    assert_int_equal(
        laplace_steps(p->g.box, stencil_of(p, 0), bl, cells_all(), NULL, many, r, NULL, NULL, next, NULL),
        KOL_ERR_INTERNAL);
    status_clear();
    const struct poly_steps single = polynomial_steps(&m, 0, 1);
    assert_int_equal(
        laplace_steps(p->g.box, stencil_of(p, 0), bl, cells_all(), NULL, single, r, NULL, NULL, next, z),
        KOL_ERR_INTERNAL);
    status_clear();
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_one_by_one),
        cmocka_unit_test(test_several_tiles),
        cmocka_unit_test(test_parts_like_the_whole),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
