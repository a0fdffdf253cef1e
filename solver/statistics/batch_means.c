/* Averages over time with error bars, by the method of batch means. */
#include "batch_means_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/point/section_sample.h"

ptrdiff_t batch_means_state_size(int values, int most)
{
    return HEAD + most + (ptrdiff_t)(most + BATCH_MEANS_BEHIND) * values;
}

/* state: cleared. */
static void begin(struct batch_means *b, double *state, int values, int most)
{
    b->values = values;
    b->most = most;
    b->state = state;
    b->weight = b->state + HEAD;
    b->batch = b->weight + most;
    b->current = b->batch + (ptrdiff_t)most * values;
    b->carry = b->current + values;
    b->latest = b->carry + values;
    b->state[LENGTH] = 1;
    b->state[VALUES] = values;
    b->state[VERSION] = THIS_VERSION;
}

kol_status batch_means_create(struct memory *memory, int values, int most, struct batch_means **out)
{
    struct batch_means *b = *out = calloc(1, sizeof *b);
    if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages");
    const size_t bytes = (size_t)batch_means_state_size(values, most) * sizeof *b->owned;
    TRY(memory_cleared(memory, bytes, (void **)&b->owned));
    if (memory_counts(memory)) return KOL_OK;
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
    b->weight[(int)b->state[COMPLETE]] = b->state[CURRENT];
    b->state[CURRENT] = 0;
    b->state[COMPLETE] += 1;
    if (b->state[COMPLETE] < b->most) return 0;
    for (int m = 0; m < b->most / 2; ++m) b->weight[m] = b->weight[2 * m] + b->weight[2 * m + 1];
    b->state[COMPLETE] = b->most / 2;
    b->state[LENGTH] *= 2;
    return 1;
}

/* --- weights --- */

/* A batch of cycles becomes complete only when the first sample behind it is there. */
static int latest_is_in_current(const struct batch_means *b)
{
    return b->state[IN_CURRENT] != 0 || b->state[CYCLES] != 0;
}

/* The clock is a sum of steps and rounded: intervals that differ by no more than that are equal, and so are
 * the weights. Then the sums have the bits of sums without weights. */
static double weight_of(const struct batch_means *b, double t, double interval, double unit)
{
    const double slack = 1e-9 + 64 * 2.3e-16 * fabs(t) / interval, w = interval / unit,
                 last = b->state[INTERVAL];
    if (fabs(w - 1) <= slack) return 1;
    return fabs(w - last) <= slack * last ? last : w;
}

struct batch_means_weights batch_means_weigh(const struct batch_means *b, double t)
{
    struct batch_means_weights w = {1, 0, -1};
    const double interval = t - b->state[END];
    if (b->state[SAMPLES] == 0) return w;
    const int is_later = interval > 0 && isfinite(interval);
    w.sample = !is_later             ? b->state[INTERVAL]
               : b->state[UNIT] == 0 ? 1
                                     : weight_of(b, t, interval, b->state[UNIT]);
    if (b->state[LATEST] != 0) w.latest = (w.sample - b->state[INTERVAL]) / 2;
    if (!latest_is_in_current(b)) w.place = (int)b->state[COMPLETE] - 1;
    return w;
}

void batch_means_follow(struct batch_means *b, double t)
{
    b->state[BEFORE] = t;
    b->state[FOLLOWS] = 1;
}

void batch_means_follow_none(struct batch_means *b)
{
    if (b->state[SAMPLES] == 0) b->state[BEFORE] = b->state[FOLLOWS] = 0;
}

double batch_means_weight(const struct batch_means *b)
{
    double all = 0;
    for (int m = 0; m < batch_means_count(b); ++m) all += b->weight[m];
    return all + b->state[CURRENT];
}

/* A weight of 1 is that of the first interval. Where it is not known there is one sample. */
double batch_means_time(const struct batch_means *b)
{
    return batch_means_weight(b) * b->state[UNIT];
}

const double *batch_means_weights(const struct batch_means *b)
{
    return b->weight;
}

const double *batch_means_latest(const struct batch_means *b)
{
    return b->latest;
}

/* --- samples --- */

/* The times of the head, for one more sample. */
static void note_time(struct batch_means *b, double t, double weight)
{
    if (b->state[SAMPLES] == 0) {
        b->state[BEGIN] = t;
        if (b->state[FOLLOWS] != 0 && t > b->state[BEFORE]) b->state[UNIT] = t - b->state[BEFORE];
        else b->state[BEFORE] = b->state[FOLLOWS] = 0;
    } else if (b->state[UNIT] == 0 && t > b->state[END]) b->state[UNIT] = t - b->state[END];
    b->state[INTERVAL] = weight;
    b->state[END] = t;
    b->state[LATEST] = 1;
}

