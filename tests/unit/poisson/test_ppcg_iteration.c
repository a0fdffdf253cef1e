/* Tests the two sweeps of an iteration of conjugate gradients against tests/reference. Only the halo of z is
 * exchanged. So what the sweeps write into halo cells of the direction and of the residual must have the bits
 * of the neighbour's own values, or the ranks would drift apart. Halo cells are filled only as far as each
 * contract says. Catches a direction that is read although beta = 0, a halo layer or an edge left out, and a
 * sweep that goes on after the end. No MPI. */
#include <stdlib.h>
#include "kernels/laplace.h"
#include "kernels/sums.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times
 * larger */
static const double BOUND = 100 * KOL_EPSILON;

enum { SYSTEMS = 4, ITERATIONS = 5 };

/* pressure, diffusion of each component; values that are exact in `real` */
static struct ref_system system_of(int n)
{
    static const double scale[SYSTEMS] = {1, 0.0625, 0.5, 2};
    return (struct ref_system){(enum ref_location)n, n > 0 ? 1.25 : 0, scale[n]};
}

static struct stencil stencil_of(const struct part *p, struct ref_system s)
{
    return grid_stencil(&p->g, (enum location)s.location, (real)s.shift, (real)s.scale);
}

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

static struct cg_scalars scalars_new(double alpha, double beta, enum cg_outcome outcome)
{
    struct cg_scalars cg;
    need(cg_create(&cg));
    need(cg_start(cg, (struct cg_state){.alpha = alpha, .beta = beta, .outcome = outcome}));
    return cg;
}

static real *planes_new(const struct part *p)
{
    real *planes = NULL;
    const ptrdiff_t n = laplace_update_scratch(p->g.box);
    need(mem_kernel_alloc((size_t)n * sizeof(real), (void **)&planes));
    need(mem_fill_real(planes, n, (real)NAN));
    return planes;
}

static double sum_abs(ptrdiff_t n, const double *x, const double *y)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < n; ++i) sum += fabs(x[i] * y[i]);
    return sum;
}

/* Every halo cell of the region holds the same bits as the own cell that it stands for. */
static void check_halo(struct kernel_case *c, enum region region, real *const array[CASE_PARTS])
{
    double *own = ref_new(&c->ref);
    for (int n = 0; n < c->size; ++n) part_get(&c->part[n], array[n], own);
    for (int n = 0; n < c->size; ++n) CASE_BELOW(c, part_error(&c->part[n], region, array[n], own), 0);
    free(own);
}

/* Tests beta = 0, where d is NaN everywhere. The halo kernel alone, on an array filled with 5, does not
 * change the own cells; both kernels together fill the region. */
static void check_direction_of(struct kernel_case *c, struct ref_system s, double beta, int layers,
                               double *const f[2])
{
    const enum region region = layers == 2 ? OWN_DEEP : OWN_FACES;
    struct cg_scalars cg = scalars_new(0.375, beta, CG_RUNNING);
    real *made[CASE_PARTS];
    double *want = ref_new(&c->ref), *product = ref_new(&c->ref), *fives = ref_new(&c->ref), sum = 0;
    const double dq = ref_direction(&c->ref, s, beta, f[0], f[1], want);
    for (ptrdiff_t n = 0; n < c->count; ++n) fives[n] = 5;
    const double most = check_max(want, NULL, c->count);
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        real *z = part_from(p, OWN_FACES, f[0]), *d = part_from(p, beta == 0 ? NOWHERE : OWN_FACES, f[1]),
             *d_new = part_filled(p, 5);
        CASE_TRUE(c, laplace_direction(p->g.box, stencil_of(p, s), reduction_blocks(p->reduction),
                                       cells_all(), cg.state, z, d, d_new) == KOL_OK);
        part_sums(p, 1, 0, &sum);
        CASE_BELOW(c, part_error(p, OWN, d_new, want), BOUND * most);
        CASE_TRUE(c, part_changed(p, OWN_FACES, part_copy(p, made[n] = part_filled(p, 5)), d_new) == 0);
        part_put(p, region, f[0], z);
        if (beta != 0) part_put(p, region, f[1], d);
        CASE_TRUE(c,
                  laplace_direction_halo(p->g.box, cells_all(), layers, cg.state, z, d, made[n]) == KOL_OK);
        CASE_BELOW(c, part_error(p, OWN, made[n], fives), 0);
        CASE_TRUE(c, laplace_direction_halo(p->g.box, cells_all(), layers, cg.state, z, d, d_new) == KOL_OK);
        CASE_TRUE(c, part_changed(p, region, part_copy(p, made[n]), d_new) == 0);
        made[n] = d_new;
    }
    check_halo(c, region, made);
    ref_operator(&c->ref, s, want, product);
    CASE_BELOW(c, fabs(sum - dq), BOUND * sum_abs(c->count, want, product));
    for (int n = 0; n < c->size; ++n) part_release(&c->part[n]);
    cg_destroy(&cg);
    case_free((double *[]){want, product, fives}, 3);
}

