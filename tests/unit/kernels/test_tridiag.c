/* Tests the tridiagonal systems of the exact inverse. They are solved with stored factors, in one pass if
 * there is such a kernel, and with their levels divided between ranks, which this process plays one after
 * another. The residuals are computed in long double. The columns have walls or are periodic; their levels
 * are evenly spaced or strongly stretched, few or many; the eigenvalues have all sizes, and one column is
 * singular. The bits do not depend on how the levels are divided. Catches a wrong coupling of the last
 * level to the first one, a wrong chunk, levels that are lost, digits lost to cancellation, a mean that is
 * not removed, and a separator that goes to the wrong rank. No MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "kernels/base/mem.h"
#include "kernels/tridiag.h"
#include "solver/poisson/direct_chunks.h"
#include "tests/support/check.h"

/* Rows of columns: few, or so many that a GPU takes them one after another. */
enum { NA = 7, NB = 3, FEW = NB, MANY = 900, MULTIGRID_LEVELS_MOST = 4096 };
static const double LA[NA] = {0, 1e-9, 0.3, 1, 40, 5e3, 1e7}, LB[NB] = {0, 2e-4, 9};
static const double SCALE = 0.37;
/* In units of the largest |row| |z| of a column: a few roundings for each level that a value goes through. */
static const double RESIDUAL_MOST = 1e-13, RESIDUAL_MOST_SINGLE = 1e-5;

/* eigenvalue of row b; 0 in the first alone */
static double lb_of(int b)
{
    return LB[b % NB] + 1e-3 * (b / NB);
}

/* levels: n widths and n + 1 inverse distances, of a box of height 2 */
struct multigrid_levels {
    int n, ring, columns;
    double ratio; /* of the largest width to the smallest, about */
    double w[MULTIGRID_LEVELS_MOST], g[MULTIGRID_LEVELS_MOST + 1];
};

static void levels_make(struct multigrid_levels *v, int rows, int n, int ring, double ratio)
{
    double sum = 0;
    v->columns = NA * rows;
    v->n = n;
    v->ring = ring;
    v->ratio = ratio;
    for (int i = 0; i < n; ++i) sum += v->w[i] = 1 + (ratio - 1) * pow(sin(PI * (i + 0.5) / n), 2);
    for (int i = 0; i < n; ++i) v->w[i] *= 2 / sum;
    for (int i = 1; i < n; ++i) v->g[i] = 2 / (v->w[i - 1] + v->w[i]);
    v->g[0] = v->g[n] = ring ? 2 / (v->w[0] + v->w[n - 1]) : 0;
}

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

static double *to_kernel(const double *host, size_t n)
{
    void *out = NULL;
    need(mem_kernel_alloc(n * sizeof(double), &out));
    if (host != NULL) need(mem_to_kernel(out, host, n * sizeof(double)));
    return out;
}

/* random values, the same wherever they are asked for */
static double value(ptrdiff_t place)
{
    const uint64_t x = ((uint64_t)place + 77) * 0x9E3779B97F4A7C15u,
                   y = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
    return (double)(y >> 20) / 8796093022208.0 - 1;
}

static ptrdiff_t place(const struct multigrid_levels *v, int i, int column, int parts, int part)
{
    return ((ptrdiff_t)i * v->columns + column) * parts + part;
}

/* Judges one column: its residual relative to the largest |row| |z|. For the singular column also its mean;
 * its right-hand side has been made solvable. */
