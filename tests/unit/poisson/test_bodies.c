/* ranks: 1 2 4 8 */
/* Tests the pressure's solver in boxes with bodies: multigrid, the direct solver and polynomials as
 * preconditioners, for cubes, spheres, plates without thickness, sealed regions and faces closed at random.
 * Residuals are computed by a plain operator of its own. Catches a closed face that carries flux, a coarse
 * grid that differs between ranks, a region whose mean is not its own, a dead cell that gets a value, and
 * iterations beyond those of the empty box. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/rank_layout.h"
#include "kernels/volume_dot.h"
#include "solver/poisson/cg_round.h"
#include "solver/poisson/ppcg.h"
#include "solver/poisson/fluid_regions.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mask_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum {
    U = STRETCHING_UNIFORM,
    T = STRETCHING_TANH,
    S = STRETCHING_SINE,
    W = BOUNDARY_WALL,
    ITERATIONS = 400
};
enum { ARRAYS = 12, LAYOUTS = 4 };

static const struct problem {
    const char *name;
    int n[3], boundary[3], stretching[3];
    double length[3], factor[3];
    enum mask_kind mask;
    double share;
    int most; /* iterations of multigrid to 1e-8 */
} problems[] = {
    {"periodic", {40, 32, 36}, {0, 0, 0}, {U, U, U}, {1.25, 1, 1.1}, {0, 0, 0}, MASK_CUBES, 0, 20},
    {"stretched", {48, 32, 24}, {0, 0, W}, {U, S, T}, {3, 2, 1}, {0, 0.3, 1.6}, MASK_BED, 0.45, 40},
    {"walls in x", {32, 24, 28}, {W, 0, 0}, {T, U, U}, {2, 1, 1}, {1.5, 0, 0}, MASK_PLATES, 0, 40},
    {"sealed", {36, 30, 32}, {0, 0, 0}, {U, U, U}, {1, 1, 1}, {0, 0, 0}, MASK_SEALED, 0, 40},
    {"random", {34, 30, 26}, {0, 0, W}, {U, U, T}, {1, 1, 1}, {0, 0, 1}, MASK_RANDOM, 0.4, 40},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* everything that a solve needs, on one layout */
struct solver {
    struct decomp d;
    struct grid g;
    struct mask mask;
    unsigned char *open;
    struct halo *halo;
    struct reduction *reduction;
    struct pool *pool;
    struct ppcg *ppcg;
    struct domain domain; /* what the preconditioners borrow from */
    struct multigrid *multigrid;
    struct direct *direct;
    struct preconditioner m;
};

static struct input input_of(const struct problem *p)
{
    return case_box(p->n, p->length, p->stretching, p->factor, p->boundary);
}

static kol_status solver_create(const struct comm *c, const struct problem *p, const int layout[3], int kind,
                                struct solver *s)
{
    const struct input in = input_of(p);
    memset(s, 0, sizeof *s);
    TRY(decomp_create(in.grid.n, layout, c->size, c->rank, &s->d));
    TRY(grid_create(&in, &s->d, &s->g));
    mask_create(p->mask, &s->g, p->share, 7, &s->mask);
    if (p->mask != MASK_NONE) {
        s->open = mask_part(&s->mask, &s->d, s->g.box);
        s->g.open = s->open;
        s->g.bodies = 1;
    }
    TRY(halo_create(NULL, HALO_FIELDS, c, &s->d, s->g.box, TRANSPORT_AUTO, &s->halo));
    TRY(reduction_create(NULL, c, &s->d, s->g.box, &s->reduction));
    TRY(pool_create(NULL, s->g.box, ARRAYS, &s->pool));
    TRY(ppcg_create(NULL, ITERATIONS, s->g.box, s->halo, s->reduction, s->pool, &s->ppcg));
    s->domain = (struct domain){.in = &in,
                                .comm = *c,
                                .decomp = s->d,
                                .grid = s->g,
                                .halo = s->halo,
                                .reduction = s->reduction,
                                .pool = s->pool};
    s->m.polynomial = polynomial_make(PRECOND_POLYNOMIAL, 4, 0.9, 100);
    s->m.open = s->open;
    if (kind == PRECOND_MULTIGRID) {
        TRY(multigrid_create(&s->domain, multigrid_defaults(&s->g), &s->multigrid));
    } else if (kind == PRECOND_DIRECT) {
        TRY(direct_create(&s->domain, 0, &s->direct));
    }
    s->domain.in = NULL;
    s->m.multigrid = s->multigrid;
    s->m.direct = s->direct;
    return KOL_OK;
}

static void solver_destroy(struct solver *s)
{
    multigrid_destroy(&s->multigrid);
    direct_destroy(&s->direct);
    ppcg_destroy(&s->ppcg);
    pool_destroy(&s->pool);
    reduction_destroy(&s->reduction);
    halo_destroy(&s->halo);
    grid_destroy(&s->g);
    mem_kernel_free(s->open);
    mask_destroy(&s->mask);
}

/* A number in [-1, 1] that depends on the cell alone. */
static double number(ptrdiff_t q)
{
    unsigned long long x = (unsigned long long)q * 2654435761u + 17;
    for (int turn = 0; turn < 3; ++turn) {
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9ull;
    }
    return (double)(x >> 11) / 4503599627370496.0 - 1;
}

static double *volumes(const struct grid *g)
{
    const int *n = g->n_g;
    double *v = malloc((size_t)n[X] * (size_t)n[Y] * (size_t)n[Z] * sizeof *v);
    for (int k = 0; k < n[Z]; ++k)
        for (int j = 0; j < n[Y]; ++j)
            for (int i = 0; i < n[X]; ++i)
                v[((ptrdiff_t)k * n[Y] + j) * n[X] + i] = (g->face[X][i + 1] - g->face[X][i]) *
                                                          (g->face[Y][j + 1] - g->face[Y][j]) *
                                                          (g->face[Z][k + 1] - g->face[Z][k]);
    return v;
}

/* A right-hand side that has a solution in each region. */
static double *right_hand_side(const struct solver *s)
{
    double *v = volumes(&s->g);
    const ptrdiff_t count = (ptrdiff_t)s->g.n_g[X] * s->g.n_g[Y] * s->g.n_g[Z];
    double *f = malloc((size_t)count * sizeof *f);
    for (ptrdiff_t q = 0; q < count; ++q) f[q] = v[q] * number(q);
    mask_level(&s->mask, v, f);
    free(v);
    return f;
}

static ptrdiff_t place_of(const struct solver *s, int i, int j, int k)
{
    return ((ptrdiff_t)(k + s->d.offset[Z]) * s->g.n_g[Y] + j + s->d.offset[Y]) * s->g.n_g[X] + i +
           s->d.offset[X];
}

static kol_status put(const struct solver *s, const double *global, real *to)
{
    const struct box b = s->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    for (ptrdiff_t q = 0; q < b.size; ++q) host[q] = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) host[at(b, i, j, k)] = (real)global[place_of(s, i, j, k)];
    const kol_status st = mem_to_kernel(to, host, (size_t)b.size * sizeof *host);
    free(host);
    return st;
}