static void check_direction(struct kernel_case *c)
{
    double *f[2] = {case_random(&c->ref, 70), case_random(&c->ref, 71)};
    for (int n = 0; n < SYSTEMS; ++n) {
        for (int layers = 1; layers <= 2; ++layers) {
            check_direction_of(c, system_of(n), 0, layers, f);
            check_direction_of(c, system_of(n), 0.75, layers, f);
        }
    }
    case_free(f, 2);
}

static void test_direction_like_reference(void **state)
{
    (void)state;
    case_each(check_direction);
}

/* x, r, z in want[] */
struct update_case {
    struct ref_system s;
    struct ref_poly poly;
    double alpha;
    double *d, *want[3];
    double *x, *r;
};

static void update_parts(struct kernel_case *c, const struct update_case *u, const struct cg_state *cg,
                         double sums[2])
{
    const int degree = u->poly.c1 != 0;
    const struct poly1 poly = {(real)u->poly.c0, (real)u->poly.c1};
    const enum region wide = degree ? OWN_FACES : OWN, written[3] = {OWN, wide, OWN};
    real *rest[CASE_PARTS];
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        real *d = part_from(p, degree ? OWN_DEEP : OWN_FACES, u->d), *r = part_from(p, wide, u->r);
        real *out[3] = {part_from(p, OWN, u->x), part_filled(p, 5), part_filled(p, 5)};
        real *before[3], *before_d = part_copy(p, d), *before_r = part_copy(p, r), *planes = planes_new(p);
        for (int a = 0; a < 3; ++a) before[a] = part_copy(p, out[a]);
        CASE_TRUE(c,
                  laplace_update(p->g.box, stencil_of(p, u->s), reduction_blocks(p->reduction), cells_all(),
                                 cg, poly, d, out[0], out[0], r, out[1], out[2], planes) == KOL_OK);
        part_sums(p, 1, 1, sums);
        for (int a = 0; a < 3; ++a) {
            const double most = check_max(u->want[a], NULL, c->count);
            CASE_BELOW(c, part_error(p, written[a], out[a], u->want[a]), BOUND * most);
            CASE_TRUE(c, part_changed(p, written[a], before[a], out[a]) == 0);
        }
        CASE_TRUE(c, part_changed(p, NOWHERE, before_d, d) + part_changed(p, NOWHERE, before_r, r) == 0);
        mem_kernel_free(planes);
        rest[n] = out[1];
    }
    check_halo(c, wide, rest);
    for (int n = 0; n < c->size; ++n) part_release(&c->part[n]);
}

static void check_update_of(struct kernel_case *c, struct ref_system s, struct ref_poly poly, double alpha,
                            const struct cg_state *cg)
{
    struct update_case u = {s, poly, alpha, case_random(&c->ref, 72), {NULL, NULL, NULL}, NULL, NULL};
    double sums[2] = {0, 0};
    u.x = case_random(&c->ref, 73);
    u.r = case_random(&c->ref, 74);
    u.want[0] = case_random(&c->ref, 73);
    u.want[1] = case_random(&c->ref, 74);
    u.want[2] = ref_new(&c->ref);
    const struct ref_update_sums ref =
        ref_update(&c->ref, s, alpha, u.d, poly, u.want[0], u.want[1], u.want[2]);
    update_parts(c, &u, cg, sums);
    CASE_BELOW(c, fabs(sums[0] - ref.rz), BOUND * sum_abs(c->count, u.want[1], u.want[2]));
    CASE_BELOW(c, fabs(sums[1] - ref.r_max), BOUND * ref.r_max);
    case_free(u.want, 3);
    case_free((double *[]){u.d, u.x, u.r}, 3);
}

