/* Tests combinations of whole fields against tests/reference. Catches a wrong weight, a read of an array
 * with weight 0, which may be missing, and a write into the halo. No MPI. */
#include <stdlib.h>
#include "kernels/update.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the largest value: at most two products and a sum, weights rounded */
static const double BOUND = 16 * KOL_EPSILON;
/* weights of every kind of guess: none, one or two pressures; y in place of each of them */
static void check_combine(struct kernel_case *c)
{
    static const double weights[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, -1}, {-0.2, 0.2}, {1.5, -2}};
    double *past[2], *want = ref_new(&c->ref), *got = ref_new(&c->ref);
    for (int n = 0; n < 2; ++n) past[n] = case_random(&c->ref, 61 + (unsigned)n);
    for (size_t n = 0; n < sizeof weights / sizeof *weights; ++n) {
        const double *w = weights[n];
        ref_combine(&c->ref, w, past, want);
        for (int place = -1; place < 2; ++place) {
            if (place >= 0 && w[place] == 0) continue;
            for (struct part *q = c->part; q < c->part + c->size; ++q) {
                real *k[2];
                for (int m = 0; m < 2; ++m) k[m] = w[m] == 0 ? NULL : part_from(q, OWN, past[m]);
                real *y = place >= 0 ? k[place] : part_filled(q, 5), *before = part_copy(q, y);
                CASE_TRUE(c, update_combine(q->g.box, (real)w[0], k[0], (real)w[1], k[1], y) == KOL_OK);
                part_get(q, y, got);
                CASE_TRUE(c, part_changed(q, OWN, before, y) == 0);
                part_release(q);
            }
            CASE_BELOW(c, check_max(got, want, c->count), BOUND * check_max(past[0], NULL, c->count));
        }
    }
    case_free(past, 2);
    case_free((double *[]){want, got}, 2);
}

/* three pressures, y apart and in place of each; shifts of some components, with a profile and without */
static void check_three_and_shift(struct kernel_case *c)
{
    const real w[3] = {(real)1.5, (real)-0.75, (real)0.25}, shift[3] = {(real)0.5, 0, (real)-0.25};
    double *past[3], *want[2] = {ref_new(&c->ref), ref_new(&c->ref)}, *got = ref_new(&c->ref);
    for (int n = 0; n < 3; ++n) past[n] = case_random(&c->ref, 71 + (unsigned)n);
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        want[0][m] = w[0] * past[0][m] + w[1] * past[1][m] + w[2] * past[2][m];
        want[1][m] = past[2][m] + shift[Z];
    }
    for (int place = -1; place < 3; ++place) {
        for (struct part *q = c->part; q < c->part + c->size; ++q) {
            real *k[3];
            for (int m = 0; m < 3; ++m) k[m] = part_from(q, OWN, past[m]);
            real *y = place >= 0 ? k[place] : part_filled(q, 5), *before = part_copy(q, y);
            const real *const from[3] = {k[0], k[1], k[2]};
            CASE_TRUE(c, update_combine_three(q->g.box, w, from, y) == KOL_OK);
            part_get(q, y, got);
            CASE_TRUE(c, part_changed(q, OWN, before, y) == 0);
            part_release(q);
        }
        CASE_BELOW(c, check_max(got, want[0], c->count), BOUND * check_max(past[0], NULL, c->count));
    }
    for (struct part *q = c->part; q < c->part + c->size; ++q) {
        real *u[3], *profile = part_filled(q, 3), *same;
        for (int m = 0; m < 3; ++m) u[m] = part_from(q, OWN, past[m]);
        same = part_copy(q, u[Y]);
        CASE_TRUE(c, update_shift(q->g.box, shift, profile, u) == KOL_OK);
        part_get(q, u[Z], got);
        CASE_TRUE(c, part_changed(q, NOWHERE, same, u[Y]) == 0);
        for (ptrdiff_t m = 0; m < c->count; ++m) want[0][m] = past[0][m] + 3 * shift[X];
        CASE_BELOW(c, part_error(q, OWN, u[X], want[0]), BOUND * 4);
        part_release(q);
    }
    CASE_BELOW(c, check_max(got, want[1], c->count), BOUND * 4);
    case_free(past, 3);
    case_free((double *[]){want[0], want[1], got}, 3);
}

/* 0 beyond the faces of each set, in all layers, edges and corners; nothing else changes */
static void check_zero_beyond(struct kernel_case *c)
{
    static const unsigned sets[] = {0, 1, 1u << FACE_Z_HIGH, 1u << FACE_Y_LOW | 1u << FACE_Y_HIGH, 0x3f};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s) {
        struct part *p = c->part + s % (size_t)c->size;
        const struct box b = p->g.box;
        const int n[3] = {b.nx, b.ny, b.nz};
        real *x = part_filled(p, 3), *host = NULL;
        int wrong = 0;
        CASE_TRUE(c, update_zero_beyond(b, sets[s], x) == KOL_OK);
        host = part_copy(p, x);
        for (int k = -b.h; k < b.nz + b.h; ++k)
            for (int j = -b.h; j < b.ny + b.h; ++j)
                for (int i = -b.h; i < b.nx + b.h; ++i) {
                    const int at_cell[3] = {i, j, k};
                    unsigned beyond = 0;
                    for (int d = 0; d < 3; ++d)
                        beyond |= (unsigned)(at_cell[d] < 0) << (2 * d) | (unsigned)(at_cell[d] >= n[d])
                                                                              << (2 * d + 1);
                    wrong += host[at(b, i, j, k)] != ((beyond & sets[s]) != 0 ? 0 : 3);
                }
        CASE_TRUE(c, wrong == 0);
        free(host);
        part_release(p);
    }
}

static void test_three_and_shift(void **state)
{
    (void)state;
    case_each(check_three_and_shift);
}

static void test_zero_beyond(void **state)
{
    (void)state;
    case_each(check_zero_beyond);
}

static void test_combine_like_reference(void **state)
{
    (void)state;
    case_each(check_combine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_and_shift),
        cmocka_unit_test(test_combine_like_reference),
        cmocka_unit_test(test_zero_beyond),
    };
    return cmocka_run_group_tests_name("update", tests, NULL, NULL);
}
