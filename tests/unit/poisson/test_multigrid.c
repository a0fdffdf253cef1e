/* ranks: 1 2 4 8 */
/* Tests the multigrid preconditioner on uniform and stretched grids, with walls, of odd, prime and thin
 * sizes. It is symmetric and positive, has the same bits on every layout of the ranks, and needs the
 * iterations of the study. Catches a transfer that is no transpose, a coarse cell that two ranks or none own,
 * a level that is gathered in another order, and a smoother that does not damp. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/rank_layout.h"
#include "kernels/volume_dot.h"
#include "solver/poisson/cg_round.h"
#include "solver/poisson/ppcg.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum {
    PERIODIC = BOUNDARY_PERIODIC,
    WALL = BOUNDARY_WALL,
    U = STRETCHING_UNIFORM,
    T = STRETCHING_TANH,
    S = STRETCHING_SINE
};
static const struct problem {
    const char *name;
    int n[3], boundary[3], stretching[3];
    double length[3], factor[3];
    int most; /* iterations to 1e-8 */
} problems[] = {
    {"periodic", {32, 32, 32}, {0, 0, 0}, {U, U, U}, {1, 1, 1}, {0, 0, 0}, 10},
    {"periodic, unequal", {48, 20, 24}, {0, 0, 0}, {U, U, U}, {3, 1, 1.5}, {0, 0, 0}, 12},
    {"odd sizes", {37, 31, 23}, {0, 0, 0}, {U, U, U}, {1.8, 1.5, 1.1}, {0, 0, 0}, 14},
    {"channel", {32, 24, 36}, {PERIODIC, PERIODIC, WALL}, {U, U, T}, {6, 3, 2}, {0, 0, 2}, 13},
    {"walls in x", {36, 16, 20}, {WALL, PERIODIC, PERIODIC}, {T, U, U}, {2, 3, 4}, {2, 0, 0}, 13},
    {"duct", {20, 26, 28}, {PERIODIC, WALL, WALL}, {S, T, T}, {6, 2, 2}, {0.4, 1.6, 1.8}, 10},
    {"cavity", {17, 19, 16}, {WALL, WALL, WALL}, {T, U, T}, {1, 1, 1}, {1.2, 0, 1}, 14},
    {"flat cells", {24, 24, 24}, {0, 0, WALL}, {U, U, U}, {1000, 1000, 1}, {0, 0, 0}, 10},
    {"long cells", {24, 20, 16}, {0, 0, 0}, {U, U, U}, {1.2, 2, 2.4}, {0, 0, 0}, 11},
    {"thin", {40, 36, 2}, {0, 0, WALL}, {U, U, U}, {4, 4, 0.01}, {0, 0, 0}, 10},
    {"two distributed levels", {96, 72, 80}, {0, 0, WALL}, {U, S, T}, {4, 3, 2}, {0, 0.3, 1.5}, 14},
    {"whole tiles", {64, 32, 32}, {0, 0, 0}, {U, U, U}, {2, 1, 1}, {0, 0, 0}, 10},
    {"channel of whole tiles", {64, 16, 32}, {0, 0, WALL}, {U, U, T}, {12, 3, 2}, {0, 0, 2}, 13},
    {"needles", {13, 24, 40}, {WALL, WALL, PERIODIC}, {U, T, S}, {1000, 1, 1}, {0, 2.5, 0.7}, 11},
    {"thin ends", {36, 32, 40}, {WALL, WALL, WALL}, {T, T, T}, {2, 2, 2}, {3, 3, 3}, 8},
    {"thin ends, long", {47, 33, 21}, {WALL, WALL, WALL}, {T, T, T}, {3, 1, 2}, {3, 4, 2.5}, 9},
    {"thin ends, periodic", {48, 30, 36}, {PERIODIC, WALL, WALL}, {S, T, T}, {4, 2, 2}, {0.8, 3, 3.5}, 8},
    {"thin ends of one direction", {24, 20, 64}, {0, 0, WALL}, {U, U, T}, {6, 3, 2}, {0, 0, 4.2}, 8},
    {"tiny", {4, 3, 2}, {0, 0, 0}, {U, U, U}, {1, 1, 1}, {0, 0, 0}, 8},
};
enum { PROBLEMS = sizeof problems / sizeof *problems, LAYOUTS = 4, ITERATIONS = 60, ARRAYS = 12 };

/* everything that a solve needs, on one layout */
struct solver {
    struct decomp d;
    struct grid g;
    struct halo *halo;
    struct reduction *reduction;
    struct pool *pool;
    struct ppcg *ppcg;
    struct domain domain; /* what the multigrid borrows from */
    struct multigrid *multigrid;
    struct preconditioner m;
};