/* without scalars: alpha = 0 */
static void check_update(struct kernel_case *c)
{
    static const struct ref_poly polys[] = {{1, 0}, {1, 0.875}, {0.5, 0.25}};
    struct cg_scalars cg = scalars_new(0.375, NAN, CG_RUNNING);
    for (int n = 0; n < 3 * SYSTEMS; ++n) {
        check_update_of(c, system_of(n % SYSTEMS), polys[n / SYSTEMS], 0.375, cg.state);
        if (n % SYSTEMS == 0) check_update_of(c, system_of(0), polys[n / SYSTEMS], 0, NULL);
    }
    cg_destroy(&cg);
}

static void test_update_like_reference(void **state)
{
    (void)state;
    case_each(check_update);
}

/* Tests the sum z.Az, and the sweep that does direction and update together. With the halo kernel, the
 * direction must have the bits of the neighbours in the halo. */
static void check_joint_of(struct kernel_case *c, struct ref_system s, double beta, double *const f[4])
{
    const double alpha = 0.375;
    struct cg_scalars cg = scalars_new(alpha, beta, CG_RUNNING);
    double *product = ref_new(&c->ref), *want[3] = {ref_new(&c->ref), ref_new(&c->ref), ref_new(&c->ref)};
    double energy = 0, sums[2] = {0, 0};
    real *made[CASE_PARTS];
    const double zaz = ref_direction(&c->ref, s, 0, f[0], f[1], want[0]);
    ref_operator(&c->ref, s, f[0], product);
    const double size = sum_abs(c->count, f[0], product);
    ref_direction(&c->ref, s, beta, f[0], f[1], want[0]);
    memcpy(want[1], f[2], (size_t)c->count * sizeof(double));
    memcpy(want[2], f[3], (size_t)c->count * sizeof(double));
    const double most =
        ref_update(&c->ref, s, alpha, want[0], (struct ref_poly){1, 0}, want[1], want[2], product).r_max;
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        const struct stencil a = stencil_of(p, s);
        const struct blocks bl = reduction_blocks(p->reduction);
        real *z = part_from(p, OWN_FACES, f[0]), *d = part_from(p, OWN_FACES, f[1]),
             *r = part_from(p, OWN, f[3]);
        real *in[3] = {z, d, r}, *before[3],
             *out[3] = {part_filled(p, 5), part_from(p, OWN, f[2]), part_array(p)};
        for (int i = 0; i < 3; ++i) before[i] = part_copy(p, in[i]);
        CASE_TRUE(c, laplace_energy(p->g.box, a, bl, cells_all(), cg.state, z) == KOL_OK);
        part_sums(p, 1, 0, &energy);
        CASE_TRUE(c, laplace_advance(p->g.box, a, bl, cells_all(), cg.state, z, d, out[0], out[1], out[1], r,
                                     out[2]) == KOL_OK);
        part_sums(p, 1, 1, sums);
        CASE_TRUE(c, part_changed(p, OWN_FACES, part_copy(p, part_filled(p, 5)), out[0]) == 0);
        CASE_TRUE(c, laplace_direction_halo(p->g.box, cells_all(), 1, cg.state, z, d, out[0]) == KOL_OK);
        for (int i = 0; i < 3; ++i) {
            CASE_BELOW(c, part_error(p, OWN, out[i], want[i]), BOUND * check_max(want[i], NULL, c->count));
            CASE_TRUE(c, part_changed(p, NOWHERE, before[i], in[i]) == 0);
        }
        made[n] = out[0];
    }
    check_halo(c, OWN_FACES, made);
    CASE_BELOW(c, fabs(energy - zaz), BOUND * size);
    CASE_TRUE(c, sums[0] == 0);
    CASE_BELOW(c, fabs(sums[1] - most), BOUND * most);
    for (int n = 0; n < c->size; ++n) part_release(&c->part[n]);
    cg_destroy(&cg);
    case_free((double *[]){product, want[0], want[1], want[2]}, 4);
}