struct batch_means_step batch_means_count_sample(struct batch_means *b, double t)
{
    struct batch_means_step step = {0, (int)b->state[COMPLETE], 0};
    const struct batch_means_weights w = batch_means_weigh(b, t);
    *(w.place < 0 ? &b->state[CURRENT] : &b->weight[w.place]) += w.latest;
    note_time(b, t, w.sample);
    b->state[CURRENT] += w.sample;
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
    const struct batch_means_weights w = batch_means_weigh(b, t);
    double *before = w.place < 0 ? NULL : b->batch + (ptrdiff_t)w.place * b->values;
    for (int i = 0; i < b->values && w.latest != 0; ++i) {
        if (before != NULL) before[i] += w.latest * b->latest[i];
        else point_section_add(&b->current[i], &b->carry[i], w.latest * b->latest[i]);
    }
    for (int i = 0; i < b->values; ++i) point_section_add(&b->current[i], &b->carry[i], w.sample * sample[i]);
    memcpy(b->latest, sample, (size_t)b->values * sizeof *sample);
    const struct batch_means_step step = batch_means_count_sample(b, t);
    if (!step.closes) return;
    double *to = b->batch + (ptrdiff_t)step.place * b->values;
    for (int i = 0; i < b->values; ++i) to[i] = b->current[i] + b->carry[i];
    memset(b->current, 0, 2 * (size_t)b->values * sizeof *b->current);
    if (step.joins) join(b);
}

/* --- cycles --- */

void batch_means_use_cycles(struct batch_means *b)
{
    b->state[CYCLES] = 1;
}

int batch_means_has_cycles(const struct batch_means *b)
{
    return b->state[CYCLES] != 0;
}

long long batch_means_cycles(const struct batch_means *b)
{
    return (long long)(b->state[COMPLETE] * b->state[LENGTH] + b->state[IN_CURRENT]);
}

void batch_means_set_cycles(struct batch_means *b, long long cycles)
{
    b->state[IN_CURRENT] = (double)cycles - b->state[COMPLETE] * b->state[LENGTH];
}

/* Moves the sum of the current batch behind those of the complete ones. */
static void close_batch(struct batch_means *b)
{
    double *to = b->batch + (ptrdiff_t)b->state[COMPLETE] * b->values;
    for (int i = 0; i < b->values; ++i) to[i] = b->current[i] + b->carry[i];
    memset(b->current, 0, 2 * (size_t)b->values * sizeof *b->current);
    b->state[IN_CURRENT] = 0;
    if (complete(b)) join(b);
}

static void add_part(struct batch_means *b, double weight, ptrdiff_t first, ptrdiff_t count,
                     const double *part)
{
    for (ptrdiff_t i = 0; i < count; ++i)
        point_section_add(&b->current[first + i], &b->carry[first + i], weight * part[i]);
}

void batch_means_add_part(struct batch_means *b, double t, int begins, ptrdiff_t first, ptrdiff_t before,
                          ptrdiff_t count, const double *part)
{
    const struct batch_means_weights w = batch_means_weigh(b, t);
    const size_t bytes = (size_t)count * sizeof *part;
    if (w.latest != 0) add_part(b, w.latest, before, count, b->latest + before);
    b->state[CURRENT] += w.latest;
    if (begins) b->state[IN_CURRENT] += 1;
    if (begins && b->state[IN_CURRENT] == b->state[LENGTH]) close_batch(b);
    if (b->state[SAMPLES] > 0) memset(b->latest + before, 0, bytes);
    memcpy(b->latest + first, part, bytes);
    add_part(b, w.sample, first, count, part);
    note_time(b, t, w.sample);
    b->state[CURRENT] += w.sample;
    b->state[SAMPLES] += 1;
}

/* --- the average --- */

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

static void sum_all(const struct batch_means *b, double *sum)
{
    memset(sum, 0, (size_t)b->values * sizeof *sum);
    batch_means_sum_from(b, 0, sum);
    for (int i = 0; i < b->values; ++i) sum[i] += b->current[i] + b->carry[i];
}

