/* Tests the polynomial preconditioners. Unit vectors show that they are symmetric and positive definite, and
 * that they are the polynomials of the literature. Catches a wrong coefficient, and a step that breaks the
 * symmetry which conjugate gradients need. No MPI. */
#include <stdlib.h>
#include "solver/poisson/preconditioner.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 100 * KOL_EPSILON; /* in units of the largest value */
static const double WEIGHT = 0.9, RATIO = 100;

static const struct case_input tiny = {
    "tiny", {4, 3, 5}, {STRETCHING_SINE, STRETCHING_TANH, STRETCHING_UNIFORM}, {0.5, 1.2, 0}};
static const struct case_input even = {"even", {6, 4, 8}, {0, 0, 0}, {0, 0, 0}};
static const int whole[3] = {1, 1, 1};

/* degree 0: Jacobi */
static struct polynomial make(int degree)
{
    return polynomial_make(degree == 0 ? PRECOND_JACOBI : PRECOND_POLYNOMIAL, degree, WEIGHT, RATIO);
}

/* z = M r, as struct polynomial says it is to be used */
static void apply(struct kernel_case *c, struct stencil s, const struct polynomial *m, const double *r,
                  double *z)
{
    struct part *p = &c->part[0];
    const struct box b = p->g.box;
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct cells all = cells_all();
    real *now = part_array(p), *last = part_array(p), *rest = part_from(p, OWN_FACES, r);
    assert_int_equal(laplace_start(b, s, bl, all, NULL, m->first, rest, now), KOL_OK);
    for (int n = 0; n < m->steps; ++n) {
        part_get(p, now, z);
        part_put(p, OWN_FACES, z, now);
        assert_int_equal(laplace_chebyshev(b, s, bl, all, NULL, m->momentum[n], m->step[n], m->y0, rest, now,
                                           n == 0 ? NULL : last, last),
                         KOL_OK);
        real *next = last;
        last = now;
        now = next;
    }
    part_get(p, now, z);
    part_release(p);
}

/* the smallest pivot of the Cholesky factorisation, over the largest entry; a is overwritten */
static double smallest_pivot(double *a, ptrdiff_t n)
{
    double least = INFINITY;
    const double most = check_max(a, NULL, n * n);
    for (ptrdiff_t i = 0; i < n; ++i) {
        least = fmin(least, a[i * n + i]);
        if (!(a[i * n + i] > 0)) break;
        for (ptrdiff_t row = i + 1; row < n; ++row) {
            const double factor = a[row * n + i] / a[i * n + i];
            for (ptrdiff_t m = i; m < n; ++m) a[row * n + m] -= factor * a[i * n + m];
        }
    }
    return least / most;
}

static void check_definite(struct kernel_case *c, struct stencil s, int degree)
{
    const struct polynomial m = make(degree);
    const ptrdiff_t n = c->count;
    double *matrix = calloc((size_t)(n * n), sizeof *matrix), *unit = ref_new(&c->ref), asymmetry = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        unit[i] = 1;
        apply(c, s, &m, unit, matrix + i * n);
        unit[i] = 0;
    }
    for (ptrdiff_t i = 0; i < n; ++i) {
        for (ptrdiff_t j = 0; j < i; ++j) {
            asymmetry = fmax(asymmetry, fabs(matrix[i * n + j] - matrix[j * n + i]));
            matrix[i * n + j] = matrix[j * n + i] = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
        }
    }
    CASE_BELOW(c, asymmetry, BOUND * check_max(matrix, NULL, n * n));
    CASE_BELOW(c, 1e-3, smallest_pivot(matrix, n));
    free(matrix);
    free(unit);
}

static void test_symmetric_positive_definite(void **state)
{
    (void)state;
    struct kernel_case c;
    case_open(&tiny, whole, &c);
    for (int degree = 0; degree <= 8; ++degree) {
        check_definite(&c, grid_stencil(&c.part[0].g, LOC_CCC, 0, 1), degree);
        check_definite(&c, grid_stencil(&c.part[0].g, LOC_CCF, (real)1.5, (real)0.02), degree);
    }
    case_close(&c);
}

