/* Tests the sweeps of conjugate gradients with closed faces against tests/reference, on uniform and stretched
 * grids that are cut in several ways, with faces closed at random and dead cells. Catches a closed face that
 * carries flux, a bit taken for that of another face, a diagonal that counts closed faces, and a dead cell
 * that is divided by 0. No MPI. */
#include <stdlib.h>
#include "kernels/cg.h"
#include "kernels/laplace.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 100 * KOL_EPSILON, PART_CLOSED = 0.45, PART_DEAD = 0.1;

/* closed: faces of the whole grid. open: of the lower faces, three a cell; bits: of struct grid. */
struct closed {
    unsigned char *open, *bits;
    double *diag;
};

static ptrdiff_t lower(const struct kernel_case *c, ptrdiff_t n, int d)
{
    const int *size = c->ref.n;
    int i[3] = {(int)(n % size[X]), (int)(n / size[X] % size[Y]), (int)(n / size[X] / size[Y])};
    --i[d];
    return ref_index(&c->ref, i[X], i[Y], i[Z]);
}

static void closed_open(struct kernel_case *c, struct closed *w)
{
    double *chance = case_random(&c->ref, 31), *dead = case_random(&c->ref, 32), *zero = ref_new(&c->ref);
    w->open = calloc(3 * (size_t)c->count, 1);
    w->bits = calloc((size_t)c->count, 1);
    w->diag = ref_new(&c->ref);
    for (ptrdiff_t n = 0; n < c->count; ++n) {
        for (int d = 0; d < 3; ++d) {
            const double random = fmod(fabs(chance[n]) * (1 + 96 * d), 1);
            const ptrdiff_t low = lower(c, n, d);
            if (random < PART_CLOSED || fabs(dead[n]) < PART_DEAD || fabs(dead[low]) < PART_DEAD) continue;
            w->open[3 * n + d] = 1;
            w->bits[n] |= (unsigned char)(1u << (2 * d));
            w->bits[low] |= (unsigned char)(1u << (2 * d + 1));
        }
    }
    ref_open_operator(&c->ref, w->open, zero, zero, w->diag);
    case_free((double *[]){chance, dead, zero}, 3);
}

static void closed_close(struct closed *w)
{
    free(w->open);
    free(w->bits);
    free(w->diag);
}

/* The stencil of a part with its bits, halo included, in kernel memory. */
static struct stencil stencil_of(const struct kernel_case *c, const struct part *p, const struct closed *w,
                                 unsigned char **open)
{
    const struct box b = p->g.box;
    struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    unsigned char *host = calloc((size_t)b.size, 1);
    for (int k = -b.h; k < b.nz + b.h; ++k)
        for (int j = -b.h; j < b.ny + b.h; ++j)
            for (int i = -b.h; i < b.nx + b.h; ++i)
                host[at(b, i, j, k)] =
                    w->bits[ref_index(&c->ref, i + p->d.offset[X], j + p->d.offset[Y], k + p->d.offset[Z])];
    assert_int_equal(mem_kernel_alloc((size_t)b.size, (void **)open), KOL_OK);
    assert_int_equal(mem_to_kernel(*open, host, (size_t)b.size), KOL_OK);
    free(host);
    s.open = *open;
    return s;
}

/* A random field that is 0 in dead cells. */
static double *live(const struct kernel_case *c, const struct closed *w, unsigned seed)
{
    double *f = case_random(&c->ref, seed);
    for (ptrdiff_t n = 0; n < c->count; ++n)
        if (w->bits[n] == 0) f[n] = 0;
    return f;
}

enum { RESIDUAL, START, FIRST, SECOND, DIRECTION, UPDATED_X, UPDATED_R, UPDATED_Z, RESULTS };
static const double MEAN = 0.5, C0 = 0.75, MOMENTUM = 0.25, STEP = 0.625, Y0 = 0.875, ALPHA = 1.5, BETA = 0.5;

/* What the sweeps should give. */
static void expect(struct kernel_case *c, const struct closed *w, const double *r, const double *z,
                   const double *d, double *want[RESULTS], double *product)
{
    double *az = ref_new(&c->ref), *ad = ref_new(&c->ref), *diag = ref_new(&c->ref);
    ref_open_operator(&c->ref, w->open, z, az, diag);
    for (ptrdiff_t n = 0; n < c->count; ++n) want[DIRECTION][n] = z[n] + BETA * d[n];
    ref_open_operator(&c->ref, w->open, want[DIRECTION], ad, diag);
    *product = case_dot(c->count, want[DIRECTION], ad);
    for (ptrdiff_t n = 0; n < c->count; ++n) {
        const double inverse = diag[n] > 0 ? 1 / diag[n] : 0, v = case_volume(&c->ref, REF_CCC, n);
        want[RESIDUAL][n] = w->bits[n] != 0 ? r[n] - MEAN * v - az[n] : 0;
        want[START][n] = C0 * r[n] * inverse;
        want[FIRST][n] = z[n] + MOMENTUM * (z[n] - Y0 * r[n] * inverse) + STEP * (r[n] - az[n]) * inverse;
        want[SECOND][n] = z[n] + MOMENTUM * (z[n] - d[n]) + STEP * (r[n] - az[n]) * inverse;
        want[UPDATED_X][n] = z[n] + ALPHA * want[DIRECTION][n];
        want[UPDATED_R][n] = r[n] - ALPHA * ad[n];
        want[UPDATED_Z][n] = C0 * want[UPDATED_R][n] * inverse;
    }
    case_free((double *[]){az, ad, diag}, 3);
}