/* The largest |rhs - A x| / V of a solution on one rank, over the largest |rhs| / V; A by its definition.
 * INFINITY if a dead cell has a value. */
static double judge(const struct solver *s, const double *rhs, const real *x)
{
    const struct grid *g = &s->g;
    const struct box b = g->box;
    real *host = malloc((size_t)b.size * sizeof *host);
    double most = 0, size = 0;
    if (mem_to_host(host, x, (size_t)b.size * sizeof *host) != KOL_OK) return INFINITY;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int c[3] = {i, j, k};
                const ptrdiff_t q = place_of(s, i, j, k);
                const double here = host[at(b, i, j, k)];
                double sum = 0, volume = 1;
                if (s->mask.open[q] == 0 && here != 0) most = INFINITY;
                for (int d = 0; d < 3; ++d) volume *= grid_width(g, d, c[d]);
                for (int f = 0; f < FACES && s->mask.open[q] != 0; ++f) {
                    const int d = f / 2, n = g->n_g[d], to = c[d] + (f % 2 ? 1 : -1);
                    int o[3] = {i, j, k};
                    if (!(s->mask.open[q] >> f & 1) || (!g->periodic[d] && (to < 0 || to >= n))) continue;
                    o[d] = (to + n) % n;
                    sum += volume / grid_width(g, d, c[d]) / grid_centre_distance(g, d, c[d] + f % 2) *
                           (here - host[at(b, o[X], o[Y], o[Z])]);
                }
                most = fmax(most, fabs(rhs[q] - sum) / volume);
                size = fmax(size, fabs(rhs[q]) / volume);
            }
    free(host);
    return most / size;
}

