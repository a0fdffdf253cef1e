/* ranks: 1 */
/* Tests the kernels of open faces on a stretched box, for each face in turn, with walls and periodic
 * directions along it. The planes are compared with rules that are stated here for each place. The energy
 * that open_sums() says convection carries through all faces is compared with what the momentum equations
 * lose, for any velocity. Catches a plane read at the wrong place or component, a wrong outward sign, a
 * spacing of the wrong direction, and a pair of points that is counted twice or never. */
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/momentum.h"
#include "kernels/open_face.h"
#include "solver/boundary/boundary.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"

enum { P = BOUNDARY_PERIODIC, W = BOUNDARY_WALL, I = BOUNDARY_INFLOW, O = BOUNDARY_OUTFLOW };
static const double BOUND = KOL_CHOOSE(1e-12, 1e-4);
static const int faces[][FACES] = {
    {I, O, P, P, W, W}, {W, W, O, I, P, P}, {O, I, W, W, I, O}, {O, O, I, I, O, I}};
enum { CASES_HERE = sizeof faces / sizeof *faces, NX = 11, NY = 9, NZ = 13 };
static const int N[3] = {NX, NY, NZ};

struct setting {
    struct input in;
    struct decomp d;
    struct grid g;
    struct walls walls;
    struct part part;
    real *plane[FACES]; /* kernel memory, and what it holds */
    real *h_plane[FACES], *vel[3], *h_vel[3];
};

static const struct comm self = {.mpi = MPI_COMM_SELF, .rank = 0, .size = 1, .node_rank = 0, .node_size = 1};

static double some(int a, int b, int c)
{
    return 0.125 * (((a * 7 + b * 13 + c * 29) % 17 + 17) % 17 - 8) + 0.0625 * (c % 3);
}

static real *to_kernel(const real *host, size_t values)
{
    void *array = NULL;
    assert_int_equal(mem_kernel_alloc(values * sizeof(real), &array), KOL_OK);
    assert_int_equal(mem_to_kernel(array, host, values * sizeof(real)), KOL_OK);
    return array;
}

static void from_kernel(real *host, const real *array, size_t values)
{
    assert_int_equal(mem_to_host(host, array, values * sizeof(real)), KOL_OK);
}

static size_t plane_count(const struct setting *t, int f)
{
    return 3 * (size_t)plane_values(t->g.box, f / 2);
}

static void open_case(int n, struct setting *t)
{
    const struct case_input in = {
        "open", {NX, NY, NZ}, {STRETCHING_TANH, STRETCHING_SINE, STRETCHING_TANH}, {0.8, 0.4, 1.3}};
    memset(t, 0, sizeof *t);
    t->in = case_settings(&in);
    memcpy(t->in.boundary.face, faces[n], sizeof faces[n]);
    assert_int_equal(decomp_create(t->in.grid.n, t->in.grid.ranks, 1, 0, &t->d), KOL_OK);
    assert_int_equal(grid_create(&t->in, &t->d, &t->g), KOL_OK);
    t->walls = boundary_walls(&t->in, &t->d, &t->g);
    t->part.comm = self;
    t->part.d = t->d;
    assert_int_equal(reduction_create(NULL, &t->part.comm, &t->d, t->g.box, &t->part.reduction), KOL_OK);
    const struct box b = t->g.box;
    for (int f = 0; f < FACES; ++f) {
        if (!(t->walls.open >> f & 1u)) continue;
        t->h_plane[f] = malloc(plane_count(t, f) * sizeof(real));
        assert_non_null(t->h_plane[f]);
        const int na = N[f / 2 == X ? Y : X], nb = N[f / 2 == Z ? Y : Z];
        for (int c = 0; c < 3; ++c)
            for (int j = -1; j <= nb; ++j)
                for (int i = -1; i <= na; ++i)
                    t->h_plane[f][plane_at(b, f / 2, c, i, j)] =
                        (real)some((i + na) % na, (j + nb) % nb, f + 5 * c);
        t->plane[f] = to_kernel(t->h_plane[f], plane_count(t, f));
        t->walls.plane[f] = t->plane[f];
    }
    for (int c = 0; c < 3; ++c) {
        t->h_vel[c] = malloc((size_t)b.size * sizeof(real));
        assert_non_null(t->h_vel[c]);
        for (int k = -2; k <= NZ + 1; ++k)
            for (int j = -2; j <= NY + 1; ++j)
                for (int i = -2; i <= NX + 1; ++i)
                    t->h_vel[c][at(b, i, j, k)] =
                        (real)some((i + NX) % NX, (j + NY) % NY, (k + NZ) % NZ * 3 + c);
        t->vel[c] = to_kernel(t->h_vel[c], (size_t)b.size);
    }
    assert_int_equal(wall_fill(b, t->walls, cells_all(), t->vel), KOL_OK);
    for (int c = 0; c < 3; ++c) from_kernel(t->h_vel[c], t->vel[c], (size_t)b.size);
}

