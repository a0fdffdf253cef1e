/* ranks: 1 */
/* Tests the smoothers of the multigrid preconditioner. Catches a root of the polynomial that is used twice,
 * an interval that is not the one asked for, and coefficients of the first two steps together that do not
 * fit the later steps. Catches also an order of steps in which single precision loses digits, and an
 * interval that leaves out waves which the next grid cannot represent. */
#include <math.h>
#include <stdlib.h>
#include "solver/poisson/multigrid_eigenvalue.h"
#include "solver/poisson/multigrid_smoother.h"
#include "tests/support/check.h"

/* T_n(x) of Chebyshev for x >= -1. */
static double chebyshev(int n, double x)
{
    return x <= 1 ? cos(n * acos(fmax(x, -1))) : cosh(n * acosh(x));
}

/* Tests that the factor for an eigenvalue lambda is T_n((mid - lambda)/half)/T_n(mid/half). This must hold
 * also if the first two steps are taken together and the others one by one. Between steps, neither an error
 * nor the effect of a rounding error may become large. In the order of the roots both would grow 2000
 * times, with eight steps on [2/100, 2]. */
static void check_polynomial(int steps, double low, double high)
{
    const struct multigrid_smoother s = multigrid_smoother_make(steps, low, high);
    const double mid = (high + low) / 2, half = (high - low) / 2;
    assert_int_equal(s.steps, steps);
    for (int n = 0; n <= 200; ++n) {
        const double lambda = high * n / 200;
        const double want = chebyshev(steps, (mid - lambda) / half) / chebyshev(steps, mid / half);
        double z = s.c0 + s.c1 * (1 - lambda), between = fabs(1 - lambda * z), later = 1; /* y = 1 */
        for (int k = 2; k < steps; ++k) {
            z += s.step[k] * (1 - lambda * z);
            between = fmax(between, fabs(1 - lambda * z));
        }
        CHECK_BELOW(fabs(multigrid_smoother_left(&s, lambda) - want), 1e-12);
        CHECK_BELOW(fabs(1 - lambda * z - want), 1e-12);
        CHECK_BELOW(between, 16);
        for (int k = steps - 1; k > 1; --k) {
            later *= 1 - s.step[k] * lambda;
            CHECK_BELOW(fabs(later), 16);
        }
    }
}

static void test_polynomial(void **state)
{
    (void)state;
    for (int steps = 1; steps <= MULTIGRID_SMOOTHER_STEPS; ++steps) {
        check_polynomial(steps, 2.0 / 6, 2);
        check_polynomial(steps, 2.0 / 20, 2);
        check_polynomial(steps, 2.0 / 100, 2);
        check_polynomial(steps, 0.4, 1.95);
    }
}

/* --- the lowest eigenvalue, against dense matrices --- */

