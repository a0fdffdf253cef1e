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

int batch_means_values(const struct batch_means *b)
{
    return b->values;
}

int batch_means_most(const struct batch_means *b)
{
    return b->most;
}

long long batch_means_length(const struct batch_means *b)
{
    return (long long)b->state[LENGTH];
}

void batch_means_sum_from(const struct batch_means *b, int first, double *sum)
{
    enum { NEAR = 1024 }; /* vectors may be fields: so many sums stay near the processor */
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
    batch_means_sum_from(b, 0, sum);
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

/* --- the state --- */

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

static int is_count(double x)
{
    const double most = 9007199254740992.0; /* doubles hold all integers up to here */
    return x >= 0 && x < most && x == floor(x);
}

/* The numbers before the vectors. */
static int sound_head(const double *state, int values, int most)
{
    return state[VALUES] == values && is_count(state[SAMPLES]) && is_count(state[LENGTH]) &&
           is_count(state[COMPLETE]) && is_count(state[IN_CURRENT]) && state[COMPLETE] < most &&
           state[LENGTH] >= 1 && state[IN_CURRENT] < state[LENGTH] &&
           state[SAMPLES] == state[COMPLETE] * state[LENGTH] + state[IN_CURRENT] && isfinite(state[BEGIN]) &&
           isfinite(state[END]) && state[BEGIN] <= state[END];
}

kol_status batch_means_check(const double *state, int values, int most, const char *from)
{
    const ptrdiff_t size = batch_means_state_size(values, most);
    if (!sound_head(state, values, most))
        RAISE(
            KOL_ERR_IO,
            "%s: averages of %g values, %g samples in %g batches of %g and %g more, from t = %g to %g, make "
            "no sense; use an older checkpoint",
            from, state[VALUES], state[SAMPLES], state[COMPLETE], state[LENGTH], state[IN_CURRENT],
            state[BEGIN], state[END]);
    for (ptrdiff_t i = HEAD; i < size; ++i)
        if (!isfinite(state[i]))
            RAISE(KOL_ERR_IO, "%s: value %td of the averages is %g; use an older checkpoint", from, i,
                  state[i]);
    return KOL_OK;
}

kol_status batch_means_load(struct batch_means *b, const double *state)
{
    TRY(batch_means_check(state, b->values, b->most, "averages over time"));
    memcpy(b->state, state, (size_t)batch_means_state_size(b->values, b->most) * sizeof *state);
    return KOL_OK;
}
