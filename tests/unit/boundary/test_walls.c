/* ranks: 1 */
/* Tests walls in every combination of directions, ends and kinds, and open faces with one velocity. What
 * wall_fill() writes is compared with rules that are stated here for each cell; it touches nothing else and
 * reads nothing that does not exist. The numbers of project_monitor() are compared with the operators: for
 * any velocity, sum V u.lap(u) is the work of the walls less the dissipation. Catches a ghost value of the
 * wrong side, sign or component, a pair of points at a wall that is counted twice or never, and a spacing
 * that is not mirrored. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/momentum.h"
#include "inputs/stream_direction.h"
#include "solver/boundary/boundary.h"
#include "solver/output/wall_force.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"

enum {
    P = BOUNDARY_PERIODIC,
    W = BOUNDARY_WALL,
    L = BOUNDARY_SLIP,
    I = BOUNDARY_INFLOW,
    O = BOUNDARY_OUTFLOW
};
static const double BOUND = KOL_CHOOSE(1e-12, 1e-4);

struct wall_case {
    const char *name;
    int face[FACES];
    double velocity[FACES][3];
};
static const struct wall_case cases[] = {
    {"z", {P, P, P, P, W, W}, {{0}}},
    {"z, moving", {P, P, P, P, W, W}, {[4] = {0.5, -0.25, 0}, [5] = {0.75, 1.5, 0}}},
    {"y, slip above", {P, P, W, L, P, P}, {[2] = {-0.5, 0, 0.25}}},
    {"x, slip below", {L, W, P, P, P, P}, {[1] = {0, 0.25, -1}}},
    {"duct along x", {P, P, W, W, W, L}, {[3] = {1, 0, 0}, [4] = {0, 0.5, 0}}},
    {"duct along z", {W, W, L, W, P, P}, {[0] = {0, 0.5, 0.25}}},
    {"cavity", {W, W, W, W, W, W}, {[5] = {1, 0.5, 0}, [2] = {-0.5, 0, 0.25}, [1] = {0, 0.75, 0.5}}},
    {"free slip", {L, L, L, L, L, L}, {{0}}},
    {"through x", {I, O, P, P, W, W}, {[0] = {1, 0.25, -0.5}, [1] = {0.75, 0.5, 0.25}, [5] = {0.5, 0, 0}}},
    {"through z, walls in x", {W, L, P, P, O, I}, {[4] = {-0.5, 0.5, -1}, [5] = {0.25, 0, -0.75}}},
    {"open all round",
     {I, O, O, I, I, I},
     {{1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {-1, 1, -2}, {2, -1, 1}, {1, -3, -1}}},
};
enum { CASES_HERE = sizeof cases / sizeof *cases, NX = 11, NY = 9, NZ = 13 };
enum { STRANGE = 1000 };

struct setting {
    struct input in;
    struct decomp d;
    struct grid g;
    struct walls walls;
    struct part part; /* for its sums */
};

static const struct comm self = {.mpi = MPI_COMM_SELF, .rank = 0, .size = 1, .node_rank = 0, .node_size = 1};

static void open_case(const struct wall_case *c, struct setting *t)
{
    const struct case_input in = {
        c->name, {NX, NY, NZ}, {STRETCHING_TANH, STRETCHING_SINE, STRETCHING_TANH}, {0.8, 0.4, 1.3}};
    memset(t, 0, sizeof *t);
    t->in = case_settings(&in);
    for (int f = 0; f < FACES; ++f) {
        t->in.boundary.face[f] = c->face[f];
        memcpy(t->in.boundary.velocity[f], c->velocity[f], sizeof c->velocity[f]);
    }
    assert_int_equal(decomp_create(t->in.grid.n, t->in.grid.ranks, 1, 0, &t->d), KOL_OK);
    assert_int_equal(grid_create(&t->in, &t->d, &t->g), KOL_OK);
    t->walls = boundary_walls(&t->in, &t->d, &t->g);
    t->part.comm = self;
    t->part.d = t->d;
    assert_int_equal(reduction_create(NULL, &t->part.comm, &t->d, t->g.box, &t->part.reduction), KOL_OK);
}

