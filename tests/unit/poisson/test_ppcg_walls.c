/* ranks: 1 2 4 */
/* Tests implicit diffusion between walls. The solver with the systems of grid_stencil_held() is compared with
 * elimination of a matrix that is built from coordinates alone. It covers every component, walls in one to
 * three directions, no slip and free slip, and each kind of fused polynomial. The bits are the same on every
 * layout. Catches a wall of the wrong side, distance or kind, a halo beyond a wall that is not 0 or has
 * values of the opposite side, and points on walls that the iteration moves or counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solver/poisson/ppcg.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/solve_arrays.h"

enum { P = BOUNDARY_PERIODIC, W = BOUNDARY_WALL, S = BOUNDARY_SLIP };
enum { CELLS_MOST = 160, ITERATIONS = 400, DEGREES = 3 };
static const int degrees[DEGREES] = {0, 1, 3}; /* 0: Jacobi */
static const struct case_input problem = {
    "held", {6, 4, 5}, {STRETCHING_TANH, STRETCHING_UNIFORM, STRETCHING_TANH}, {0.8, 0, 1.1}};
static const struct held_case {
    const char *name;
    int face[FACES];
} cases[] = {{"channel in z", {P, P, P, P, W, W}},      {"channel in x", {W, W, P, P, P, P}},
             {"half channel in y", {P, P, W, S, P, P}}, {"duct", {P, P, S, W, W, W}},
             {"free slip", {S, S, S, S, S, S}},         {"cavity", {W, W, W, W, W, S}}};
enum { HELD_CASES = sizeof cases / sizeof *cases };
static const double SCALE = 0.02;
static const int whole[3] = {1, 1, 1}, choose[3] = {0, 0, 0};
static const struct comm self = {.mpi = MPI_COMM_SELF, .rank = 0, .size = 1, .node_rank = 0, .node_size = 1};

static struct comm comm;

struct solver {
    struct part p;
    struct halo *halo;
    struct pool *pool;
    struct ppcg *ppcg;
    struct preconditioner m;
};

static kol_status solver_create(const struct held_case *c, struct comm use, const int layout[3], int degree,
                                struct solver *s)
{
    struct input in = case_settings(&problem);
    memcpy(in.boundary.face, c->face, sizeof c->face);
    memset(s, 0, sizeof *s);
    s->m.polynomial = polynomial_make(degree == 0 ? PRECOND_JACOBI : PRECOND_POLYNOMIAL, degree, 0.9, 50);
    s->p.comm = use;
    TRY(decomp_create(problem.n, layout, use.size, use.rank, &s->p.d));
    TRY(grid_create(&in, &s->p.d, &s->p.g));
    TRY(reduction_create(NULL, &s->p.comm, &s->p.d, s->p.g.box, &s->p.reduction));
    TRY(halo_create(NULL, HALO_FIELDS, &s->p.comm, &s->p.d, s->p.g.box, TRANSPORT_AUTO, &s->halo));
    TRY(pool_create(NULL, s->p.g.box, solve_arrays(&s->m, s->p.g.box, 1), &s->pool));
    return ppcg_create(NULL, ITERATIONS, s->p.g.box, s->halo, s->p.reduction, s->pool, &s->ppcg);
}

static void solver_destroy(struct solver *s)
{
    ppcg_destroy(&s->ppcg);
    pool_destroy(&s->pool);
    halo_destroy(&s->halo);
    part_destroy(&s->p);
}

/* --- the matrix --- */

/* lines: what the judge knows of a direction: faces, centres. */
struct lines {
    const struct held_case *c;
    struct ref_grid g;
    int component;
};

static int walled(const struct lines *l, int d)
{
    return l->c->face[2 * d] != P;
}

static int given(const struct lines *l, const int i[3])
{
    return walled(l, l->component) && i[l->component] == 0;
}

static double width(const struct lines *l, int d, int i)
{
    const int n = l->g.n[d], low = (i - 1 + n) % n;
    if (d != l->component) return l->g.dc[d][i];
    return walled(l, d) ? l->g.centre[d][i] - l->g.centre[d][low] : l->g.df[d][i];
}

/* From point i to the one above, or to the wall where that is nearer; side: 1 above, 0 below. */
static double distance(const struct lines *l, int d, int i, int side)
{
    const int n = l->g.n[d];
    if (d == l->component) return l->g.dc[d][side ? i : (i - 1 + n) % n];
    if (walled(l, d) && i == (side ? n - 1 : 0)) return l->g.dc[d][i] / 2;
    return l->g.df[d][side ? (i + 1) % n : i];
}

/* The neighbour's number; -1: there the velocity is 0; -2: no friction. */
static int neighbour(const struct lines *l, const int i[3], int d, int side)
{
    const int n = l->g.n[d], next = i[d] + (side ? 1 : -1);
    int j[3] = {i[0], i[1], i[2]};
    if (walled(l, d) && (next < 0 || next >= n))
        return d != l->component && l->c->face[2 * d + side] == S ? -2 : -1;
    j[d] = (next + n) % n;
    return given(l, j) ? -1 : (int)ref_index(&l->g, j[0], j[1], j[2]);
}

static long double matrix[CELLS_MOST][CELLS_MOST], volume_of[CELLS_MOST];

