/* Tests the 7-point operator and its polynomials against tests/reference, at all four locations, with and
 * without shift. Halo cells are filled only as far as each contract says. Catches a wrong coefficient or
 * scale, a fast variant that differs from the general one, and an operator that is not symmetric.
 * test_ppcg_iteration.c tests the sweeps that only an iteration has. No MPI. */
#include <stdlib.h>
#include "kernels/laplace.h"
#include "tests/support/check.h"
#include "tests/support/kernel_runs.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times
 * larger */
static const double BOUND = 100 * KOL_EPSILON;

enum { SYSTEMS = 8, FIELDS = 5 };

/* system n: location n/2, shift 0 or not, always with a scale of its own; values that are exact in `real` */
static struct ref_system system_of(int n)
{
    static const double scale[4] = {1, 0.0625, 0.5, 2};
    return (struct ref_system){(enum ref_location)(n / 2), n % 2 ? 1.25 : 0, scale[n / 2]};
}

static struct stencil stencil_of(const struct part *p, struct ref_system s)
{
    return grid_stencil(&p->g, (enum location)s.location, (real)s.shift, (real)s.scale);
}

static void fields_new(struct kernel_case *c, double *field[FIELDS])
{
    for (int n = 0; n < FIELDS; ++n) field[n] = case_random(&c->ref, 70 + (unsigned)n);
}

static double *copy_of(const struct kernel_case *c, const double *field)
{
    double *copy = ref_new(&c->ref);
    memcpy(copy, field, (size_t)c->count * sizeof *copy);
    return copy;
}

static double sum_abs(ptrdiff_t n, const double *x, const double *y)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < n; ++i) sum += fabs(y ? x[i] * y[i] : x[i]);
    return sum;
}

/* largest error of an array of any part, over its largest wanted value; and nothing is written outside the
 * region */
struct judged {
    double error;
    int outside;
};

static void judge(struct part *p, enum region region, real *before, const real *array, const double *want,
                  double most, struct judged *j)
{
    const double error = part_error(p, region, array, want) / most;
    if (!(error <= j->error)) j->error = error;
    j->outside += part_changed(p, region, before, array);
}

static void check_residual(struct kernel_case *c)
{
    double *f[FIELDS];
    fields_new(c, f);
    for (int n = 0; n < 2 * SYSTEMS; ++n) {
        const struct ref_system s = system_of(n % SYSTEMS);
        const double mean = n < SYSTEMS ? 0 : 40.5;
        double *rhs = copy_of(c, f[0]), *want = ref_new(&c->ref), sums[3] = {0, 0, 0}, alone[3] = {0, 0, 0},
               most_vx = 0;
        for (ptrdiff_t q = 0; q < c->count; ++q) {
            const double volume = case_volume(&c->ref, s.location, q);
            rhs[q] -= mean * volume;
            most_vx += volume * fabs(f[1][q]);
        }
        const struct ref_residual_sums ref = ref_residual(&c->ref, s, rhs, f[1], want);
        const double most = check_max(want, NULL, c->count);
        struct judged r = {0, 0};
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            /* r may be rhs */
            real *in = part_from(p, OWN, f[0]), *out = n % 3 ? part_filled(p, 5) : in,
                 *before = part_copy(p, out);
            CASE_TRUE(c, laplace_residual(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction),
                                          cells_all(), (real)mean, in, part_from(p, OWN_FACES, f[1]),
                                          out) == KOL_OK);
            part_sums(p, 2, 1, sums);
            judge(p, OWN, before, out, want, most, &r);
            CASE_TRUE(c, laplace_residual(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction),
                                          cells_all(), (real)mean, part_from(p, OWN, f[0]),
                                          part_from(p, OWN_FACES, f[1]), NULL) == KOL_OK);
            part_sums(p, 2, 1, alone);
            part_release(p);
        }
        CASE_BELOW(c, r.error, BOUND);
        CASE_TRUE(c, r.outside == 0);
        CASE_TRUE(c, memcmp(sums, alone, sizeof sums) == 0); /* whether r is stored or not */
        CASE_BELOW(c, fabs(sums[0] - ref.sum_r), BOUND * sum_abs(c->count, want, NULL));
        CASE_BELOW(c, fabs(sums[1] - ref.sum_vx), BOUND * most_vx);
        CASE_BELOW(c, fabs(sums[2] - ref.r_max), BOUND * ref.r_max);
        case_free((double *[]){rhs, want}, 2);
    }
    case_free(f, FIELDS);
}

static void test_residual_like_reference(void **state)
{
    (void)state;
    case_each(check_residual);
}

static void check_start(struct kernel_case *c)
{
    static const struct ref_poly polys[] = {{1, 0}, {1, 0.875}, {0.5, 0.25}};
    double *f[FIELDS];
    fields_new(c, f);
    for (int n = 0; n < 3 * SYSTEMS; ++n) {
        const struct ref_system s = system_of(n % SYSTEMS);
        const struct ref_poly poly = polys[n / SYSTEMS];
        const struct poly1 p1 = {(real)poly.c0, (real)poly.c1};
        double *want = ref_new(&c->ref), sums[2] = {0, 0};
        struct judged j = {0, 0};
        const struct ref_update_sums ref = ref_start(&c->ref, s, poly, f[1], want);
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *z = part_filled(p, 5), *before = part_copy(p, z);
            const real *r = part_from(p, poly.c1 != 0 ? OWN_FACES : OWN, f[1]);
            CASE_TRUE(c, laplace_start(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction),
                                       cells_all(), NULL, p1, r, z) == KOL_OK);
            part_sums(p, 1, 1, sums);
            judge(p, OWN, before, z, want, check_max(want, NULL, c->count), &j);
            part_release(p);
        }
        CASE_BELOW(c, j.error, BOUND);
        CASE_TRUE(c, j.outside == 0);
        CASE_BELOW(c, fabs(sums[0] - ref.rz), BOUND * sum_abs(c->count, f[1], want));
        CASE_BELOW(c, fabs(sums[1] - ref.r_max), BOUND * ref.r_max);
        free(want);
    }
    case_free(f, FIELDS);
}