static struct input input_of(const struct problem *p)
{
    return case_box(p->n, p->length, p->stretching, p->factor, p->boundary);
}

/* whether the grid can be cut so */
static int fits(const struct problem *p, const int layout[3])
{
    for (int d = 0; d < 3; ++d)
        if (layout[d] > grid_blocks(d, p->n[d])) return 0;
    return 1;
}

static kol_status solver_create(const struct comm *c, const struct problem *p, const int layout[3],
                                struct solver *s)
{
    const struct input in = input_of(p);
    memset(s, 0, sizeof *s);
    TRY(decomp_create(in.grid.n, layout, c->size, c->rank, &s->d));
    TRY(grid_create(&in, &s->d, &s->g));
    TRY(halo_create(NULL, HALO_FIELDS, c, &s->d, s->g.box, TRANSPORT_AUTO, &s->halo));
    TRY(reduction_create(NULL, c, &s->d, s->g.box, &s->reduction));
    TRY(pool_create(NULL, s->g.box, ARRAYS, &s->pool));
    TRY(ppcg_create(NULL, ITERATIONS, s->g.box, s->halo, s->reduction, s->pool, &s->ppcg));
    s->domain = (struct domain){.in = &in, .comm = *c, .decomp = s->d, .grid = s->g};
    TRY(multigrid_create(&s->domain, multigrid_defaults(&s->g), &s->multigrid));
    s->domain.in = NULL;
    s->m.multigrid = s->multigrid;
    return KOL_OK;
}

static void solver_destroy(struct solver *s)
{
    multigrid_destroy(&s->multigrid);
    ppcg_destroy(&s->ppcg);
    pool_destroy(&s->pool);
    reduction_destroy(&s->reduction);
    halo_destroy(&s->halo);
    grid_destroy(&s->g);
}

/* A number in [-1, 1] that depends on the cell and the seed alone. */
static double number(const struct problem *p, int i, int j, int k, unsigned seed)
{
    unsigned long long x =
        (unsigned long long)(((long long)k * p->n[Y] + j) * p->n[X] + i) * 2654435761u + seed;
    for (int turn = 0; turn < 3; ++turn) {
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9ull;
    }
    return (double)(real)((double)(x >> 11) / 4503599627370496.0 - 1);
}

/* A field of such numbers, times the cell volume where `weighted`, less its mean; NaN in the halo. */
static double *numbers(const struct problem *p, const struct grid *g, unsigned seed, int weighted)
{
    const ptrdiff_t count = (ptrdiff_t)p->n[X] * p->n[Y] * p->n[Z];
    double *f = malloc((size_t)count * sizeof *f), sum = 0, weight = 0;
    for (int turn = 0; turn < 2; ++turn) {
        for (ptrdiff_t q = 0; q < count; ++q) {
            const int i = (int)(q % p->n[X]), j = (int)(q / p->n[X] % p->n[Y]),
                      k = (int)(q / p->n[X] / p->n[Y]);
            const double volume = (g->face[X][i + 1] - g->face[X][i]) * (g->face[Y][j + 1] - g->face[Y][j]) *
                                  (g->face[Z][k + 1] - g->face[Z][k]);
            const double w = weighted ? volume : 1;
            if (turn == 0) {
                f[q] = w * number(p, i, j, k, seed);
                sum += f[q];
                weight += w;
            } else {
                f[q] -= sum / weight * w;
            }
        }
    }
    return f;
}

static kol_status put(const struct solver *s, const double *global, real *to)
{
    const struct box b = s->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    for (ptrdiff_t q = 0; q < b.size; ++q) host[q] = (real)NAN;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t q =
                    ((ptrdiff_t)(k + s->d.offset[Z]) * s->g.n_g[Y] + j + s->d.offset[Y]) * s->g.n_g[X] + i +
                    s->d.offset[X];
                host[at(b, i, j, k)] = (real)global[q];
            }
    const kol_status st = mem_to_kernel(to, host, (size_t)b.size * sizeof *host);
    free(host);
    return st;
}

/* The field of one rank alone, its own cells, for all ranks: rank 0 has it in `field` of its solver `one`.
 * The caller frees it. Collective. */
