/* Computes the error bars of averages over time: the jackknife over batches, and the spectrum of batches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "batch_means.h"
#include "kernels/base/constants.h"

/* --- how much correlated values scatter --- */

/* The variance of the mean of n values d, which may be correlated, is S(0)/n, where S(k) is the expected
 * value of the periodogram
 *
 *     I(k) = |sum over m of d[m] exp(-2 pi i k m/n)|^2 / n
 *
 * I(0) itself is the square of the mean. So S(0) is found from I(1) ... I(K). These are independent, and each
 * is S(k) times a number of exponential distribution. Near k = 0, S has one of few shapes S(k) = S(0) h(k):
 *
 *     flat       h = 1                                   the values are independent
 *     falling    h = 1/(1 + f k^2)                       they are correlated, over n/20 if f = 0.1
 *     rising     h = 1 + r (n - 1) (1 - cos(2 pi k/n))   what one has too much, the next has too little
 *
 * With r = 1 the last is the spectrum of differences e[m + 1] - e[m] of independent numbers e. Then the mean
 * consists of its two ends alone, (e[n] - e[0])/n. Such are oscillations over many periods, and the rate of
 * change of anything that stays bounded. With r = 2.5 and 6, neighbouring e are correlated.
 *
 * Given a shape, S(0) is the mean of I(k)/h(k) over k. The likelihood of the shape (Whittle 1953) is the
 * product of all 1/h(k), divided by the K-th power of this mean. The result is the mean over all shapes,
 * weighted by the likelihood and by what is known in advance. docs/statistics.md, "Error bars", has the
 * results for many kinds of series. */
enum { ORDINATES = 5, SHAPES = 8 };

static int ordinates_of(int n)
{
    return (n - 1) / 2 < ORDINATES ? (n - 1) / 2 : ORDINATES;
}

/* shape: h(k) as above, and the weight that it has in advance. */
struct shape {
    double falling, rising, weight;
};

/* Fills in the shapes for K ordinates. Few ordinates tell little about the shape, and rising shapes give by
 * far the smallest errors. So the fewer ordinates there are, the less weight rising shapes have in advance.
 * The weights are chosen such that the results are right on average for independent values, and for values
 * whose mean consists of two ends. */
static void list_shapes(int ordinates, struct shape shape[SHAPES])
{
    static const double EXPECTED[ORDINATES + 1] = {0, 0, 0, 0.2, 0.6, 1};
    const double expected = EXPECTED[ordinates];
    const struct shape all[SHAPES] = {{0.01, 0, 1},          {0.1, 0, 1},
                                      {0.4, 0, 1},           {1.5, 0, 0.25},
                                      {0, 1, 20 * expected}, {0, 2.5, 14 * expected},
                                      {0, 6, 8 * expected},  {0, 0, 1}};
    memcpy(shape, all, sizeof all);
}

/* scatter: the Fourier sums over n values of some quantities: a row of `stride` numbers for the real part of
 * each k, and one for the imaginary part. */
struct scatter {
    int n, ordinates;
    ptrdiff_t stride;
    double *sum;
    double cosine[BATCH_MEANS_MOST], sine[BATCH_MEANS_MOST]; /* of m/n of a full turn */
    double share[SHAPES][ORDINATES];                         /* 1/(h(k) K) */
    double prior[SHAPES]; /* the weight in advance, times the product of 1/h(k) */
};
enum { SCATTER_ROWS = 2 * ORDINATES };

static double turn(int m, int n)
{
    return 2 * PI * m / n;
}

/* Makes the sums in `room`, which has SCATTER_ROWS rows that the caller has set to zero. */
static struct scatter scatter_begin(int n, ptrdiff_t stride, double *room)
{
    struct scatter s = {.n = n, .ordinates = ordinates_of(n), .stride = stride, .sum = room};
    struct shape shape[SHAPES];
    list_shapes(s.ordinates, shape);
    for (int m = 0; m < n; ++m) {
        s.cosine[m] = cos(turn(m, n));
        s.sine[m] = sin(turn(m, n));
    }
    for (int i = 0; i < SHAPES; ++i) {
        s.prior[i] = shape[i].weight;
        for (int k = 1; k <= s.ordinates; ++k) {
            const double rise = shape[i].rising * (n - 1) * (1 - s.cosine[k]),
                         h = (1 + rise) / (1 + shape[i].falling * k * k);
            s.prior[i] /= h;
            s.share[i][k - 1] = 1 / (h * s.ordinates);
        }
    }
    return s;
}