static void close_case(struct setting *t)
{
    reduction_destroy(&t->part.reduction);
    grid_destroy(&t->g);
}

static int wrapped(int i, int n)
{
    return (i % n + n) % n;
}

static double own_value(int c, int i, int j, int k)
{
    return 0.125 * (((i * 7 + j * 13 + k * 29 + c * 5) % 17) - 8) + 0.0625 * c;
}

/* Which wall's face the point lies on in direction d, -1 for none: index n counts, too. */
static int face_of(const struct wall_case *c, int d, int i, int n)
{
    if (c->face[2 * d] == P) return -1;
    return i == 0 ? 2 * d : i == n ? 2 * d + 1 : -1;
}

/* Returns the value that component c must have at a point. The point is an own point, or it lies beyond
 * faces of which at most one is a wall. *known is 0 if the contract promises nothing there. */
static double expected(const struct wall_case *w, int c, const int at_point[3], int *known)
{
    const int n[3] = {NX, NY, NZ};
    int p[3], beyond = -1, walls = 0;
    for (int d = 0; d < 3; ++d) {
        p[d] = at_point[d];
        if (p[d] >= 0 && p[d] < n[d]) continue;
        if (w->face[2 * d] == P) {
            p[d] = wrapped(p[d], n[d]);
        } else {
            beyond = 2 * d + (p[d] < 0 ? 0 : 1);
            ++walls;
        }
    }
    *known = walls <= 1;
    const int f = face_of(w, c, p[c], n[c]); /* of the component's own direction */
    if (beyond >= 0 && beyond / 2 != c) {
        const int d = beyond / 2;
        int q[3] = {p[X], p[Y], p[Z]};
        q[d] = beyond % 2 ? n[d] - 1 : 0;
        if (f >= 0) return w->velocity[f][c];
        const double inside = own_value(c, q[X], q[Y], q[Z]);
        return w->face[beyond] == L   ? inside
               : w->face[beyond] == O ? w->velocity[beyond][c]
                                      : 2 * w->velocity[beyond][c] - inside;
    }
    if (f >= 0) return w->velocity[f][c];
    if (beyond >= 0) { /* one layer below the lower wall, along the component: odd round the face */
        int q[3] = {p[X], p[Y], p[Z]};
        q[c] = 1;
        return 2 * w->velocity[beyond][c] - own_value(c, q[X], q[Y], q[Z]);
    }
    return own_value(c, p[X], p[Y], p[Z]);
}

/* Own cells, and the first layer beyond periodic faces, edges among these included; NaN elsewhere. */
static real *new_field(const struct setting *t, const struct wall_case *w, int c)
{
    const struct box b = t->g.box;
    const int n[3] = {NX, NY, NZ};
    real *host = malloc((size_t)b.size * sizeof *host);
    void *field = NULL;
    assert_non_null(host);
    for (ptrdiff_t i = 0; i < b.size; ++i) host[i] = (real)NAN;
    for (int k = -1; k <= NZ; ++k)
        for (int j = -1; j <= NY; ++j)
            for (int i = -1; i <= NX; ++i) {
                const int p[3] = {i, j, k};
                int there = 1;
                for (int d = 0; d < 3; ++d) there &= (p[d] >= 0 && p[d] < n[d]) || w->face[2 * d] == P;
                if (there)
                    host[at(b, i, j, k)] = (real)own_value(c, wrapped(i, NX), wrapped(j, NY), wrapped(k, NZ));
            }
    assert_int_equal(mem_kernel_alloc((size_t)b.size * sizeof(real), &field), KOL_OK);
    assert_int_equal(mem_to_kernel(field, host, (size_t)b.size * sizeof(real)), KOL_OK);
    free(host);
    return field;
}

static real *copy_of(const struct setting *t, const real *field)
{
    real *host = malloc((size_t)t->g.box.size * sizeof *host);
    assert_non_null(host);
    assert_int_equal(mem_to_host(host, field, (size_t)t->g.box.size * sizeof *host), KOL_OK);
    return host;
}