static real *of_one(const struct solver *one, const real *field, const int n[3])
{
    const int count = n[X] * n[Y] * n[Z];
    real *all = malloc((size_t)count * sizeof *all);
    int good = all != NULL;
    if (good && comm.rank == 0) {
        const struct box w = one->g.box;
        real *host = malloc((size_t)w.size * sizeof *host);
        good = mem_to_host(host, field, (size_t)w.size * sizeof *host) == KOL_OK;
        for (int k = 0; k < n[Z]; ++k)
            for (int j = 0; j < n[Y]; ++j)
                memcpy(all + ((ptrdiff_t)k * n[Y] + j) * n[X], host + at(w, 0, j, k),
                       (size_t)n[X] * sizeof *all);
        free(host);
    }
    CHECK_ALL(good);
    MPI_Bcast(all, count * (int)sizeof *all, MPI_BYTE, 0, MPI_COMM_WORLD);
    return all;
}

/* Whether the own cells of a field have the same bits as those of of_one(). */
static int same_cells(const struct solver *s, const real *part, const real *all)
{
    const struct box b = s->g.box;
    const int *n = s->g.n_g, *from = s->d.offset;
    real *a = malloc((size_t)b.size * sizeof *a);
    int same = mem_to_host(a, part, (size_t)b.size * sizeof *a) == KOL_OK;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            same = same && memcmp(a + at(b, 0, j, k),
                                  all + ((ptrdiff_t)(k + from[Z]) * n[Y] + j + from[Y]) * n[X] + from[X],
                                  (size_t)b.nx * sizeof *a) == 0;
    free(a);
    return same;
}

static double apply(struct solver *s, const real *r, real *z)
{
    double sum = NAN;
    real *scratch[MULTIGRID_SCRATCH] = {NULL};
    int good = 1;
    for (int n = 0; n < MULTIGRID_SCRATCH; ++n)
        good = good && pool_hold(s->pool, "cycle", &scratch[n]) == KOL_OK;
    good =
        good && multigrid_apply(s->multigrid, reduction_blocks(s->reduction), NULL, scratch, r, z) == KOL_OK;
    for (int n = 0; n < MULTIGRID_SCRATCH; ++n) good = good && pool_drop(s->pool, &scratch[n]) == KOL_OK;
    if (!good) return NAN;
    return reduction_finish(s->reduction, 1, 0, &sum) == KOL_OK ? sum : NAN;
}

static double dot(struct solver *s, const real *a, const real *b)
{
    double sum = NAN;
    if (volume_dot_product(s->g.box, reduction_blocks(s->reduction), NULL, a, b) != KOL_OK) return NAN;
    return reduction_finish(s->reduction, 1, 0, &sum) == KOL_OK ? sum : NAN;
}

/* b . M a = a . M b and a . M a > 0, and the sum that comes with M a is a . M a */
static void test_symmetric_and_positive(void **state)
{
    (void)state;
    for (int n = 0; n < PROBLEMS; ++n) {
        struct solver s;
        real *a = NULL, *b = NULL, *z = NULL;
        static const int choose[3] = {0, 0, 0};
        if (comm.size > 1 && (problems[n].n[Z] < 16 || problems[n].n[X] < 16)) continue;
        CHECK_ALL(solver_create(&comm, &problems[n], choose, &s) == KOL_OK);
        double *f = numbers(&problems[n], &s.g, 1, 1), *h = numbers(&problems[n], &s.g, 2, 1);
        CHECK_ALL(pool_hold(s.pool, "a", &a) == KOL_OK && pool_hold(s.pool, "b", &b) == KOL_OK &&
                  pool_hold(s.pool, "z", &z) == KOL_OK);
        CHECK_ALL(put(&s, f, a) == KOL_OK && put(&s, h, b) == KOL_OK);
        const double aa = apply(&s, a, z), size = fabs(dot(&s, a, z));
        const double ba = dot(&s, b, z), bb = apply(&s, b, z), ab = dot(&s, a, z);
        CHECK_ALL(aa > 0 && bb > 0);
        CHECK_ALL_BELOW(fabs(aa - size), 1e-12 * size);
        CHECK_ALL_BELOW(fabs(ab - ba), 2e-5 * sqrt(aa * bb)); /* single precision inside */
        free(f);
        free(h);
        solver_destroy(&s);
    }
}

/* What the operator's differences of a smooth solution leave in this arithmetic, over the right-hand side. */
static double rounding_of(const struct problem *p, const struct grid *g)
{
    double longest = 0;
    for (int d = 0; d < 3; ++d) longest = fmax(longest, p->length[d]);
    return KOL_EPSILON * g->diffusive * longest * longest / 40;
}

/* iterations of a solve from zero to 1e-8 of the right-hand side, with so many asked for; -1 where it failed
 */
