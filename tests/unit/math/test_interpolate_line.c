/* Tests the interpolation of lines between grids, periodic and between walls. It is exact for cubics and at
 * faces that both grids have, and it conserves integrals. The two kinds of map commute with differences; this
 * keeps a flow divergence-free. Catches a weight of the wrong face, a periodic image without the shift by the
 * length, and an integral that starts elsewhere. No MPI. */
#include <math.h>
#include <stdlib.h>
#include "kernels/base/constants.h"
#include "solver/math/interpolate_line.h"
#include "tests/support/check.h"

enum { MOST = 64 };
static const double LENGTH = 3.0, START = -0.7;

/* n + 1 faces, stretched by `factor`; both ends are those of the box. */
static void make_faces(int n, double factor, double *face)
{
    for (int i = 0; i <= n; ++i) {
        const double s = (double)i / n;
        face[i] = START + LENGTH * (s - factor * sin(2 * PI * s) / (2 * PI));
    }
    face[n] = START + LENGTH;
}

static const int sizes[][2] = {{8, 8}, {8, 12}, {12, 8}, {7, 30}, {30, 7}, {2, 5}, {5, 2}, {3, 3}, {64, 63}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(double *value, int n, unsigned seed)
{
    for (int i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        value[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
    }
}

static void differences(int n, const double *face, const double *u, double last, double *d)
{
    for (int i = 0; i < n; ++i) d[i] = ((i + 1 < n ? u[i + 1] : last) - u[i]) / (face[i + 1] - face[i]);
}

static void test_maps_commute_with_differences(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; ++s)
        for (int periodic = 0; periodic <= 1; ++periodic) {
            const int from = sizes[s][0], to = sizes[s][1];
            double old_face[MOST + 1], new_face[MOST + 1], u[MOST], v[MOST], d[MOST], mapped[MOST],
                wanted[MOST];
            struct interpolate_line points, averages;
            make_faces(from, 0.5, old_face);
            make_faces(to, -0.3, new_face);
            fill(u, from, (unsigned)s + 1);
            assert_int_equal(interpolate_line_points(from, old_face, to, new_face, periodic, &points),
                             KOL_OK);
            assert_int_equal(interpolate_line_averages(from, old_face, to, new_face, periodic, &averages),
                             KOL_OK);
            interpolate_line_apply(&points, 1, 1, u, v);
            differences(from, old_face, u, periodic ? u[0] : 0, d);
            differences(to, new_face, v, periodic ? v[0] : 0, wanted);
            interpolate_line_apply(&averages, 1, 1, d, mapped);
            CHECK_BELOW(check_max(mapped, wanted, to), 1e-11);
            interpolate_line_free(&points);
            interpolate_line_free(&averages);
        }
}

static void test_integral_is_kept(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; ++s)
        for (int periodic = 0; periodic <= 1; ++periodic) {
            const int from = sizes[s][0], to = sizes[s][1];
            double old_face[MOST + 1], new_face[MOST + 1], a[MOST], b[MOST], before = 0, after = 0;
            struct interpolate_line m;
            make_faces(from, -0.6, old_face);
            make_faces(to, 0.2, new_face);
            fill(a, from, (unsigned)s + 77);
            assert_int_equal(interpolate_line_averages(from, old_face, to, new_face, periodic, &m), KOL_OK);
            interpolate_line_apply(&m, 1, 1, a, b);
            for (int i = 0; i < from; ++i) before += a[i] * (old_face[i + 1] - old_face[i]);
            for (int i = 0; i < to; ++i) after += b[i] * (new_face[i + 1] - new_face[i]);
            CHECK_NEAR(after, before, 1e-13);
            interpolate_line_free(&m);
        }
}

static double cubic(double x)
{
    return 1 + x * (0.5 + x * (-0.25 + x * 0.125));
}