static void fill(const struct setting *t, const struct wall_case *w, real *vel[3])
{
    for (int c = 0; c < 3; ++c) vel[c] = new_field(t, w, c);
    assert_int_equal(wall_fill(t->g.box, t->walls, cells_all(), vel), KOL_OK);
}

static void drop(real *vel[3])
{
    for (int c = 0; c < 3; ++c) mem_kernel_free(vel[c]);
}

static void test_values_beyond_walls(void **state)
{
    (void)state;
    for (int n = 0; n < CASES_HERE; ++n) {
        const struct wall_case *w = &cases[n];
        struct setting t;
        real *vel[3];
        int wrong = 0, seen = 0;
        open_case(w, &t);
        fill(&t, w, vel);
        for (int c = 0; c < 3; ++c) {
            real *got = copy_of(&t, vel[c]);
            for (int k = -1; k <= NZ; ++k)
                for (int j = -1; j <= NY; ++j)
                    for (int i = -1; i <= NX; ++i) {
                        int known = 0;
                        const double want = expected(w, c, (const int[3]){i, j, k}, &known);
                        const double value = got[at(t.g.box, i, j, k)];
                        seen += known;
                        wrong += known ? !(value == want) : !isfinite(value);
                    }
            free(got);
        }
        if (wrong > 0) print_error("case: %s\n", w->name);
        assert_int_equal(wrong, 0);
        assert_true(seen > 3 * NX * NY * NZ);
        drop(vel);
        close_case(&t);
    }
}

/* --- filled in two parts, as a sweep over inner cells wants it --- */

static int beyond_remote(unsigned remote, const int p[3])
{
    const int n[3] = {NX, NY, NZ};
    unsigned beyond = 0;
    for (int d = 0; d < 3; ++d)
        beyond |= (unsigned)(p[d] < 0) << 2 * d | (unsigned)(p[d] >= n[d]) << (2 * d + 1);
    return (beyond & remote) != 0;
}

/* The places of the layer beyond remote faces, or all others of the box and its layer, get values of another
 * field of the host; NULL: of none. */
static void set_places(const struct setting *t, unsigned remote, int beyond, const real *from, real *field)
{
    const struct box b = t->g.box;
    real *host = copy_of(t, field);
    for (int k = -1; k <= NZ; ++k)
        for (int j = -1; j <= NY; ++j)
            for (int i = -1; i <= NX; ++i) {
                const ptrdiff_t o = at(b, i, j, k);
                if (beyond_remote(remote, (const int[3]){i, j, k}) == beyond)
                    host[o] = from != NULL ? from[o] : (real)(STRANGE + 0.5 * (double)o);
            }
    assert_int_equal(mem_to_kernel(field, host, (size_t)b.size * sizeof(real)), KOL_OK);
    free(host);
}

/* Returns the number of places at which the two fields of the host differ, either beyond remote faces or
 * everywhere else. If c is a component (not -1), its points on low walls that are remote do not count. */
static int differing(const struct setting *t, unsigned remote, int beyond, int c, const real *one,
                     const real *other)
{
    int wrong = 0;
    for (int k = -1; k <= NZ; ++k)
        for (int j = -1; j <= NY; ++j)
            for (int i = -1; i <= NX; ++i) {
                const int p[3] = {i, j, k};
                const ptrdiff_t o = at(t->g.box, i, j, k);
                if (beyond_remote(remote, p) != beyond) continue;
                if (c >= 0 && p[c] == 0 && (t->walls.faces & remote) >> 2 * c & 1u) continue;
                wrong += memcmp(&one[o], &other[o], sizeof(real)) != 0;
            }
    return wrong;
}

/* Tests the two calls of wall_fill(). The call for the inner cells reads nothing that has not arrived. The
 * call for the rim completes the result to that of a single call, and writes nothing that sweeps over inner
 * cells read. Values that come from beyond a wall are made wrong on purpose. */
