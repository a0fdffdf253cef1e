/* Averages over time with error bars, by the method of batch means. */
#include "batch_means.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/point/section_average.h"

/* The state is one array: the head, then the sums of the complete batches, the sum of the current batch, and
 * the compensation of its rounding. */
enum { SAMPLES, LENGTH, COMPLETE, IN_CURRENT, BEGIN, END, VALUES, HEAD = 8 };

struct batch_means {
    int values, most;
    int shares;    /* whether the vectors are stored elsewhere: state holds only the numbers */
    double *owned; /* state, or NULL if it is stored elsewhere */
    double *state, *batch, *current, *carry;
};

/* state: cleared. */
static void begin(struct batch_means *b, double *state, int values, int most)
{
    b->values = values;
    b->most = most;
    b->state = state;
    b->batch = b->state + HEAD;
    b->current = b->batch + (ptrdiff_t)most * values;
    b->carry = b->current + values;
    b->state[LENGTH] = 1;
    b->state[VALUES] = values;
}

kol_status batch_means_create(int values, int most, struct batch_means **out)
{
    struct batch_means *b = *out = calloc(1, sizeof *b);
    if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages");
    b->owned = calloc((size_t)batch_means_state_size(values, most), sizeof *b->owned);
    if (b->owned == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages of %d values", values);
    begin(b, b->owned, values, most);
    return KOL_OK;
}

kol_status batch_means_create_in(double *memory, int values, int most, struct batch_means **out)
{
    struct batch_means *b = *out = calloc(1, sizeof *b);
    if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages");
    memset(memory, 0, (size_t)batch_means_state_size(values, most) * sizeof *memory);
    begin(b, memory, values, most);
    return KOL_OK;
}

void batch_means_destroy(struct batch_means **b)
{
    if (*b == NULL) return;
    free((*b)->owned);
    free(*b);
    *b = NULL;
}

/* Neighbours become one. */
static void join(struct batch_means *b)
{
    const ptrdiff_t n = b->values;
    for (int m = 0; m < b->most / 2; ++m)
        for (ptrdiff_t i = 0; i < n; ++i)
            b->batch[m * n + i] = b->batch[2 * m * n + i] + b->batch[(2 * m + 1) * n + i];
}

/* Counts the batch whose sum stands behind those of the complete batches as one of them. It returns whether
 * batches must now be joined in pairs. */
static int complete(struct batch_means *b)
{
    b->state[COMPLETE] += 1;
    if (b->state[COMPLETE] < b->most) return 0;
    b->state[COMPLETE] = b->most / 2;
    b->state[LENGTH] *= 2;
    return 1;
}

struct batch_means_step batch_means_count_sample(struct batch_means *b, double t)
{
    struct batch_means_step step = {0, (int)b->state[COMPLETE], 0};
    if (b->state[SAMPLES] == 0) b->state[BEGIN] = t;
    b->state[END] = t;
    b->state[SAMPLES] += 1;
    b->state[IN_CURRENT] += 1;
    if (b->state[IN_CURRENT] < b->state[LENGTH]) return step;
    b->state[IN_CURRENT] = 0;
    step.closes = 1;
    step.joins = complete(b);
    return step;
}

double *batch_means_vectors(struct batch_means *b)
{
    return b->batch;
}

void batch_means_add(struct batch_means *b, double t, const double *sample)
{
    for (int i = 0; i < b->values; ++i) point_section_add(&b->current[i], &b->carry[i], sample[i]);
    const struct batch_means_step step = batch_means_count_sample(b, t);
    if (!step.closes) return;
    double *to = b->batch + (ptrdiff_t)step.place * b->values;
    for (int i = 0; i < b->values; ++i) to[i] = b->current[i] + b->carry[i];
    memset(b->current, 0, 2 * (size_t)b->values * sizeof *b->current);
    if (step.joins) join(b);
}

long long batch_means_samples(const struct batch_means *b)
{
    return (long long)b->state[SAMPLES];
}

double batch_means_begin(const struct batch_means *b)
{
    return b->state[BEGIN];
}

double batch_means_end(const struct batch_means *b)
{
    return b->state[END];
}

int batch_means_count(const struct batch_means *b)
{
    return (int)b->state[COMPLETE];
}

int batch_means_most(const struct batch_means *b)
{
    return b->most;
}

long long batch_means_length(const struct batch_means *b)
{
    return (long long)b->state[LENGTH];
}

/* Adds the complete batches from `first` on to the sum. It takes few values at a time, so that their sums
 * stay in the cache even if the vectors are fields. */
static void sum_batches(const struct batch_means *b, int first, double *sum)
{
    enum { NEAR = 1024 };
    for (int lo = 0; lo < b->values; lo += NEAR) {
        const int count = b->values - lo < NEAR ? b->values - lo : NEAR;
        for (int m = first; m < batch_means_count(b); ++m) {
            const double *from = b->batch + (ptrdiff_t)m * b->values + lo;
            for (int i = 0; i < count; ++i) sum[lo + i] += from[i];
        }
    }
}

void batch_means_sum(const struct batch_means *b, double *sum)
{
    memset(sum, 0, (size_t)b->values * sizeof *sum);
    sum_batches(b, 0, sum);
    for (int i = 0; i < b->values; ++i) sum[i] += b->current[i] + b->carry[i];
}

void batch_means_mean(const struct batch_means *b, double *mean)
{
    batch_means_sum(b, mean);
    for (int i = 0; i < b->values; ++i) mean[i] /= b->state[SAMPLES];
}

/* --- several averages --- */

const double *batch_means_complete(const struct batch_means *b)
{
    return b->batch;
}

void batch_means_rest(const struct batch_means *b, double *rest)
{
    for (int i = 0; i < b->values; ++i) rest[i] = b->current[i] + b->carry[i];
}

void batch_means_set(struct batch_means *b, long long samples, long long length, int count, double begin,
                     double end, const double *batch, const double *rest)
{
    const size_t values = (size_t)b->values;
    memset(b->state, 0, (size_t)batch_means_state_size(b->values, b->most) * sizeof *b->state);
    b->state[SAMPLES] = (double)samples;
    b->state[LENGTH] = (double)length;
    b->state[COMPLETE] = count;
    b->state[IN_CURRENT] = (double)(samples - length * count);
    b->state[BEGIN] = begin;
    b->state[END] = end;
    b->state[VALUES] = b->values;
    memcpy(b->batch, batch, (size_t)count * values * sizeof *batch);
    memcpy(b->current, rest, values * sizeof *rest);
}

static void add_to(double *sum, const double *part, int values)
{
    for (int i = 0; i < values; ++i) sum[i] += part[i];
}

/* Adds a sum over batches of the length that all averages had at first. If `to` has joined its own batches in
 * the meantime, two or more such sums make one batch. */
static void append(struct batch_means *to, const double *sum, double samples)
{
    double *place = to->batch + (ptrdiff_t)to->state[COMPLETE] * to->values;
    add_to(to->current, sum, to->values);
    to->state[IN_CURRENT] += samples;
    if (to->state[IN_CURRENT] < to->state[LENGTH]) return;
    memcpy(place, to->current, (size_t)to->values * sizeof *place);
    memset(to->current, 0, (size_t)to->values * sizeof *to->current);
    to->state[IN_CURRENT] = 0;
    if (complete(to)) join(to);
}

/* Appends complete batches of `length` samples, and adds the remaining samples of this average to `rest`. It
 * returns the number of remaining samples. */
static double append_all(struct batch_means *to, const struct batch_means *from, double length, double *sum,
                         double *rest)
{
    const int values = to->values, together = (int)(length / from->state[LENGTH]);
    int n = 0;
    for (; n + together <= batch_means_count(from); n += together) {
        memset(sum, 0, (size_t)values * sizeof *sum);
        for (int m = n; m < n + together; ++m) add_to(sum, from->batch + (ptrdiff_t)m * values, values);
        append(to, sum, length);
    }
    const double left = batch_means_count(from) - n;
    for (; n < batch_means_count(from); ++n) add_to(rest, from->batch + (ptrdiff_t)n * values, values);
    batch_means_rest(from, sum);
    add_to(rest, sum, values);
    return left * from->state[LENGTH] + from->state[IN_CURRENT];
}

kol_status batch_means_merge(struct batch_means *const *from, int count, struct batch_means *to)
{
    double *sum = calloc(2 * (size_t)to->values, sizeof *sum), *rest = sum + to->values, left = 0;
    if (sum == NULL) RAISE(KOL_ERR_MEMORY, "no memory to merge averages of %d values", to->values);
    double length = 1;
    for (int n = 0; n < count; ++n) length = fmax(length, from[n]->state[LENGTH]);
    to->state[LENGTH] = length;
    to->state[BEGIN] = INFINITY;
    to->state[END] = -INFINITY;
    for (int n = 0; n < count; ++n) {
        left += append_all(to, from[n], length, sum, rest);
        to->state[SAMPLES] += from[n]->state[SAMPLES];
        to->state[BEGIN] = fmin(to->state[BEGIN], from[n]->state[BEGIN]);
        to->state[END] = fmax(to->state[END], from[n]->state[END]);
    }
    add_to(to->current, rest, to->values);
    to->state[IN_CURRENT] += left;
    free(sum);
    return KOL_OK;
}

/* --- error bars --- */

/* moments: moments of the deviations d of the batches of one quantity, in their order. */
struct moments {
    double sum, square, product; /* of d, of d^2, and of d times the d before */
    double first, last;
};

static void moments_add(struct moments *m, double d, int number)
{
    if (number == 0) m->first = d;
    else m->product += d * m->last;
    m->sum += d;
    m->square += d * d;
    m->last = d;
}

/* Standard error of the mean of n values. The values are treated as an AR(1) series. Let S be the sum of the
 * squares of their deviations from the mean, and r the correlation of successive values. Then tau = (1 +
 * r)/(1 - r) values have the weight of one independent value. The variance of the values is S/(n - tau), and
 * the variance of their mean is tau/n times this.
 *
 * The estimate of r is too low by about (1 + 3 r)/n (Kendall 1954), so this is added. A negative r is
 * replaced by 0. */
static double standard_error(const struct moments *m, int n)
{
    const double mean = m->sum / n, about = m->square - n * mean * mean;
    if (!(about > 0)) return about == 0 || m->square == 0 ? 0 : isnan(about) ? NAN : 0;
    const double ends = mean * (2 * m->sum - m->first - m->last);
    const double low = (m->product - ends + (n - 1) * mean * mean) / about, r = low + (1 + 3 * low) / n;
    const double most = n / 2.0, tau = r <= 0 ? 1 : r >= (most - 1) / (most + 1) ? most : (1 + r) / (1 - r);
    return sqrt(about * tau / (n * (n - tau)));
}

/* Computes the mean of `count` complete batches, and the quantities that follow from it. The batches are
 * those whose sum is `before`, and those from `first` on. */
static void derive_from(const struct batch_means *b, const double *before, int first, int count,
                        batch_means_derive *derive, const void *context, double *mean, double *quantity)
{
    const double samples = b->state[LENGTH] * count;
    memcpy(mean, before, (size_t)b->values * sizeof *mean);
    sum_batches(b, first, mean);
    for (int i = 0; i < b->values; ++i) mean[i] /= samples;
    derive(context, mean, quantity);
}

kol_status batch_means_errors(const struct batch_means *b, batch_means_derive *derive, const void *context,
                              int quantities, double *error)
{
    const int n = batch_means_count(b);
    for (int q = 0; q < quantities; ++q) error[q] = NAN;
    if (n < BATCH_MEANS_LEAST) return KOL_OK;
    kol_status st = KOL_OK;
    double *before = calloc((size_t)b->values, sizeof *before),
           *mean = malloc((size_t)b->values * sizeof *mean),
           *quantity = malloc(2 * (size_t)quantities * sizeof *quantity), *left = quantity + quantities;
    struct moments *m = calloc((size_t)quantities, sizeof *m);
    if (before == NULL || mean == NULL || quantity == NULL || m == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for errors of %d quantities",
                          quantities);
        goto done;
    }
    derive_from(b, before, 0, n, derive, context, mean, quantity);
    for (int batch = 0; batch < n; ++batch) {
        derive_from(b, before, batch + 1, n - 1, derive, context, mean, left);
        add_to(before, b->batch + (ptrdiff_t)batch * b->values, b->values);
        for (int q = 0; q < quantities; ++q) moments_add(&m[q], (n - 1) * (quantity[q] - left[q]), batch);
    }
    for (int q = 0; q < quantities; ++q) error[q] = standard_error(&m[q], n);
done:
    free(before);
    free(mean);
    free(quantity);
    free(m);
    return st;
}