static int solve_with(struct solver *s, const struct problem *p, int one, int asked, real **x)
{
    real *rhs;
    struct ppcg_result result;
    double *f = numbers(p, &s->g, 3, 1);
    if (pool_hold(s->pool, "x", x) != KOL_OK || pool_hold(s->pool, "rhs", &rhs) != KOL_OK) return -1;
    int good = put(s, f, rhs) == KOL_OK && mem_fill_real(*x, s->g.box.size, 0) == KOL_OK;
    free(f);
    const struct ppcg_goal goal = {.name = "test",
                                   .tolerance = fmax(KOL_CHOOSE(1e-8, 1e-4), rounding_of(p, &s->g)),
                                   .scale = 1,
                                   .meaning = "max|r|/V",
                                   .input = "test.tolerance",
                                   .rounding = cg_rounding(&s->g),
                                   .asked = asked,
                                   .single = 1,
                                   .one_sum = one};
    good = good && ppcg_solve(s->ppcg, &s->m, grid_stencil(&s->g, LOC_CCC, 0, 1), goal, 0, rhs, *x,
                              &result) == KOL_OK;
    if (!good && comm.rank == 0) print_error("%s: %s\n", p->name, status_message());
    if (!good || pool_drop(s->pool, &rhs) != KOL_OK) return -1;
    return result.iterations;
}

static int solve(struct solver *s, const struct problem *p, real **x)
{
    return solve_with(s, p, 0, 0, x);
}

static void test_iterations_of_the_study(void **state)
{
    (void)state;
    if (comm.size > 1) skip();
    for (int n = 0; n < PROBLEMS; ++n) {
        static const int one[3] = {1, 1, 1};
        struct solver s;
        real *x;
        CHECK_ALL(solver_create(&self, &problems[n], one, &s) == KOL_OK);
        if (rounding_of(&problems[n], &s.g) > 0.1) { /* single precision has no solution of flat cells */
            solver_destroy(&s);
            continue;
        }
        const int iterations = solve(&s, &problems[n], &x);
        char text[400];
        multigrid_describe(s.multigrid, text, sizeof text);
        print_message("%-20s %3d iterations, %s\n", problems[n].name, iterations, text);
        CHECK_ALL(iterations > 0 && iterations <= problems[n].most);
        CHECK_ALL(pool_drop(s.pool, &x) == KOL_OK);
        /* with one sum in each, as many; the cycle is symmetric to single precision alone */
        CHECK_ALL(abs(solve_with(&s, &problems[n], 1, 0, &x) - iterations) <= 1);
        solver_destroy(&s);
    }
}

static void test_same_bits_on_every_layout(void **state)
{
    (void)state;
    static const int one[3] = {1, 1, 1};
    int layouts[LAYOUTS][3] = {{0, 0, 0}, {comm.size, 1, 1}, {1, comm.size, 1}, {1, 1, comm.size}};
    if (comm.size == 1) skip();
    for (int n = 0; n < PROBLEMS; ++n) {
        struct solver alone;
        real *want = NULL;
        const int sum = n % 2, asked = 3 * sum; /* one in an iteration in every second problem */
        int iterations = 0, solvable = 1, good = 1;
        if (comm.rank == 0) { /* for all: on each rank it would take their cores */
            good = solver_create(&self, &problems[n], one, &alone) == KOL_OK;
            solvable = good && rounding_of(&problems[n], &alone.g) <= 0.1;
            if (solvable) iterations = solve_with(&alone, &problems[n], sum, asked, &want);
        }
        CHECK_ALL(good);
        MPI_Bcast(&solvable, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(&iterations, 1, MPI_INT, 0, MPI_COMM_WORLD);
        CHECK_ALL(iterations > 0 || !solvable);
        real *all = solvable ? of_one(&alone, want, problems[n].n) : NULL;
        if (comm.rank == 0) solver_destroy(&alone);
        for (int l = 0; l < LAYOUTS && solvable; ++l) {
            struct solver s;
            real *x;
            if (!fits(&problems[n], layouts[l]) || (l == 0 && problems[n].n[X] < 16)) continue;
            if (comm.size == 2 && l == 0) continue; /* two are cut along x, y or z in any case */
            if (comm.size > 2 && l > 0 && l != 1 + n % 3) continue; /* more, along x, y, z by turns */
            CHECK_ALL(solver_create(&comm, &problems[n], layouts[l], &s) == KOL_OK);
            const int again = solve_with(&s, &problems[n], sum, asked, &x);
            CHECK_ALL(again == iterations);
            CHECK_ALL(same_cells(&s, x, all));
            solver_destroy(&s);
        }
        free(all);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_symmetric_and_positive),
        CASE(test_iterations_of_the_study),
        CASE(test_same_bits_on_every_layout),
    };
    return MPI_MAIN(argc, argv, "multigrid", tests);
}