static void fill_matrix(const struct lines *l)
{
    const int *n = l->g.n;
    memset(matrix, 0, sizeof matrix);
    for (int q = 0; q < n[0] * n[1] * n[2]; ++q) {
        const int i[3] = {q % n[0], q / n[0] % n[1], q / n[0] / n[1]};
        long double volume = 1;
        for (int d = 0; d < 3 && !given(l, i); ++d) volume *= width(l, d, i[d]);
        volume_of[q] = volume;
        matrix[q][q] = volume; /* a point on a wall has no neighbours: 0 in, 0 out */
        for (int f = 0; f < FACES && !given(l, i); ++f) {
            const int d = f / 2, other = neighbour(l, i, d, f % 2);
            const long double link = SCALE * volume / width(l, d, i[d]) / distance(l, d, i[d], f % 2);
            if (other == -2) continue;
            matrix[q][q] += link;
            if (other >= 0) matrix[q][other] -= link;
        }
    }
}

/* The matrix is lost. */
static void eliminate(int n, long double *x)
{
    for (int p = 0; p < n; ++p) {
        for (int r = 0; r < n; ++r) {
            const long double part = r == p ? 0 : matrix[r][p] / matrix[p][p];
            for (int q = p; q < n && part != 0; ++q) matrix[r][q] -= part * matrix[p][q];
            x[r] -= part * x[p];
        }
    }
    for (int p = 0; p < n; ++p) x[p] /= matrix[p][p];
}

/* --- tests --- */

/* Solves on a layout; got: the global field where this rank holds it. */
static kol_status solve(const struct held_case *c, struct comm use, const int layout[3], int degree,
                        int component, const double *rhs, double tolerance, double *got)
{
    struct solver s;
    struct ppcg_result result;
    const struct ppcg_goal goal = {.name = "held system",
                                   .tolerance = tolerance,
                                   .scale = 1,
                                   .meaning = "max|r|",
                                   .input = "test.tolerance"};
    TRY(solver_create(c, use, layout, degree, &s));
    const struct stencil a = grid_stencil_held(&s.p.g, (enum location)(LOC_FCC + component), 1, (real)SCALE);
    real *f = part_from(&s.p, OWN, rhs), *x = part_filled(&s.p, 0);
    TRY(ppcg_solve(s.ppcg, &s.m, a, goal, 0, f, x, &result));
    part_get(&s.p, x, got);
    solver_destroy(&s);
    return KOL_OK;
}

/* Cells that this rank does not hold are taken as right. */
static double largest_error(const struct lines *l, ptrdiff_t count, const double *got,
                            const long double *want, double *on_walls)
{
    double most = 0;
    for (ptrdiff_t q = 0; q < count; ++q) {
        const int *n = l->g.n, i[3] = {(int)q % n[0], (int)q / n[0] % n[1], (int)q / n[0] / n[1]};
        double *worst = given(l, i) ? on_walls : &most;
        const double e = fabs(got[q] - (double)want[q]);
        if (!isnan(got[q]) && e > *worst) *worst = e;
    }
    return most;
}

static void check_component(const struct held_case *c, int component, int degree)
{
    struct lines l = {.c = c, .component = component};
    case_reference(&problem, &l.g);
    const ptrdiff_t count = ref_count(&l.g);
    double *rhs = case_random(&l.g, 40 + (unsigned)component), *got = ref_new(&l.g), *alone = ref_new(&l.g),
           on_walls = 0;
    long double want[CELLS_MOST];
    CHECK_ALL(count <= CELLS_MOST);
    fill_matrix(&l);
    for (ptrdiff_t q = 0; q < count; ++q) {
        const int *n = l.g.n, i[3] = {(int)q % n[0], (int)q / n[0] % n[1], (int)q / n[0] / n[1]};
        rhs[q] = (double)(real)(rhs[q] * (given(&l, i) ? 1 : (double)volume_of[q]));
        want[q] = given(&l, i) ? 0 : rhs[q]; /* what stands on the walls' own points is of no consequence */
    }
    eliminate((int)count, want);
    const double tolerance = KOL_CHOOSE(1e-12, 2e-4);
    for (ptrdiff_t q = 0; q < count; ++q) got[q] = alone[q] = NAN;
    CHECK_ALL(solve(c, comm, choose, degree, component, rhs, tolerance, got) == KOL_OK);
    CHECK_ALL(largest_error(&l, count, got, want, &on_walls) <= 2 * tolerance);
    CHECK_ALL(on_walls <= KOL_CHOOSE(1e-20, 1e-7));
    if (comm.size > 1) {
        int differing = 0;
        CHECK_ALL(solve(c, self, whole, degree, component, rhs, tolerance, alone) == KOL_OK);
        for (ptrdiff_t q = 0; q < count; ++q) differing += !isnan(got[q]) && got[q] != alone[q];
        CHECK_ALL(differing == 0);
    }
    case_free((double *[]){rhs, got, alone}, 3);
    ref_grid_destroy(&l.g);
}

static void test_like_elimination(void **state)
{
    (void)state;
    for (int n = 0; n < HELD_CASES; ++n)
        for (int component = 0; component < 3; ++component)
            check_component(&cases[n], component, degrees[(n + component) % DEGREES]);
}

static int setup(void **state)
{
    (void)state;
    return comm_create(&comm) != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    comm_destroy(&comm);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_like_elimination, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "ppcg with walls", tests);
}