static double chebyshev(int n, double x)
{
    double a = 1, b = x;
    for (int i = 0; i < n; ++i) {
        const double next = 2 * x * b - a;
        a = b;
        b = next;
    }
    return a;
}

/* M r = q(lambda) r / D for an eigenvector r of A/D */
static double wanted_value(int degree, double lambda)
{
    if (degree == 0) return 1;
    if (degree == 1) return 1 + WEIGHT * (1 - lambda);
    /* the Chebyshev iteration from zero with degree + 1 steps leaves this of the residual */
    const double high = 2, low = 2 / RATIO, centre = (high + low) / 2, half = (high - low) / 2;
    return (1 - chebyshev(degree + 1, (centre - lambda) / half) / chebyshev(degree + 1, centre / half)) /
           lambda;
}

/* On a uniform grid the waves are eigenvectors, so that each coefficient is judged by the closed form. */
static void test_polynomial_of_the_books(void **state)
{
    (void)state;
    static const int waves[][3] = {{1, 0, 0}, {0, 0, 1}, {1, 1, 1}, {3, 2, 4}, {2, 1, 3}, {0, 2, 0}};
    const double two_pi = 2 * acos(-1.0);
    struct kernel_case c;
    case_open(&even, whole, &c);
    for (int degree = 0; degree <= POLYNOMIAL_DEGREE_MAX; ++degree) {
        const struct polynomial m = make(degree);
        for (size_t wave = 0; wave < sizeof waves / sizeof *waves; ++wave) {
            const double shift = wave % 2 ? 0 : 40;
            double *r = ref_new(&c.ref), *z = ref_new(&c.ref), *want = ref_new(&c.ref);
            double diagonal = shift, eigenvalue = shift;
            for (int d = 0; d < 3; ++d) {
                const double h = CASE_LENGTH[d] / c.in->n[d];
                diagonal += 2 / (h * h);
                eigenvalue += 2 / (h * h) * (1 - cos(two_pi * waves[wave][d] / c.in->n[d]));
            }
            const double lambda = eigenvalue / diagonal, volume = case_volume(&c.ref, REF_CCC, 0);
            for (ptrdiff_t n = 0; n < c.count; ++n) {
                const ptrdiff_t i[3] = {n % 6, n / 6 % 4, n / 24};
                double phase = 0.4;
                for (int d = 0; d < 3; ++d) phase += two_pi * (double)(waves[wave][d] * i[d]) / c.in->n[d];
                r[n] = cos(phase);
                want[n] = wanted_value(degree, lambda) * r[n] / (volume * diagonal);
            }
            apply(&c, grid_stencil(&c.part[0].g, LOC_CCC, (real)shift, 1), &m, r, z);
            /* each degree adds its own rounding */
            CASE_BELOW(&c, check_max(z, want, c.count),
                       (1 + degree) * BOUND * check_max(want, NULL, c.count));
            case_free((double *[]){r, z, want}, 3);
        }
    }
    case_close(&c);
}

/* Jacobi and Neumann are one kernel; a Chebyshev polynomial of degree n has n - 1 more steps */
static void test_numbers_of_steps(void **state)
{
    (void)state;
    for (int degree = 0; degree <= POLYNOMIAL_DEGREE_MAX; ++degree) {
        const struct polynomial m = make(degree);
        assert_int_equal(m.steps, degree > 1 ? degree - 1 : 0);
        assert_true((m.first.c1 != 0) == (degree > 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric_positive_definite),
        cmocka_unit_test(test_polynomial_of_the_books),
        cmocka_unit_test(test_numbers_of_steps),
    };
    return cmocka_run_group_tests_name("precond", tests, NULL, NULL);
}
