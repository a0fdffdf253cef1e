/* Records sequences of launches that recur, and repeats each of them as one piece. They are CUDA graphs, for
 * work in which a launch costs more than its kernel. */
#ifndef KOL_BASE_REPLAY_H
#define KOL_BASE_REPLAY_H

#include "status.h"

KOL_BEGIN_C

/* replay: a set of recorded sequences. A key identifies a sequence. It consists of the pointers that the
 * sequence works on. */
enum { REPLAY_KEY = 12, REPLAY_MOST = 64 };
struct replay;
struct replay_key {
    const void *on[REPLAY_KEY];
};

/* replay_do: gives the queue in use (device.h) the work that launch(context) gives it.
 *
 * When a key comes for the second time, its sequence is recorded. From then on the sequence is repeated
 * without a call of launch. So for the same key, launch must always give the same kernels with the same
 * arguments, and only to this queue. launch must not allocate and must not wait. The values that the kernels
 * find in memory may change.
 *
 * launch is called every time in the CPU build, in debug builds, which check every launch, and for keys
 * beyond the first REPLAY_MOST. */
kol_status replay_create(struct replay **out);
void replay_destroy(struct replay **r);
kol_status replay_do(struct replay *r, const struct replay_key *key, kol_status (*launch)(void *context),
                     void *context);
/* replay_repeated: returns how many sequences were repeated without a call of launch. */
long long replay_repeated(const struct replay *r);

KOL_END_C

#endif