void batch_means_sum(const struct batch_means *b, double *sum)
{
    const double weight = batch_means_weight(b), samples = b->state[SAMPLES];
    sum_all(b, sum);
    for (int i = 0; i < b->values && weight != samples; ++i) sum[i] *= samples / weight;
}

void batch_means_mean(const struct batch_means *b, double *mean)
{
    const double weight = batch_means_weight(b);
    sum_all(b, mean);
    for (int i = 0; i < b->values; ++i) mean[i] /= weight;
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

void batch_means_weigh_equally(struct batch_means *b)
{
    const double samples = b->state[SAMPLES];
    for (int m = 0; m < batch_means_count(b); ++m) b->weight[m] = b->state[LENGTH];
    b->state[CURRENT] = b->state[IN_CURRENT];
    b->state[UNIT] = samples > 1 ? (b->state[END] - b->state[BEGIN]) / (samples - 1) : 0;
    b->state[INTERVAL] = samples > 0;
}

void batch_means_set(struct batch_means *b, long long samples, long long length, int count, double begin,
                     double end, const double *batch, const double *rest)
{
    const size_t values = (size_t)b->values;
    const double cycles = b->state[CYCLES];
    memset(b->state, 0, (size_t)batch_means_state_size(b->values, b->most) * sizeof *b->state);
    b->state[SAMPLES] = (double)samples;
    b->state[LENGTH] = (double)length;
    b->state[COMPLETE] = count;
    b->state[IN_CURRENT] = (double)(samples - length * count);
    b->state[BEGIN] = begin;
    b->state[END] = end;
    b->state[VALUES] = b->values;
    b->state[VERSION] = THIS_VERSION;
    b->state[CYCLES] = cycles;
    batch_means_weigh_equally(b);
    memcpy(b->batch, batch, (size_t)count * values * sizeof *batch);
    memcpy(b->current, rest, values * sizeof *rest);
}

void batch_means_set_weights(struct batch_means *b, struct batch_means_times times, const double *weight,
                             double rest)
{
    b->state[UNIT] = times.unit;
    b->state[INTERVAL] = times.interval;
    b->state[BEFORE] = times.before;
    b->state[FOLLOWS] = times.follows;
    b->state[CURRENT] = rest;
    b->state[LATEST] = times.latest;
    memcpy(b->weight, weight, (size_t)batch_means_count(b) * sizeof *weight);
}

void batch_means_set_latest(struct batch_means *b, const double *latest)
{
    memcpy(b->latest, latest, (size_t)b->values * sizeof *latest);
}

struct batch_means_times batch_means_times(const struct batch_means *b)
{
    return (struct batch_means_times){b->state[UNIT], b->state[INTERVAL], b->state[BEFORE],
                                      b->state[FOLLOWS] != 0, b->state[LATEST] != 0};
}

double batch_means_rest_weight(const struct batch_means *b)
{
    return b->state[CURRENT];
}

static void add_to(double *sum, const double *part, double factor, int values)
{
    for (int i = 0; i < values; ++i) sum[i] += factor * part[i];
}

/* part: an average that is put into another: its weights times `factor` are those of the other. The latest
 * sample gets `more` of its own weight. */
struct part {
    const struct batch_means *from;
    double factor, more;
};

/* Adds a sum over batches of the length that all averages had at first. If `to` has joined its own batches in
 * the meantime, two or more such sums make one batch. */
static void append(struct batch_means *to, const double *sum, double samples, double weight)
{
    double *place = to->batch + (ptrdiff_t)to->state[COMPLETE] * to->values;
    add_to(to->current, sum, 1, to->values);
    to->state[IN_CURRENT] += samples;
    to->state[CURRENT] += weight;
    if (to->state[IN_CURRENT] < to->state[LENGTH]) return;
    memcpy(place, to->current, (size_t)to->values * sizeof *place);
    memset(to->current, 0, (size_t)to->values * sizeof *to->current);
    to->state[IN_CURRENT] = 0;
    if (complete(to)) join(to);
}

/* Adds batch m of a part to a sum. Returns its weight. */
static double add_batch(const struct part *p, int m, double *sum)
{
    const struct batch_means *b = p->from;
    const int is_last = p->more != 0 && !latest_is_in_current(b) && m == batch_means_count(b) - 1;
    add_to(sum, b->batch + (ptrdiff_t)m * b->values, p->factor, b->values);
    if (is_last) add_to(sum, b->latest, p->factor * p->more, b->values);
    return p->factor * (b->weight[m] + (is_last ? p->more : 0));
}

/* rest: sum, number and weight of samples that are in no batch of the whole. */
struct rest {
    double *sum, samples, weight;
};

/* Appends the batches of one average, joined to batches of `length` samples. What does not fill such a batch
 * is added to rest. sum: room for one vector. */
static void append_all(struct batch_means *to, const struct part *p, double length, double *sum,
                       struct rest *rest)
{
    const struct batch_means *from = p->from;
    const int values = to->values, together = (int)(length / from->state[LENGTH]);
    int n = 0;
    for (; n + together <= batch_means_count(from); n += together) {
        double weight = 0;
        memset(sum, 0, (size_t)values * sizeof *sum);
        for (int m = n; m < n + together; ++m) weight += add_batch(p, m, sum);
        append(to, sum, length, weight);
    }
    rest->samples += (batch_means_count(from) - n) * from->state[LENGTH] + from->state[IN_CURRENT];
    for (; n < batch_means_count(from); ++n) rest->weight += add_batch(p, n, rest->sum);
    batch_means_rest(from, sum);
    add_to(rest->sum, sum, p->factor, values);
    rest->weight += p->factor * from->state[CURRENT];
    if (!latest_is_in_current(from) || p->more == 0) return;
    add_to(rest->sum, from->latest, p->factor * p->more, values);
    rest->weight += p->factor * p->more;
}

/* Returns the weight that the latest sample of an average lacks. It is known only if the next average
 * continues this one, because that average knows the time of the following sample. */
static double lack_of(const struct batch_means *b, const struct batch_means *next)
{
    const double interval = next->state[BEGIN] - next->state[BEFORE];
    if (next->state[FOLLOWS] == 0 || b->state[LATEST] == 0 || b->state[UNIT] == 0 || !(interval > 0))
        return 0;
    if (!(fabs(next->state[BEFORE] - b->state[END]) <= 1e-9 * interval)) return 0;
    return (weight_of(b, next->state[BEGIN], interval, b->state[UNIT]) - b->state[INTERVAL]) / 2;
}

static double unit_of(struct batch_means *const *from, int count)
{
    for (int n = 0; n < count; ++n)
        if (from[n]->state[UNIT] > 0) return from[n]->state[UNIT];
    return 0;
}

/* Returns the factor that turns the weights of b into those of unit `unit`. If it differs from 1 only by
 * rounding of the clock, it is 1. */
static double factor_of(const struct batch_means *b, double unit)
{
    const double factor = b->state[UNIT] > 0 ? b->state[UNIT] / unit : 1;
    return fabs(factor - 1) <= 1e-9 + 64 * 2.3e-16 * fabs(b->state[END]) / unit ? 1 : factor;
}

/* Takes over the end of the average that is last in time, so that another average can continue it. */
static void take_end(struct batch_means *to, const struct part *p)
{
    const struct batch_means *from = p->from;
    to->state[END] = from->state[END];
    to->state[INTERVAL] = p->factor * from->state[INTERVAL];
    to->state[LATEST] = from->state[LATEST];
    memcpy(to->latest, from->latest, (size_t)to->values * sizeof *to->latest);
}

kol_status batch_means_merge(struct batch_means *const *from, int count, struct batch_means *to)
{
    double *sum = calloc(2 * (size_t)to->values, sizeof *sum), length = 1;
    struct rest rest = {sum + to->values, 0, 0};
    if (sum == NULL) RAISE(KOL_ERR_MEMORY, "no memory to merge averages of %d values", to->values);
    for (int n = 0; n < count; ++n) length = fmax(length, from[n]->state[LENGTH]);
    to->state[LENGTH] = length;
    to->state[UNIT] = unit_of(from, count);
    to->state[BEGIN] = from[0]->state[BEGIN];
    to->state[BEFORE] = from[0]->state[BEFORE];
    to->state[FOLLOWS] = from[0]->state[FOLLOWS];
    to->state[END] = -INFINITY;
    for (int n = 0; n < count; ++n) {
        const struct part p = {from[n], factor_of(from[n], to->state[UNIT]),
                               n + 1 < count ? lack_of(from[n], from[n + 1]) : 0};
        append_all(to, &p, length, sum, &rest);
        to->state[SAMPLES] += from[n]->state[SAMPLES];
        if (from[n]->state[END] > to->state[END]) take_end(to, &p);
    }
    add_to(to->current, rest.sum, 1, to->values);
    to->state[IN_CURRENT] += rest.samples;
    to->state[CURRENT] += rest.weight;
    free(sum);
    return KOL_OK;
}