/* iterations of a solve from zero to `tolerance` of the right-hand side; -1 where it failed. single: rounds
 * may be in single precision */
static int solve(struct solver *s, const struct problem *p, double tolerance, int single, real **x,
                 double *worst)
{
    real *rhs;
    struct ppcg_result result;
    double *f = right_hand_side(s);
    if (pool_hold(s->pool, "x", x) != KOL_OK || pool_hold(s->pool, "rhs", &rhs) != KOL_OK) return -1;
    int good = put(s, f, rhs) == KOL_OK && mem_fill_real(*x, s->g.box.size, 0) == KOL_OK;
    const struct ppcg_goal goal = {.name = "test",
                                   .tolerance = tolerance,
                                   .scale = 1,
                                   .meaning = "max|r|/V",
                                   .input = "test.tolerance",
                                   .rounding = cg_rounding(&s->g),
                                   .single = single};
    good = good && ppcg_solve(s->ppcg, &s->m, grid_stencil(&s->g, LOC_CCC, 0, 1), goal, 0, rhs, *x,
                              &result) == KOL_OK;
    if (!good && comm.rank == 0) print_error("%s: %s\n", p->name, status_message());
    if (good && worst != NULL) *worst = judge(s, f, *x);
    free(f);
    if (!good || pool_drop(s->pool, &rhs) != KOL_OK) return -1;
    return result.iterations;
}

static const int ONE[3] = {1, 1, 1};
static const double TOLERANCE = KOL_CHOOSE(1e-8, 1e-4);