static void close_case(struct setting *t)
{
    for (int f = 0; f < FACES; ++f) {
        mem_kernel_free(t->plane[f]);
        free(t->h_plane[f]);
    }
    for (int c = 0; c < 3; ++c) {
        mem_kernel_free(t->vel[c]);
        free(t->h_vel[c]);
    }
    reduction_destroy(&t->part.reduction);
    grid_destroy(&t->g);
}

static real velocity(const struct setting *t, int c, const int p[3])
{
    return t->h_vel[c][at(t->g.box, p[X], p[Y], p[Z])];
}

/* Where place (i, j) of a face lies: in the cell inside; beyond walls along the face on their inner side. */
static void place(const struct setting *t, int f, int i, int j, int p[3])
{
    const int a = f / 2 == X ? Y : X, b = f / 2 == Z ? Y : Z;
    p[f / 2] = f % 2 ? N[f / 2] - 1 : 0;
    p[a] = i;
    p[b] = j;
    for (int d = 0; d < 3; ++d) {
        if (d == f / 2 || t->in.boundary.face[2 * d] == P) continue;
        if (p[d] < 0) p[d] = 0;
        if (p[d] >= N[d]) p[d] = N[d] - 1;
    }
}

static double width(const struct setting *t, int d, int i)
{
    return grid_width(&t->g, d, i);
}

static void test_planes(void **state)
{
    (void)state;
    for (int n = 0; n < CASES_HERE; ++n) {
        struct setting t;
        open_case(n, &t);
        const struct box b = t.g.box;
        for (int f = 0; f < FACES; ++f) {
            if (t.in.boundary.face[f] != O) continue;
            const int d = f / 2, a = d == X ? Y : X, e = d == Z ? Y : Z, high = f % 2;
            const size_t count = plane_count(&t, f);
            const struct open_stage s = {(real)0.75, (real)0.25, (real)-0.125};
            real *old = to_kernel(t.h_plane[f], count), *out = to_kernel(t.h_plane[f], count),
                 *copied = to_kernel(t.h_plane[f], count), *got = malloc(count * sizeof *got),
                 *rate = malloc(count * sizeof *rate), *inner = malloc(count * sizeof *inner);
            assert_true(got != NULL && rate != NULL && inner != NULL);
            assert_int_equal(open_convect(b, t.g.m, t.walls, f, s, t.vel, t.plane[f], old, out), KOL_OK);
            assert_int_equal(open_fill(b, t.walls, f, t.vel, copied), KOL_OK);
            from_kernel(got, out, count);
            from_kernel(rate, old, count);
            from_kernel(inner, copied, count);
            double worst = 0;
            for (int c = 0; c < 3; ++c)
                for (int j = -1; j <= N[e]; ++j)
                    for (int i = -1; i <= N[a]; ++i) {
                        int in[3], outer[3];
                        place(&t, f, i, j, in);
                        memcpy(outer, in, sizeof in);
                        if (c == d) {
                            outer[d] = high ? N[d] : 0;
                            in[d] = high ? N[d] - 1 : 1;
                        } else {
                            outer[d] = high ? N[d] : -1;
                        }
                        const ptrdiff_t q = plane_at(b, d, c, i, j);
                        const double was = t.h_plane[f][q], inside = velocity(&t, c, in);
                        const double want_rate =
                            -0.75 * (velocity(&t, c, outer) - inside) / width(&t, d, high ? N[d] - 1 : 0);
                        double want = was + 0.25 * want_rate - 0.125 * was;
                        if (c == d && (high ? want < 0 : want > 0)) want = 0;
                        worst = fmax(worst, fabs(got[q] - want) + fabs(rate[q] - want_rate));
                        worst = fmax(worst, inner[q] == (real)inside ? 0 : 1);
                    }
            CHECK_BELOW(worst, KOL_CHOOSE(1e-12, 1e-4)); /* rates reach 1e2 */
            /* a shift of all that goes out, and a mixture */
            assert_int_equal(open_shift(b, f, (real)0.5, out), KOL_OK);
            assert_int_equal(open_mix((ptrdiff_t)count, 2, out, -1, copied, copied), KOL_OK);
            from_kernel(rate, copied, count);
            for (int c = 0; c < 3; ++c)
                for (int i = 0; i < N[a]; ++i) {
                    const ptrdiff_t q = plane_at(b, d, c, i, 1);
                    const double moved = got[q] + (c == d ? (high ? 0.5 : -0.5) : 0);
                    CHECK_NEAR(rate[q], 2 * moved - inner[q], KOL_CHOOSE(1e-13, 1e-5));
                }
            mem_kernel_free(old);
            mem_kernel_free(out);
            mem_kernel_free(copied);
            free(got);
            free(rate);
            free(inner);
        }
        close_case(&t);
    }
}

