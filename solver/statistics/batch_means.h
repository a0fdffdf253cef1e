/* Averages over time with error bars, by the method of batch means.
 *
 * Samples are vectors of numbers. The weight of a sample is the time that it stands for: half of the time
 * since the sample before it and half of the time to the one after it. The first and the last sample have
 * only one such half, which counts twice. Weights are divided by the time between the first two samples, so
 * they are 1 if all intervals are equal. As long as a sample is the latest one, its two halves are taken as
 * equal; the next sample corrects this.
 *
 * Consecutive samples are added up in batches. When there are `most` complete batches, neighbours are joined,
 * and each batch is twice as long from then on. So after the start there are always between most/2 and `most`
 * of them. Sums are compensated. The whole state is one array of doubles; if it is stored and put back, the
 * average goes on with the same bits. docs/statistics.md, "Error bars". */
#ifndef KOL_STATISTICS_BATCH_MEANS_H
#define KOL_STATISTICS_BATCH_MEANS_H

#include <stddef.h>
#include "kernels/base/status.h"
#include "parallel/memory.h"

/* Numbers of batches.
 *
 *   BATCH_MEANS_MOST     the most batches of an average
 *   BATCH_MEANS_FIELDS   the most batches if the vectors are whole fields
 *   BATCH_MEANS_LEAST    the fewest complete batches from which errors are computed */
enum { BATCH_MEANS_MOST = 64, BATCH_MEANS_FIELDS = 16, BATCH_MEANS_LEAST = 8 };

struct batch_means;

/* batch_means_create: makes an empty average of vectors of `values` values, with at most `most` batches.
 * `most` must be even, and at least 2 BATCH_MEANS_LEAST. */
kol_status batch_means_create(struct memory *memory, int values, int most, struct batch_means **out);
/* batch_means_create_in: makes an empty average in memory of the caller, which has
 * batch_means_state_size(values, most) doubles. The caller frees this memory after batch_means_destroy(). */
kol_status batch_means_create_in(double *memory, int values, int most, struct batch_means **out);
/* batch_means_destroy: frees the average; NULL is allowed. */
void batch_means_destroy(struct batch_means **b);

/* batch_means_add: adds one more sample, at time t. */
void batch_means_add(struct batch_means *b, double t, const double *sample);

/* The next two functions are for a caller who keeps the vectors elsewhere and adds the samples to them
 * without batch_means_add().
 *
 * batch_means_weigh: returns the weights for one more sample, at time t, before it is counted. */
struct batch_means_weights {
    double sample,
        latest; /* the sample's own weight; what the latest one before is to get on top of its own */
    int place;  /* number of the batch that has this latest one; -1: it is in the current sum */
};
struct batch_means_weights batch_means_weigh(const struct batch_means *b, double t);
/* batch_means_count_sample: counts one more sample, at time t. The result says what the caller has to do
 * with its vectors, after it has added the samples with the weights of batch_means_weigh(). */
struct batch_means_step {
    int closes, place; /* closes: the current sum is complete; it becomes batch number `place`, and the
                          current sum begins anew */
    int joins;         /* then all batches are joined in pairs */
};
struct batch_means_step batch_means_count_sample(struct batch_means *b, double t);
/* batch_means_vectors: returns the address at which the vectors of the state are stored, to be read and
 * written by that caller. They are the vectors of `most` batches, of which the first batch_means_count()
 * are complete; then the current sum, its compensation, and the latest sample. BATCH_MEANS_BEHIND: the
 * number of vectors behind those of the batches. */
enum { BATCH_MEANS_BEHIND = 3 };
double *batch_means_vectors(struct batch_means *b);

/* Batches of cycles, for samples of a flow that is driven by an oscillation. A batch consists of whole
 * cycles. The caller tells where a cycle begins. batch_means_length() is the number of cycles in each
 * batch.
 *
 * batch_means_use_cycles: makes an empty average use batches of cycles. batch_means_has_cycles: returns
 * whether it does. batch_means_cycles: returns the number of complete cycles. batch_means_set_cycles: sets
 * this number, after batch_means_set(). */
