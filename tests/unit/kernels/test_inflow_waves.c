/* ranks: 1 */
/* Tests the synthetic turbulence on planes of inflows. It is compared with the sum of the waves at each
 * place in long double. The cases have inflows through each face, beside walls, free slip and periodic
 * directions, and through windows. If a box is divided, its parts have the same bits as the whole box. The
 * turbulence has no net flux. Catches a table of the wrong direction, place or part, a phase of the wrong
 * sign, and a flux that is not that of the sum. */
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "solver/boundary/inflow_waves.h"
#include "solver/boundary/inflow_turbulence.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"

enum {
    P = BOUNDARY_PERIODIC,
    W = BOUNDARY_WALL,
    S = BOUNDARY_SLIP,
    I = BOUNDARY_INFLOW,
    O = BOUNDARY_OUTFLOW
};
enum { NX = 18, NY = 10, NZ = 70, MODES = 9 };
static const double BOUND = KOL_CHOOSE(1e-13, 1e-6), LENGTH_OF_EDDIES = 0.7;
static const struct comm self = {.mpi = MPI_COMM_SELF, .rank = 0, .size = 1, .node_rank = 0, .node_size = 1};

static const struct waves_case {
    const char *name;
    int face[FACES], inflow;
    double window[4]; /* parts of the face's extents; 0: all of it */
} cases[] = {
    {"from below x, walls and periodic", {I, O, P, P, W, W}, FACE_X_LOW, {0, 0, 0, 0}},
    {"from above x, free slip, a window", {O, I, W, S, S, W}, FACE_X_HIGH, {0.1, 0.8, 0.3, 1}},
    {"from below y, periodic and one wall", {P, P, I, O, S, W}, FACE_Y_LOW, {0, 0, 0, 0}},
    {"from above z, both periodic", {P, P, P, P, O, I}, FACE_Z_HIGH, {0, 0, 0, 0}},
    {"from below z, two inflows and a wall", {I, O, W, O, I, O}, FACE_Z_LOW, {0, 0, 0, 0}},
};
enum { CASES_HERE = sizeof cases / sizeof *cases };

static struct input settings(const struct waves_case *c)
{
    const struct case_input of = {
        "waves", {NX, NY, NZ}, {STRETCHING_TANH, STRETCHING_SINE, STRETCHING_UNIFORM}, {0.8, 0.4, 0}};
    struct input in = case_settings(&of);
    memcpy(in.boundary.face, c->face, sizeof c->face);
    in.run.seed = 11;
    in.boundary.turbulence_length = LENGTH_OF_EDDIES;
    in.boundary.turbulence_modes = MODES;
    for (int f = 0; f < FACES; ++f)
        for (int d = 0; d < 3; ++d)
            in.boundary.velocity[f][d] = d == f / 2 ? (f % 2 ? -1.5 : 1.5) : 0.25 * (d + 1);
    for (int d = 0; d < 3; ++d) in.boundary.turbulence[c->inflow][d] = 0.3 - 0.1 * d;
    for (int n = 0; n < 2 && c->window[3] > 0; ++n) {
        const int d = n == 0 ? (c->inflow / 2 == X ? Y : X) : (c->inflow / 2 == Z ? Y : Z);
        for (int end = 0; end < 2; ++end)
            in.boundary.window[c->inflow][2 * n + end] =
                in.grid.origin[d] + c->window[2 * n + end] * in.grid.length[d];
    }
    return in;
}

/* --- the judge --- */

static double coordinate(const struct grid *g, int d, int on_face, int i)
{
    return on_face ? g->face[d][i] : g->centre[d][i];
}

/* Strength at one place, from walls and the window's edges; 0 where the face is closed. */
static double strength(const struct input *in, const struct grid *g, int face, int d, int n, int on_face,
                       double x)
{
    const double *w = in->boundary.window[face], low = g->face[d][0], high = g->face[d][g->n_g[d]];
    const int whole = w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0;
    const double end[2] = {whole ? low : w[2 * n], whole ? high : w[2 * n + 1]};
    double factor = 1;
    for (int side = 0; side < 2; ++side) {
        const double away = side ? end[1] - x : x - end[0], edge = side ? high - end[1] : end[0] - low;
        const int wall = in->boundary.face[2 * d + side] == W || edge > 1e-6;
        if (away < -1e-9 || (on_face && wall && away < 1e-6)) return 0;
        if (wall) factor *= 1 - exp(-4 * away * away / (LENGTH_OF_EDDIES * LENGTH_OF_EDDIES));
    }
    return factor;
}