/* Sums over a face from its rows. */
static void face_sums(struct setting *t, int f, int count, const real *before, const real *impulse,
                      double *sum)
{
    const int a = f / 2 == X ? Y : X, b = f / 2 == Z ? Y : Z, blocks = t->d.blocks[a];
    const size_t rows = (size_t)count * (size_t)(N[b] * blocks);
    const struct open_look look = {t->plane[f], before, impulse, {(real)0.5, (real)-1.25, 2}, t->vel};
    void *array = NULL;
    double *host = malloc(rows * sizeof *host);
    assert_non_null(host);
    assert_int_equal(mem_kernel_alloc(rows * sizeof(double), &array), KOL_OK);
    assert_int_equal(
        open_sums(t->g.box, t->g.m, t->walls, reduction_blocks(t->part.reduction), f, count, look, array),
        KOL_OK);
    assert_int_equal(mem_to_host(host, array, rows * sizeof(double)), KOL_OK);
    for (int q = 0; q < count; ++q) {
        sum[q] = 0;
        for (int r = 0; r < N[b] * blocks; ++r) {
            const double row = host[q * N[b] * blocks + r];
            sum[q] = q == OPEN_SPEED ? fmax(sum[q], row) : sum[q] + row;
        }
    }
    mem_kernel_free(array);
    free(host);
}

/* What flows out of a cell [U L^2]. */
static double outflow(const struct setting *t, const int p[3])
{
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        int q[3] = {p[X], p[Y], p[Z]};
        const double area = width(t, (d + 1) % 3, p[(d + 1) % 3]) * width(t, (d + 2) % 3, p[(d + 2) % 3]);
        ++q[d];
        sum += area * (velocity(t, d, q) - velocity(t, d, p));
    }
    return sum;
}

/* Computes the sum of V u.F over the points that are advanced, without viscosity, in a rotating frame. The
 * effect of a divergence is added: for each point u^2/2 times the mean outflow of the two cells beside it. */
