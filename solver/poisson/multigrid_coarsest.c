/* Computes the inverse of the operator on the coarsest grid. */
#include "multigrid_coarsest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/point/level.h"
#include "multigrid_coarsening.h"

/* Dense matrix of the last level. words: of the faces of all cells, x first; NULL: there are no bodies. */
static void dense_operator(const struct line line[3], const level_word *words, double *a)
{
    const int n[3] = {line[X].n, line[Y].n, line[Z].n}, cells = n[X] * n[Y] * n[Z];
    const int stride[3] = {1, n[X], n[X] * n[Y]};
    for (int q = 0; q < cells; ++q) {
        const int i[3] = {q % n[X], q / n[X] % n[Y], q / n[X] / n[Y]};
        for (int d = 0; d < 3; ++d) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            const double area = line[e].width[i[e]] * line[f].width[i[f]];
            for (int side = 0; side < 2; ++side) {
                const double part =
                    words != NULL ? (double)point_level_open_word(words[q]).w[2 * d + side] : 1;
                const double c = part * area * line_inverse(&line[d], i[d] + side);
                const int other = q + (line_fold(i[d] + 2 * side - 1, n[d]) - i[d]) * stride[d];
                a[(ptrdiff_t)q * cells + q] += c;
                a[(ptrdiff_t)q * cells + other] -= c;
            }
        }
    }
}

enum { TOGETHER = 8 };

/* Subtracts `rows` times `factor` from the values of a row, one row after another in each value. They are
 * written out, since a compiler that leaves an inner loop as it is cannot vectorise the outer one. */
static void subtract(int n, const double factor[TOGETHER],
                     const double rows[TOGETHER][MULTIGRID_COARSENING_DENSE], double *row)
{
#pragma omp simd
    for (int j = 0; j < n; ++j)
        row[j] = row[j] - factor[0] * rows[0][j] - factor[1] * rows[1][j] - factor[2] * rows[2][j] -
                 factor[3] * rows[3][j] - factor[4] * rows[4][j] - factor[5] * rows[5][j] -
                 factor[6] * rows[6][j] - factor[7] * rows[7][j];
}

/* The pivots from `first` on: scales their rows and clears their columns in these rows. used: the rows as
 * they were when their pivots' turns came. */
static void pivots(int n, int first, int count, double *a, double used[TOGETHER][MULTIGRID_COARSENING_DENSE])
{
    memset(used, 0, TOGETHER * sizeof used[0]);
    for (int p = first; p < first + count; ++p) {
        double *const pivot_row = a + (ptrdiff_t)p * n;
        const double pivot = 1 / pivot_row[p];
        pivot_row[p] = 1;
        for (int j = 0; j < n; ++j) pivot_row[j] *= pivot;
        memcpy(used[p - first], pivot_row, (size_t)n * sizeof *pivot_row);
        for (int i = first; i < first + count; ++i) {
            double *const row = a + (ptrdiff_t)i * n;
            const double factor = row[p];
            if (i == p) continue;
            row[p] = 0;
            for (int j = 0; j < n; ++j) row[j] -= factor * pivot_row[j];
        }
    }
}

/* a becomes its inverse: Gauss-Jordan without exchange of rows, for a symmetric positive definite matrix.
 * Some pivots go together, so that the matrix passes from memory once for all of them. The bits are those of
 * one pivot after another. */
static void invert(int n, double *a)
{
    double used[TOGETHER][MULTIGRID_COARSENING_DENSE];
    for (int first = 0; first < n; first += TOGETHER) {
        const int count = n - first < TOGETHER ? n - first : TOGETHER;
        pivots(n, first, count, a, used);
        for (int i = 0; i < n; ++i) {
            double *const row = a + (ptrdiff_t)i * n, factor[TOGETHER] = {0}, near[TOGETHER];
            if (i >= first && i < first + count) continue;
            memcpy(near, row + first, (size_t)count * sizeof *near);
            for (int p = 0; p < count; ++p) {
                factor[p] = near[p];
                near[p] = 0;
                for (int q = 0; q < count; ++q) near[q] -= factor[p] * used[p][first + q];
            }
            subtract(n, factor, (const double(*)[MULTIGRID_COARSENING_DENSE])used, row);
            memcpy(row + first, near, (size_t)count * sizeof *near);
        }
    }
}

/* regions: the connected regions of cells. Cell q belongs to region of[q], which has cells[of[q]] cells; dead
 * cells belong to none, and have of[q] = -1. */
