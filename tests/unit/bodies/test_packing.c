/* Tests random packings: no two bodies too close, all inside, the same for the same seed, other places for
 * another seed, cubes on faces of cells, dense ones by moves of a lattice that leave no lattice, and refusals
 * of what does not fit. Distances are compared for all pairs and images. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "solver/bodies/packing.h"
#include "tests/support/check.h"

static double reach(const struct packing *p, int d)
{
    return p->size[d] + p->gap[d];
}

/* The largest overlap of any pair, each body grown by half the gap; below 0: there is none. */
static double overlap(const struct packing *p, const double *x)
{
    double most = -HUGE_VAL;
    for (int a = 0; a < p->count; ++a)
        for (int b = 0; b < a; ++b) {
            double square = 0, least = HUGE_VAL;
            for (int d = 0; d < 3; ++d) {
                double off = fabs(x[3 * a + d] - x[3 * b + d]);
                if (p->periodic[d]) off = fmin(off, fabs(off - p->length[d]));
                square += off * off;
                least = fmin(least, reach(p, d) - off);
            }
            most = fmax(most, p->cubes ? least : reach(p, 0) - sqrt(square));
        }
    return most;
}

static int outside(const struct packing *p, const double *x)
{
    int count = 0;
    for (int n = 0; n < 3 * p->count; ++n) {
        const int d = n % 3;
        const double wall = p->periodic[d] ? 0 : p->size[d] / 2 + p->gap[d], off = x[n] - p->low[d];
        count += off < wall - 1e-9 || off > p->length[d] - wall + 1e-9;
    }
    return count;
}

static struct packing cube_of(int cubes, int count, double size, double gap, int periodic)
{
    struct packing p = {.cubes = cubes, .count = count, .seed = 3, .at = "case.nml:7"};
    for (int d = 0; d < 3; ++d) {
        p.low[d] = -0.5 + 0.1 * d;
        p.length[d] = 1 + 0.25 * d;
        p.size[d] = size;
        p.gap[d] = gap;
        p.periodic[d] = periodic || d == 1;
    }
    return p;
}

static void check_packing(const struct packing *p)
{
    double *x, *again;
    assert_int_equal(packing_place(p, &x), KOL_OK);
    assert_int_equal(packing_place(p, &again), KOL_OK);
    CHECK_BELOW(overlap(p, x), 1e-9);
    assert_int_equal(outside(p, x), 0);
    assert_memory_equal(x, again, 3 * (size_t)p->count * sizeof *x);
    struct packing other = *p;
    free(again);
    other.seed = 4;
    assert_int_equal(packing_place(&other, &again), KOL_OK);
    assert_memory_not_equal(x, again, 3 * (size_t)p->count * sizeof *x);
    free(x);
    free(again);
}

static void test_no_overlap_at_any_share(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 20, 300};
    static const double shares[] = {0.02, 0.25, 0.4};
    for (int periodic = 0; periodic < 2; ++periodic)
        for (int cubes = 0; cubes < 2; ++cubes)
            for (int c = 0; c < 4; ++c)
                for (int s = 0; s < 3; ++s) {
                    if ((!periodic || cubes) && s == 2) continue; /* the room between walls is smaller */
                    const double body = shares[s] * 1.875 / counts[c];
                    const double size = cubes ? cbrt(body) : cbrt(6 / PI * body);
                    if (size > (counts[c] == 1 ? 0.9 : 0.45)) continue;
                    if (!periodic && size > 0.35) continue;
                    const struct packing p = cube_of(cubes, counts[c], 0.98 * size, 0.02 * size, periodic);
                    check_packing(&p);
                }
}

static void test_the_densest_beds(void **state)
{
    (void)state;
    const struct packing bed = cube_of(0, 256, cbrt(0.5 * 1.875 / 256 * 6 / PI), 0, 1);
    double *x;
    int moved = 0;
    check_packing(&bed);
    assert_int_equal(packing_place(&bed, &x), KOL_OK);
    for (int a = 0; a < bed.count; ++a) { /* no lattice is left: few share a plane */
        int same = 0;
        for (int b = 0; b < bed.count; ++b) same += fabs(x[3 * a] - x[3 * b]) < 1e-3;
        moved += same < 10;
    }
    assert_true(moved > bed.count / 2);
    free(x);
}

static void test_cubes_on_faces_of_cells(void **state)
{
    (void)state;
    struct packing p = cube_of(1, 768, 0, 0, 1);
    double *x;
    for (int d = 0; d < 3; ++d) {
        p.step[d] = p.length[d] / 64;
        p.size[d] = 2 * p.step[d];
        p.gap[d] = 2 * p.step[d];
    }
    check_packing(&p);
    assert_int_equal(packing_place(&p, &x), KOL_OK);
    for (int n = 0; n < 3 * p.count; ++n) {
        const double corner = (x[n] - p.size[n % 3] / 2 - p.low[n % 3]) / p.step[n % 3];
        CHECK_NEAR(corner, round(corner), 1e-9);
    }
    free(x);
}

static void test_too_many_are_refused(void **state)
{
    (void)state;
    static const struct {
        int count;
        double size;
    } bad[] = {{1, 1.1}, {8, 0.8}, {5000, 0.1}};
    for (int n = 0; n < 3; ++n) {
        const struct packing p = cube_of(0, bad[n].count, bad[n].size, 0, 1);
        double *x;
        assert_int_equal(packing_place(&p, &x), KOL_ERR_INPUT);
        assert_non_null(strstr(status_message(), "case.nml:7: error: packing."));
        status_clear();
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_overlap_at_any_share),
        cmocka_unit_test(test_the_densest_beds),
        cmocka_unit_test(test_cubes_on_faces_of_cells),
        cmocka_unit_test(test_too_many_are_refused),
    };
    return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
