/* Averages over time with error bars: batch means. Samples are vectors; consecutive ones are added up in
 * batches, between most/2 and most of them: when they are full, neighbours are joined and batches become
 * twice as long. Sums are compensated. The state is one array of doubles: stored and put back, the average
 * goes on with the same bits. docs/statistics.md, "Error bars". */
#ifndef KOL_STATISTICS_BATCH_MEANS_H
#define KOL_STATISTICS_BATCH_MEANS_H

#include <stddef.h>
#include "kernels/base/status.h"

/* How many there are at most; fewer where vectors are fields; and the fewest that errors are made of. */
enum { BATCH_MEANS_MOST = 64, BATCH_MEANS_FIELDS = 16, BATCH_MEANS_LEAST = 8 };

struct batch_means;
/* batch_means_create: vectors of `values` values, at most `most` batches: even, from 2 BATCH_MEANS_LEAST on.
 * batch_means_destroy takes NULL. batch_means_create_in: the same in batch_means_state_size doubles of the
 * caller, who frees them afterwards. */
kol_status batch_means_create(int values, int most, struct batch_means **out);
kol_status batch_means_create_in(double *memory, int values, int most, struct batch_means **out);
void batch_means_destroy(struct batch_means **b);
/* batch_means_add: one more sample, at time t. */
void batch_means_add(struct batch_means *b, double t, const double *sample);
/* batch_means_count_sample: the same of the numbers alone, for an owner who keeps the vectors elsewhere: the
 * sample is to be added to the current sum. batch_means_vectors: where they are stored: those of `most`
 * batches, of which the complete ones count, the current sum, its compensation; to be read and written there.
 */
struct batch_means_step {
    int closes, place; /* whether the current sum is complete: it is to be put there, and to begin anew */
    int joins;         /* whether then all batches are to be joined in pairs */
};
struct batch_means_step batch_means_count_sample(struct batch_means *b, double t);
double *batch_means_vectors(struct batch_means *b);
long long batch_means_samples(const struct batch_means *b);
/* batch_means_begin, batch_means_end: times of the first and of the latest sample. batch_means_count,
 * batch_means_length: batches that are complete, samples in each; batch_means_most: as created. */
double batch_means_begin(const struct batch_means *b);
double batch_means_end(const struct batch_means *b);
int batch_means_count(const struct batch_means *b);
int batch_means_most(const struct batch_means *b);
long long batch_means_length(const struct batch_means *b);
/* batch_means_mean: of all samples. batch_means_sum: their sum. */
void batch_means_mean(const struct batch_means *b, double *mean);
void batch_means_sum(const struct batch_means *b, double *sum);

/* batch_means_complete: sums over the complete batches, batch after batch; borrowed. batch_means_rest: the
 * sum over the samples behind them. batch_means_set: an average from these: the samples that complete *
 * length leaves over are those of rest, be they more than a batch or none. */
const double *batch_means_complete(const struct batch_means *b);
void batch_means_rest(const struct batch_means *b, double *rest);
void batch_means_set(struct batch_means *b, long long samples, long long length, int complete, double begin,
                     double end, const double *batch, const double *rest);
/* batch_means_merge: the samples of several averages, in order of time, as those of one, in `to`, which is
 * empty. Batches become as long as the longest are, by joining neighbours; those left over and incomplete
 * ones count in the mean alone. docs/statistics.md, "Merging". */
kol_status batch_means_merge(struct batch_means *const *from, int count, struct batch_means *to);

/* batch_means_errors: standard errors of quantities that are functions of the mean, derive(context, mean,
 * quantity): jackknife over the complete batches, with the correlation of neighbouring ones. NaN with fewer
 * than BATCH_MEANS_LEAST batches. */
typedef void batch_means_derive(const void *context, const double *mean, double *quantity);
kol_status batch_means_errors(const struct batch_means *b, batch_means_derive *derive, const void *context,
                              int quantities, double *error);

/* The same in pieces, for quantities that want not all values at a time. batch_means_means_without: `count`
 * values from `first` on of the mean of the complete batches without batch m, from mean[m stride] on, then of
 * all of them; at least 2 batches. batch_means_errors_of: standard errors of quantities of these means,
 * `quantities` from quantity[m stride] on, those of n batches, then those of the mean of all. */
void batch_means_means_without(const struct batch_means *b, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t stride, double *mean);
void batch_means_errors_of(int n, ptrdiff_t quantities, const double *quantity, ptrdiff_t stride,
                           double *error);

/* batch_means_image_create: room for an average as it stood, for another thread, while samples are added:
 * shares: but for the numbers it is the average itself, whose vectors its owner then leaves as they are; else
 * a copy. batch_means_image_take: as it stands now, of vectors of the same length. An image is to be read: it
 * is not for batch_means_add and batch_means_load, nor, where it shares, for batch_means_store.
 * batch_means_destroy frees what is its own. */
kol_status batch_means_image_create(int values, int most, int shares, struct batch_means **out);
void batch_means_image_take(struct batch_means *image, const struct batch_means *from);

/* batch_means_state_size: doubles of the state of such batches. batch_means_state_values: values of the
 * vectors of a state, of 8 doubles at least; 0: it is none. batch_means_store: copies it, with zeros in place
 * of batches that are not complete, whatever is left there of those joined; batch_means_load: puts it back;
 * KOL_ERR_IO where it is of other vectors or no state. */
ptrdiff_t batch_means_state_size(int values, int most);
int batch_means_state_values(const double *state);
void batch_means_store(const struct batch_means *b, double *state);
kol_status batch_means_load(struct batch_means *b, const double *state);

#endif
