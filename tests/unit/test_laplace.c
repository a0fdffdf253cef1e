/* The 7-point operator and the fused updates of the solver against tests/reference, at all four locations, with and without
 * shift. Halo cells are there only as far as each contract says. Catches a wrong coefficient or scale, an old direction that
 * is read where beta = 0, halo faces that are not advanced, a fast path that differs from the general one. No MPI. */
#include <stdlib.h>
#include "../../kernels/laplace.h"
#include "../support/check.h"
#include "../support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times larger */
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

/* largest error of an array of any part, over its largest wanted value; and nothing is written outside the region */
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
        double *rhs = copy_of(c, f[0]), *want = ref_new(&c->ref), sums[3] = {0, 0, 0}, most_vx = 0;
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
                                          (real)mean, in, part_from(p, OWN_FACES, f[1]), out) == KOL_OK);
            part_sums(p, 2, 1, sums);
            judge(p, OWN, before, out, want, most, &r);
            part_release(p);
        }
        CASE_BELOW(c, r.error, BOUND);
        CASE_TRUE(c, r.outside == 0);
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

/* beta = 0: d is all NaN; otherwise it has its halo faces, and they are advanced, too */
static void check_direction(struct kernel_case *c)
{
    double *f[FIELDS];
    fields_new(c, f);
    for (int n = 0; n < 2 * SYSTEMS; ++n) {
        const struct ref_system s = system_of(n % SYSTEMS);
        const double beta = n < SYSTEMS ? 0 : 0.75;
        double *want_d = copy_of(c, f[1]), *want_q = ref_new(&c->ref), sum = 0;
        const double dq = ref_direction(&c->ref, s, beta, f[0], want_d, want_q);
        const double most_d = check_max(want_d, NULL, c->count), most_q = check_max(want_q, NULL, c->count);
        struct judged jd = {0, 0}, jq = {0, 0};
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *d = beta == 0 ? part_array(p) : part_from(p, OWN_FACES, f[1]), *q = part_filled(p, 5);
            real *before_d = part_copy(p, d), *before_q = part_copy(p, q);
            CASE_TRUE(c, laplace_direction(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction),
                                           (real)beta, part_from(p, OWN_FACES, f[0]), d, q) == KOL_OK);
            part_sums(p, 1, 0, &sum);
            judge(p, OWN_FACES, before_d, d, want_d, most_d, &jd);
            judge(p, OWN, before_q, q, want_q, most_q, &jq);
            part_release(p);
        }
        CASE_BELOW(c, jd.error, BOUND);
        CASE_BELOW(c, jq.error, BOUND);
        CASE_TRUE(c, jd.outside == 0 && jq.outside == 0);
        CASE_BELOW(c, fabs(sum - dq), BOUND * sum_abs(c->count, want_d, want_q));
        case_free((double *[]){want_d, want_q}, 2);
    }
    case_free(f, FIELDS);
}

static void test_direction_like_reference(void **state)
{
    (void)state;
    case_each(check_direction);
}

static void run_update(struct kernel_case *c, struct ref_system s, struct ref_poly poly, int start,
                       double *const *f, double *const want[3], double sums[2], struct judged j[3])
{
    const enum region wide = poly.c1 != 0 ? OWN_FACES : OWN;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *x = part_from(p, OWN, f[0]), *r = part_from(p, wide, f[1]), *z = part_filled(p, 5),
             *planes = NULL;
        real *before[3] = {part_copy(p, x), part_copy(p, r), part_copy(p, z)};
        const size_t scratch = (size_t)laplace_plane_scratch(p->g.box) * sizeof(real);
        CASE_TRUE(c, mem_kernel_alloc(scratch, (void **)&planes) == KOL_OK);
        CASE_TRUE(c, mem_fill_real(planes, laplace_plane_scratch(p->g.box), (real)NAN) == KOL_OK);
        CASE_TRUE(c, laplace_update(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction), (real)0.375,
                                    start ? NULL : part_from(p, OWN, f[2]),
                                    start ? NULL : part_from(p, wide, f[3]),
                                    (struct poly1){(real)poly.c0, (real)poly.c1}, start ? NULL : x, r, z,
                                    planes) == KOL_OK);
        part_sums(p, 1, 1, sums);
        const enum region written[3] = {start ? NOWHERE : OWN, start ? NOWHERE : wide, OWN};
        const real *const after[3] = {x, r, z};
        for (int n = 0; n < 3; ++n)
            judge(p, written[n], before[n], after[n], want[n], check_max(want[n], NULL, c->count), &j[n]);
        mem_kernel_free(planes);
        part_release(p);
    }
}

static void check_update(struct kernel_case *c)
{
    static const struct ref_poly polys[] = {{1, 0}, {1, 0.875}, {0.5, 0.25}};
    double *f[FIELDS];
    fields_new(c, f);
    for (int n = 0; n < 3 * SYSTEMS; ++n) {
        const struct ref_system s = system_of(n % SYSTEMS);
        const struct ref_poly poly = polys[n / SYSTEMS];
        for (int start = 0; start < 2; ++start) {
            double *want[3] = {copy_of(c, f[0]), copy_of(c, f[1]), ref_new(&c->ref)}, sums[2] = {0, 0};
            struct judged j[3] = {{0, 0}, {0, 0}, {0, 0}};
            const struct ref_update_sums ref =
                ref_update(&c->ref, s, 0.375, start ? NULL : f[2], f[3], poly, want[0], want[1], want[2]);
            run_update(c, s, poly, start, f, want, sums, j);
            for (int a = 0; a < 3; ++a) {
                CASE_BELOW(c, j[a].error, BOUND);
                CASE_TRUE(c, j[a].outside == 0);
            }
            CASE_BELOW(c, fabs(sums[0] - ref.rz), BOUND * sum_abs(c->count, want[1], want[2]));
            CASE_BELOW(c, fabs(sums[1] - ref.r_max), BOUND * ref.r_max);
            case_free(want, 3);
        }
    }
    case_free(f, FIELDS);
}

