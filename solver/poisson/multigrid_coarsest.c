/* Computes the inverse of the operator on the coarsest grid. */
#include "multigrid_coarsest.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/base/mem.h"

/* Dense matrix of the last level, scaled so that its diagonal is about 1. */
static void dense_operator(const struct line line[3], double *a)
{
    const int n[3] = {line[X].n, line[Y].n, line[Z].n}, cells = n[X] * n[Y] * n[Z];
    const int stride[3] = {1, n[X], n[X] * n[Y]};
    for (int q = 0; q < cells; ++q) {
        const int i[3] = {q % n[X], q / n[X] % n[Y], q / n[X] / n[Y]};
        for (int d = 0; d < 3; ++d) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            const double area = line[e].width[i[e]] * line[f].width[i[f]];
            for (int side = 0; side < 2; ++side) {
                const double c = area * line_inverse(&line[d], i[d] + side);
                const int other = q + (line_fold(i[d] + 2 * side - 1, n[d]) - i[d]) * stride[d];
                a[(ptrdiff_t)q * cells + q] += c;
                a[(ptrdiff_t)q * cells + other] -= c;
            }
        }
    }
}

/* a becomes its inverse: Gauss-Jordan without exchange of rows, for a symmetric positive definite matrix. */
static void invert(int n, double *a)
{
    for (int p = 0; p < n; ++p) {
        double *const pivot_row = a + (ptrdiff_t)p * n;
        const double pivot = 1 / pivot_row[p];
        pivot_row[p] = 1;
        for (int j = 0; j < n; ++j) pivot_row[j] *= pivot;
        for (int i = 0; i < n; ++i) {
            double *const row = a + (ptrdiff_t)i * n;
            const double factor = row[p];
            if (i == p) continue;
            row[p] = 0;
            for (int j = 0; j < n; ++j) row[j] -= factor * pivot_row[j];
        }
    }
}

/* Constants removed on both sides: from sums that rounding left in the right-hand side nothing grows. */
static void project(int n, double *a)
{
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < n; ++i) {
            double mean = 0;
            for (int j = 0; j < n; ++j) mean += turn == 0 ? a[(ptrdiff_t)i * n + j] : a[(ptrdiff_t)j * n + i];
            mean /= n;
            for (int j = 0; j < n; ++j)
                *(turn == 0 ? &a[(ptrdiff_t)i * n + j] : &a[(ptrdiff_t)j * n + i]) -= mean;
        }
    }
}

kol_status multigrid_coarsest_create(struct memory *memory, const struct line line[3], level_real **inverse)
{
    const int n = line[X].n * line[Y].n * line[Z].n;
    const size_t count = (size_t)n * (size_t)n;
    TRY(memory_kernel(memory, count * sizeof **inverse, (void **)inverse));
    if (memory_counts(memory)) return KOL_OK;
    double *a = calloc(count, sizeof *a), largest = 0;
    level_real *host = NULL;
    kol_status st = KOL_OK;
    if (a == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a matrix of %d x %d", n, n);
    TRY_OR(done, mem_host_alloc(count * sizeof *host, (void **)&host));
    dense_operator(line, a);
    for (int q = 0; q < n; ++q) largest = fmax(largest, a[(ptrdiff_t)q * n + q]);
    if (largest == 0) largest = 1; /* one cell: no operator, and nothing left of it below */
    for (size_t q = 0; q < count; ++q) a[q] += largest / n;
    invert(n, a);
    project(n, a);
    for (size_t q = 0; q < count; ++q) host[q] = (level_real)a[q];
    TRY_OR(done, mem_to_kernel(*inverse, host, count * sizeof *host));
done:
    mem_host_free(host);
    free(a);
    return st;
}
