/* Averages over time with error bars: batch means. Samples are vectors; consecutive ones are added up in batches, between most/2
 * and most of them: when they are full, neighbours are joined and batches become twice as long. Sums are compensated. The state is
 * one array of doubles: stored and put back, the average goes on with the same bits. docs/statistics.md, "Error bars". */
#ifndef KOL_BATCHES_H
#define KOL_BATCHES_H

#include <stddef.h>
#include "../kernels/base/status.h"

/* How many there are at most; fewer where vectors are fields; and the fewest that errors are made of. */
enum { BATCHES_MOST = 64, BATCHES_FIELDS = 16, BATCHES_LEAST = 8 };

struct batches;
/* batches_create: vectors of `values` values, at most `most` batches: even, from 2 BATCHES_LEAST on. batches_destroy takes NULL.
 * batches_create_in: the same in batches_state_size doubles of the caller, who frees them afterwards. */
kol_status batches_create(int values, int most, struct batches **out);
kol_status batches_create_in(double *memory, int values, int most, struct batches **out);
void batches_destroy(struct batches **b);
/* batches_add: one more sample, at time t. */
void batches_add(struct batches *b, double t, const double *sample);
/* batches_count_sample: the same of the numbers alone, for an owner who keeps the vectors elsewhere: the sample is to be added to the current sum.
 * batches_vectors: where they are stored: those of `most` batches, of which the complete ones count, the current sum, its compensation; to be
 * read and written there. */
struct batches_step {
    int closes, place; /* whether the current sum is complete: it is to be put there, and to begin anew */
    int joins;         /* whether then all batches are to be joined in pairs */
};
struct batches_step batches_count_sample(struct batches *b, double t);
double *batches_vectors(struct batches *b);
long long batches_samples(const struct batches *b);
/* batches_begin, batches_end: times of the first and of the latest sample. batches_count, batches_length: batches that are complete, samples in each; batches_most: as created. */
double batches_begin(const struct batches *b);
double batches_end(const struct batches *b);
int batches_count(const struct batches *b);
int batches_most(const struct batches *b);
long long batches_length(const struct batches *b);
/* batches_mean: of all samples. batches_sum: their sum. */
void batches_mean(const struct batches *b, double *mean);
void batches_sum(const struct batches *b, double *sum);

/* batches_complete: sums over the complete batches, batch after batch; borrowed. batches_rest: the sum over the samples behind them. batches_set: an average
 * from these: the samples that complete * length leaves over are those of rest, be they more than a batch or none. */
const double *batches_complete(const struct batches *b);
void batches_rest(const struct batches *b, double *rest);
void batches_set(struct batches *b, long long samples, long long length, int complete, double begin,
                 double end, const double *batch, const double *rest);
/* batches_merge: the samples of several averages, in order of time, as those of one, in `to`, which is empty. Batches become as long as the longest are, by
 * joining neighbours; those left over and incomplete ones count in the mean alone. docs/statistics.md, "Merging". */
kol_status batches_merge(struct batches *const *from, int count, struct batches *to);

/* batches_errors: standard errors of quantities that are functions of the mean, derive(context, mean, quantity): jackknife over the
 * complete batches, with the correlation of neighbouring ones. NaN with fewer than BATCHES_LEAST batches. */
typedef void batches_derive(const void *context, const double *mean, double *quantity);
kol_status batches_errors(const struct batches *b, batches_derive *derive, const void *context,
                          int quantities, double *error);

/* The same in pieces, for quantities that want not all values at a time. batches_means_without: `count` values from `first` on of the mean of the complete
 * batches without batch m, from mean[m stride] on, then of all of them; at least 2 batches. batches_errors_of: standard errors of quantities of these
 * means, `quantities` from quantity[m stride] on, those of n batches, then those of the mean of all. */
void batches_means_without(const struct batches *b, ptrdiff_t first, ptrdiff_t count, ptrdiff_t stride,
                           double *mean);
void batches_errors_of(int n, ptrdiff_t quantities, const double *quantity, ptrdiff_t stride, double *error);

/* batches_image_create: room for an average as it stood, for another thread, while samples are added: shares: but for the numbers it is the average itself, whose
 * vectors its owner then leaves as they are; else a copy. batches_image_take: as it stands now, of vectors of the same length. An image is to be
 * read: it is not for batches_add and batches_load, nor, where it shares, for batches_store. batches_destroy frees what is its own. */
kol_status batches_image_create(int values, int most, int shares, struct batches **out);
void batches_image_take(struct batches *image, const struct batches *from);

/* batches_state_size: doubles of the state of such batches. batches_state_values: values of the vectors of a state, of 8 doubles at least; 0: it is none. batches_store: copies it, with zeros in place of batches that are not
 * complete, whatever is left there of those joined; batches_load: puts it back; KOL_ERR_IO where it is of other vectors or no state. */
ptrdiff_t batches_state_size(int values, int most);
int batches_state_values(const double *state);
void batches_store(const struct batches *b, double *state);
kol_status batches_load(struct batches *b, const double *state);

#endif
