/* Computes the error bars of averages over time: the jackknife over batches, and the correlation of
 * batches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "batch_means.h"

/* --- how much correlated values scatter --- */

/* The variance of the mean of n values d, which may be correlated, is
 *
 *     V(L) = (c[0] + 2 sum over 0 < k < L of (1 - k/L) c[k]) / (n g(L))
 *
 * where c[k] is the sum over i of (d[i] - mean)(d[i + k] - mean), divided by n. V(L) is the scatter of the
 * means of all L values that follow each other (Bartlett 1950). The factor g(L) corrects for the fact that
 * the mean is that of the same values: with it, V(L) is right on average if the values are independent.
 *
 * Correlations that last longer than L/2 are not completely in V(L). Then V(L) is larger than V(L/2), and
 * 3/4 of the difference is added to it. L is a third of n, whatever the data are. If the data chose the
 * last lag, as the first at which c is negative, the result would be too large for series that oscillate.
 * docs/statistics.md, "Error bars", has the results for many kinds of series. */
enum { LAGS_LEAST = 4, LAGS_MOST = (BATCH_MEANS_MOST + 1) / 3, WINDOWS = 2 };

static int lags_of(int n)
{
    const int lags = (n + 1) / 3;
    return lags > LAGS_LEAST ? lags : LAGS_LEAST;
}

/* Returns the factor of c[k] in V(lags), which is used with L and with L/2. Lag k also stands for -k. */
static double factor_of(int k, double lags)
{
    return k == 0 ? 1 : 2 * fmax(1 - k / lags, 0);
}

/* scatter: sums over n values of some quantities. `sum` is the sum of the values. In each of the windows L
 * and L/2, `product` is the weighted sum of products of two values, and `linear` that of their products with
 * 1. Row i % lags of `past` is value i of all quantities. */
struct scatter {
    int n, lags;
    ptrdiff_t stride; /* of the rows of past */
    double *sum, *product[WINDOWS], *linear[WINDOWS], *past;
};
enum { SCATTER_ROWS = 1 + 2 * WINDOWS }; /* but for past */

/* Makes the sums in `room`, which has SCATTER_ROWS + lags_of(n) rows that the caller has set to zero. */
static struct scatter scatter_begin(int n, ptrdiff_t stride, double *room)
{
    struct scatter s = {.n = n, .lags = lags_of(n), .stride = stride, .sum = room};
    for (int w = 0; w < WINDOWS; ++w) {
        s.product[w] = room + (1 + w) * stride;
        s.linear[w] = room + (1 + WINDOWS + w) * stride;
    }
    s.past = room + SCATTER_ROWS * stride;
    return s;
}

static void add_products(const struct scatter *s, int w, int number, ptrdiff_t count, const double *d)
{
    const double lags = s->lags / (1.0 + w);
    double *product = s->product[w], *linear = s->linear[w], with_one = 0;
    for (int k = 0; k < s->lags; ++k) with_one += factor_of(k, lags) * ((number < s->n - k) + (number >= k));
    for (ptrdiff_t i = 0; i < count; ++i) {
        linear[i] += with_one * d[i];
        product[i] += d[i] * d[i];
    }
    for (int k = 1; k < lags && k <= number; ++k) {
        const double factor = factor_of(k, lags), *before = s->past + (number - k) % s->lags * s->stride;
        for (ptrdiff_t i = 0; i < count; ++i) product[i] += factor * d[i] * before[i];
    }
}

static void scatter_add(const struct scatter *s, int number, ptrdiff_t count, const double *d)
{
    for (ptrdiff_t i = 0; i < count; ++i) s->sum[i] += d[i];
    for (int w = 0; w < WINDOWS; ++w) add_products(s, w, number, count, d);
    memcpy(s->past + number % s->lags * s->stride, d, (size_t)count * sizeof *d);
}

/* Computes the standard errors. `share` is the weight of the samples in complete batches over that of all
 * samples. The mean is that of all samples, but the scatter is known only from those in complete batches. */
static void scatter_errors(const struct scatter *s, double share, ptrdiff_t count, double *error)
{
    const double n = s->n;
    double ones[WINDOWS] = {0};
    for (int w = 0; w < WINDOWS; ++w)
        for (int k = 0; k < s->lags; ++k) ones[w] += factor_of(k, s->lags / (1.0 + w)) * (n - k);
    for (ptrdiff_t i = 0; i < count; ++i) {
        const double mean = s->sum[i] / n;
        double v[WINDOWS];
        for (int w = 0; w < WINDOWS; ++w)
            v[w] = (s->product[w][i] - mean * s->linear[w][i] + mean * mean * ones[w]) / (n * n - ones[w]);
        const double variance = v[0] > v[1] ? v[0] + 0.75 * (v[0] - v[1]) : v[0];
        error[i] = variance <= 0 ? 0 : sqrt(variance * share);
    }
}

static double share_of(const struct batch_means *b)
{
    return 1 - batch_means_rest_weight(b) / batch_means_weight(b);
}

/* --- the jackknife --- */

/* Returns the weight of all complete batches but number m. If m is -1, none is left out. */
static double weight_without(const struct batch_means *b, int m)
{
    const double *weight = batch_means_weights(b);
    double all = 0;
    for (int n = 0; n < batch_means_count(b); ++n)
        if (n != m) all += weight[n];
    return all;
}

/* Computes the mean of complete batches whose total weight is `weight`, and from it the quantities. `before`
 * is the sum of the first of these batches. The others are those from number `first` on. */