enum { MOST = 12 };
/* widths by `growth` from cell to cell; halved: as enum how says */
enum how { KEPT, HALVED, COUPLED };
static const struct lines_case {
    int n[3], periodic[3], halved[3];
    double width[3], growth[3];
} cases[] = {
    {{6, 4, 4}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {{6, 4, 8}, {1, 1, 0}, {0, 0, 1}, {3, 2, 1}, {1, 1, 1.5}},
    {{5, 4, 9}, {1, 1, 0}, {0, 1, 1}, {4, 1, 0.1}, {1, 1, 1.6}},
    {{4, 8, 7}, {0, 0, 0}, {1, 1, 1}, {1, 0.5, 0.3}, {1.3, 1.4, 1.5}},
    {{7, 6, 5}, {1, 1, 1}, {1, 1, 0}, {1, 1.2, 2}, {1.2, 0.8, 1}},
    {{2, 3, 6}, {1, 1, 0}, {1, 1, 1}, {1, 1, 1}, {1.4, 1.2, 0.9}},
    {{2, 2, 2}, {1, 0, 1}, {1, 1, 1}, {1, 1.5, 2}, {1.4, 1, 1.1}},
    {{1, 6, 12}, {1, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1.2, 1.2}},
    {{4, 6, 8}, {1, 0, 1}, {1, 0, 0}, {1, 1000, 30}, {1.1, 1.3, 1}},
    {{6, 7, 8}, {0, 0, 0}, {COUPLED, COUPLED, COUPLED}, {1, 1, 1}, {1.7, 0.6, 1.4}},
    {{7, 4, 9}, {0, 1, 1}, {COUPLED, KEPT, COUPLED}, {1, 3, 0.5}, {1.9, 1, 0.7}},
};
enum { LINES_CASES = sizeof cases / sizeof *cases };
static const double LEAST = 1e-4;

struct dense {
    int n; /* all cells, or all functions of pairs */
    double *a, *d;
};

static double face_area(const struct line line[3], const int i[3], int dir)
{
    return line[(dir + 1) % 3].width[i[(dir + 1) % 3]] * line[(dir + 2) % 3].width[i[(dir + 2) % 3]];
}

/* The operator and its diagonal, face by face. */
static struct dense dense_make(const struct line line[3])
{
    const int stride[3] = {1, line[0].n, line[0].n * line[1].n};
    struct dense m = {stride[2] * line[2].n, NULL, NULL};
    m.a = calloc((size_t)m.n * (size_t)m.n, sizeof *m.a);
    m.d = calloc((size_t)m.n, sizeof *m.d);
    for (int q = 0; q < m.n; ++q) {
        const int i[3] = {q % line[0].n, q / stride[1] % line[1].n, q / stride[2]};
        for (int dir = 0; dir < 3; ++dir) {
            const int n = line[dir].n, next = (i[dir] + 1) % n;
            if (n == 1 || (next == 0 && !line[dir].periodic)) continue;
            const int other = q + (next - i[dir]) * stride[dir];
            const double c = face_area(line, i, dir) * 2 / (line[dir].width[i[dir]] + line[dir].width[next]);
            m.a[q * m.n + q] += c;
            m.a[other * m.n + other] += c;
            m.a[q * m.n + other] -= c;
            m.a[other * m.n + q] -= c;
            m.d[q] += c;
            m.d[other] += c;
        }
    }
    return m;
}

/* Whether a symmetric matrix is positive definite, by elimination; it is lost. */
static int definite(int n, double *a)
{
    for (int p = 0; p < n; ++p) {
        if (!(a[p * n + p] > 0)) return 0;
        for (int i = p + 1; i < n; ++i) {
            const double f = a[i * n + p] / a[p * n + p];
            for (int j = p; j < n; ++j) a[i * n + j] -= f * a[p * n + j];
        }
    }
    return 1;
}

/* Whether f (A - mu D) f > 0 for all f that vary within the pairs of direction d. */
static int above_in(const struct line line[3], const struct pairs *pairs, const struct dense *m, int d,
                    double mu)
{
    const int stride[3] = {1, line[0].n, line[0].n * line[1].n};
    const int count = m->n / line[d].n * (line[d].n - pairs->n);
    int *first = malloc((size_t)count * sizeof *first), used = 0;
    for (int q = 0; q < m->n; ++q) {
        const int i = q / stride[d] % line[d].n;
        if (i + 1 < line[d].n && pairs->parent[i] == pairs->parent[i + 1]) first[used++] = q;
    }
    assert_int_equal(used, count);
    double *b = calloc((size_t)count * (size_t)count, sizeof *b);
    for (int r = 0; r < count; ++r)
        for (int c = 0; c < count; ++c)
            for (int s = 0; s < 2; ++s)
                for (int t = 0; t < 2; ++t) {
                    const int i = first[r] / stride[d] % line[d].n, j = first[c] / stride[d] % line[d].n;
                    const int q = first[r] + s * stride[d], p = first[c] + t * stride[d];
                    const double f = (s == 0 ? 1 : -1) * line[d].width[i + 1 - s],
                                 g = (t == 0 ? 1 : -1) * line[d].width[j + 1 - t];
                    b[r * count + c] += f * g * (m->a[q * m->n + p] - (q == p ? mu * m->d[q] : 0));
                }
    const int above = definite(count, b);
    free(first);
    free(b);
    return above;
}

static int above(const struct line line[3], const struct pairs pairs[3], const struct dense *m, double mu)
{
    int all = 1;
    for (int d = 0; d < 3; ++d) all = all && (!pairs[d].coarsened || above_in(line, &pairs[d], m, d, mu));
    return all;
}

/* COUPLED: neighbours whose coupling is at least half the strongest. */
static void pair(const struct line *l, int how, struct pairs *out)
{
    double strongest = 0;
    for (int i = 0; i < l->n; ++i) strongest = fmax(strongest, multigrid_pairs_coupling(l, i));
    assert_int_equal(how == COUPLED ? multigrid_pairs_couple(l, strongest / 2, out)
                                    : multigrid_pairs_halve(l, how == HALVED, out),
                     KOL_OK);
}

static void test_lowest_eigenvalue(void **state)
{
    (void)state;
    for (int c = 0; c < LINES_CASES; ++c) {
        double width[3][MOST], mu = NAN;
        struct line line[3];
        struct pairs pairs[3];
        for (int d = 0; d < 3; ++d) {
            double w = cases[c].width[d];
            for (int i = 0; i < cases[c].n[d]; ++i, w *= cases[c].growth[d]) width[d][i] = w;
            line[d] = (struct line){cases[c].n[d], cases[c].periodic[d], width[d]};
            pair(&line[d], cases[c].halved[d], &pairs[d]);
        }
        assert_int_equal(multigrid_eigenvalue_lowest(line, pairs, LEAST, &mu), KOL_OK);
        struct dense m = dense_make(line);
        print_message("case %d: lowest eigenvalue %.4f\n", c, mu);
        assert_true(mu >= LEAST && mu <= 2);
        assert_true(above(line, pairs, &m, 0.999 * mu));
        assert_true(!above(line, pairs, &m, 1.005 * mu));
        for (int d = 0; d < 3; ++d) multigrid_pairs_destroy(&pairs[d]);
        free(m.a);
        free(m.d);
    }
}

/* Tests that each grid gets the fewest steps that reduce errors to the part asked for, on the interval that
 * begins at the lowest eigenvalue. */
static void test_choice(void **state)
{
    (void)state;
    enum { CELLS = 32 };
    double unit[CELLS], ten[CELLS], five[CELLS];
    for (int i = 0; i < CELLS; ++i) {
        unit[i] = 1;
        five[i] = 5;
        ten[i] = 10;
    }
    const struct line cube[3] = {{CELLS, 1, unit}, {CELLS, 1, unit}, {CELLS, 1, unit}},
                      flat[3] = {{CELLS, 1, ten}, {CELLS, 1, ten}, {CELLS, 1, unit}},
                      mixed[3] = {{CELLS, 1, five}, {CELLS, 1, unit}, {CELLS, 1, unit}};
    struct pairs all[3], thin[3];
    for (int d = 0; d < 3; ++d) {
        pair(&cube[d], HALVED, &all[d]);
        pair(&cube[d], d == 2 ? HALVED : KEPT, &thin[d]);
    }
    struct multigrid_smoother s;
    assert_int_equal(multigrid_smoother_choose(cube, all, 0, 0, 0, &s),
                     KOL_OK); /* 1/3 of waves pi/2 along an axis */
    assert_int_equal(s.steps, 2);
    CHECK_NEAR(s.low, 0.4, 2e-3);
    CHECK_NEAR(s.high, 1.95, 0);
    assert_int_equal(multigrid_smoother_choose(cube, all, 0, 0, 1, &s), KOL_OK);
    assert_int_equal(s.steps, 3);
    CHECK_NEAR(s.low, 1 / 4.8, 1e-3);
    CHECK_NEAR(s.high, 2, 0);
    CHECK_BELOW(fabs(multigrid_smoother_left(&s, 2)), 0.42);
    assert_int_equal(multigrid_smoother_choose(flat, thin, 0, 0, 0, &s), KOL_OK);
    CHECK_NEAR(s.high, 2, 0);
    assert_int_equal(multigrid_smoother_choose(flat, thin, 0, 0, 1, &s), KOL_OK); /* 1/1.02 */
    assert_int_equal(s.steps, 2);
    CHECK_NEAR(s.low, 1 / 1.02 / 1.6, 2e-3);
    assert_int_equal(multigrid_smoother_choose(mixed, all, 0, 0, 1, &s),
                     KOL_OK); /* 0.04/2.04: 6 steps are the most */
    assert_int_equal(s.steps, 6);
    CHECK_NEAR(fabs(multigrid_smoother_left(&s, 2)), 0.42, 1e-12);
    for (int m = 1; m <= MULTIGRID_SMOOTHER_STEPS;
         ++m) { /* as asked for; never negative nor growing in [0, 2] */
        for (int linear = 0; linear < 2; ++linear) {
            assert_int_equal(multigrid_smoother_choose(mixed, all, 0, m, linear, &s), KOL_OK);
            assert_int_equal(s.steps, m);
            for (int n = 1; n <= 100; ++n) CHECK_BELOW(fabs(multigrid_smoother_left(&s, 0.02 * n)), 0.9999);
        }
    }
    for (int d = 0; d < 3; ++d) {
        multigrid_pairs_destroy(&all[d]);
        multigrid_pairs_destroy(&thin[d]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_polynomial),
                                       cmocka_unit_test(test_lowest_eigenvalue),
                                       cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