/* Number of values that are treated together, so that sums stay in registers and rows in the cache. */
enum { BLOCK = 16, ROW = 8 * BLOCK };

/* Computes the mean of one block, of which `count` values are wanted. The rows are added to the sum before
 * them. */
static void mean_of_block(const double *before, double (*row)[ROW], int rows, double samples, ptrdiff_t count,
                          double *mean)
{
    double sum[BLOCK];
    for (int i = 0; i < BLOCK; ++i) sum[i] = before[i];
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < BLOCK; ++i) sum[i] += row[k][i];
    for (int i = 0; i < BLOCK; ++i) sum[i] /= samples;
    if (count >= BLOCK) memcpy(mean, sum, sizeof sum);
    else memcpy(mean, sum, (size_t)count * sizeof *sum);
}

/* Computes the means without batch m. The sum before batch m is kept, and the batches after it are added in
 * their order, so the bits are those of derive_from. */
static void means_of_block(double (*row)[ROW], int n, double length, ptrdiff_t count, ptrdiff_t stride,
                           double *mean)
{
    double before[BLOCK] = {0};
    for (int m = 0; m < n; ++m) {
        mean_of_block(before, row + m + 1, n - m - 1, length * (n - 1), count, mean + m * stride);
        for (int i = 0; i < BLOCK; ++i) before[i] += row[m][i];
    }
    mean_of_block(before, row, 0, length * n, count, mean + n * stride);
}

