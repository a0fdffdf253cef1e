/* Sequences of launches that come again and again, repeated as one piece: CUDA graphs, where a launch costs
 * more than its kernel. */
#ifndef KOL_BASE_REPLAY_H
#define KOL_BASE_REPLAY_H

#include "status.h"

KOL_BEGIN_C

/* replay: sequences by key; a key: pointers that a sequence works on. */
enum { REPLAY_KEY = 12, REPLAY_MOST = 64 };
struct replay;
struct replay_key {
    const void *on[REPLAY_KEY];
};

/* replay_do: what launch(context) gives the queue in use (device.h). When a key comes for the second time its
 * sequence is recorded, and from then on repeated without a call of launch. So launch must give the same
 * kernels the same arguments whenever the key is the same, to this queue alone, allocate nothing and wait for
 * nothing. What kernels find in memory may change. Beyond REPLAY_MOST keys, in the CPU build and in debug
 * builds, which look at every launch, it is called every time. */
kol_status replay_create(struct replay **out);
void replay_destroy(struct replay **r);
kol_status replay_do(struct replay *r, const struct replay_key *key, kol_status (*launch)(void *context),
                     void *context);
/* replay_repeated: how many sequences came without a call of launch. */
long long replay_repeated(const struct replay *r);

KOL_END_C

#endif
