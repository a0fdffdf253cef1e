/* Stands for sequences of launches. The CPU build has none, so it calls the work every time. */
#include "../base/replay.h"

#include <stdlib.h>

/* The CPU build has no launches, so there is nothing to store. */
struct replay {
    int unused;
};

kol_status replay_create(struct replay **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for sequences of work");
    return KOL_OK;
}

void replay_destroy(struct replay **r)
{
    free(*r);
    *r = NULL;
}

kol_status replay_do(struct replay *r, const struct replay_key *key, kol_status (*launch)(void *context),
                     void *context)
{
    (void)r;
    (void)key;
    return launch(context);
}

long long replay_repeated(const struct replay *r)
{
    (void)r;
    return 0;
}
