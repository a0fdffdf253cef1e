/* ranks: 1 */
/* Tests which cells of a multigrid level become one. Catches a cell that belongs to two coarse cells or to
 * none, a thin cell at an end that finds no partner, a choice that rounding decides on a symmetric grid, a
 * grid that needs more levels than there may be, and pairs by coupling although halved directions would do.
 */
#include <math.h>
#include <stdlib.h>
#include "solver/poisson/multigrid_coarsening.h"
#include "tests/support/check.h"

/* Widths of the stretching 'tanh', uniform for factor 0. */
static void tanh_line(int n, int periodic, double length, double factor, struct line *l)
{
    assert_int_equal(line_make(n, periodic, l), KOL_OK);
    for (int i = 0; i < n; ++i) {
        const double low = 2.0 * i / n - 1, high = 2.0 * (i + 1) / n - 1;
        l->width[i] =
            factor > 0 ? length / 2 * (tanh(factor * high) - tanh(factor * low)) / tanh(factor) : length / n;
    }
}

static void lines_free(struct line line[3])
{
    for (int d = 0; d < 3; ++d) free(line[d].width);
}

static void pairs_free(struct pairs pairs[3])
{
    for (int d = 0; d < 3; ++d) multigrid_pairs_destroy(&pairs[d]);
}

/* Every fine cell is in one coarse cell, which has one or two. */
static void check_pairs(const struct line *l, const struct pairs *p)
{
    int pairs = 0, regular = 1;
    assert_int_equal(p->first[0], 0);
    assert_int_equal(p->first[p->n], l->n);
    for (int c = 0; c < p->n; ++c) {
        const int count = p->first[c + 1] - p->first[c];
        assert_true(count == 1 || count == 2);
        for (int i = p->first[c]; i < p->first[c + 1]; ++i) {
            assert_int_equal(p->parent[i], c);
            assert_int_equal(multigrid_pairs_begin(p, i), count == 2 && i == p->first[c]);
            assert_int_equal(multigrid_pairs_from(p, i), i == p->first[c] ? c : c + 1);
        }
        pairs += count == 2;
        regular = regular && (count == p->first[1] || c + 1 == p->n);
    }
    assert_int_equal(multigrid_pairs_from(p, l->n), p->n);
    assert_int_equal(p->coarsened, pairs > 0);
    assert_int_equal(p->regular, regular);
}

static void test_pairs(void **state)
{
    (void)state;
    for (int n = 1; n <= 40; ++n) {
        for (int periodic = 0; periodic < 2; ++periodic) {
            struct line l;
            struct pairs p;
            tanh_line(n, periodic, 1, n % 4, &l);
            for (int halved = 0; halved < 2; ++halved) {
                assert_int_equal(multigrid_pairs_halve(&l, halved, &p), KOL_OK);
                check_pairs(&l, &p);
                assert_int_equal(p.n, halved ? (n + 1) / 2 : n);
                multigrid_pairs_destroy(&p);
            }
            double strongest = 0;
            for (int i = 0; i < n; ++i) strongest = fmax(strongest, multigrid_pairs_coupling(&l, i));
            for (double part = 1; part > 1e-6; part /= 3) {
                assert_int_equal(multigrid_pairs_couple(&l, strongest * part, &p), KOL_OK);
                check_pairs(&l, &p);
                /* two neighbours with such a coupling are not both left alone */
                for (int i = 1; i < n; ++i)
                    assert_true(multigrid_pairs_coupling(&l, i) < strongest * part ||
                                p.first[p.parent[i] + 1] - p.first[p.parent[i]] == 2 ||
                                p.first[p.parent[i - 1] + 1] - p.first[p.parent[i - 1]] == 2);
                multigrid_pairs_destroy(&p);
            }
            free(l.width);
        }
    }
}

/* Tests that the thinnest cells at both ends find partners, for even and for odd numbers of strongly
 * coupled cells. On a symmetric grid the pairs must be symmetric wherever the coupling decides. */