static double lost(struct setting *t, double *size)
{
    const struct box b = t->g.box;
    real *rhs[3], *host = malloc((size_t)b.size * sizeof *host);
    double sum = 0;
    assert_non_null(host);
    *size = 0;
    for (int c = 0; c < 3; ++c) rhs[c] = to_kernel(t->h_vel[c], (size_t)b.size);
    real *none[3];
    for (int c = 0; c < 3; ++c) {
        none[c] = to_kernel(t->h_vel[c], (size_t)b.size);
        assert_int_equal(mem_fill_real(none[c], b.size, 0), KOL_OK);
    }
    const struct stage turning = {.a = 1, .turn = {(real)0.5, (real)-1.25, 2}};
    assert_int_equal(momentum_stage(b, t->g.m, cells_all(), turning, t->vel, none, none[X], NULL, rhs),
                     KOL_OK);
    for (int c = 0; c < 3; ++c) {
        from_kernel(host, rhs[c], (size_t)b.size);
        for (int k = 0; k < NZ; ++k)
            for (int j = 0; j < NY; ++j)
                for (int i = 0; i < NX; ++i) {
                    const int p[3] = {i, j, k};
                    int below[3] = {i, j, k};
                    if (p[c] == 0 && t->in.boundary.face[2 * c] != P) continue;
                    below[c] = (p[c] - 1 + N[c]) % N[c];
                    double volume = grid_centre_distance(&t->g, c, p[c]);
                    for (int d = 0; d < 3; ++d) volume *= d == c ? 1 : width(t, d, p[d]);
                    const double u = velocity(t, c, p), term = volume * u * host[at(b, i, j, k)];
                    sum += term + 0.25 * u * u * (outflow(t, p) + outflow(t, below));
                    *size += fabs(term);
                }
    }
    for (int c = 0; c < 3; ++c) {
        mem_kernel_free(rhs[c]);
        mem_kernel_free(none[c]);
    }
    free(host);
    return sum;
}

static void test_sums(void **state)
{
    (void)state;
    for (int n = 0; n < CASES_HERE; ++n) {
        struct setting t;
        double carried = 0, through = 0, wanted = 0, size;
        open_case(n, &t);
        for (int f = 0; f < FACES; ++f) {
            if (t.plane[f] == NULL) continue;
            const int d = f / 2, a = d == X ? Y : X, b = d == Z ? Y : Z;
            double sum[OPEN_COUNT], flux, work = 0, kinetic = 0, most = 0;
            real *impulse = to_kernel(t.h_plane[f], plane_count(&t, f)), *pressure = t.vel[d];
            assert_int_equal(open_impulse(t.g.box, f, 0, (real)0.5, pressure, impulse), KOL_OK);
            assert_int_equal(open_impulse(t.g.box, f, 1, (real)0.25, pressure, impulse), KOL_OK);
            face_sums(&t, f, OPEN_COUNT, t.plane[f], impulse, sum);
            face_sums(&t, f, 1, NULL, NULL, &flux);
            CHECK_NEAR(flux, sum[OPEN_FLUX], 0);
            double want = 0;
            for (int j = 0; j < N[b]; ++j)
                for (int i = 0; i < N[a]; ++i) {
                    int p[3];
                    place(&t, f, i, j, p);
                    const double u = t.h_plane[f][plane_at(t.g.box, d, d, i, j)],
                                 part = width(&t, a, i) * width(&t, b, j), q = f % 2 ? u : -u;
                    want += q * part;
                    work -= q * part * 0.75 * velocity(&t, d, p);
                    kinetic += 0.25 * u * u * part * width(&t, d, p[d]);
                    for (int c = 0; c < 3; ++c)
                        most = fmax(most, fabs(t.h_plane[f][plane_at(t.g.box, d, c, i, j)]));
                }
            CHECK_NEAR(sum[OPEN_FLUX], want, BOUND * 100);
            CHECK_NEAR(sum[OPEN_WORK], work, BOUND * 100);
            CHECK_NEAR(sum[OPEN_KINETIC], kinetic, BOUND * 100);
            CHECK_NEAR(sum[OPEN_SPEED], most, 0);
            carried += sum[OPEN_ENERGY];
            through += want;
            wanted += fabs(want);
            mem_kernel_free(impulse);
        }
        assert_true(wanted > 0 && fabs(through) <= wanted);
        const double gain = lost(&t, &size);
        print_message("case %d: gained %.6g, carried out %.6g\n", n, gain, carried);
        CHECK_NEAR(gain, -carried, BOUND * size);
        assert_true(fabs(carried) > 1e-3 * size);
        close_case(&t);
    }
}

static int setup(void **state)
{
    (void)state;
    status_clear();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_planes, setup),
                                       cmocka_unit_test_setup(test_sums, setup)};
    return MPI_MAIN(argc, argv, "open", tests);
}
