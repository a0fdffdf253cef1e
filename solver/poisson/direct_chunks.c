/* Divides the levels of a direction into chunks and computes the tables of kernels/tridiag_separators.h. */
#include "direct_chunks.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/point/row.h"

enum { LEVELS_MOST = SEPARATORS_LEVELS_SINGLE }; /* more than in double precision */

/* Number of values in kernel memory: pairs of w and g, the inner solutions, and what the separators get. */
static size_t values_of(int n, int count)
{
    return 2 * ((size_t)n + 1) + (size_t)n + (size_t)count;
}

/* Values of the table in single precision. */
static size_t singles_of(int n)
{
    return 2 * ((size_t)n + 1);
}

static size_t places_of(int count)
{
    return 2 * (size_t)count + 1;
}

int direct_chunks_count(const struct decomp *d, int dir, int levels)
{
    const int blocks = d->blocks_g[dir], longest = (d->n_g[dir] + blocks - 1) / blocks;
    int count = blocks;
    if ((blocks & (blocks - 1)) != 0) return 0;
    while (count <= SEPARATORS_CHUNKS && count / blocks * levels < longest) count *= 2;
    return count <= SEPARATORS_CHUNKS ? count : 0;
}

void direct_chunks_starts(const struct decomp *d, int dir, int count, int *start)
{
    const int each = count / d->blocks_g[dir];
    for (int c = 0; c < count; ++c) {
        const int low = decomp_block_start(d, dir, c / each), high = decomp_block_start(d, dir, c / each + 1);
        start[c] = low + (high - low) * (c % each) / each;
    }
    start[count] = d->n_g[dir];
}

/* Solves one chunk of column 0, where lambda = 0, for the right-hand side w.
 *
 *   inner    the solution at the inner levels if the separators are 0
 *   folded   what the inner levels contribute to the separators below and above the chunk
 *
 * The separator above the last chunk is separator 0 again. */
static void solve_widths(int levels, const double *w, const double *g, double *inner, double *folded)
{
    static const double no_ground[LEVELS_MOST];
    double inverse[LEVELS_MOST], above;
    const struct row q = {levels, g, no_ground, inverse};
    (void)row_factor(q);
    memcpy(inner, w, (size_t)levels * sizeof *inner);
    folded[0] += row_fold(q, inner, &above);
    folded[1] += above;
    row_unfold(q, 0, 0, inner);
}

static void fill_values(int count, const int *start, const double *w, const double *g, double *values,
                        double *folded, struct separators *t)
{
    const int n = t->n;
    double *inner = values + 2 * ((ptrdiff_t)n + 1);
    for (int i = 0; i <= n; ++i) {
        values[2 * i] = i < n ? w[i] : 0;
        values[2 * i + 1] = g[i];
    }
    memset(folded, 0, (size_t)(count + 1) * sizeof *folded);
    for (int c = 0; c < count; ++c)
        solve_widths(start[c + 1] - start[c], w + start[c], g + start[c], inner + start[c], folded + c);
    folded[0] += folded[count];
    for (int i = 0; i < n; ++i) {
        t->width += w[i];
        t->inner_width += w[i] * inner[i];
    }
}

static void fill_places(int count, const int *start, int parts, const int *first, int *places)
{
    memcpy(places, start, (size_t)(count + 1) * sizeof *places);
    int *slot = places + count + 1;
    for (int p = 0, c = 0; p < parts; ++p)
        for (; c < (p + 1 < parts ? first[p + 1] : count); ++c) slot[c] = c + p;
}

kol_status direct_chunks_create(struct memory *memory, int count, const int *start, const double *w,
                                const double *g, int parts, const int *first, struct direct_chunks *out)
{
    const int n = start[count];
    const size_t bytes = values_of(n, count) * sizeof(double);
    memset(out, 0, sizeof *out);
    TRY(memory_kernel(memory, bytes, (void **)&out->values));
    TRY(memory_kernel(memory, singles_of(n) * sizeof *out->single, (void **)&out->single));
    TRY(memory_kernel(memory, places_of(count) * sizeof *out->places, (void **)&out->places));
    if (memory_counts(memory)) return KOL_OK;
    double *values = malloc(bytes + sizeof *values); /* and the seam's */
    float *single = malloc(singles_of(n) * sizeof *single);
    int *places = malloc(places_of(count) * sizeof *places);
    kol_status st = KOL_OK;
    if (values == NULL || single == NULL || places == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d levels", n);
        goto done;
    }
    struct separators *t = &out->of_grid;
    *t = (struct separators){.n = n, .chunks = count, .slots = count + parts};
    fill_values(count, start, w, g, values, values + 2 * ((ptrdiff_t)n + 1) + n, t);
    for (size_t i = 0; i < singles_of(n); ++i) single[i] = (float)values[i]; /* the pairs come first */
    fill_places(count, start, parts, first, places);
    TRY_OR(done, mem_to_kernel(out->values, values, bytes));
    TRY_OR(done, mem_to_kernel(out->single, single, singles_of(n) * sizeof *single));
    TRY_OR(done, mem_to_kernel(out->places, places, places_of(count) * sizeof *places));
    t->metric = out->values;
    t->metric_single = out->single;
    t->inner = t->metric + 2 * ((ptrdiff_t)n + 1);
    t->folded = t->inner + n;
    t->start = out->places;
    t->slot = t->start + count + 1;
done:
    free(values);
    free(single);
    free(places);
    return st;
}

void direct_chunks_destroy(struct direct_chunks *c)
{
    mem_kernel_free(c->values);
    mem_kernel_free(c->single);
    mem_kernel_free(c->places);
    memset(c, 0, sizeof *c);
}
