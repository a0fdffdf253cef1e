/* Convection and diffusion of the velocity, and the source of the implicit step, against tests/reference and against what
 * the discretisation promises: no kinetic energy from convection, momentum conserved. Catches a wrong metric or neighbour on
 * a stretched grid, a read beyond faces and edges, a write outside the range. No MPI. */
#include <stdlib.h>
#include "../../kernels/momentum.h"
#include "../../solver/halo.h"
#include "../support/check.h"
#include "../support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times larger */
static const double BOUND = 100 * KOL_EPSILON;
static const double SENTINEL = -77.25;

struct velocity {
    double *u[3], *rhs[3], *got[3];
};

static void velocity_new(struct kernel_case *c, int solenoidal, struct velocity *v)
{
    if (solenoidal) case_solenoidal(&c->ref, 11, v->u);
    for (int a = 0; a < 3; ++a) {
        if (!solenoidal) v->u[a] = case_random(&c->ref, 1 + (unsigned)a);
        v->rhs[a] = ref_new(&c->ref);
        v->got[a] = ref_new(&c->ref);
    }
}

static void velocity_free(struct velocity *v)
{
    case_free(v->u, 3);
    case_free(v->rhs, 3);
    case_free(v->got, 3);
}

/* right-hand sides of every part, by the kernel, into v->got */
static void run_parts(struct kernel_case *c, double nu, struct velocity *v)
{
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3], *r[3], *before[3];
        for (int a = 0; a < 3; ++a) {
            u[a] = part_from(p, OWN_EDGES, v->u[a]);
            r[a] = part_filled(p, SENTINEL);
            before[a] = part_copy(p, r[a]);
        }
        CASE_TRUE(c, momentum_rhs(p->g.box, p->g.m, range_all(p->g.box), (real)nu, u[X], u[Y], u[Z], r[X],
                                  r[Y], r[Z]) == KOL_OK);
        for (int a = 0; a < 3; ++a) {
            part_get(p, r[a], v->got[a]);
            CASE_TRUE(c, part_changed(p, OWN, before[a], r[a]) == 0);
        }
    }
}

static void check_rhs(struct kernel_case *c)
{
    static const double viscosity[] = {0, 0.02, 1.5};
    for (int n = 0; n < 3; ++n) {
        struct velocity v;
        velocity_new(c, 0, &v);
        const double nu = (double)(real)viscosity[n];
        ref_momentum_rhs(&c->ref, nu, v.u, v.rhs);
        run_parts(c, nu, &v);
        for (int a = 0; a < 3; ++a) {
            const double most = check_max(v.rhs[a], NULL, c->count);
            CASE_BELOW(c, check_max(v.got[a], v.rhs[a], c->count), BOUND * most);
            CASE_TRUE(c, most > 0.1);
        }
        velocity_free(&v);
        for (int r = 0; r < c->size; ++r) part_release(&c->part[r]);
    }
}

static void test_rhs_like_reference(void **state)
{
    (void)state;
    case_each(check_rhs);
}

/* Sum of V u.conv(u), and of the magnitudes of its terms. */
static double convected_energy(const struct kernel_case *c, const struct velocity *v, double *terms)
{
    static const enum ref_location location[3] = {REF_FCC, REF_CFC, REF_CCF};
    long double sum = 0, most = 0;
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const long double f =
                (long double)case_volume(&c->ref, location[a], n) * v->u[a][n] * v->got[a][n];
            sum += f;
            most += fabsl(f);
        }
    }
    *terms = (double)most;
    return (double)sum;
}

static void check_energy(struct kernel_case *c)
{
    struct velocity v;
    double terms;
    velocity_new(c, 1, &v);
    run_parts(c, 0, &v);
    const double energy = convected_energy(c, &v, &terms);
    CASE_BELOW(c, fabs(energy), BOUND * terms);
    CASE_TRUE(c, terms > 0);
    velocity_free(&v);
}

static void test_convection_keeps_energy(void **state)
{
    (void)state;
    case_each(check_energy);
}

/* Without zero divergence convection changes the energy: the sum above does not vanish for any flow. */
static void test_energy_needs_zero_divergence(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    struct velocity v;
    double terms;
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    velocity_new(&c, 0, &v);
    run_parts(&c, 0, &v);
    const double energy = convected_energy(&c, &v, &terms);
    CASE_TRUE(&c, fabs(energy) > 1e-3 * terms);
    velocity_free(&v);
    case_close(&c);
}

/* Convection and diffusion only move momentum, whatever the divergence. */
static void check_momentum(struct kernel_case *c)
{
    static const enum ref_location location[3] = {REF_FCC, REF_CFC, REF_CCF};
    struct velocity v;
    velocity_new(c, 0, &v);
    run_parts(c, 0.25, &v);
    for (int a = 0; a < 3; ++a) {
        long double sum = 0, terms = 0;
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const long double f = (long double)case_volume(&c->ref, location[a], n) * v.got[a][n];
            sum += f;
            terms += fabsl(f);
        }
        CASE_BELOW(c, (double)fabsl(sum), BOUND * (double)terms);
    }
    velocity_free(&v);
}

static void test_momentum_is_kept(void **state)
{
    (void)state;
    case_each(check_momentum);
}