static void test_solutions(void **state)
{
    enum { TWICE = 4 };
    static const int kind[TWICE] = {PRECOND_MULTIGRID, PRECOND_MULTIGRID, PRECOND_DIRECT, PRECOND_POLYNOMIAL};
    (void)state;
    if (comm.size > 1) skip();
    for (int n = 0; n < PROBLEMS; ++n) {
        for (int m = 0; m < TWICE; ++m) {
            struct solver s;
            real *x;
            double worst = INFINITY;
            CHECK_ALL(solver_create(&self, &problems[n], ONE, kind[m], &s) == KOL_OK);
            const int iterations = solve(&s, &problems[n], TOLERANCE, m == 1, &x, &worst);
            print_message("%-12s %s, live %.3f, %d regions: preconditioner %d: %d iterations\n",
                          problems[n].name, mask_name[problems[n].mask], mask_live(&s.mask), s.mask.regions,
                          kind[m], iterations);
            CHECK_ALL(iterations > 0);
            CHECK_ALL_BELOW(worst, 1.01 * TOLERANCE);
            if (kind[m] == PRECOND_MULTIGRID) CHECK_ALL(iterations <= problems[n].most);
            solver_destroy(&s);
        }
    }
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

static void test_same_bits_on_every_layout(void **state)
{
    (void)state;
    const int layouts[LAYOUTS][3] = {{0, 0, 0}, {comm.size, 1, 1}, {1, comm.size, 1}, {1, 1, comm.size}};
    if (comm.size == 1) skip();
    for (int n = 0; n < PROBLEMS; ++n) {
        const int kind = n == 1 ? PRECOND_POLYNOMIAL : PRECOND_MULTIGRID;
        struct solver alone;
        real *want = NULL;
        int iterations = 0, good = 1;
        if (comm.rank == 0) { /* for all: on each rank it would take their cores */
            good = solver_create(&self, &problems[n], ONE, kind, &alone) == KOL_OK;
            if (good) iterations = solve(&alone, &problems[n], TOLERANCE, n % 2 == 0, &want, NULL);
        }
        CHECK_ALL(good);
        MPI_Bcast(&iterations, 1, MPI_INT, 0, MPI_COMM_WORLD);
        CHECK_ALL(iterations > 0);
        real *all = of_one(&alone, want, problems[n].n);
        if (comm.rank == 0) solver_destroy(&alone);
        for (int l = 0; l < LAYOUTS; ++l) {
            struct solver s;
            real *x;
            int fits = 1;
            for (int d = 0; d < 3; ++d) fits = fits && layouts[l][d] <= grid_blocks(d, problems[n].n[d]);
            if (!fits || (comm.size == 2 && l == 0)) continue; /* two are cut along x, y or z in any case */
            if (comm.size > 2 && l > 0 && l != 1 + n % 3) continue; /* more, along x, y, z by turns */
            CHECK_ALL(solver_create(&comm, &problems[n], layouts[l], kind, &s) == KOL_OK);
            CHECK_ALL(solve(&s, &problems[n], TOLERANCE, n % 2 == 0, &x, NULL) == iterations);
            CHECK_ALL(same_cells(&s, x, all));
            solver_destroy(&s);
        }
        free(all);
    }
}

/* The cycle, applied to a residual. */
static double cycle(struct solver *s, const real *r, real *z)
{
    double sum = NAN;
    real *scratch[MULTIGRID_SCRATCH] = {NULL};
    int good = 1;
    for (int n = 0; n < MULTIGRID_SCRATCH; ++n)
        good = good && pool_hold(s->pool, "cycle", &scratch[n]) == KOL_OK;
    good =
        good && multigrid_apply(s->multigrid, reduction_blocks(s->reduction), NULL, scratch, r, z) == KOL_OK;
    for (int n = 0; n < MULTIGRID_SCRATCH; ++n) good = good && pool_drop(s->pool, &scratch[n]) == KOL_OK;
    return good && reduction_finish(s->reduction, 1, 0, &sum) == KOL_OK ? sum : NAN;
}

static double dot(struct solver *s, const real *a, const real *b)
{
    double sum = NAN;
    if (volume_dot_product(s->g.box, reduction_blocks(s->reduction), NULL, a, b) != KOL_OK) return NAN;
    return reduction_finish(s->reduction, 1, 0, &sum) == KOL_OK ? sum : NAN;
}

/* b . M a = a . M b and a . M a > 0 */
static void test_cycle_is_symmetric(void **state)
{
    (void)state;
    for (int n = 0; n < PROBLEMS; ++n) {
        struct solver s;
        real *a = NULL, *b = NULL, *z = NULL;
        static const int choose[3] = {0, 0, 0};
        CHECK_ALL(solver_create(&comm, &problems[n], choose, PRECOND_MULTIGRID, &s) == KOL_OK);
        double *v = volumes(&s.g), *f = right_hand_side(&s);
        CHECK_ALL(pool_hold(s.pool, "a", &a) == KOL_OK && pool_hold(s.pool, "b", &b) == KOL_OK &&
                  pool_hold(s.pool, "z", &z) == KOL_OK);
        CHECK_ALL(put(&s, f, a) == KOL_OK);
        for (ptrdiff_t q = 0; q < (ptrdiff_t)s.g.n_g[X] * s.g.n_g[Y] * s.g.n_g[Z]; ++q)
            f[q] = v[q] * number(3 * q + 11);
        mask_level(&s.mask, v, f);
        CHECK_ALL(put(&s, f, b) == KOL_OK);
        const double aa = cycle(&s, a, z), ba = dot(&s, b, z), bb = cycle(&s, b, z), ab = dot(&s, a, z);
        CHECK_ALL(aa > 0 && bb > 0);
        CHECK_ALL_BELOW(fabs(ab - ba), 2e-5 * sqrt(aa * bb)); /* single precision inside */
        free(v);
        free(f);
        solver_destroy(&s);
    }
}

/* The same field in single precision, as the sum of two arrays of which one is 0. */
static int single_of(const struct solver *s, const real *field, struct level_sum *out)
{
    const struct box b = s->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    level_real *copy = calloc((size_t)b.size, sizeof *copy), *array = NULL, *zero = NULL;
    int good = mem_to_host(host, field, (size_t)b.size * sizeof *host) == KOL_OK &&
               mem_kernel_alloc((size_t)b.size * sizeof *copy, (void **)&array) == KOL_OK &&
               mem_kernel_alloc((size_t)b.size * sizeof *copy, (void **)&zero) == KOL_OK &&
               mem_to_kernel(zero, copy, (size_t)b.size * sizeof *copy) == KOL_OK;
    for (ptrdiff_t q = 0; q < b.size && good; ++q) copy[q] = (level_real)(0.5 * host[q]);
    good = good && mem_to_kernel(array, copy, (size_t)b.size * sizeof *copy) == KOL_OK;
    *out = (struct level_sum){.box = b, .a = 2, .c = 3, .d = array, .x = zero};
    free(host);
    free(copy);
    return good;
}

/* As fluid_regions_settle() does, but in two parts. */
static int settle_single(struct solver *s, struct fluid_regions *r, double sum, real *field, double *mean)
{
    struct level_sum phi;
    const int good = single_of(s, field, &phi) && fluid_regions_mean(r, sum, phi, NULL, mean) == KOL_OK &&
                     fluid_regions_shift(r, field) == KOL_OK;
    mem_kernel_free((void *)phi.d);
    mem_kernel_free((void *)phi.x);
    return good;
}

enum { OF_SUMS, OF_VALUES, OF_SINGLE, OF_ALL };

/* Fields whose sums differ between regions, before and after: as the plain version has them, and with the
 * same bits on every layout. */
static int levelled(struct solver *s, struct fluid_regions *r, int of_values, real *field, double *mean)
{
    const struct stencil a = grid_stencil(&s->g, LOC_CCC, 0, 1);
    double *v = volumes(&s->g), sum;
    const ptrdiff_t count = (ptrdiff_t)s->g.n_g[X] * s->g.n_g[Y] * s->g.n_g[Z];
    double *f = calloc((size_t)count, sizeof *f);
    for (ptrdiff_t q = 0; q < count; ++q)
        f[q] = s->mask.region[q] < 0 ? 0 : (of_values ? 1 : v[q]) * (number(q) + s->mask.region[q]);
    for (ptrdiff_t q = 0; q < count && of_values == OF_SINGLE; ++q) f[q] = (level_real)f[q];
    int good = put(s, f, field) == KOL_OK;
    free(v);
    free(f);
    real *ones = NULL;
    if (!of_values) { /* the plain sum is a product with 1 */
        good = good && pool_hold(s->pool, "ones", &ones) == KOL_OK &&
               mem_fill_real(ones, s->g.box.size, 1) == KOL_OK &&
               volume_dot_product(s->g.box, reduction_blocks(s->reduction), NULL, ones, field) == KOL_OK;
    } else {
        good = good && volume_dot_weighted(s->g.box, reduction_blocks(s->reduction), a, field) == KOL_OK;
    }
    good = good && reduction_finish(s->reduction, 1, 0, &sum) == KOL_OK;
    if (ones != NULL) good = good && pool_drop(s->pool, &ones) == KOL_OK;
    if (of_values == OF_SINGLE) return good && settle_single(s, r, sum, field, mean);
    return good && (of_values ? fluid_regions_settle(r, sum, field, mean)
                              : fluid_regions_balance(r, sum, field, mean)) == KOL_OK;
}

/* The largest sum over a region of what levelled() left, less the mean, over the volume of the box. */
static double unbalanced(const struct solver *s, int of_values, const real *field, double mean)
{
    const struct box b = s->g.box;
    double *v = volumes(&s->g), *sum = calloc((size_t)s->mask.regions, sizeof *sum), most = 0;
    real *host = malloc((size_t)b.size * sizeof *host);
    if (mem_to_host(host, field, (size_t)b.size * sizeof *host) != KOL_OK) most = INFINITY;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t q = place_of(s, i, j, k);
                const double value = host[at(b, i, j, k)];
                if (s->mask.region[q] >= 0)
                    sum[s->mask.region[q]] += of_values ? v[q] * (value - mean) : value - mean * v[q];
                else if (value != 0) most = INFINITY;
            }
    for (int n = 0; n < s->mask.regions; ++n) most = fmax(most, fabs(sum[n]));
    free(v);
    free(sum);
    free(host);
    return most / s->g.volume;
}