void batch_means_use_cycles(struct batch_means *b);
int batch_means_has_cycles(const struct batch_means *b);
long long batch_means_cycles(const struct batch_means *b);
void batch_means_set_cycles(struct batch_means *b, long long cycles);
/* batch_means_add_part: adds one more sample, at time t, to an average with batches of cycles. Only `count`
 * values of the sample, from number `first` on, are not 0; they are in `part`. before: number of the first
 * value that was not 0 in the previous sample, if there is one. begins: whether this sample is the first
 * one of a cycle, so that the previous sample belongs to an earlier cycle. */
void batch_means_add_part(struct batch_means *b, double t, int begins, ptrdiff_t first, ptrdiff_t before,
                          ptrdiff_t count, const double *part);

/* batch_means_follow: tells an average that it continues another one, whose last sample was taken at time t.
 * This is for an average whose first sample is still to come; the time since t enters the weight of this
 * sample. batch_means_follow_none: withdraws this, unless there are samples already. */
void batch_means_follow(struct batch_means *b, double t);
void batch_means_follow_none(struct batch_means *b);

/* Numbers of an average.
 *
 *   batch_means_samples        samples so far
 *   batch_means_begin, _end    times of the first and of the latest sample
 *   batch_means_count          complete batches
 *   batch_means_length         samples in each of them
 *   batch_means_most           the most batches, as it was created
 *   batch_means_values         length of the vectors
 *   batch_means_weight         sum of the weights of all samples; their number where intervals are equal
 *   batch_means_time           time that the average stands for; 0: it is not known, as of one sample */
long long batch_means_samples(const struct batch_means *b);
double batch_means_begin(const struct batch_means *b);
double batch_means_end(const struct batch_means *b);
int batch_means_count(const struct batch_means *b);
int batch_means_most(const struct batch_means *b);
int batch_means_values(const struct batch_means *b);
double batch_means_weight(const struct batch_means *b);
double batch_means_time(const struct batch_means *b);
long long batch_means_length(const struct batch_means *b);

/* batch_means_mean: computes the mean of all samples. batch_means_sum: computes the mean times the number
 * of samples. If all weights are 1, this is the sum of the samples. batch_means_latest: returns the latest
 * sample, borrowed. */
void batch_means_mean(const struct batch_means *b, double *mean);
void batch_means_sum(const struct batch_means *b, double *sum);
const double *batch_means_latest(const struct batch_means *b);

/* batch_means_complete: returns the weighted sums of the complete batches, one vector after the other;
 * borrowed. batch_means_weights: returns the weights of these batches; borrowed. */
const double *batch_means_complete(const struct batch_means *b);
const double *batch_means_weights(const struct batch_means *b);
/* batch_means_sum_from: adds the complete batches from number `first` on to sum. */
void batch_means_sum_from(const struct batch_means *b, int first, double *sum);
/* batch_means_rest: computes the weighted sum of the samples that are in no complete batch.
 * batch_means_rest_weight: returns the sum of their weights. */
void batch_means_rest(const struct batch_means *b, double *rest);
double batch_means_rest_weight(const struct batch_means *b);
/* batch_means_times: returns the times from which the weights of an average follow.
 *
 *   unit             time that a weight of 1 stands for; 0: it is not known
 *   interval         time between the last two samples, over unit
 *   latest           whether the latest sample is known
 *   follows, before  whether the average continues another one, whose last sample was taken at time
 *                    `before` */
struct batch_means_times {
    double unit, interval, before;
    int follows, latest;
};
struct batch_means_times batch_means_times(const struct batch_means *b);
/* batch_means_set: makes an average of samples of equal weight from its parts.
 *
 *   samples, begin, end        number of samples, times of the first and of the last one
 *   complete, length, batch    number of complete batches, samples in each, their sums
 *   rest                       sum of the other samples. Their number is samples - complete * length, and
 *                              may be larger than that of a batch. */
void batch_means_set(struct batch_means *b, long long samples, long long length, int complete, double begin,
                     double end, const double *batch, const double *rest);

/* batch_means_set_weights: sets the weights after batch_means_set(). `weight` has those of the complete
 * batches, and `rest` is that of the other samples. batch_means_set_latest: sets the latest sample. */
void batch_means_set_weights(struct batch_means *b, struct batch_means_times times, const double *weight,
                             double rest);
void batch_means_set_latest(struct batch_means *b, const double *latest);