static void judge(const struct multigrid_levels *v, const double *z, int column, int parts, int part,
                  double most)
{
    const double lambda = LA[column % NA] + lb_of(column / NA);
    long double sum = 0, width = 0, mean = 0, worst = 0, size = 0, largest = 0;
    for (int i = 0; i < v->n; ++i) {
        sum += value(place(v, i, column, parts, part));
        width += v->w[i];
        mean += v->w[i] * (long double)z[place(v, i, column, parts, part)];
    }
    for (int i = 0; i < v->n; ++i) {
        const long double c = z[place(v, i, column, parts, part)],
                          low = z[place(v, (i + v->n - 1) % v->n, column, parts, part)],
                          high = z[place(v, (i + 1) % v->n, column, parts, part)];
        long double r = value(place(v, i, column, parts, part));
        if (lambda == 0) r -= v->w[i] * (sum / width);
        const long double e = (long double)lambda * v->w[i] * c + v->g[i] * (c - low) +
                              v->g[i + 1] * (c - high) - (long double)SCALE * r;
        worst = fmaxl(worst, fabsl(e));
        largest = fmaxl(largest, fabsl(c));
        size = fmaxl(size, fabsl(c) * (lambda * v->w[i] + v->g[i] + v->g[i + 1]));
    }
    if (!((double)(worst / size) <= most))
        print_error("%d levels, ring %d, ratio %g, lambda %g: %.2e\n", v->n, v->ring, v->ratio, lambda,
                    (double)(worst / size));
    CHECK_BELOW((double)(worst / size), most);
    if (lambda == 0) CHECK_BELOW((double)(fabsl(mean) / width / largest), most);
}

/* In single precision: values are rounded before the solve. */
static void solve_single(struct tridiag t, size_t values, double *z)
{
    double *host = malloc(values * sizeof *host);
    float *single = malloc(values * sizeof *single), *kernel = NULL;
    if (host == NULL || single == NULL) abort();
    need(mem_to_host(host, z, values * sizeof *host));
    for (size_t n = 0; n < values; ++n) single[n] = (float)host[n];
    need(mem_kernel_alloc(values * sizeof *single, (void **)&kernel));
    need(mem_to_kernel(kernel, single, values * sizeof *single));
    need(tridiag_solve_once_single(t, SCALE, kernel));
    need(mem_to_host(single, kernel, values * sizeof *single));
    for (size_t n = 0; n < values; ++n) host[n] = (double)single[n];
    need(mem_to_kernel(z, host, values * sizeof *host));
    mem_kernel_free(kernel);
    free(single);
    free(host);
}

enum way { WITH_FACTORS, ONCE, ONCE_SINGLE };

static void solve(const struct multigrid_levels *v, enum way way)
{
    const int once = way != WITH_FACTORS, parts = once ? 2 : 1;
    const double most = way == ONCE_SINGLE ? RESIDUAL_MOST_SINGLE : RESIDUAL_MOST;
    const size_t matrix = (size_t)v->n * (size_t)v->columns, values = matrix * (size_t)parts;
    double *host = malloc(values * sizeof *host), *la = to_kernel(LA, NA), rows[MANY];
    for (int b = 0; b < v->columns / NA; ++b) rows[b] = lb_of(b);
    double *lb = to_kernel(rows, (size_t)(v->columns / NA));
    double *w = to_kernel(v->w, (size_t)v->n), *g = to_kernel(v->g, (size_t)v->n + 1);
    double *factors = to_kernel(NULL, 2 * matrix + 2);
    if (host == NULL) abort();
    for (size_t n = 0; n < values; ++n) host[n] = value((ptrdiff_t)n);
    double *z = to_kernel(host, values);
    struct tridiag t = {.n = v->n,
                        .na = NA,
                        .nb = v->columns / NA,
                        .parts = parts,
                        .zero = 1,
                        .la = la,
                        .lb = lb,
                        .w = w,
                        .g = g};
    if (way == ONCE_SINGLE) {
        solve_single(t, values, z);
    } else if (once) {
        need(tridiag_solve_once(t, SCALE, z));
    } else {
        t.mean = factors;
        t.pivot = factors + 2;
        t.border = v->ring ? factors + 2 + matrix : NULL;
        need(tridiag_factor(t));
        need(tridiag_solve(t, SCALE, z));
    }
    need(mem_to_host(host, z, values * sizeof *host));
    for (int c = 0; c < v->columns; ++c)
        for (int p = 0; p < parts; ++p) judge(v, host, c, parts, p, most);
    double *all[] = {la, lb, w, g, factors, z};
    for (size_t n = 0; n < sizeof all / sizeof *all; ++n) mem_kernel_free(all[n]);
    free(host);
}