static void check_joint(struct kernel_case *c)
{
    double *f[4] = {case_random(&c->ref, 78), case_random(&c->ref, 79), case_random(&c->ref, 80),
                    case_random(&c->ref, 81)};
    for (int n = 0; n < SYSTEMS; ++n) {
        check_joint_of(c, system_of(n), 0.75, f);
        if (n == 0) check_joint_of(c, system_of(n), 0, f);
    }
    case_free(f, 4);
}

static void test_joint_sweeps_like_reference(void **state)
{
    (void)state;
    case_each(check_joint);
}

/* What the scalars of a round with one sum become, with numbers that are exact. */
static void test_scalars_of_one_sum(void **state)
{
    (void)state;
    struct cg_state s = {.target = 0.5, .stall_growth = INFINITY, .limit = 9, .stall_iterations = 9};
    cg_advance(&s, CG_BEGIN, (const double[]){0, 8});
    cg_advance(&s, CG_ENERGY, (const double[]){4, 2}); /* d = z: d.Ad = 2 */
    assert_true(s.beta == 0 && s.alpha == 2 && s.dq == 2 && s.iterations == 1 && s.updates == 0);
    cg_advance(&s, CG_JOINT, (const double[]){2, 1.5, 4}); /* beta = 1/2, d.Ad = 1.5 - 2 / 2 / 2 */
    assert_true(s.beta == 0.5 && s.dq == 1 && s.alpha == 2 && s.iterations == 2 && s.updates == 1);
    struct cg_state slow = s;
    cg_advance(&s, CG_JOINT, (const double[]){2, 1, 2}); /* nothing left of 1 - 2 / 2: a new round */
    assert_true(s.outcome == CG_STALLED && s.updates == 2);
    s = slow;
    s.start = s.least = 4;
    cg_advance(&s, CG_JOINT, (const double[]){2, 1, 3}); /* which would have gained nothing: anew from z */
    assert_true(s.beta == 0 && s.dq == 1 && s.alpha == 2 && s.iterations == 3 && s.outcome == CG_RUNNING);
    struct cg_state met = s, bad = s, lost = s;
    cg_advance(&met, CG_JOINT, (const double[]){1, 1, 0.5});
    assert_true(met.outcome == CG_MET && met.updates == 3 && met.iterations == 3);
    cg_advance(&bad, CG_JOINT, (const double[]){1, -1, 2});
    assert_true(bad.outcome == CG_INDEFINITE && bad.dq == -1 && bad.iterations == 4);
    cg_advance(&lost, CG_JOINT, (const double[]){1, NAN, 2});
    assert_true(lost.outcome == CG_NOT_FINITE);
    cg_advance(&s, CG_JOINT, (const double[]){-1, 1, 2});
    assert_true(s.outcome == CG_INDEFINITE && s.rz == -1 && s.iterations == 3);
}

/* The vectors of an iteration in every part, as the solver holds them. */
struct iteration {
    struct kernel_case *c;
    struct ref_system s;
    struct poly1 poly;
    struct cg_scalars cg;
    struct cg_state state;
    real *x[CASE_PARTS], *r[CASE_PARTS], *z[CASE_PARTS], *d[CASE_PARTS], *spare[CASE_PARTS];
};

/* The sums of all parts go to the scalars; the kernels are given them anew. */
static void iteration_advance(struct iteration *it, enum cg_step step, const double *sums)
{
    cg_advance(&it->state, step, sums);
    CASE_TRUE(it->c, it->state.outcome == CG_RUNNING);
    need(cg_start(it->cg, it->state));
}

static void exchange(struct kernel_case *c, enum region region, real *const array[CASE_PARTS])
{
    double *own = ref_new(&c->ref);
    for (int n = 0; n < c->size; ++n) part_get(&c->part[n], array[n], own);
    for (int n = 0; n < c->size; ++n) part_put(&c->part[n], region, own, array[n]);
    free(own);
}

static void swap(real **a, real **b)
{
    real *c = *a;
    *a = *b;
    *b = c;
}