struct regions {
    int of[MULTIGRID_COARSENING_DENSE], cells[MULTIGRID_COARSENING_DENSE], n;
};

static void label(int n, const double *a, int q, struct regions *r)
{
    int todo[MULTIGRID_COARSENING_DENSE], count = 0;
    todo[count++] = q;
    r->of[q] = r->n;
    while (count > 0) {
        const int p = todo[--count];
        ++r->cells[r->n];
        for (int m = 0; m < n; ++m) {
            if (r->of[m] >= 0 || a[(ptrdiff_t)p * n + m] == 0) continue;
            r->of[m] = r->n;
            todo[count++] = m;
        }
    }
    ++r->n;
}

/* A single cell has no operator, but it is a region if it is alone. */
static void find_regions(int n, const double *a, struct regions *r)
{
    r->n = 0;
    for (int q = 0; q < n; ++q) {
        r->of[q] = -1;
        r->cells[q] = 0;
    }
    for (int q = 0; q < n; ++q)
        if (r->of[q] < 0 && (a[(ptrdiff_t)q * n + q] > 0 || n == 1)) label(n, a, q, r);
}

/* Adds `size` to the eigenvalue of the constants of each region, and to that of dead cells. */
static void lift(int n, const struct regions *r, double size, double *a)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            if (r->of[i] >= 0 && r->of[i] == r->of[j]) a[(ptrdiff_t)i * n + j] += size / r->cells[r->of[i]];
            else if (i == j && r->of[i] < 0) a[(ptrdiff_t)i * n + j] = size;
        }
    }
}

/* Removes the constants of each region on both sides, and dead cells: from sums that rounding left in the
 * right-hand side nothing grows. */
static void project(int n, const struct regions *r, double *a)
{
    for (int turn = 0; turn < 2; ++turn) {
        const ptrdiff_t line = turn == 0 ? n : 1, step = turn == 0 ? 1 : n;
        for (int i = 0; i < n; ++i) {
            double mean[MULTIGRID_COARSENING_DENSE] = {0};
            for (int j = 0; j < n; ++j)
                if (r->of[j] >= 0) mean[r->of[j]] += a[i * line + j * step];
            for (int j = 0; j < n; ++j)
                a[i * line + j * step] =
                    r->of[j] >= 0 ? a[i * line + j * step] - mean[r->of[j]] / r->cells[r->of[j]] : 0;
        }
    }
}

static kol_status compute(const struct line line[3], const level_word *words, level_real *inverse)
{
    const int n = line[X].n * line[Y].n * line[Z].n;
    const size_t count = (size_t)n * (size_t)n;
    struct regions regions;
    double *a = calloc(count, sizeof *a), largest = 0;
    level_real *host = NULL;
    kol_status st = KOL_OK;
    if (a == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a matrix of %d x %d", n, n);
    TRY_OR(done, mem_host_alloc(count * sizeof *host, (void **)&host));
    dense_operator(line, words, a);
    for (int q = 0; q < n; ++q) largest = fmax(largest, a[(ptrdiff_t)q * n + q]);
    if (largest == 0) largest = 1; /* one cell: no operator, and nothing left of it below */
    find_regions(n, a, &regions);
    lift(n, &regions, largest, a);
    invert(n, a);
    project(n, &regions, a);
    for (size_t q = 0; q < count; ++q) host[q] = (level_real)a[q];
    TRY_OR(done, mem_to_kernel(inverse, host, count * sizeof *host));
done:
    mem_host_free(host);
    free(a);
    return st;
}

kol_status multigrid_coarsest_create(struct memory *memory, const struct line line[3], level_real **inverse)
{
    const size_t n = (size_t)line[X].n * (size_t)line[Y].n * (size_t)line[Z].n;
    TRY(memory_kernel(memory, n * n * sizeof **inverse, (void **)inverse));
    return memory_counts(memory) ? KOL_OK : compute(line, NULL, *inverse);
}

kol_status multigrid_coarsest_close(const struct line line[3], struct box b, const level_word *words,
                                    level_real *inverse)
{
    level_word *host = NULL, cells[MULTIGRID_COARSENING_DENSE];
    int n = 0;
    kol_status st = KOL_OK;
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    TRY_OR(done, mem_to_host(host, words, (size_t)b.size * sizeof *host));
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) cells[n++] = host[at(b, i, j, k)];
    st = compute(line, cells, inverse);
done:
    mem_host_free(host);
    return st;
}
