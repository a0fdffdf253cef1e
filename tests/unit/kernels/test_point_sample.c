/* Tests what slices, boxes and probes compute from the flow. Every quantity in every cell is compared with
 * plain loops, on every grid of kernel_case.h, however it is divided, and also in parts of the box. lambda2
 * is compared with that of known flows, some with equal eigenvalues. Catches a neighbour from the wrong
 * side, an edge that is left out, a packing that is shifted, a read of halo cells that nobody fills, and
 * digits lost at nearly equal eigenvalues. No MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/status.h"
#include "kernels/point/point_sample.h"
#include "tests/reference/sample.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 100 * KOL_EPSILON;

/* --- the judge --- */

static void judge(struct kernel_case *c, enum point_sample_quantity q, double *const field[4], const int i[3],
                  double *out)
{
    double g[3][3];
    for (int d = 0; d < 3; ++d) {
        int up[3] = {i[0], i[1], i[2]};
        ++up[d];
        out[d] = (field[d][ref_index(&c->ref, i[0], i[1], i[2])] +
                  field[d][ref_index(&c->ref, up[0], up[1], up[2])]) /
                 2;
    }
    if (q == SAMPLE_PRESSURE) out[0] = field[3][ref_index(&c->ref, i[0], i[1], i[2])];
    if (q == SAMPLE_VELOCITY || q == SAMPLE_PRESSURE) return;
    ref_velocity_gradient(&c->ref, field, i, g);
    for (int d = 0; d < 3 && q == SAMPLE_VORTICITY; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        out[d] = g[f][e] - g[e][f];
    }
    if (q == SAMPLE_Q) out[0] = ref_q(g);
    if (q == SAMPLE_LAMBDA2) out[0] = ref_lambda2(g);
}

/* What rounding is to be compared with. */
static double scale_of(struct kernel_case *c, enum point_sample_quantity q)
{
    double least = INFINITY;
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < c->ref.n[d]; ++i) least = fmin(least, c->ref.dc[d][i]);
    return q == SAMPLE_VELOCITY || q == SAMPLE_PRESSURE ? 1
           : q == SAMPLE_VORTICITY                      ? 4 / least
                                                        : 36 / (least * least);
}

/* --- the judged --- */

static void *kernel_new(size_t bytes)
{
    void *p = NULL;
    if (mem_kernel_alloc(bytes, &p) != KOL_OK) abort();
    return p;
}

static void check_range(struct kernel_case *c, struct part *p, enum point_sample_quantity q, struct range r,
                        real *const vel[3], const real *pressure, double *const field[4])
{
    const int n[3] = {r.hi[X] - r.lo[X], r.hi[Y] - r.lo[Y], r.hi[Z] - r.lo[Z]},
              m = point_sample_components(q);
    const size_t values = (size_t)n[X] * (size_t)n[Y] * (size_t)n[Z] * (size_t)m;
    real *out = kernel_new((values + 1) * sizeof *out), *host = malloc((values + 1) * sizeof *host);
    double error = 0;
    CASE_TRUE(c, mem_fill_real(out, (ptrdiff_t)values + 1, 7) == KOL_OK);
    CASE_TRUE(c, point_sample_cells(p->g.box, p->g.m, q, r, vel, q == SAMPLE_PRESSURE ? pressure : NULL,
                                    out) == KOL_OK);
    CASE_TRUE(c, mem_to_host(host, out, (values + 1) * sizeof *out) == KOL_OK);
    for (size_t v = 0; v < values; v += (size_t)m) {
        const int cell = (int)(v / (size_t)m);
        const int i[3] = {p->d.offset[X] + r.lo[X] + cell % n[X],
                          p->d.offset[Y] + r.lo[Y] + cell / n[X] % n[Y],
                          p->d.offset[Z] + r.lo[Z] + cell / n[X] / n[Y]};
        double want[3];
        judge(c, q, field, i, want);
        for (int k = 0; k < m; ++k) {
            const double off = fabs(host[v + (size_t)k] - want[k]);
            error = off <= error ? error : off; /* NaN stays */
        }
    }
    CASE_BELOW(c, error, BOUND * scale_of(c, q));
    CASE_TRUE(c, host[values] == 7);
    mem_kernel_free(out);
    free(host);
}

static void check_part(struct kernel_case *c, struct part *p, double *const field[4])
{
    const struct range all = range_all(p->g.box);
    const real *pressure = part_from(p, OWN, field[3]);
    for (int q = 0; q < SAMPLE_QUANTITIES; ++q) {
        const enum region halo = q == SAMPLE_VELOCITY ? OWN_HIGH : OWN_EDGES;
        real *const vel[3] = {part_from(p, halo, field[X]), part_from(p, halo, field[Y]),
                              part_from(p, halo, field[Z])};
        check_range(c, p, (enum point_sample_quantity)q, all, vel, pressure, field);
        for (int d = 0; d < 3; ++d) { /* the last plane, then a box that touches no end */
            struct range r = all;
            r.lo[d] = all.hi[d] - 1;
            check_range(c, p, (enum point_sample_quantity)q, r, vel, pressure, field);
        }
        struct range inner = all;
        for (int d = 0; d < 3; ++d) {
            inner.lo[d] += all.hi[d] > 2;
            inner.hi[d] -= all.hi[d] > 2;
        }
        check_range(c, p, (enum point_sample_quantity)q, inner, vel, pressure, field);
    }
    part_release(p);
}