static void iteration_begin(struct iteration *it, const double *rhs)
{
    struct kernel_case *c = it->c;
    double sums[2] = {0, 0};
    it->cg = scalars_new(NAN, NAN, CG_RUNNING);
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        it->x[n] = part_filled(p, 0);
        it->r[n] = part_from(p, it->poly.c1 != 0 ? OWN_FACES : OWN, rhs);
        it->z[n] = part_array(p);
        it->d[n] = part_array(p);
        it->spare[n] = part_array(p);
        CASE_TRUE(c, laplace_start(p->g.box, stencil_of(p, it->s), reduction_blocks(p->reduction),
                                   cells_all(), it->cg.state, it->poly, it->r[n], it->z[n]) == KOL_OK);
        part_sums(p, 1, 1, sums);
    }
    iteration_advance(it, CG_BEGIN, sums);
}

static void iteration_step(struct iteration *it)
{
    struct kernel_case *c = it->c;
    const int layers = it->poly.c1 != 0 ? 2 : 1;
    double dq = 0, sums[2] = {0, 0};
    exchange(c, layers == 2 ? OWN_DEEP : OWN_FACES, it->z);
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        CASE_TRUE(c,
                  laplace_direction(p->g.box, stencil_of(p, it->s), reduction_blocks(p->reduction),
                                    cells_all(), it->cg.state, it->z[n], it->d[n], it->spare[n]) == KOL_OK);
        CASE_TRUE(c, laplace_direction_halo(p->g.box, cells_all(), layers, it->cg.state, it->z[n], it->d[n],
                                            it->spare[n]) == KOL_OK);
        part_sums(p, 1, 0, &dq);
        swap(&it->d[n], &it->spare[n]);
    }
    check_halo(c, layers == 2 ? OWN_DEEP : OWN_FACES, it->d);
    iteration_advance(it, CG_DIRECTION, &dq);
    for (int n = 0; n < c->size; ++n) {
        struct part *p = &c->part[n];
        real *planes = planes_new(p);
        CASE_TRUE(c, laplace_update(p->g.box, stencil_of(p, it->s), reduction_blocks(p->reduction),
                                    cells_all(), it->cg.state, it->poly, it->d[n], it->x[n], it->x[n],
                                    it->r[n], it->spare[n], it->z[n], planes) == KOL_OK);
        mem_kernel_free(planes);
        part_sums(p, 1, 1, sums);
        swap(&it->r[n], &it->spare[n]);
    }
    check_halo(c, layers == 2 ? OWN_FACES : OWN, it->r);
    iteration_advance(it, CG_UPDATE, sums);
}

/* The same iteration, written from the textbook. */
static void reference_iterations(const struct kernel_case *c, struct ref_system s, struct ref_poly poly,
                                 const double *rhs, double *x)
{
    double *r = ref_new(&c->ref), *z = ref_new(&c->ref), *d = ref_new(&c->ref), beta = 0;
    memcpy(r, rhs, (size_t)c->count * sizeof *r);
    double rz = ref_start(&c->ref, s, poly, r, z).rz;
    for (int n = 0; n < ITERATIONS; ++n) {
        const double dq = ref_direction(&c->ref, s, beta, z, d, d);
        const double next = ref_update(&c->ref, s, rz / dq, d, poly, x, r, z).rz;
        beta = next / rz;
        rz = next;
    }
    case_free((double *[]){r, z, d}, 3);
}

static void check_iterations(struct kernel_case *c)
{
    static const struct ref_poly polys[] = {{1, 0}, {1, 0.875}};
    double *rhs = case_random(&c->ref, 75);
    for (int n = 0; n < 2 * SYSTEMS; ++n) {
        const struct ref_poly poly = polys[n / SYSTEMS];
        struct iteration it = {.c = c,
                               .s = system_of(n % SYSTEMS),
                               .poly = {(real)poly.c0, (real)poly.c1},
                               .state = {.target = 0,
                                         .stall_growth = INFINITY,
                                         .limit = ITERATIONS + 1,
                                         .stall_iterations = ITERATIONS + 1}};
        double *want = ref_new(&c->ref);
        reference_iterations(c, it.s, poly, rhs, want);
        iteration_begin(&it, rhs);
        for (int i = 0; i < ITERATIONS; ++i) iteration_step(&it);
        assert_int_equal(it.state.iterations, ITERATIONS);
        /* each iteration adds its own rounding */
        for (int i = 0; i < c->size; ++i)
            CASE_BELOW(c, part_error(&c->part[i], OWN, it.x[i], want),
                       ITERATIONS * BOUND * check_max(want, NULL, c->count));
        for (int i = 0; i < c->size; ++i) part_release(&c->part[i]);
        cg_destroy(&it.cg);
        free(want);
    }
    free(rhs);
}