static void test_start_like_reference(void **state)
{
    (void)state;
    case_each(check_start);
}

enum chebyshev_way { FIRST, APART, IN_PLACE, CHEBYSHEV_WAYS };

static void check_chebyshev(struct kernel_case *c)
{
    const double momentum = 0.25, step = 0.625, y0 = 0.75;
    double *f[FIELDS];
    fields_new(c, f);
    for (int n = 0; n < CHEBYSHEV_WAYS * SYSTEMS; ++n) {
        const struct ref_system s = system_of(n % SYSTEMS);
        const enum chebyshev_way way = (enum chebyshev_way)(n / SYSTEMS);
        double *prev = copy_of(c, f[2]), *want = ref_new(&c->ref), sum = 0;
        if (way == FIRST) ref_poly1(&c->ref, s, (struct ref_poly){y0, 0}, f[0], prev);
        const double rz = ref_chebyshev_step(&c->ref, s, momentum, step, f[0], f[1], prev, want);
        const double most = fmax(check_max(want, NULL, c->count), 1);
        struct judged j = {0, 0};
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *old = way == FIRST ? NULL : part_from(p, OWN, f[2]);
            real *next = way == IN_PLACE ? old : part_filled(p, 5), *before = part_copy(p, next);
            CASE_TRUE(c, laplace_chebyshev(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction),
                                           cells_all(), NULL, (real)momentum, (real)step,
                                           way == FIRST ? (real)y0 : (real)NAN, part_from(p, OWN, f[0]),
                                           part_from(p, OWN_FACES, f[1]), old, next) == KOL_OK);
            part_sums(p, 1, 0, &sum);
            judge(p, OWN, before, next, want, most, &j);
            part_release(p);
        }
        CASE_BELOW(c, j.error, BOUND);
        CASE_TRUE(c, j.outside == 0);
        CASE_BELOW(c, fabs(sum - rz), BOUND * sum_abs(c->count, f[0], want));
        case_free((double *[]){prev, want}, 2);
    }
    case_free(f, FIELDS);
}

static void test_chebyshev_like_reference(void **state)
{
    (void)state;
    case_each(check_chebyshev);
}

/* a uniform direction x may be told to the kernels or not: the same bits */
static void check_uniform(struct kernel_case *c)
{
    double *inputs[RUN_INPUTS];
    if (c->in->stretching[X] != STRETCHING_UNIFORM) return;
    run_inputs(&c->ref, inputs);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        CASE_TRUE(c, stencil_of(p, system_of(0)).uniform_x == 1);
        for (enum tune_kernel k = TUNE_RESIDUAL; k <= TUNE_CHEBYSHEV; ++k) {
            for (int variant = 0; variant < RUN_VARIANTS; ++variant) {
                struct made fast, general;
                run_whole(p, k, variant, inputs, &fast);
                p->g.uniform[X] = 0;
                run_whole(p, k, variant, inputs, &general);
                p->g.uniform[X] = 1;
                CASE_TRUE(c, made_same(&fast, &general));
                made_free(&fast);
                made_free(&general);
            }
        }
    }
    case_free(inputs, RUN_INPUTS);
}

static void test_uniform_path_same_bits(void **state)
{
    (void)state;
    case_each(check_uniform);
}

/* A x, from the residual of a zero right-hand side */
static void apply(struct kernel_case *c, struct ref_system s, const double *x, double *ax)
{
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *r = part_array(p);
        CASE_TRUE(c, laplace_residual(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction), cells_all(),
                                      0, part_filled(p, 0), part_from(p, OWN_FACES, x), r) == KOL_OK);
        part_get(p, r, ax);
        part_release(p);
    }
    for (ptrdiff_t n = 0; n < c->count; ++n) ax[n] = -ax[n];
}

/* x.Ay = y.Ax; x.Ax > 0; a constant is in the null space to the last bit where shift = 0 */
static void check_symmetric(struct kernel_case *c)
{
    double *f[FIELDS], *ax = ref_new(&c->ref), *ay = ref_new(&c->ref);
    fields_new(c, f);
    for (int n = 0; n < SYSTEMS; ++n) {
        const struct ref_system s = system_of(n);
        apply(c, s, f[0], ax);
        apply(c, s, f[1], ay);
        const double xay = case_dot(c->count, f[0], ay), yax = case_dot(c->count, f[1], ax);
        CASE_BELOW(c, fabs(xay - yax), BOUND * sum_abs(c->count, f[0], ay));
        CASE_TRUE(c, case_dot(c->count, f[0], ax) > 0);
        if (s.shift != 0) continue;
        for (ptrdiff_t m = 0; m < c->count; ++m) f[2][m] = 3.7;
        apply(c, s, f[2], ax);
        CASE_BELOW(c, check_max(ax, NULL, c->count), 0);
    }
    case_free(f, FIELDS);
    case_free((double *[]){ax, ay}, 2);
}

static void test_operator_is_symmetric(void **state)
{
    (void)state;
    case_each(check_symmetric);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual_like_reference),  cmocka_unit_test(test_start_like_reference),
        cmocka_unit_test(test_chebyshev_like_reference), cmocka_unit_test(test_uniform_path_same_bits),
        cmocka_unit_test(test_operator_is_symmetric),
    };
    return cmocka_run_group_tests_name("laplace", tests, NULL, NULL);
}