/* batch_means_merge: puts the samples of `count` averages, which are in order of time, into `to`, which is
 * empty. Neighbouring batches are joined until all are as long as the longest ones. Samples that are then in
 * no complete batch count in the mean, but not in the errors. If an average continues the one before it
 * (batch_means_follow()), the last sample of that one and the first sample of this one get the weights that
 * they would have in a single average. docs/statistics.md, "Merging". */
kol_status batch_means_merge(struct batch_means *const *from, int count, struct batch_means *to);

/* batch_means_derive: computes quantities from a mean. `context` is the caller's. */
typedef void batch_means_derive(const void *context, const double *mean, double *quantity);
/* batch_means_errors: computes the standard errors of quantities that are functions of the mean. They are
 * found by the jackknife over the complete batches and from the spectrum of these batches (batch_errors.c).
 * With fewer than BATCH_MEANS_LEAST complete batches all are NaN. */
kol_status batch_means_errors(const struct batch_means *b, batch_means_derive *derive, const void *context,
                              int quantities, double *error);

/* The next two functions do the work of batch_means_errors() in two parts, for vectors of which only some
 * values are in memory at a time.
 *
 * batch_means_means_without: computes the mean over all complete batches but one, for each of the n complete
 * batches, m = 0 .. n - 1. Value i of mean + m * stride is value first + i of the mean without batch m, for i
 * = 0 .. count - 1. mean + n * stride is the mean with all batches. Needs at least 2 complete batches. */
void batch_means_means_without(const struct batch_means *b, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t stride, double *mean);
/* batch_means_errors_of: computes the standard errors from the quantities of these means. With n complete
 * batches, quantity + m * stride holds the quantities of the mean without batch m, for m = 0 .. n - 1, and
 * quantity + n * stride those of the mean with all batches. Needs at least BATCH_MEANS_LEAST complete
 * batches. */
void batch_means_errors_of(const struct batch_means *b, ptrdiff_t quantities, const double *quantity,
                           ptrdiff_t stride, double *error);

/* An image is a copy of an average at one time. Another thread can read it while samples are added to the
 * average. batch_means_add() and batch_means_load() are not allowed on it.
 *
 * batch_means_image_create: allocates an image. If `shares` is set, the image holds the numbers alone and
 * reads the vectors of the average itself, whose owner must not change them meanwhile; then
 * batch_means_store() is not allowed on it either. If `shares` is 0, the image has copies of the vectors.
 * batch_means_destroy() frees an image, but not the vectors that it shares. */
kol_status batch_means_image_create(struct memory *memory, int values, int most, int shares,
                                    struct batch_means **out);
/* batch_means_image_take: makes the image a copy of the present state of `from`. Their vectors must have the
 * same length. */
void batch_means_image_take(struct batch_means *image, const struct batch_means *from);

/* batch_means_state_size: returns the number of doubles of a state. */
ptrdiff_t batch_means_state_size(int values, int most);
/* The next three read a state that may be of an earlier version, in which samples had equal weights. At
 * least 8 of its doubles are given.
 *
 * batch_means_state_values: returns the length of its vectors; 0 if it is no state.
 * batch_means_stored_cycles: returns whether its batches are of cycles, if its length is at least
 * BATCH_MEANS_HEAD. batch_means_stored_size: returns its number of doubles; 0 if it is none.
 * batch_means_stored_end: returns the time of its latest sample; *samples: number of samples. */
enum { BATCH_MEANS_HEAD = 16 };
int batch_means_state_values(const double *state);
int batch_means_stored_cycles(const double *state);
ptrdiff_t batch_means_stored_size(const double *state, int most);
double batch_means_stored_end(const double *state, double *samples);
/* batch_means_store: copies the state. Batches that are not complete are written as zeros. */
void batch_means_store(const struct batch_means *b, double *state);
/* batch_means_check: returns KOL_ERR_IO unless the array is a state of vectors of `values` values and at most
 * `most` batches. It finds counts that contradict each other, times in the wrong order, and values that are
 * not finite. States of earlier versions are accepted. `from` says where the state was read, for the message.
 */
kol_status batch_means_check(const double *state, int values, int most, const char *from);
/* batch_means_load: puts a state back, also one of an earlier version. Returns KOL_ERR_IO if the array is no
 * state, or a state of vectors of another length. */
kol_status batch_means_load(struct batch_means *b, const double *state);

#endif