static int wrong_in_parts(const struct setting *t, const struct wall_case *w, unsigned remote)
{
    const struct box b = t->g.box;
    const struct cells inner = {CELLS_INNER, remote, 0}, rim = {CELLS_RIM, remote, 0};
    real *want[3], *vel[3], *host[3], *before[3];
    int wrong = 0;
    fill(t, w, want);
    for (int c = 0; c < 3; ++c) {
        vel[c] = new_field(t, w, c);
        host[c] = copy_of(t, vel[c]);
        for (ptrdiff_t o = 0; o < b.size; ++o)
            if (!isfinite(host[c][o])) host[c][o] = STRANGE;
        set_places(t, remote, 1, NULL, vel[c]);
    }
    assert_int_equal(wall_fill(b, t->walls, inner, vel), KOL_OK);
    for (int c = 0; c < 3; ++c) {
        before[c] = copy_of(t, want[c]);
        real *got = copy_of(t, vel[c]);
        wrong += differing(t, remote, 0, -1, before[c], got);
        free(got);
        set_places(t, remote, 1, host[c], vel[c]);
    }
    assert_int_equal(wall_fill(b, t->walls, rim, vel), KOL_OK);
    for (int c = 0; c < 3; ++c) {
        real *got = copy_of(t, vel[c]);
        wrong += differing(t, remote, 1, -1, before[c], got) + differing(t, remote, 0, -1, before[c], got);
        free(got);
        set_places(t, remote, 0, NULL, vel[c]);
        free(before[c]);
        before[c] = copy_of(t, vel[c]);
    }
    assert_int_equal(wall_fill(b, t->walls, rim, vel), KOL_OK);
    for (int c = 0; c < 3; ++c) {
        real *got = copy_of(t, vel[c]);
        wrong += differing(t, remote, 0, c, before[c], got);
        free(got);
        free(before[c]);
        free(host[c]);
    }
    drop(vel);
    drop(want);
    return wrong;
}

static void test_filled_in_parts(void **state)
{
    (void)state;
    static const unsigned of[3] = {3u, 3u << 2, 3u << 4};
    for (int n = 0; n < CASES_HERE; ++n) {
        struct setting t;
        open_case(&cases[n], &t);
        for (unsigned cut = 0; cut < 8; ++cut) {
            const unsigned remote = (cut & 1 ? of[X] : 0) | (cut & 2 ? of[Y] : 0) | (cut & 4 ? of[Z] : 0);
            const int wrong = wrong_in_parts(&t, &cases[n], remote);
            if (wrong > 0) print_error("case: %s, remote faces %#x\n", cases[n].name, remote);
            assert_int_equal(wrong, 0);
        }
        close_case(&t);
    }
}

static double spacing(const struct setting *t, int component, int d, int i)
{
    if (d == component) return grid_centre_distance(&t->g, d, i);
    return t->g.uniform[d] ? t->g.length[d] / t->g.n_g[d] : t->g.face[d][i + 1] - t->g.face[d][i];
}

/* Sum of V u.lap(u) over the points that are not on walls, by the operator of the momentum equation. */
static double diffused(const struct setting *t, const struct wall_case *w, real *const vel[3], double *size)
{
    const struct box b = t->g.box;
    double sum = 0;
    real *with[3], *without[3];
    *size = 0;
    for (int c = 0; c < 3; ++c) {
        with[c] = new_field(t, w, c);
        without[c] = new_field(t, w, c);
    }
    assert_int_equal(
        momentum_rhs(b, t->g.m, cells_all(), 1, vel[X], vel[Y], vel[Z], with[X], with[Y], with[Z]), KOL_OK);
    assert_int_equal(
        momentum_rhs(b, t->g.m, cells_all(), 0, vel[X], vel[Y], vel[Z], without[X], without[Y], without[Z]),
        KOL_OK);
    for (int c = 0; c < 3; ++c) {
        real *u = copy_of(t, vel[c]), *a = copy_of(t, with[c]), *e = copy_of(t, without[c]);
        for (int k = 0; k < NZ; ++k)
            for (int j = 0; j < NY; ++j)
                for (int i = 0; i < NX; ++i) {
                    const int p[3] = {i, j, k};
                    const ptrdiff_t q = at(b, i, j, k);
                    if (face_of(w, c, p[c], -1) >= 0) continue;
                    const double v = spacing(t, c, X, i) * spacing(t, c, Y, j) * spacing(t, c, Z, k);
                    const double term = v * u[q] * ((double)a[q] - e[q]);
                    sum += term;
                    *size += fabs(term);
                }
        free(u);
        free(a);
        free(e);
    }
    drop(with);
    drop(without);
    return sum;
}