void batch_means_means_without(const struct batch_means *b, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t stride, double *mean)
{
    const int n = batch_means_count(b);
    double row[BATCH_MEANS_MOST + 1][ROW];
    for (ptrdiff_t lo = 0; lo < count; lo += ROW) {
        const ptrdiff_t here = count - lo < ROW ? count - lo : ROW, rest = (ROW - here) % BLOCK;
        for (int m = 0; m < n; ++m) {
            memcpy(row[m], b->batch + (ptrdiff_t)m * b->values + first + lo, (size_t)here * sizeof *mean);
            memset(row[m] + here, 0, (size_t)rest * sizeof *mean);
        }
        for (ptrdiff_t k = 0; k < here; k += BLOCK)
            means_of_block((double(*)[ROW])(row[0] + k), n, b->state[LENGTH], here - k, stride,
                           mean + lo + k);
    }
}

void batch_means_errors_of(int n, ptrdiff_t quantities, const double *quantity, ptrdiff_t stride,
                           double *error)
{
    enum { NEAR = 128 };
    for (ptrdiff_t lo = 0; lo < quantities; lo += NEAR) {
        const ptrdiff_t here = quantities - lo < NEAR ? quantities - lo : NEAR;
        const double *all = quantity + n * stride + lo;
        double sum[NEAR] = {0}, square[NEAR] = {0}, product[NEAR] = {0}, first[NEAR], last[NEAR];
        for (ptrdiff_t i = 0; i < here; ++i) first[i] = last[i] = (n - 1) * (all[i] - quantity[lo + i]);
        for (int m = 0; m < n; ++m) {
            const double *left = quantity + m * stride + lo;
            for (ptrdiff_t i = 0; i < here; ++i) {
                const double d = (n - 1) * (all[i] - left[i]);
                if (m > 0) product[i] += d * last[i];
                sum[i] += d;
                square[i] += d * d;
                last[i] = d;
            }
        }
        for (ptrdiff_t i = 0; i < here; ++i)
            error[lo + i] =
                standard_error(&(struct moments){sum[i], square[i], product[i], first[i], last[i]}, n);
    }
}