static void test_regions(void **state)
{
    (void)state;
    const int layouts[LAYOUTS][3] = {{0, 0, 0}, {comm.size, 1, 1}, {1, comm.size, 1}, {1, 1, comm.size}};
    for (int n = 1; n < PROBLEMS; ++n) {
        struct solver alone;
        struct fluid_regions *r = NULL;
        real *want, *all[OF_ALL];
        double mean[OF_ALL] = {0};
        int good = 1;
        if (comm.rank == 0) {
            good = solver_create(&self, &problems[n], ONE, 0, &alone) == KOL_OK &&
                   fluid_regions_create(&alone.domain, &r) == KOL_OK &&
                   fluid_regions_count(r) == alone.mask.regions;
        }
        CHECK_ALL(good);
        for (int m = 0; m < OF_ALL; ++m) {
            double left = 0;
            want = NULL;
            if (comm.rank == 0) {
                good =
                    pool_hold(alone.pool, "field", &want) == KOL_OK && levelled(&alone, r, m, want, &mean[m]);
                if (good) left = unbalanced(&alone, m, want, mean[m]);
            }
            CHECK_ALL(good);
            CHECK_ALL_BELOW(left, 1e4 * KOL_EPSILON);
            all[m] = of_one(&alone, want, problems[n].n);
        }
        MPI_Bcast(mean, OF_ALL, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        fluid_regions_destroy(&r);
        if (comm.rank == 0) solver_destroy(&alone);
        for (int l = 0; l < LAYOUTS && comm.size > 1; ++l) {
            struct solver s;
            int fits = 1;
            for (int d = 0; d < 3; ++d) fits = fits && layouts[l][d] <= grid_blocks(d, problems[n].n[d]);
            if (!fits || (comm.size == 2 && l == 0)) continue; /* two are cut along x, y or z in any case */
            if (comm.size > 2 && l > 0 && l != 1 + n % 3) continue; /* more, along x, y, z by turns */
            CHECK_ALL(solver_create(&comm, &problems[n], layouts[l], 0, &s) == KOL_OK);
            CHECK_ALL(fluid_regions_create(&s.domain, &r) == KOL_OK);
            CHECK_ALL(fluid_regions_count(r) == s.mask.regions);
            for (int m = 0; m < OF_ALL; ++m) {
                real *field;
                double own;
                CHECK_ALL(pool_hold(s.pool, "field", &field) == KOL_OK);
                CHECK_ALL(levelled(&s, r, m, field, &own) && own == mean[m]);
                CHECK_ALL(same_cells(&s, field, all[m]));
            }
            fluid_regions_destroy(&r);
            solver_destroy(&s);
        }
        for (int m = 0; m < OF_ALL; ++m) free(all[m]);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_solutions),
        CASE(test_same_bits_on_every_layout),
        CASE(test_cycle_is_symmetric),
        CASE(test_regions),
    };
    return MPI_MAIN(argc, argv, "bodies", tests);
}