/* One part computed whole and in ranges: the same bits, and nothing outside the ranges is written. */
static void check_ranges(struct kernel_case *c)
{
    struct velocity v;
    velocity_new(c, 0, &v);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct box b = p->g.box;
        struct halo *halo = NULL;
        real *u[3], *whole[3], *pieces[3];
        struct range range[7];
        for (int a = 0; a < 3; ++a) {
            u[a] = part_from(p, OWN_EDGES, v.u[a]);
            whole[a] = part_filled(p, SENTINEL);
            pieces[a] = part_filled(p, SENTINEL);
        }
        CASE_TRUE(c, momentum_rhs(b, p->g.m, range_all(b), 0.5, u[X], u[Y], u[Z], whole[X], whole[Y],
                                  whole[Z]) == KOL_OK);
        CASE_TRUE(c, halo_create(&p->comm, &p->d, b, &halo) == KOL_OK);
        range[0] = halo_inner(halo);
        const int ranges = 1 + halo_rim(halo, range + 1);
        for (int n = 0; n < ranges; ++n)
            CASE_TRUE(c, momentum_rhs(b, p->g.m, range[n], 0.5, u[X], u[Y], u[Z], pieces[X], pieces[Y],
                                      pieces[Z]) == KOL_OK);
        for (int a = 0; a < 3; ++a) {
            real *wanted = part_copy(p, whole[a]), *found = part_copy(p, pieces[a]);
            CASE_TRUE(c, memcmp(wanted, found, (size_t)b.size * sizeof(real)) == 0);
            free(wanted);
            free(found);
        }
        halo_destroy(&halo);
    }
    velocity_free(&v);
}

static void test_ranges_make_the_whole(void **state)
{
    (void)state;
    case_each(check_ranges);
}

static int inside(struct range r, int i, int j, int k)
{
    return i >= r.lo[X] && i < r.hi[X] && j >= r.lo[Y] && j < r.hi[Y] && k >= r.lo[Z] && k < r.hi[Z];
}

/* Every range of a small box: what is in it, and only that, is written. An empty range writes nothing. */
static void test_only_the_range_is_written(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    static const struct range ranges[] = {
        {{0, 0, 0}, {1, 1, 1}}, {{3, 2, 1}, {7, 9, 10}},  {{1, 0, 4}, {6, 1, 5}},  {{6, 8, 10}, {7, 9, 11}},
        {{0, 4, 0}, {7, 5, 4}}, {{2, 2, 2}, {2, 5, 5}},   {{1, 3, 7}, {5, 3, 9}},  {{0, 0, 3}, {7, 9, 3}},
        {{0, 0, 0}, {7, 9, 1}}, {{0, 0, 10}, {1, 9, 11}}, {{6, 0, 0}, {7, 9, 11}},
    };
    struct kernel_case c;
    struct velocity v;
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    velocity_new(&c, 0, &v);
    struct part *p = &c.part[0];
    const struct box b = p->g.box;
    real *u[3], *r[3];
    for (int a = 0; a < 3; ++a) {
        u[a] = part_from(p, OWN_EDGES, v.u[a]);
        r[a] = part_array(p);
    }
    for (size_t n = 0; n < sizeof ranges / sizeof *ranges; ++n) {
        int wrong = 0;
        for (int a = 0; a < 3; ++a) assert_int_equal(mem_fill_real(r[a], b.size, (real)SENTINEL), KOL_OK);
        CASE_TRUE(&c, momentum_rhs(b, p->g.m, ranges[n], 0.1f, u[X], u[Y], u[Z], r[X], r[Y], r[Z]) == KOL_OK);
        for (int a = 0; a < 3; ++a) {
            real *host = part_copy(p, r[a]);
            for (int k = -1; k <= b.nz; ++k)
                for (int j = -1; j <= b.ny; ++j)
                    for (int i = -1; i <= b.nx; ++i)
                        wrong += inside(ranges[n], i, j, k) != (host[at(b, i, j, k)] != (real)SENTINEL);
            free(host);
        }
        CASE_TRUE(&c, wrong == 0);
    }
    velocity_free(&v);
    case_close(&c);
}

/* stencil_source with faces only; the stencil's shift and scale have no influence. */
static void check_source(struct kernel_case *c)
{
    double *base = case_random(&c->ref, 5), *x = case_random(&c->ref, 6), *want = ref_new(&c->ref),
           *got = ref_new(&c->ref);
    const double factor = (double)(real)0.037;
    for (int loc = LOC_CCC; loc <= LOC_CCF; ++loc) {
        memcpy(want, base, (size_t)c->count * sizeof *want);
        ref_diffuse(&c->ref, (enum ref_location)loc, factor, x, want);
        for (ptrdiff_t n = 0; n < c->count; ++n) want[n] *= case_volume(&c->ref, (enum ref_location)loc, n);
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *y = part_filled(p, SENTINEL), *before = part_copy(p, y);
            const struct stencil s = grid_stencil(&p->g, (enum location)loc, 3, 7);
            CASE_TRUE(c, stencil_source(p->g.box, s, (real)factor, part_from(p, OWN, base),
                                        part_from(p, OWN_FACES, x), y) == KOL_OK);
            part_get(p, y, got);
            CASE_TRUE(c, part_changed(p, OWN, before, y) == 0);
        }
        CASE_BELOW(c, check_max(got, want, c->count), BOUND * check_max(want, NULL, c->count));
    }
    case_free((double *[]){base, x, want, got}, 4);
}

static void test_source_like_reference(void **state)
{
    (void)state;
    case_each(check_source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rhs_like_reference),    cmocka_unit_test(test_convection_keeps_energy),
        cmocka_unit_test(test_momentum_is_kept),      cmocka_unit_test(test_energy_needs_zero_divergence),
        cmocka_unit_test(test_ranges_make_the_whole), cmocka_unit_test(test_only_the_range_is_written),
        cmocka_unit_test(test_source_like_reference),
    };
    return cmocka_run_group_tests_name("momentum", tests, NULL, NULL);
}