ptrdiff_t batch_means_state_size(int values, int most)
{
    return HEAD + (ptrdiff_t)(most + 2) * values;
}

int batch_means_state_values(const double *state)
{
    const double values = state[VALUES];
    return values >= 1 && values <= INT_MAX && values == floor(values) ? (int)values : 0;
}

void batch_means_store(const struct batch_means *b, double *state)
{
    const size_t all = (size_t)batch_means_state_size(b->values, b->most),
                 first = (size_t)(b->batch - b->state), vector = (size_t)b->values,
                 complete = first + vector * (size_t)batch_means_count(b),
                 current = first + vector * (size_t)b->most;
    memcpy(state, b->state, complete * sizeof *state);
    memset(state + complete, 0, (current - complete) * sizeof *state);
    memcpy(state + current, b->state + current, (all - current) * sizeof *state);
}

kol_status batch_means_image_create(int values, int most, int shares, struct batch_means **out)
{
    if (!shares) return batch_means_create(values, most, out);
    struct batch_means *b = *out = calloc(1, sizeof *b);
    if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a view of averages");
    b->values = values;
    b->most = most;
    b->shares = 1;
    b->state = b->owned = calloc(HEAD, sizeof *b->owned);
    if (b->owned == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a view of averages");
    return KOL_OK;
}

void batch_means_image_take(struct batch_means *image, const struct batch_means *from)
{
    const size_t vector = (size_t)from->values * sizeof *from->state;
    memcpy(image->state, from->state, HEAD * sizeof *from->state);
    if (image->shares) {
        image->batch = from->batch;
        image->current = from->current;
        image->carry = from->carry;
        return;
    }
    memcpy(image->batch, from->batch, (size_t)batch_means_count(from) * vector);
    memcpy(image->current, from->current, 2 * vector);
}

kol_status batch_means_load(struct batch_means *b, const double *state)
{
    const int sound = state[VALUES] == b->values && state[COMPLETE] >= 0 && state[COMPLETE] < b->most &&
                      state[LENGTH] >= 1 && state[IN_CURRENT] >= 0 && state[IN_CURRENT] < state[LENGTH] &&
                      state[SAMPLES] == state[COMPLETE] * state[LENGTH] + state[IN_CURRENT];
    if (!sound)
        RAISE(KOL_ERR_IO, "averages of %g values, %g samples in %g batches of %g: not those of this run",
              state[VALUES], state[SAMPLES], state[COMPLETE], state[LENGTH]);
    memcpy(b->state, state, (size_t)batch_means_state_size(b->values, b->most) * sizeof *state);
    return KOL_OK;
}