static const int COUNTS[] = {2,   3,   5,   8,   15,  16,  17,  31,   32,   33,  63,
                             100, 127, 128, 250, 500, 512, 513, 1024, 1500, 2048};

static void each(enum way once)
{
    static const double ratios[] = {1, 3, 200};
    struct multigrid_levels *v = malloc(sizeof *v);
    if (v == NULL) abort();
    for (size_t n = 0; n < sizeof COUNTS / sizeof *COUNTS; ++n) {
        if (once && !tridiag_once_there(COUNTS[n])) continue;
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; ++r) {
            for (int ring = 0; ring < 2; ++ring) {
                levels_make(v, FEW, COUNTS[n], ring, ratios[r]);
                solve(v, once);
            }
        }
    }
    free(v);
}

static void test_with_factors(void **state)
{
    (void)state;
    each(WITH_FACTORS);
}

static void test_in_one_pass(void **state)
{
    (void)state;
    if (!tridiag_once_there(2)) skip();
    each(ONCE);
}

static void test_in_one_pass_single(void **state)
{
    (void)state;
    if (!tridiag_once_there(2)) skip();
    each(ONCE_SINGLE);
}

/* pieces: a division into chunks of 1 to `levels` levels, and into ranks with different numbers of
 * chunks. */
struct pieces {
    int count, ranks;
    int start[SEPARATORS_CHUNKS + 1], first[SEPARATORS_CHUNKS + 1];
};

static struct pieces pieces_of(int n, int ranks, int levels)
{
    struct pieces q = {.count = 2, .ranks = ranks};
    while (q.count * levels < n) q.count *= 2;
    for (int c = 0; c <= q.count; ++c) q.start[c] = (int)((long long)n * c / q.count);
    for (int c = 1; c < q.count; ++c) {
        const int moved = q.start[c] + c * 7 % 5 - 2, below = moved - q.start[c - 1],
                  above = q.start[c + 1] - moved;
        if (below > 0 && above > 0 && below <= levels && above <= levels) q.start[c] = moved;
    }
    for (int p = 1; p <= ranks; ++p) {
        const int least = q.first[p - 1] + 1, uneven = q.count * p * p / (ranks * ranks);
        q.first[p] = uneven > least ? uneven : least;
    }
    return q;
}

static int levels_most(int single)
{
    return single ? SEPARATORS_LEVELS_SINGLE : SEPARATORS_LEVELS;
}

/* cut: systems whose levels lie on ranks. slots: all of them, in host memory */
struct slice {
    struct pieces at;
    struct direct_chunks chunks;
    struct separators t; /* of no rank yet */
    double *slots;
};

static struct separators of_rank(const struct slice *q, int rank)
{
    struct separators t = q->t;
    t.first = q->at.first[rank];
    t.own = q->at.first[rank + 1] - t.first;
    return t;
}

static size_t slot_values(struct separators t)
{
    return 2 * ((size_t)t.own + 1) * (size_t)t.columns;
}

static double *new_host(size_t n)
{
    double *host = malloc(n * sizeof *host);
    if (host == NULL) abort();
    return host;
}

/* NaN in kernel memory */
static double *poisoned(size_t n)
{
    double *host = new_host(n);
    for (size_t i = 0; i < n; ++i) host[i] = NAN;
    double *out = to_kernel(host, n);
    free(host);
    return out;
}

/* n values in kernel memory, in single precision */
static float *to_kernel_single(const double *host, size_t n)
{
    float *single = malloc(n * sizeof *single), *out = NULL;
    if (single == NULL) abort();
    for (size_t i = 0; i < n; ++i) single[i] = (float)host[i];
    need(mem_kernel_alloc(n * sizeof *single, (void **)&out));
    need(mem_to_kernel(out, single, n * sizeof *single));
    free(single);
    return out;
}