/* judged: the expected values of component c on the whole plane. They are the sum of the waves and their
 * strength, at places 0 .. n of both directions. */
struct judged {
    int a, b, on[2], n[2];
    double *sum, *weight;
};

static struct judged judge(const struct input *in, const struct grid *g, const struct inflow_wave *wave,
                           int face, int c, double t)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    struct judged q = {a, b, {c == a, c == b}, {g->n_g[a] + (c == a), g->n_g[b] + (c == b)}, NULL, NULL};
    q.sum = calloc((size_t)q.n[0] * (size_t)q.n[1], sizeof *q.sum);
    q.weight = calloc((size_t)q.n[0] * (size_t)q.n[1], sizeof *q.weight);
    assert_non_null(q.sum);
    assert_non_null(q.weight);
    for (int j = 0; j < q.n[1]; ++j)
        for (int i = 0; i < q.n[0]; ++i) {
            const double x = coordinate(g, a, q.on[0], i), y = coordinate(g, b, q.on[1], j);
            long double sum = 0;
            for (int m = 0; m < MODES; ++m)
                sum += in->boundary.turbulence[face][c] * wave[m].v[c] *
                       cosl((long double)wave[m].k[a] * x + (long double)wave[m].k[b] * y -
                            (long double)wave[m].rate * t + wave[m].phase);
            q.sum[j * q.n[0] + i] = (double)sum;
            q.weight[j * q.n[0] + i] =
                strength(in, g, face, a, 0, q.on[0], x) * strength(in, g, face, b, 1, q.on[1], y);
        }
    if (c != face / 2) return q;
    long double flux = 0, all = 0;
    for (int j = 0; j < q.n[1]; ++j)
        for (int i = 0; i < q.n[0]; ++i) {
            const long double part =
                (long double)grid_width(g, a, i) * grid_width(g, b, j) * q.weight[j * q.n[0] + i];
            flux += part * q.sum[j * q.n[0] + i];
            all += part;
        }
    for (int i = 0; i < q.n[0] * q.n[1]; ++i) q.sum[i] -= (double)(flux / all);
    return q;
}

static int turned(const struct grid *g, int d, int n, int i)
{
    if (g->periodic[d]) return (i + g->n_g[d]) % g->n_g[d];
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* --- a part of the box --- */

static real *new_plane(size_t values, double value)
{
    void *out = NULL;
    assert_int_equal(mem_kernel_alloc(values * sizeof(real), &out), KOL_OK);
    assert_int_equal(mem_fill_real(out, (ptrdiff_t)values, (real)value), KOL_OK);
    return out;
}

/* The plane of a part, on the host, from a steady one of 0.5. *good: whether all values are finite. */
static real *plane_of(const struct inflow *inflow, const struct decomp *d, struct box b, int face, double t,
                      int *good)
{
    const size_t values = 3 * (size_t)plane_values(b, face / 2);
    real *steady = new_plane(values, 0.5), *plane = new_plane(values, NAN),
         *host = malloc(values * sizeof *host);
    struct inflow_turbulence *turbulence = NULL;
    assert_non_null(host);
    assert_int_equal(inflow_turbulence_create(NULL, inflow_input(inflow), inflow, d, face, &turbulence),
                     KOL_OK);
    assert_int_equal(inflow_turbulence_fill(turbulence, b, 0.25, steady, plane), KOL_OK);
    assert_int_equal(mem_to_host(host, plane, values * sizeof *host), KOL_OK);
    assert_int_equal(inflow_turbulence_fill(turbulence, b, t, steady, plane), KOL_OK);
    assert_int_equal(mem_to_host(host, plane, values * sizeof *host), KOL_OK);
    *good = 1;
    for (size_t n = 0; n < values; ++n) *good &= isfinite(host[n]) != 0;
    inflow_turbulence_destroy(&turbulence);
    mem_kernel_free(steady);
    mem_kernel_free(plane);
    return host;
}

static double error_of(const struct input *in, const struct grid *g, const struct inflow *inflow, int face,
                       double t, const real *plane)
{
    double worst = 0;
    for (int c = 0; c < 3; ++c) {
        struct judged q = judge(in, g, inflow_waves(inflow, face), face, c, t);
        for (int j = -1; j <= g->n_g[q.b]; ++j)
            for (int i = -1; i <= g->n_g[q.a]; ++i) {
                const int o = turned(g, q.b, q.n[1], j) * q.n[0] + turned(g, q.a, q.n[0], i);
                const double e =
                    fabs((double)plane[plane_at(g->box, face / 2, c, i, j)] - 0.5 - q.weight[o] * q.sum[o]);
                if (!(e <= worst)) worst = e;
            }
        free(q.sum);
        free(q.weight);
    }
    return worst;
}

static double flux_of(const struct grid *g, int face, const real *plane)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    double sum = 0;
    for (int j = 0; j < g->n_g[b]; ++j)
        for (int i = 0; i < g->n_g[a]; ++i)
            sum += grid_width(g, a, i) * grid_width(g, b, j) *
                   ((double)plane[plane_at(g->box, face / 2, face / 2, i, j)] - 0.5);
    return sum;
}