static void test_iterations_need_no_halo_but_that_of_z(void **state)
{
    (void)state;
    case_each(check_iterations);
}

/* Tests that after the end of an iteration every kernel leaves its arrays, and the sums of the previous
 * kernel, unchanged. */
static void test_nothing_happens_after_the_end(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    struct part *p = &c.part[0];
    const struct box b = p->g.box;
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct stencil s = stencil_of(p, system_of(0));
    const struct poly1 poly = {1, (real)0.5};
    double *field = case_random(&c.ref, 76);
    real *in = part_from(p, OWN_DEEP, field), *out[3], *before[3], *planes = planes_new(p);
    need(laplace_residual(b, s, bl, cells_all(), 0, in, in, part_array(p)));
    double *sums = part_blocks(p, 2, 1);
    for (int a = 0; a < 3; ++a) {
        out[a] = part_filled(p, 5 + a);
        before[a] = part_copy(p, out[a]);
    }
    for (enum cg_outcome o = CG_MET; o <= CG_NOT_FINITE; ++o) {
        struct cg_scalars cg = scalars_new(1, 1, o);
        const struct cells all = cells_all();
        CASE_TRUE(&c, laplace_start(b, s, bl, all, cg.state, poly, in, out[0]) == KOL_OK);
        CASE_TRUE(&c, laplace_direction(b, s, bl, all, cg.state, in, in, out[0]) == KOL_OK);
        CASE_TRUE(&c, laplace_direction_halo(b, cells_all(), 2, cg.state, in, in, out[0]) == KOL_OK);
        CASE_TRUE(&c, laplace_update(b, s, bl, cells_all(), cg.state, poly, in, out[0], out[0], in, out[1],
                                     out[2], planes) == KOL_OK);
        CASE_TRUE(&c, laplace_energy(b, s, bl, all, cg.state, in) == KOL_OK);
        CASE_TRUE(&c, laplace_advance(b, s, bl, all, cg.state, in, in, out[0], out[1], out[1], in, out[2]) ==
                          KOL_OK);
        CASE_TRUE(&c, laplace_chebyshev(b, s, bl, all, cg.state, 1, 1, 1, in, in, NULL, out[0]) == KOL_OK);
        cg_destroy(&cg);
    }
    double *after = part_blocks(p, 2, 1);
    assert_memory_equal(sums, after, (size_t)(3 * blocks_count(bl)) * sizeof *sums);
    for (int a = 0; a < 3; ++a) CASE_TRUE(&c, part_changed(p, NOWHERE, before[a], out[a]) == 0);
    mem_kernel_free(planes);
    case_free((double *[]){field, sums, after}, 3);
    case_close(&c);
}

/* Without scalars the new direction is z: the old one may be anything. */
static void test_direction_without_scalars(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    struct part *p = &c.part[0];
    double *field = case_random(&c.ref, 77);
    real *z = part_from(p, OWN_DEEP, field), *d = part_array(p), *d_new = part_array(p);
    CASE_TRUE(&c, laplace_direction(p->g.box, stencil_of(p, system_of(0)), reduction_blocks(p->reduction),
                                    cells_all(), NULL, z, d, d_new) == KOL_OK);
    CASE_TRUE(&c, laplace_direction_halo(p->g.box, cells_all(), 2, NULL, z, d, d_new) == KOL_OK);
    CASE_BELOW(&c, part_error(p, OWN_DEEP, d_new, field), 0);
    free(field);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direction_like_reference),
        cmocka_unit_test(test_update_like_reference),
        cmocka_unit_test(test_joint_sweeps_like_reference),
        cmocka_unit_test(test_scalars_of_one_sum),
        cmocka_unit_test(test_iterations_need_no_halo_but_that_of_z),
        cmocka_unit_test(test_nothing_happens_after_the_end),
        cmocka_unit_test(test_direction_without_scalars),
    };
    return cmocka_run_group_tests_name("iteration", tests, NULL, NULL);
}