/* Between walls, where the value on the last face is none of the line's: a cubic that vanishes there. */
static void test_cubics_are_exact(void **state)
{
    (void)state;
    double old_face[MOST + 1], new_face[MOST + 1], a[MOST], b[MOST];
    struct interpolate_line m;
    make_faces(10, 0.5, old_face);
    make_faces(23, 0.1, new_face);
    const double end = cubic(START + LENGTH);
    for (int i = 0; i < 10; ++i) a[i] = cubic(old_face[i]) - end;
    assert_int_equal(interpolate_line_points(10, old_face, 23, new_face, 0, &m), KOL_OK);
    interpolate_line_apply(&m, 1, 1, a, b);
    for (int j = 0; j < 23; ++j) CHECK_NEAR(b[j], cubic(new_face[j]) - end, 1e-12);
    /* or what there is on the last face is added */
    for (int i = 0; i < 10; ++i) a[i] += end;
    interpolate_line_apply(&m, 1, 1, a, b);
    for (int j = 0; j < 23; ++j) CHECK_NEAR(b[j] + m.end[j] * end, cubic(new_face[j]), 1e-12);
    interpolate_line_free(&m);
    /* the primitive of a quadratic is a cubic: means of x*x */
    for (int i = 0; i < 10; ++i)
        a[i] = (pow(old_face[i + 1], 3) - pow(old_face[i], 3)) / 3 / (old_face[i + 1] - old_face[i]);
    assert_int_equal(interpolate_line_averages(10, old_face, 23, new_face, 0, &m), KOL_OK);
    interpolate_line_apply(&m, 1, 1, a, b);
    for (int j = 0; j < 23; ++j)
        CHECK_NEAR(b[j],
                   (pow(new_face[j + 1], 3) - pow(new_face[j], 3)) / 3 / (new_face[j + 1] - new_face[j]),
                   1e-11);
    interpolate_line_free(&m);
}

/* To the same grid, values stay as they are, bit for bit; so do those on faces that both grids have. */
static void test_common_faces(void **state)
{
    (void)state;
    double face[MOST + 1], fine[MOST + 1], a[MOST], b[MOST];
    struct interpolate_line m;
    make_faces(16, 0.4, face);
    fill(a, 16, 5);
    assert_int_equal(interpolate_line_points(16, face, 16, face, 1, &m), KOL_OK);
    interpolate_line_apply(&m, 1, 1, a, b);
    for (int i = 0; i < 16; ++i) CHECK_SAME(b[i], a[i]);
    interpolate_line_free(&m);
    for (int i = 0; i < 16; ++i) {
        fine[2 * i] = face[i];
        fine[2 * i + 1] = 0.5 * (face[i] + face[i + 1]);
    }
    fine[32] = face[16];
    assert_int_equal(interpolate_line_points(16, face, 32, fine, 1, &m), KOL_OK);
    interpolate_line_apply(&m, 1, 1, a, b);
    for (int i = 0; i < 16; ++i) CHECK_SAME(b[2 * i], a[i]);
    interpolate_line_free(&m);
    assert_int_equal(interpolate_line_averages(16, face, 16, face, 1, &m), KOL_OK);
    interpolate_line_apply(&m, 1, 1, a, b);
    CHECK_BELOW(check_max(a, b, 16), 1e-14);
    interpolate_line_free(&m);
}

/* Tests that the error for a smooth periodic function falls with the fourth power of the spacing, and the
 * error of its means with the third power or faster. */
static void test_order(void **state)
{
    (void)state;
    const double k = 2 * PI / LENGTH;
    double error[2][2] = {{0, 0}, {0, 0}};
    for (int fine = 0; fine < 2; ++fine) {
        const int from = fine ? 60 : 30, to = fine ? 62 : 31;
        double old_face[MOST + 1], new_face[MOST + 1], a[MOST], b[MOST];
        struct interpolate_line m;
        make_faces(from, 0.3, old_face);
        make_faces(to, 0, new_face);
        for (int i = 0; i < from; ++i) a[i] = sin(k * old_face[i]);
        assert_int_equal(interpolate_line_points(from, old_face, to, new_face, 1, &m), KOL_OK);
        interpolate_line_apply(&m, 1, 1, a, b);
        for (int j = 0; j < to; ++j) error[0][fine] = fmax(error[0][fine], fabs(b[j] - sin(k * new_face[j])));
        interpolate_line_free(&m);
        for (int i = 0; i < from; ++i)
            a[i] = (cos(k * old_face[i]) - cos(k * old_face[i + 1])) / k / (old_face[i + 1] - old_face[i]);
        assert_int_equal(interpolate_line_averages(from, old_face, to, new_face, 1, &m), KOL_OK);
        interpolate_line_apply(&m, 1, 1, a, b);
        for (int j = 0; j < to; ++j) {
            const double mean =
                (cos(k * new_face[j]) - cos(k * new_face[j + 1])) / k / (new_face[j + 1] - new_face[j]);
            error[1][fine] = fmax(error[1][fine], fabs(b[j] - mean));
        }
        interpolate_line_free(&m);
    }
    CHECK_BELOW(error[0][1], error[0][0] / 11);
    CHECK_BELOW(error[1][1], error[1][0] / 6);
}