static void to_host_single(double *host, const float *kernel, size_t n)
{
    float *single = malloc(n * sizeof *single);
    if (single == NULL) abort();
    need(mem_to_host(single, kernel, n * sizeof *single));
    for (size_t i = 0; i < n; ++i) host[i] = (double)single[i];
    free(single);
}

/* As of_levels() below, in single precision. */
static void of_levels_single(struct slice *q, int rank, int unfold, double *z)
{
    const struct separators t = of_rank(q, rank);
    const size_t level = 2 * (size_t)t.columns, low = (size_t)q->at.start[t.first] * level,
                 n = (size_t)q->at.start[t.first + t.own] * level - low;
    double *host = q->slots + (size_t)(t.first + rank) * level;
    for (size_t i = 0; i < slot_values(t) && !unfold; ++i) host[i] = NAN;
    float *values = to_kernel_single(z + low, n), *slots = to_kernel_single(host, slot_values(t));
    if (unfold) {
        need(separators_unfold_single(t, SCALE, slots, values));
        to_host_single(z + low, values, n);
    } else {
        need(separators_fold_single(t, SCALE, values, slots));
        to_host_single(host, slots, slot_values(t));
    }
    mem_kernel_free(slots);
    mem_kernel_free(values);
}

/* A rank's levels of z, all columns: to slots, or from them. */
static void of_levels(struct slice *q, int rank, int unfold, double *z)
{
    const struct separators t = of_rank(q, rank);
    const size_t level = 2 * (size_t)t.columns, low = (size_t)q->at.start[t.first],
                 high = (size_t)q->at.start[t.first + t.own], bytes = slot_values(t) * sizeof(double);
    double *host = q->slots + (size_t)(t.first + rank) * level,
           *values = to_kernel(z + low * level, (high - low) * level);
    double *slots = unfold ? to_kernel(host, slot_values(t)) : poisoned(slot_values(t));
    if (unfold) {
        need(separators_unfold(t, SCALE, slots, values));
        need(mem_to_host(z + low * level, values, (high - low) * level * sizeof *z));
    } else {
        need(separators_fold(t, SCALE, values, slots));
        need(mem_to_host(host, slots, bytes));
    }
    mem_kernel_free(slots);
    mem_kernel_free(values);
}

/* A rank's columns, all slots. */
static void of_columns(struct slice *q, int rank, int single)
{
    struct separators t = q->t;
    const size_t level = 2 * (size_t)t.columns;
    t.column = q->t.columns * rank / q->at.ranks;
    t.columns = q->t.columns * (rank + 1) / q->at.ranks - t.column;
    const size_t part = 2 * (size_t)t.columns, values = part * (size_t)t.slots;
    double *host = new_host(values), *place = q->slots + 2 * (size_t)t.column;
    for (int s = 0; s < t.slots; ++s)
        memcpy(host + (size_t)s * part, place + (size_t)s * level, part * sizeof *host);
    if (single) {
        float *slots = to_kernel_single(host, values);
        need(separators_solve_single(t, slots));
        to_host_single(host, slots, values);
        mem_kernel_free(slots);
    } else {
        double *slots = to_kernel(host, values);
        need(separators_solve(t, slots));
        need(mem_to_host(host, slots, values * sizeof *host));
        mem_kernel_free(slots);
    }
    for (int s = 0; s < t.slots; ++s)
        memcpy(place + (size_t)s * level, host + (size_t)s * part, part * sizeof *host);
    free(host);
}