static void scatter_add(const struct scatter *s, int number, ptrdiff_t count, const double *d)
{
    for (int k = 1; k <= s->ordinates; ++k) {
        const double c = s->cosine[k * number % s->n], f = s->sine[k * number % s->n];
        double *even = s->sum + 2 * (k - 1) * s->stride, *odd = even + s->stride;
        for (ptrdiff_t i = 0; i < count; ++i) even[i] += c * d[i];
        for (ptrdiff_t i = 0; i < count; ++i) odd[i] += f * d[i];
    }
}

enum { TOGETHER = 16 }; /* numbers of quantities whose errors are computed together */

/* Computes S(0) of each quantity from its mean of I(k)/h(k) for each shape. It is 0 if nothing scatters, and
 * NaN if any of the values is. */
static void average_shapes(const struct scatter *s, double level[SHAPES][TOGETHER], double *spectrum)
{
    double least[TOGETHER], weights[TOGETHER] = {0}, sum[TOGETHER] = {0};
    for (int j = 0; j < TOGETHER; ++j) least[j] = level[0][j];
    for (int h = 1; h < SHAPES; ++h)
        for (int j = 0; j < TOGETHER; ++j) least[j] = level[h][j] < least[j] ? level[h][j] : least[j];
    for (int h = 0; h < SHAPES; ++h) {
        double weight[TOGETHER];
        for (int j = 0; j < TOGETHER; ++j) weight[j] = s->prior[h];
        for (int k = 0; k < s->ordinates; ++k)
            for (int j = 0; j < TOGETHER; ++j) weight[j] *= least[j] / level[h][j];
        for (int j = 0; j < TOGETHER; ++j) weights[j] += weight[j];
        for (int j = 0; j < TOGETHER; ++j) sum[j] += weight[j] * level[h][j];
    }
    for (int j = 0; j < TOGETHER; ++j) spectrum[j] = least[j] > 0 ? sum[j] / weights[j] : least[j];
}

/* Computes the standard errors. `share` is the weight of the samples in complete batches over that of all
 * samples. The mean is that of all samples, but the scatter is known only from those in complete batches. */
static void scatter_errors(const struct scatter *s, double share, ptrdiff_t count, double *error)
{
    for (ptrdiff_t i = 0; i < count; i += TOGETHER) {
        const int here = count - i < TOGETHER ? (int)(count - i) : TOGETHER;
        double level[SHAPES][TOGETHER] = {{0}}, spectrum[TOGETHER];
        for (int k = 0; k < s->ordinates; ++k) {
            const double *even = s->sum + 2 * k * s->stride + i, *odd = even + s->stride;
            double ordinate[TOGETHER] = {0};
            for (int j = 0; j < here; ++j) ordinate[j] = (even[j] * even[j] + odd[j] * odd[j]) / s->n;
            for (int h = 0; h < SHAPES; ++h)
                for (int j = 0; j < TOGETHER; ++j) level[h][j] += s->share[h][k] * ordinate[j];
        }
        average_shapes(s, level, spectrum);
        for (int j = 0; j < here; ++j) error[i + j] = sqrt(spectrum[j] * share / s->n);
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
           *sums = calloc((size_t)SCATTER_ROWS * each, sizeof *sums);
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
    double room[SCATTER_ROWS * NEAR], d[NEAR];
    const struct scatter s = scatter_begin(n, NEAR, room);
    for (ptrdiff_t lo = 0; lo < quantities; lo += NEAR) {
        const ptrdiff_t here = quantities - lo < NEAR ? quantities - lo : NEAR;
        const double *all = quantity + n * stride + lo;
        memset(room, 0, sizeof room);
        for (int m = 0; m < n; ++m) {
            const double *left = quantity + m * stride + lo;
            for (ptrdiff_t i = 0; i < here; ++i) d[i] = (n - 1) * (all[i] - left[i]);
            scatter_add(&s, m, here, d);
        }
        scatter_errors(&s, share_of(b), here, error + lo);
    }
}