static void sweep(struct part *p, struct stencil s, const double *r, const double *rhs, const double *z,
                  const double *d, const double *direction, real *got[RESULTS], double *product)
{
    const struct box b = p->g.box;
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct cells all = cells_all();
    struct cg_scalars cg;
    struct cg_state state = {.limit = 9, .alpha = ALPHA, .beta = BETA};
    real *planes;
    assert_int_equal(cg_create(&cg), KOL_OK);
    assert_int_equal(cg_start(cg, state), KOL_OK);
    assert_int_equal(mem_kernel_alloc((size_t)laplace_update_scratch(b) * sizeof *planes, (void **)&planes),
                     KOL_OK);
    assert_int_equal(laplace_residual(b, s, bl, all, (real)MEAN, part_from(p, OWN, rhs),
                                      part_from(p, OWN_FACES, z), got[RESIDUAL]),
                     KOL_OK);
    assert_int_equal(
        laplace_start(b, s, bl, all, NULL, (struct poly1){(real)C0, 0}, part_from(p, OWN, r), got[START]),
        KOL_OK);
    const real *z_faces = part_from(p, OWN_FACES, z), *r_own = part_from(p, OWN, r);
    assert_int_equal(laplace_chebyshev(b, s, bl, all, NULL, (real)MOMENTUM, (real)STEP, (real)Y0, r_own,
                                       z_faces, NULL, got[FIRST]),
                     KOL_OK);
    assert_int_equal(laplace_chebyshev(b, s, bl, all, NULL, (real)MOMENTUM, (real)STEP, (real)NAN, r_own,
                                       z_faces, part_from(p, OWN, d), got[SECOND]),
                     KOL_OK);
    assert_int_equal(
        laplace_direction(b, s, bl, all, cg.state, z_faces, part_from(p, OWN_FACES, d), got[DIRECTION]),
        KOL_OK);
    part_sums(p, 1, 0, product);
    const real *d_faces = part_from(p, OWN_FACES, direction);
    assert_int_equal(laplace_update(b, s, bl, all, cg.state, (struct poly1){(real)C0, 0}, d_faces,
                                    part_from(p, OWN, z), got[UPDATED_X], r_own, got[UPDATED_R],
                                    got[UPDATED_Z], planes),
                     KOL_OK);
    /* other sweeps know no closed faces */
    assert_int_equal(laplace_energy(b, s, bl, all, NULL, z_faces), KOL_ERR_INTERNAL);
    assert_int_equal(laplace_start(b, s, bl, all, NULL, (struct poly1){1, 1}, r_own, got[START]),
                     KOL_ERR_INTERNAL);
    status_clear();
    mem_kernel_free(planes);
    cg_destroy(&cg);
}

static void check(struct kernel_case *c)
{
    struct closed w;
    closed_open(c, &w);
    double *r = live(c, &w, 1), *rhs = case_random(&c->ref, 1), *z = live(c, &w, 2), *d = live(c, &w, 3);
    double *want[RESULTS], product, sum = 0, most[RESULTS], error[RESULTS] = {0};
    for (int n = 0; n < RESULTS; ++n) want[n] = ref_new(&c->ref);
    expect(c, &w, r, z, d, want, &product);
    for (int n = 0; n < RESULTS; ++n) most[n] = check_max(want[n], NULL, c->count);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        unsigned char *open;
        real *got[RESULTS];
        for (int n = 0; n < RESULTS; ++n) got[n] = part_array(p);
        const struct stencil s = stencil_of(c, p, &w, &open);
        sweep(p, s, r, rhs, z, d, want[DIRECTION], got, &sum);
        for (int n = 0; n < RESULTS; ++n)
            error[n] = fmax(error[n], part_error(p, OWN, got[n], want[n]) / most[n]);
        real *x = part_filled(p, 3);
        assert_int_equal(laplace_clear(p->g.box, open, x), KOL_OK);
        double *ones = ref_new(&c->ref);
        for (ptrdiff_t n = 0; n < c->count; ++n) ones[n] = w.bits[n] != 0 ? 3 : 0;
        CASE_TRUE(c, part_error(p, OWN, x, ones) == 0);
        free(ones);
        mem_kernel_free(open);
        part_release(p);
    }
    for (int n = 0; n < RESULTS; ++n) CASE_BELOW(c, error[n], BOUND);
    CASE_BELOW(c, fabs(sum - product), BOUND * fabs(product));
    for (int n = 0; n < RESULTS; ++n) free(want[n]);
    case_free((double *[]){r, rhs, z, d}, 4);
    closed_close(&w);
}

static void test_closed_faces_like_reference(void **state)
{
    (void)state;
    case_each(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_faces_like_reference),
    };
    return cmocka_run_group_tests_name("laplace with bodies", tests, NULL, NULL);
}
