/* Stores the state of an average over time and puts it back, also one of an earlier version; makes images of
 * it. */
#include "batch_means_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the state is of an earlier version, in which all samples have equal weights. */
static int is_equal(const double *state)
{
    return state[VERSION] == 0;
}

int batch_means_state_values(const double *state)
{
    const double values = state[VALUES];
    const int is_known = is_equal(state) || state[VERSION] == THIS_VERSION;
    return is_known && values >= 1 && values <= INT_MAX && values == floor(values) ? (int)values : 0;
}

int batch_means_stored_cycles(const double *state)
{
    return !is_equal(state) && state[CYCLES] != 0;
}

ptrdiff_t batch_means_stored_size(const double *state, int most)
{
    const int values = batch_means_state_values(state);
    if (values == 0) return 0;
    return is_equal(state) ? HEAD_EQUAL + (ptrdiff_t)(most + VECTORS_EQUAL) * values
                           : batch_means_state_size(values, most);
}

double batch_means_stored_end(const double *state, double *samples)
{
    *samples = state[SAMPLES];
    return state[END];
}

void batch_means_store(const struct batch_means *b, double *state)
{
    const size_t all = (size_t)batch_means_state_size(b->values, b->most),
                 first = (size_t)(b->batch - b->state), vector = (size_t)b->values,
                 count = (size_t)batch_means_count(b), complete = first + vector * count,
                 current = first + vector * (size_t)b->most;
    memcpy(state, b->state, complete * sizeof *state);
    memset(state + HEAD + count, 0, ((size_t)b->most - count) * sizeof *state);
    memset(state + complete, 0, (current - complete) * sizeof *state);
    memcpy(state + current, b->state + current, (all - current) * sizeof *state);
}

kol_status batch_means_image_create(struct memory *memory, int values, int most, int shares,
                                    struct batch_means **out)
{
    if (!shares) return batch_means_create(memory, values, most, out);
    struct batch_means *b = *out = calloc(1, sizeof *b);
    if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a view of averages");
    b->values = values;
    b->most = most;
    b->shares = 1;
    TRY(memory_cleared(memory, (size_t)(HEAD + most) * sizeof *b->owned, (void **)&b->owned));
    if (memory_counts(memory)) return KOL_OK;
    b->state = b->owned;
    b->weight = b->state + HEAD;
    return KOL_OK;
}

void batch_means_image_take(struct batch_means *image, const struct batch_means *from)
{
    const size_t vector = (size_t)from->values * sizeof *from->state;
    memcpy(image->state, from->state, (size_t)(HEAD + from->most) * sizeof *from->state);
    if (image->shares) {
        image->batch = from->batch;
        image->current = from->current;
        image->carry = from->carry;
        image->latest = from->latest;
        return;
    }
    memcpy(image->batch, from->batch, (size_t)batch_means_count(from) * vector);
    memcpy(image->current, from->current, BATCH_MEANS_BEHIND * vector);
}

static void load_equal(struct batch_means *b, const double *state)
{
    const size_t vectors = (size_t)((b->most + VECTORS_EQUAL) * (ptrdiff_t)b->values);
    memset(b->state, 0, (size_t)batch_means_state_size(b->values, b->most) * sizeof *state);
    memcpy(b->state, state, HEAD_EQUAL * sizeof *state);
    memcpy(b->batch, state + HEAD_EQUAL, vectors * sizeof *state);
    b->state[VERSION] = THIS_VERSION;
    batch_means_weigh_equally(b);
    if (b->state[SAMPLES] > 0) batch_means_mean(b, b->latest); /* stands for it, where it is wanted */
}

static int is_count(double x)
{
    const double most = 9007199254740992.0; /* doubles hold all integers up to here */
    return x >= 0 && x < most && x == floor(x);
}

/* Whether the numbers of samples and batches belong together. */
static int sound_counts(const double *state)
{
    const double counted = state[COMPLETE] * state[LENGTH] + state[IN_CURRENT];
    return batch_means_stored_cycles(state) ? state[CYCLES] == 1 && state[SAMPLES] >= counted
                                            : state[SAMPLES] == counted;
}

/* The numbers before the vectors. */
static int sound_head(const double *state, int values, int most)
{
    return state[VALUES] == values && is_count(state[SAMPLES]) && is_count(state[LENGTH]) &&
           is_count(state[COMPLETE]) && is_count(state[IN_CURRENT]) && state[COMPLETE] < most &&
           state[LENGTH] >= 1 && state[IN_CURRENT] < state[LENGTH] && sound_counts(state) &&
           isfinite(state[BEGIN]) && isfinite(state[END]) && state[BEGIN] <= state[END];
}

kol_status batch_means_check(const double *state, int values, int most, const char *from)
{
    const ptrdiff_t size = batch_means_stored_size(state, most);
    if (!sound_head(state, values, most))
        RAISE(
            KOL_ERR_IO,
            "%s: averages of %g values, %g samples in %g batches of %g and %g more, from t = %g to %g, make "
            "no sense; use an older checkpoint",
            from, state[VALUES], state[SAMPLES], state[COMPLETE], state[LENGTH], state[IN_CURRENT],
            state[BEGIN], state[END]);
    for (ptrdiff_t i = HEAD_EQUAL; i < size; ++i)
        if (!isfinite(state[i]) || (i != BEFORE && i < HEAD + most && !is_equal(state) && state[i] < 0))
            RAISE(KOL_ERR_IO, "%s: value %td of the averages is %g; use an older checkpoint", from, i,
                  state[i]);
    return KOL_OK;
}

kol_status batch_means_load(struct batch_means *b, const double *state)
{
    TRY(batch_means_check(state, b->values, b->most, "averages over time"));
    if (is_equal(state)) load_equal(b, state);
    else memcpy(b->state, state, (size_t)batch_means_state_size(b->values, b->most) * sizeof *state);
    return KOL_OK;
}