static void check_cells(struct kernel_case *c)
{
    double *field[4];
    for (int a = 0; a < 4; ++a) field[a] = case_random(&c->ref, 40 + (unsigned)a);
    for (struct part *p = c->part; p < c->part + c->size; ++p) check_part(c, p, field);
    case_free(field, 4);
}

static void test_cells(void **state)
{
    (void)state;
    case_each(check_cells);
}

static void check_points(struct kernel_case *c)
{
    enum { POINTS = 700, ARRAYS = 6 };
    struct part *p = c->part;
    double *field[ARRAYS];
    const real *array[ARRAYS];
    struct point_sample_point want[POINTS];
    real got[POINTS];
    real *copy[ARRAYS];
    for (int a = 0; a < ARRAYS; ++a) {
        field[a] = case_random(&c->ref, 50 + (unsigned)a);
        array[a] = part_from(p, OWN_FACES, field[a]);
        copy[a] = part_copy(p, array[a]);
    }
    for (int n = 0; n < POINTS; ++n) {
        const struct box b = p->g.box;
        want[n] =
            (struct point_sample_point){n * 7 % ARRAYS, at(b, n * 5 % b.nx, n * 11 % b.ny, n * 3 % b.nz)};
    }
    struct point_sample_point *point = kernel_new(sizeof want);
    real *out = kernel_new(sizeof got);
    CASE_TRUE(c, mem_to_kernel(point, want, sizeof want) == KOL_OK);
    CASE_TRUE(c, point_sample_points(POINTS, point, ARRAYS, array, out) == KOL_OK);
    CASE_TRUE(c, mem_to_host(got, out, sizeof got) == KOL_OK);
    int wrong = 0;
    for (int n = 0; n < POINTS; ++n) wrong += got[n] != copy[want[n].array][want[n].at];
    CASE_BELOW(c, wrong, 0);
    CASE_TRUE(c, point_sample_points(0, NULL, ARRAYS, array, NULL) == KOL_OK);
    CASE_TRUE(c, point_sample_points(POINTS, point, POINT_SAMPLE_ARRAYS + 1, array, out) == KOL_ERR_INTERNAL);
    status_clear();
    mem_kernel_free(point);
    mem_kernel_free(out);
    for (int a = 0; a < ARRAYS; ++a) free(copy[a]);
    case_free(field, ARRAYS);
    part_release(p);
}

static void test_points(void **state)
{
    (void)state;
    case_each(check_points);
}

/* --- flows that are known --- */

/* The same flow seen by a turned observer: t g t^T. */
static void turn(double g[3][3], double angle, int axis, double out[3][3])
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    double t[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    t[a][a] = t[b][b] = cos(angle);
    t[a][b] = -sin(angle);
    t[b][a] = sin(angle);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out[i][j] = 0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) out[i][j] += t[i][k] * g[k][l] * t[j][l];
        }
}

/* lambda2 and Q of a flow, as it is and turned. */
static void check_flow(double g[3][3], double lambda2, double q)
{
    double most = 0;
    for (int i = 0; i < 9; ++i) most = fmax(most, fabs(g[i / 3][i % 3]));
    const double bound = 1e-15 * most * most;
    CHECK_BELOW(fabs(point_sample_lambda2(g) - lambda2), bound);
    CHECK_BELOW(fabs(point_sample_q(g) - q), bound);
    for (int axis = 0; axis < 3; ++axis) {
        double turned[3][3], twice[3][3];
        turn(g, 0.7, axis, turned);
        turn(turned, -1.1, (axis + 1) % 3, twice);
        CHECK_BELOW(fabs(point_sample_lambda2(twice) - lambda2), 10 * bound);
        CHECK_BELOW(fabs(point_sample_q(twice) - q), 10 * bound);
        CHECK_BELOW(fabs(ref_lambda2(twice) - lambda2), 30 * bound);
    }
}

static void test_flows(void **state)
{
    (void)state;
    double rotation[3][3] = {{0, -3, 0}, {3, 0, 0}, {0, 0, 0}}; /* rotation squared: -9, -9, 0 */
    double shear[3][3] = {{0, 2, 0}, {0, 0, 0}, {0, 0, 0}};     /* 0, 0, 0 */
    double plane[3][3] = {{1, -5, 0}, {3, -1, 0}, {0, 0, 0}};   /* -14, -14, 0 */
    double strain[3][3] = {{2, 0, 0}, {0, 1, 0}, {0, 0, -3}};   /* 4, 1, 9 */
    double vortex[3][3] = {{-1, -4, 0}, {4, -1, 0}, {0, 0, 2}}; /* -15, -15, 4 */
    double none[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    check_flow(rotation, -9, 9);
    check_flow(shear, 0, 0);
    check_flow(plane, -14, 14);
    check_flow(strain, 4, -7);
    check_flow(vortex, -15, 13);
    check_flow(none, 0, 0);
    rotation[0][0] = NAN;
    assert_true(isnan(point_sample_q(rotation)) && isnan(point_sample_lambda2(rotation)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_flows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