static void test_energy_of_walls(void **state)
{
    (void)state;
    for (int n = 0; n < CASES_HERE; ++n) {
        const struct wall_case *w = &cases[n];
        struct setting t;
        real *vel[3];
        double mon[MON_COUNT] = {0}, size;
        open_case(w, &t);
        fill(&t, w, vel);
        assert_int_equal(project_monitor(t.g.box, t.g.m, t.walls, reduction_blocks(t.part.reduction),
                                         cells_all(), vel[X], vel[Y], vel[Z]),
                         KOL_OK);
        part_sums(&t.part, MON_SUMS, MON_COUNT - MON_SUMS, mon);
        const double gained = diffused(&t, w, vel, &size);
        print_message("%s: %.6g, work %.6g less dissipation %.6g\n", w->name, gained, mon[MON_WORK],
                      mon[MON_DISS]);
        CHECK_NEAR(gained, mon[MON_WORK] - mon[MON_DISS], BOUND * size);
        assert_true(mon[MON_DISS] > 0 && mon[MON_ENSTROPHY] > 0);
        drop(vel);
        close_case(&t);
    }
}

/* Computes the mean of (u - u_wall) over half a cell on each wall along the stream; on other faces it is
 * 0. */
static double rubbed(const struct setting *t, const struct wall_case *w, int face, int c)
{
    const int n[3] = {NX, NY, NZ}, d = face / 2, other = 3 - d - c;
    double sum = 0, area = 0;
    for (int j = 0; j < n[other]; ++j)
        for (int i = 0; i < n[c]; ++i) {
            int p[3];
            p[d] = face % 2 ? n[d] - 1 : 0;
            p[c] = i;
            p[other] = j;
            const double piece = 0.5 *
                                 (grid_width(&t->g, c, i) + grid_width(&t->g, c, wrapped(i - 1, n[c]))) *
                                 grid_width(&t->g, other, j);
            sum += piece * (own_value(c, p[X], p[Y], p[Z]) - w->velocity[face][c]) /
                   (0.5 * grid_width(&t->g, d, p[d]));
            area += piece;
        }
    return t->in.fluid.nu * sum / area;
}

static void test_friction(void **state)
{
    (void)state;
    int found = 0;
    for (int n = 0; n < CASES_HERE; ++n) {
        const struct wall_case *w = &cases[n];
        struct setting t;
        real *vel[3];
        double stress[FACES];
        struct wall_force *friction;
        open_case(w, &t);
        t.in.fluid.nu = 0.3;
        const int stream = stream_direction(&t.in);
        fill(&t, w, vel);
        const struct domain domain = {
            .in = &t.in, .comm = self, .decomp = t.d, .grid = t.g, .reduction = t.part.reduction};
        assert_int_equal(wall_force_create(&domain, &friction), KOL_OK);
        assert_int_equal(wall_force_measure(friction, &t.g, vel, stress), KOL_OK);
        for (int f = 0; f < FACES; ++f) {
            const int rubs = stream >= 0 && w->face[2 * stream] == P && f / 2 != stream && w->face[f] == W;
            const double right = rubs ? rubbed(&t, w, f, stream) : 0;
            CHECK_NEAR(stress[f], right, BOUND * (1 + fabs(right)));
            found += rubs;
        }
        wall_force_destroy(&friction);
        drop(vel);
        close_case(&t);
    }
    assert_true(found >= 8);
}

static int setup(void **state)
{
    (void)state;
    status_clear();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_values_beyond_walls, setup),
                                       cmocka_unit_test_setup(test_filled_in_parts, setup),
                                       cmocka_unit_test_setup(test_energy_of_walls, setup),
                                       cmocka_unit_test_setup(test_friction, setup)};
    return MPI_MAIN(argc, argv, "walls", tests);
}