static void derive_from(const struct batch_means *b, const double *before, int first, double weight,
                        batch_means_derive *derive, const void *context, double *mean, double *quantity)
{
    const int values = batch_means_values(b);
    memcpy(mean, before, (size_t)values * sizeof *mean);
    batch_means_sum_from(b, first, mean);
    for (int i = 0; i < values; ++i) mean[i] /= weight;
    derive(context, mean, quantity);
}

kol_status batch_means_errors(const struct batch_means *b, batch_means_derive *derive, const void *context,
                              int quantities, double *error)
{
    const int n = batch_means_count(b), values = batch_means_values(b);
    const size_t each = (size_t)quantities;
    for (int q = 0; q < quantities; ++q) error[q] = NAN;
    if (n < BATCH_MEANS_LEAST) return KOL_OK;
    double *before = calloc(2 * (size_t)values, sizeof *before), *mean = before + values,
           *quantity = malloc(2 * each * sizeof *quantity), *left = quantity + each,
           *sums = calloc((size_t)(SCATTER_ROWS + lags_of(n)) * each, sizeof *sums);
    const int there = before != NULL && quantity != NULL && sums != NULL;
    if (there) {
        const double *batch = batch_means_complete(b);
        const struct scatter s = scatter_begin(n, quantities, sums);
        derive_from(b, before, 0, weight_without(b, -1), derive, context, mean, quantity);
        for (int m = 0; m < n; ++m) {
            derive_from(b, before, m + 1, weight_without(b, m), derive, context, mean, left);
            for (int i = 0; i < values; ++i) before[i] += batch[(ptrdiff_t)m * values + i];
            for (int q = 0; q < quantities; ++q) left[q] = (n - 1) * (quantity[q] - left[q]);
            scatter_add(&s, m, quantities, left);
        }
        scatter_errors(&s, share_of(b), quantities, error);
    }
    free(before);
    free(quantity);
    free(sums);
    if (!there) RAISE(KOL_ERR_MEMORY, "no memory for errors of %d quantities", quantities);
    return KOL_OK;
}

/* --- the same in parts --- */

/* Numbers of values that are worked on at a time. BLOCK sums fit into registers, and ROW values of every
 * batch into the cache. */
enum { BLOCK = 16, ROW = 8 * BLOCK };

/* Computes the mean of one block of BLOCK values, of which `count` are stored. It adds the rows to the sum
 * `before` and divides by the weight. */
static void mean_of_block(const double *before, double (*row)[ROW], int rows, double weight, ptrdiff_t count,
                          double *mean)
{
    double sum[BLOCK];
    for (int i = 0; i < BLOCK; ++i) sum[i] = before[i];
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < BLOCK; ++i) sum[i] += row[k][i];
    for (int i = 0; i < BLOCK; ++i) sum[i] /= weight;
    if (count >= BLOCK) memcpy(mean, sum, sizeof sum);
    else memcpy(mean, sum, (size_t)count * sizeof *sum);
}

/* Computes the means of one block without each of the batches, and with all. The sum of the batches before
 * batch m is kept, and the later ones are added in their order. So the bits are those of derive_from. */
static void means_of_block(const struct batch_means *b, double (*row)[ROW], ptrdiff_t count, ptrdiff_t stride,
                           double *mean)
{
    const int n = batch_means_count(b);
    double before[BLOCK] = {0};
    for (int m = 0; m < n; ++m) {
        mean_of_block(before, row + m + 1, n - m - 1, weight_without(b, m), count, mean + m * stride);
        for (int i = 0; i < BLOCK; ++i) before[i] += row[m][i];
    }
    mean_of_block(before, row, 0, weight_without(b, -1), count, mean + n * stride);
}

void batch_means_means_without(const struct batch_means *b, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t stride, double *mean)
{
    const int n = batch_means_count(b), values = batch_means_values(b);
    const double *batch = batch_means_complete(b);
    double row[BATCH_MEANS_MOST + 1][ROW];
    for (ptrdiff_t lo = 0; lo < count; lo += ROW) {
        const ptrdiff_t here = count - lo < ROW ? count - lo : ROW, rest = (ROW - here) % BLOCK;
        for (int m = 0; m < n; ++m) {
            memcpy(row[m], batch + (ptrdiff_t)m * values + first + lo, (size_t)here * sizeof *mean);
            memset(row[m] + here, 0, (size_t)rest * sizeof *mean);
        }
        for (ptrdiff_t k = 0; k < here; k += BLOCK)
            means_of_block(b, (double(*)[ROW])(row[0] + k), here - k, stride, mean + lo + k);
    }
}

void batch_means_errors_of(const struct batch_means *b, ptrdiff_t quantities, const double *quantity,
                           ptrdiff_t stride, double *error)
{
    enum { NEAR = 128 };
    const int n = batch_means_count(b);
    for (ptrdiff_t lo = 0; lo < quantities; lo += NEAR) {
        const ptrdiff_t here = quantities - lo < NEAR ? quantities - lo : NEAR;
        const double *all = quantity + n * stride + lo;
        double room[(SCATTER_ROWS + LAGS_MOST) * NEAR] = {0}, d[NEAR];
        const struct scatter s = scatter_begin(n, NEAR, room);
        for (int m = 0; m < n; ++m) {
            const double *left = quantity + m * stride + lo;
            for (ptrdiff_t i = 0; i < here; ++i) d[i] = (n - 1) * (all[i] - left[i]);
            scatter_add(&s, m, here, d);
        }
        scatter_errors(&s, share_of(b), here, error + lo);
    }
}