/* Values of a part's plane that have other bits than the whole one. */
static int differing(const struct decomp *d, struct box b, const struct grid *g, int face, const real *part,
                     const real *whole)
{
    const int a = face / 2 == X ? Y : X, s = face / 2 == Z ? Y : Z;
    int count = 0;
    for (int c = 0; c < 3; ++c)
        for (int j = -1; j <= d->n[s]; ++j)
            for (int i = -1; i <= d->n[a]; ++i)
                count += memcmp(&part[plane_at(b, face / 2, c, i, j)],
                                &whole[plane_at(g->box, face / 2, c, d->offset[a] + i, d->offset[s] + j)],
                                sizeof *part) != 0;
    return count;
}

static void check_parts(const struct input *in, const struct grid *g, const struct inflow *inflow, int face,
                        double t, const real *whole)
{
    const int ranks[3] = {2, 2, 2};
    for (int rank = 0; rank < 8; ++rank) {
        struct decomp d;
        int good;
        assert_int_equal(decomp_create(in->grid.n, ranks, 8, rank, &d), KOL_OK);
        const struct box b = box_make(d.n[X], d.n[Y], d.n[Z], KOL_HALO);
        real *part = plane_of(inflow, &d, b, face, t, &good);
        assert_int_equal(good, 1);
        assert_int_equal(differing(&d, b, g, face, part, whole), 0);
        free(part);
    }
}

static void test_waves(void **state)
{
    (void)state;
    for (int n = 0; n < CASES_HERE; ++n) {
        const struct input in = settings(&cases[n]);
        const int one[3] = {1, 1, 1}, face = cases[n].inflow;
        const double t = 3.5;
        struct decomp d;
        struct grid g;
        struct inflow *inflow = NULL;
        int good;
        memset(&g, 0, sizeof g);
        assert_int_equal(decomp_create(in.grid.n, one, 1, 0, &d), KOL_OK);
        assert_int_equal(grid_create(&in, &d, &g), KOL_OK);
        assert_int_equal(inflow_create(&self, &in, NULL, &g, &inflow), KOL_OK);
        real *plane = plane_of(inflow, &d, g.box, face, t, &good);
        assert_int_equal(good, 1);
        const double error = error_of(&in, &g, inflow, face, t, plane);
        if (!(error <= BOUND)) print_error("%s: error %g\n", cases[n].name, error);
        CHECK_BELOW(error, BOUND);
        CHECK_BELOW(fabs(flux_of(&g, face, plane)), 10 * BOUND);
        check_parts(&in, &g, inflow, face, t, plane);
        free(plane);
        inflow_destroy(&inflow);
        grid_destroy(&g);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_waves)};
    return MPI_MAIN(argc, argv, "waves", tests);
}
