/* Averages over time with error bars, by the method of batch means.
 *
 * Samples are vectors of numbers. Consecutive samples are added up in batches. When there are `most` complete
 * batches, neighbours are joined, and from then on each batch is twice as long. So after the start there are
 * always between most/2 and `most` batches. Sums are compensated. The whole state is one array of doubles. If
 * the state is stored and put back, the average continues with the same bits. docs/statistics.md, "Error
 * bars". */
#ifndef KOL_STATISTICS_BATCH_MEANS_H
#define KOL_STATISTICS_BATCH_MEANS_H

#include <stddef.h>
#include "kernels/base/status.h"

/* BATCH_MEANS_MOST     The most batches of an average. BATCH_MEANS_FIELDS   The most batches if the vectors
 * are whole fields. BATCH_MEANS_LEAST    The fewest complete batches from which errors are computed. */
enum { BATCH_MEANS_MOST = 64, BATCH_MEANS_FIELDS = 16, BATCH_MEANS_LEAST = 8 };

struct batch_means;

/* batch_means_create: makes an empty average of vectors of `values` values, with at most `most` batches.
 * `most` must be even, and at least 2 BATCH_MEANS_LEAST. */
kol_status batch_means_create(int values, int most, struct batch_means **out);
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
 * batch_means_count_sample: counts one more sample, at time t. The result says what the caller has to do with
 * the vectors after the sample is added to the current sum. */
struct batch_means_step {
    int closes, place; /* closes: the current sum is complete; it becomes batch number `place`, and the
                          current sum begins anew */
    int joins;         /* then all batches are joined in pairs */
};
struct batch_means_step batch_means_count_sample(struct batch_means *b, double t);
/* batch_means_vectors: returns where the vectors of the state are stored, for that caller to read and write.
 * They are the vectors of `most` batches, of which the first batch_means_count() are complete, then the
 * current sum, and then its compensation. */
double *batch_means_vectors(struct batch_means *b);

/* Numbers of an average. These functions return
 *
 *   batch_means_samples        the number of samples so far
 *   batch_means_begin, _end    the times of the first and of the latest sample
 *   batch_means_count          the number of complete batches
 *   batch_means_length         the number of samples in each of them
 *   batch_means_most           `most` of batch_means_create() */
long long batch_means_samples(const struct batch_means *b);
double batch_means_begin(const struct batch_means *b);
double batch_means_end(const struct batch_means *b);
int batch_means_count(const struct batch_means *b);
int batch_means_most(const struct batch_means *b);
long long batch_means_length(const struct batch_means *b);

/* batch_means_mean: computes the mean of all samples. batch_means_sum: computes their sum. */
void batch_means_mean(const struct batch_means *b, double *mean);
void batch_means_sum(const struct batch_means *b, double *sum);

/* batch_means_complete: returns the sums of the complete batches, one vector after the other; borrowed. */
const double *batch_means_complete(const struct batch_means *b);
/* batch_means_rest: computes the sum of the samples that are in no complete batch. */
void batch_means_rest(const struct batch_means *b, double *rest);
/* batch_means_set: makes an average from such parts.
 *
 *   samples, begin, end        number of samples, times of the first and of the last one
 *   complete, length, batch    number of complete batches, samples in each, their sums
 *   rest                       sum of the other samples. Their number is samples - complete * length, and may
 *                              be larger than that of a batch. */
void batch_means_set(struct batch_means *b, long long samples, long long length, int complete, double begin,
                     double end, const double *batch, const double *rest);

/* batch_means_merge: puts the samples of `count` averages, which are in order of time, into `to`, which is
 * empty. Neighbouring batches are joined until all batches are as long as the longest ones. Samples that are
 * then in no complete batch count in the mean, but not in the errors. docs/statistics.md, "Merging". */
kol_status batch_means_merge(struct batch_means *const *from, int count, struct batch_means *to);

/* batch_means_derive: computes quantities from a mean. `context` is the caller's. */
typedef void batch_means_derive(const void *context, const double *mean, double *quantity);
/* batch_means_errors: computes standard errors of quantities that are functions of the mean. It uses the
 * jackknife over the complete batches, and takes the correlation of neighbouring batches into account. With
 * fewer than BATCH_MEANS_LEAST complete batches all errors are NaN. */
kol_status batch_means_errors(const struct batch_means *b, batch_means_derive *derive, const void *context,
                              int quantities, double *error);

/* The next two functions do the same in two parts, for vectors of which only some values are in memory at a
 * time.
 *
 * batch_means_means_without: computes means over the complete batches, each with one batch left out. Value i
 * of mean + m * stride is value first + i of the mean without batch m, for i = 0 .. count - 1 and every
 * complete batch m. After these comes the mean over all complete batches. There must be at least 2 complete
 * batches. */
void batch_means_means_without(const struct batch_means *b, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t stride, double *mean);
/* batch_means_errors_of: computes standard errors from quantities of these means. quantity + m * stride holds
 * the quantities without batch m, for m = 0 .. n - 1. quantity + n * stride holds those of the mean over all
 * batches. */
void batch_means_errors_of(int n, ptrdiff_t quantities, const double *quantity, ptrdiff_t stride,
                           double *error);

/* An image is a copy of an average at one time. Another thread can read it while samples are added to the
 * average. batch_means_add() and batch_means_load() are not allowed on it.
 *
 * batch_means_image_create: makes room for an image.
 *
 *   shares = 0   the vectors are copied
 *   shares = 1   the image holds only the numbers, and reads the vectors of the average itself. Until the
 *                image is no longer read, these vectors must not change. batch_means_store() is not allowed
 *                on the image.
 *
 * batch_means_destroy() frees an image, but not the vectors that it shares. */
kol_status batch_means_image_create(int values, int most, int shares, struct batch_means **out);
/* batch_means_image_take: makes the image a copy of the present state of `from`. Their vectors must have the
 * same length. */
void batch_means_image_take(struct batch_means *image, const struct batch_means *from);

/* batch_means_state_size: returns the number of doubles of a state. */
ptrdiff_t batch_means_state_size(int values, int most);
/* batch_means_state_values: returns the length of the vectors of a state, or 0 if this is no state. The
 * caller must have at least 8 doubles of it. */
int batch_means_state_values(const double *state);
/* batch_means_store: copies the state. Batches that are not complete are written as zeros. */
void batch_means_store(const struct batch_means *b, double *state);
/* batch_means_load: puts a state back. Returns KOL_ERR_IO if it is no state, or if its vectors have another
 * length. */
kol_status batch_means_load(struct batch_means *b, const double *state);

#endif