/* Values at centres: a cubic is exact on the faces of a line between walls, also beyond the outermost centre;
 * a wave on a periodic line is mapped to the third order and better. */
static void test_centres(void **state)
{
    (void)state;
    enum { FROM = 11, TO = 14 };
    const double k = 2 * PI / LENGTH;
    double old_face[MOST + 1], new_face[MOST + 1], a[MOST], b[MOST], error[2] = {0, 0};
    struct interpolate_line m;
    make_faces(FROM, 0.3, old_face);
    make_faces(TO, 0.1, new_face);
    for (int i = 0; i < FROM; ++i) {
        const double x = 0.5 * (old_face[i] + old_face[i + 1]);
        a[i] = ((0.3 * x - 1) * x + 0.7) * x - 0.2;
    }
    assert_int_equal(interpolate_line_centres(FROM, old_face, TO, new_face, 0, &m), KOL_OK);
    interpolate_line_apply(&m, 1, 1, a, b);
    for (int j = 0; j < TO; ++j) {
        const double x = new_face[j], wanted = ((0.3 * x - 1) * x + 0.7) * x - 0.2;
        CHECK_NEAR(b[j], wanted, 1e-12 * (1 + fabs(wanted)));
    }
    interpolate_line_free(&m);
    for (int fine = 0; fine < 2; ++fine) {
        const int from = fine ? 60 : 30, to = fine ? 62 : 31;
        make_faces(from, 0.3, old_face);
        make_faces(to, 0, new_face);
        for (int i = 0; i < from; ++i) a[i] = sin(k * 0.5 * (old_face[i] + old_face[i + 1]));
        assert_int_equal(interpolate_line_centres(from, old_face, to, new_face, 1, &m), KOL_OK);
        interpolate_line_apply(&m, 1, 1, a, b);
        for (int j = 0; j < to; ++j) error[fine] = fmax(error[fine], fabs(b[j] - sin(k * new_face[j])));
        interpolate_line_free(&m);
    }
    CHECK_BELOW(error[1], error[0] / 8);
}

/* Lines in the middle of an array: each is mapped by itself. */
static void test_lines_of_an_array(void **state)
{
    (void)state;
    enum { INNER = 3, OUTER = 2, FROM = 6, TO = 9 };
    double old_face[MOST + 1], new_face[MOST + 1], a[OUTER * FROM * INNER], b[OUTER * TO * INNER], line[FROM],
        wanted[TO];
    struct interpolate_line m;
    make_faces(FROM, 0.3, old_face);
    make_faces(TO, 0, new_face);
    fill(a, OUTER * FROM * INNER, 9);
    assert_int_equal(interpolate_line_averages(FROM, old_face, TO, new_face, 1, &m), KOL_OK);
    interpolate_line_apply(&m, INNER, OUTER, a, b);
    for (int o = 0; o < OUTER; ++o)
        for (int i = 0; i < INNER; ++i) {
            for (int j = 0; j < FROM; ++j) line[j] = a[(o * FROM + j) * INNER + i];
            interpolate_line_apply(&m, 1, 1, line, wanted);
            for (int j = 0; j < TO; ++j) CHECK_SAME(b[(o * TO + j) * INNER + i], wanted[j]);
        }
    interpolate_line_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps_commute_with_differences),
        cmocka_unit_test(test_integral_is_kept),
        cmocka_unit_test(test_cubics_are_exact),
        cmocka_unit_test(test_common_faces),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_centres),
        cmocka_unit_test(test_lines_of_an_array),
    };
    return cmocka_run_group_tests_name("line_map", tests, NULL, NULL);
}