/* z: right-hand sides, then solutions */
static void solve_cut(const struct multigrid_levels *v, int ranks, int single, double *z)
{
    struct slice q = {.at = pieces_of(v->n, ranks, levels_most(single))};
    double rows[MANY], *la = to_kernel(LA, NA);
    for (int b = 0; b < v->columns / NA; ++b) rows[b] = lb_of(b);
    double *lb = to_kernel(rows, (size_t)(v->columns / NA));
    need(direct_chunks_create(NULL, q.at.count, q.at.start, v->w, v->g, ranks, q.at.first, &q.chunks));
    q.t = q.chunks.of_grid;
    q.t.na = NA;
    q.t.la = la;
    q.t.lb = lb;
    q.t.columns = v->columns;
    q.slots = new_host(2 * (size_t)q.t.slots * (size_t)v->columns);
    void (*const levels)(struct slice *, int, int, double *) = single ? of_levels_single : of_levels;
    for (int p = 0; p < ranks; ++p) levels(&q, p, 0, z);
    for (int p = 0; p < ranks; ++p) of_columns(&q, p, single);
    for (int p = 0; p < ranks; ++p) levels(&q, p, 1, z);
    direct_chunks_destroy(&q.chunks);
    mem_kernel_free(la);
    mem_kernel_free(lb);
    free(q.slots);
}

/* The singular column is real; what its imaginary part is given must not matter. */
static void check_cut(const struct multigrid_levels *v, int single)
{
    static const int ranks[] = {1, 2, 3, 5};
    const size_t values = 2 * (size_t)v->n * (size_t)v->columns;
    double *first = new_host(values), *z = new_host(values);
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; ++r) {
        if (ranks[r] > pieces_of(v->n, 1, levels_most(single)).count) continue;
        for (size_t n = 0; n < values; ++n) z[n] = value((ptrdiff_t)n);
        solve_cut(v, ranks[r], single, z);
        if (r == 0) memcpy(first, z, values * sizeof *z);
        assert_memory_equal(first, z, values * sizeof *z);
    }
    for (int c = 0; c < v->columns; ++c)
        for (int p = 0; p < 2; ++p)
            if (c > 0 || p == 0) judge(v, z, c, 2, p, single ? RESIDUAL_MOST_SINGLE : RESIDUAL_MOST);
    for (int i = 0; i < v->n; ++i) assert_true(z[place(v, i, 0, 2, 1)] == 0);
    free(first);
    free(z);
}

static void each_cut(int single)
{
    static const int counts[] = {2, 3, 5, 8, 16, 31, 64, 100, 150, 512, 1500, 4096};
    static const double ratios[] = {1, 3, 200};
    struct multigrid_levels *v = malloc(sizeof *v);
    if (v == NULL) abort();
    for (size_t n = 0; n < sizeof counts / sizeof *counts; ++n)
        for (int ring = 0; ring < 2; ++ring) {
            for (size_t r = 0; r < sizeof ratios / sizeof *ratios; ++r) {
                levels_make(v, FEW, counts[n], ring, ratios[r]);
                check_cut(v, single);
            }
        }
    levels_make(v, MANY / 10, 37, 0, 3);
    check_cut(v, single);
    free(v);
}

static void test_levels_cut_over_ranks(void **state)
{
    (void)state;
    each_cut(0);
}

static void test_levels_cut_over_ranks_single(void **state)
{
    (void)state;
    if (!tridiag_once_there(2)) skip(); /* the CPU build has neither */
    each_cut(1);
}

/* more columns than a GPU has at work at one time */
static void test_many_columns(void **state)
{
    (void)state;
    static const int counts[] = {37, 1000, 1024};
    struct multigrid_levels *v = malloc(sizeof *v);
    if (v == NULL) abort();
    for (int n = 0; n < 3; ++n) {
        levels_make(v, MANY, counts[n], n % 2, 3);
        solve(v, tridiag_once_there(counts[n]) ? ONCE : WITH_FACTORS);
        if (tridiag_once_there(counts[n])) solve(v, ONCE_SINGLE);
    }
    free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_factors),          cmocka_unit_test(test_in_one_pass),
        cmocka_unit_test(test_in_one_pass_single),    cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_levels_cut_over_ranks), cmocka_unit_test(test_levels_cut_over_ranks_single),
    };
    return cmocka_run_group_tests_name("tridiag", tests, NULL, NULL);
}