static void test_thin_ends(void **state)
{
    (void)state;
    for (int n = 24; n < 80; ++n) {
        struct line l;
        struct pairs p;
        tanh_line(n, 0, 2, 3, &l);
        const double strongest = multigrid_pairs_coupling(&l, 1);
        for (double range = 2; range < 40; range *= 1.3) {
            assert_int_equal(multigrid_pairs_couple(&l, strongest / range, &p), KOL_OK);
            assert_true(multigrid_pairs_begin(&p, 0));
            assert_true(multigrid_pairs_begin(&p, n - 2));
            if (multigrid_pairs_coupling(&l, n / 2) * range < strongest)
                for (int i = 0; i + 1 < n; ++i)
                    assert_int_equal(multigrid_pairs_begin(&p, i), multigrid_pairs_begin(&p, n - 2 - i));
            multigrid_pairs_destroy(&p);
        }
        free(l.width);
    }
}

/* A lattice of widths, coarsened to the end: the number of levels and of all their cells stay bounded. */
static void check_levels(const int n[3], const double factor[3], int levels_most, double cells_most)
{
    struct line line[3];
    for (int d = 0; d < 3; ++d) tanh_line(n[d], 0, 2, factor[d], &line[d]);
    const double first = multigrid_coarsening_cells(line);
    double all = first;
    int levels = 1;
    for (; multigrid_coarsening_cells(line) > MULTIGRID_COARSENING_DENSE; ++levels) {
        struct pairs pairs[3];
        struct line next[3];
        assert_int_equal(multigrid_coarsening_pairs(line, 1, levels - 1, pairs), KOL_OK);
        for (int d = 0; d < 3; ++d) {
            double before = 0, after = 0;
            check_pairs(&line[d], &pairs[d]);
            assert_int_equal(multigrid_coarsening_line(&line[d], &pairs[d], &next[d]), KOL_OK);
            for (int i = 0; i < line[d].n; ++i) before += line[d].width[i];
            for (int i = 0; i < next[d].n; ++i) after += next[d].width[i];
            CHECK_NEAR(after, before, 1e-12);
        }
        lines_free(line);
        pairs_free(pairs);
        for (int d = 0; d < 3; ++d) line[d] = next[d];
        all += multigrid_coarsening_cells(line);
    }
    lines_free(line);
    print_message("%d x %d x %d: %d levels, %.2f of the cells\n", n[0], n[1], n[2], levels, all / first);
    assert_true(levels <= levels_most);
    CHECK_BELOW(all / first, cells_most);
}

static void test_levels(void **state)
{
    (void)state;
    check_levels((const int[3]){64, 64, 64}, (const double[3]){3, 3, 3}, 9, 3);
    check_levels((const int[3]){96, 33, 47}, (const double[3]){3, 4, 2}, 10, 3.5);
    check_levels((const int[3]){128, 128, 128}, (const double[3]){8, 8, 8}, 20, 6);
    check_levels((const int[3]){4096, 3, 3}, (const double[3]){16, 0, 0}, MULTIGRID_COARSENING_LEVELS, 7);
    check_levels((const int[3]){2, 2000, 2}, (const double[3]){0, 12, 1}, MULTIGRID_COARSENING_LEVELS, 7);
}

/* Uniform directions and one that is stretched as in a channel are halved. */
static void test_choice(void **state)
{
    (void)state;
    static const struct {
        double length[3], factor[3];
        int want;
    } cases[] = {
        {{1, 1, 1}, {0, 0, 0}, 0}, {{1000, 30, 1}, {0, 0, 0}, 0}, {{6, 3, 2}, {0, 0, 2}, 0},
        {{2, 1, 2}, {0, 0, 3}, 0}, {{1, 1, 1}, {1, 1, 1}, 0},     {{2, 2, 2}, {3, 3, 3}, 1},
        {{4, 1, 1}, {3, 3, 3}, 1}, {{6, 2, 2}, {0, 3, 3}, 1},     {{2, 2, 2}, {2, 2, 2}, 0},
        {{6, 3, 2}, {0, 0, 4}, 1}, {{6, 2, 2}, {0, 1.6, 1.8}, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct line line[3];
        int found;
        for (int d = 0; d < 3; ++d)
            tanh_line(48, cases[c].factor[d] == 0, cases[c].length[d], cases[c].factor[d], &line[d]);
        assert_int_equal(multigrid_coarsening_by_coupling(line, 1, &found), KOL_OK);
        assert_int_equal(found, cases[c].want);
        lines_free(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_thin_ends),
                                       cmocka_unit_test(test_levels), cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
