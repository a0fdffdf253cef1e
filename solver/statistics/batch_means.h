/* Averages over time with error bars, by the method of batch means.
 *
 * Samples are vectors of numbers. Consecutive samples are added up in batches. There are at most `most`
 * batches: when so many are complete, neighbours are joined, and from then on each batch is twice as long. So
 * after the start there are always between most/2 and most of them. Sums are compensated. The whole state is
 * one array of doubles; if it is stored and put back, the average goes on with the same bits.
 * docs/statistics.md, "Error bars". */
#ifndef KOL_STATISTICS_BATCH_MEANS_H
#define KOL_STATISTICS_BATCH_MEANS_H

#include <stddef.h>
#include "kernels/base/status.h"

/* BATCH_MEANS_MOST     The most batches of an average.
 * BATCH_MEANS_FIELDS   The same where the vectors are whole fields.
 * BATCH_MEANS_LEAST    The fewest complete batches from which errors are computed. */
enum { BATCH_MEANS_MOST = 64, BATCH_MEANS_FIELDS = 16, BATCH_MEANS_LEAST = 8 };

struct batch_means;

/* batch_means_create: an empty average of vectors of `values` values, with at most `most` batches. `most` is
 * even, and at least 2 BATCH_MEANS_LEAST. */
kol_status batch_means_create(int values, int most, struct batch_means **out);
/* batch_means_create_in: the same in memory of the caller, of batch_means_state_size(values, most) doubles.
 * The caller frees it after batch_means_destroy(). */
kol_status batch_means_create_in(double *memory, int values, int most, struct batch_means **out);
/* batch_means_destroy: takes NULL. */
void batch_means_destroy(struct batch_means **b);

/* batch_means_add: one more sample, at time t. */
void batch_means_add(struct batch_means *b, double t, const double *sample);

/* The next two are for an owner who keeps the vectors elsewhere, and adds the samples there himself.
 *
 * batch_means_count_sample: count one more sample, at time t. The result says what the owner has to do with
 * his vectors, after he has added the sample to the current sum. */
struct batch_means_step {
    int closes, place; /* closes: the current sum is complete; it becomes batch number `place`, and the
                          current sum begins anew */
    int joins;         /* then all batches are joined in pairs */
};
struct batch_means_step batch_means_count_sample(struct batch_means *b, double t);
/* batch_means_vectors: where the vectors of the state are stored, to be read and written by that owner: those
 * of `most` batches, of which the first batch_means_count() are complete; the current sum; its
 * compensation. */
double *batch_means_vectors(struct batch_means *b);

/* Numbers of an average.
 *
 *   batch_means_samples        samples so far
 *   batch_means_begin, _end    times of the first and of the latest sample
 *   batch_means_count          complete batches
 *   batch_means_length         samples in each of them
 *   batch_means_most           the most batches, as it was created */
long long batch_means_samples(const struct batch_means *b);
double batch_means_begin(const struct batch_means *b);
double batch_means_end(const struct batch_means *b);
int batch_means_count(const struct batch_means *b);
int batch_means_most(const struct batch_means *b);
long long batch_means_length(const struct batch_means *b);

/* batch_means_mean: the mean of all samples. batch_means_sum: their sum. */
void batch_means_mean(const struct batch_means *b, double *mean);
void batch_means_sum(const struct batch_means *b, double *sum);

/* batch_means_complete: the sums of the complete batches, one vector after the other; borrowed. */
const double *batch_means_complete(const struct batch_means *b);
/* batch_means_rest: the sum of the samples that are in no complete batch. */
void batch_means_rest(const struct batch_means *b, double *rest);
/* batch_means_set: make an average from such parts.
 *
 *   samples, begin, end        all samples, times of the first and of the last one
 *   complete, length, batch    number of complete batches, samples in each, their sums
 *   rest                       sum of the other samples, samples - complete * length in number: any number,
 *                              also more than a batch */
void batch_means_set(struct batch_means *b, long long samples, long long length, int complete, double begin,
                     double end, const double *batch, const double *rest);

/* batch_means_merge: put the samples of `count` averages, which are in order of time, into `to`, which is
 * empty. Batches become as long as the longest ones, by joining neighbours. Samples that are then in no
 * complete batch count in the mean, but not in the errors. docs/statistics.md, "Merging". */
kol_status batch_means_merge(struct batch_means *const *from, int count, struct batch_means *to);

/* batch_means_derive: computes quantities from a mean. `context` is the caller's. */
typedef void batch_means_derive(const void *context, const double *mean, double *quantity);
/* batch_means_errors: standard errors of quantities that are functions of the mean. They are found by the
 * jackknife over the complete batches, and the correlation of neighbouring batches is taken into account.
 * With fewer than BATCH_MEANS_LEAST complete batches all are NaN. */
kol_status batch_means_errors(const struct batch_means *b, batch_means_derive *derive, const void *context,
                              int quantities, double *error);

/* The next two do the same in parts, for vectors of which only some values are in memory at a time.
 *
 * batch_means_means_without: means over the complete batches, of which one is left out. Value i of mean +
 * m * stride is value first + i of the mean without batch m, for i = 0 .. count - 1 and every complete batch
 * m; after these comes the mean with all of them. Needs at least 2 complete batches. */
void batch_means_means_without(const struct batch_means *b, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t stride, double *mean);
/* batch_means_errors_of: standard errors from the quantities of these means. quantity + m * stride holds
 * those without batch m, for m = 0 .. n - 1, and quantity + n * stride those of the mean with all. */
void batch_means_errors_of(int n, ptrdiff_t quantities, const double *quantity, ptrdiff_t stride,
                           double *error);

/* An image is an average as it stood at one time. Another thread reads it while samples are added to the
 * average. batch_means_add() and batch_means_load() are not allowed on it.
 *
 * batch_means_image_create: room for an image. With `shares` the image holds the numbers alone and reads the
 * vectors of the average itself, whose owner must not change them meanwhile; then batch_means_store() is not
 * allowed on it either. Without `shares` the vectors are copied. batch_means_destroy() frees an image, but
 * not the vectors that it shares. */
kol_status batch_means_image_create(int values, int most, int shares, struct batch_means **out);
/* batch_means_image_take: make the image that of `from` as it is now. The vectors have the same length. */
void batch_means_image_take(struct batch_means *image, const struct batch_means *from);

/* batch_means_state_size: number of doubles of a state. */
ptrdiff_t batch_means_state_size(int values, int most);
/* batch_means_state_values: length of the vectors of a state, of which at least 8 doubles are given; 0 if it
 * is no state. */
int batch_means_state_values(const double *state);
/* batch_means_store: copy the state. Batches that are not complete are written as zeros. */
void batch_means_store(const struct batch_means *b, double *state);
/* batch_means_load: put a state back. KOL_ERR_IO if it is no state, or one of other vectors. */
kol_status batch_means_load(struct batch_means *b, const double *state);

#endif