static void test_update_like_reference(void **state)
{
    (void)state;
    case_each(check_update);
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
                                           (real)momentum, (real)step, way == FIRST ? (real)y0 : (real)NAN,
                                           part_from(p, OWN, f[0]), part_from(p, OWN_FACES, f[1]), old,
                                           next) == KOL_OK);
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

/* All kernels of this family on one part; what they leave goes into host copies. */
enum { COPIES = 11 };

static void run_all(struct part *p, struct stencil s, double *const *f, real *copy[COPIES],
                    double sums[COPIES])
{
    const struct box b = p->g.box;
    const struct blocks bl = reduction_blocks(p->reduction);
    real *r = part_filled(p, 5), *d = part_from(p, OWN_FACES, f[1]), *q = part_filled(p, 5);
    for (int n = 0; n < COPIES; ++n) sums[n] = 0;
    kol_status st =
        laplace_residual(b, s, bl, 2.5, part_from(p, OWN, f[0]), part_from(p, OWN_FACES, f[1]), r);
    part_sums(p, 2, 1, sums);
    copy[0] = part_copy(p, r);
    assert_int_equal(st, KOL_OK);
    st = laplace_direction(b, s, bl, 0.5, part_from(p, OWN_FACES, f[0]), d, q);
    part_sums(p, 1, 0, sums + 3);
    copy[1] = part_copy(p, d);
    copy[2] = part_copy(p, q);
    assert_int_equal(st, KOL_OK);
    real *planes = NULL;
    assert_int_equal(mem_kernel_alloc((size_t)laplace_plane_scratch(b) * sizeof(real), (void **)&planes),
                     KOL_OK);
    for (int degree = 0; degree < 2; ++degree) {
        real *x = part_from(p, OWN, f[0]), *rest = part_from(p, OWN_FACES, f[1]), *z = part_filled(p, 5);
        st = laplace_update(b, s, bl, 0.375, part_from(p, OWN, f[2]), part_from(p, OWN_FACES, f[3]),
                            (struct poly1){0.5, (real)0.25 * (real)degree}, x, rest, z, planes);
        part_sums(p, 1, 1, sums + 4 + 2 * degree);
        copy[3 + 3 * degree] = part_copy(p, x);
        copy[4 + 3 * degree] = part_copy(p, rest);
        copy[5 + 3 * degree] = part_copy(p, z);
        assert_int_equal(st, KOL_OK);
    }
    mem_kernel_free(planes);
    for (int first = 0; first < 2; ++first) {
        real *next = part_from(p, OWN, f[2]);
        st = laplace_chebyshev(b, s, bl, 0.25, 0.625, 0.75, part_from(p, OWN, f[0]),
                               part_from(p, OWN_FACES, f[1]), first ? NULL : next, next);
        part_sums(p, 1, 0, sums + 8 + first);
        copy[9 + first] = part_copy(p, next);
        assert_int_equal(st, KOL_OK);
    }
    part_release(p);
}

/* a uniform direction x may be told to the kernels or not: the same bits */
static void check_uniform(struct kernel_case *c)
{
    double *f[FIELDS];
    if (c->in->stretching[X] != STRETCHING_UNIFORM) return;
    fields_new(c, f);
    for (int n = 0; n < SYSTEMS; ++n) {
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *fast[COPIES], *general[COPIES];
            double sums[2][COPIES];
            struct stencil s = stencil_of(p, system_of(n));
            CASE_TRUE(c, s.uniform_x == 1);
            run_all(p, s, f, fast, sums[0]);
            s.uniform_x = 0;
            run_all(p, s, f, general, sums[1]);
            for (int m = 0; m < COPIES; ++m) {
                CASE_TRUE(c, memcmp(fast[m], general[m], (size_t)p->g.box.size * sizeof(real)) == 0);
                free(fast[m]);
                free(general[m]);
            }
            CASE_TRUE(c, memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
        }
    }
    case_free(f, FIELDS);
}

static void test_uniform_path_same_bits(void **state)
{
    (void)state;
    case_each(check_uniform);
}

static void apply(struct kernel_case *c, struct ref_system s, const double *x, double *ax)
{
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *q = part_array(p);
        CASE_TRUE(c, laplace_direction(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction), 0,
                                       part_from(p, OWN_FACES, x), part_array(p), q) == KOL_OK);
        part_get(p, q, ax);
        part_release(p);
    }
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
        cmocka_unit_test(test_residual_like_reference), cmocka_unit_test(test_direction_like_reference),
        cmocka_unit_test(test_update_like_reference),   cmocka_unit_test(test_chebyshev_like_reference),
        cmocka_unit_test(test_uniform_path_same_bits),  cmocka_unit_test(test_operator_is_symmetric),
    };
    return cmocka_run_group_tests_name("laplace", tests, NULL, NULL);
}
