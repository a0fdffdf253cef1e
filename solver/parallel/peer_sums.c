/* Lays out the memory in which the GPUs add up sums over ranks without the hosts. */
#include "peer_sums.h"

#include <stdlib.h>
#include "peer_memory.h"

/* Memory of each rank: a counter for each rank, at its beginning, then the block values of two rounds. */
enum { COUNTERS_BYTES = 256 };
_Static_assert(SUMS_TEAM_MOST * sizeof(unsigned) <= COUNTERS_BYTES, "raise COUNTERS_BYTES");

struct team {
    struct peer_memory *peers;
    struct sums_team view;
};

static size_t bytes_of(const struct decomp *d)
{
    const size_t blocks = (size_t)d->blocks_g[X] * d->blocks_g[Y] * d->blocks_g[Z];
    return COUNTERS_BYTES + 2 * KOL_PARTS * blocks * sizeof(double);
}

kol_status peer_sums_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                            struct team **out)
{
    *out = NULL;
    if (c->size > SUMS_TEAM_MOST) return KOL_OK;
    struct team *t = calloc(1, sizeof *t);
    TRY(memory_agree(memory, c,
                     t == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the sums of GPUs")
                         : KOL_OK));
    *out = t;
    TRY(peer_memory_create(memory, c, bytes_of(d), COUNTERS_BYTES, &t->peers));
    if (memory_counts(memory)) return KOL_OK;
    t->view.ranks = c->size;
    t->view.rank = c->rank;
    for (int i = 0; i < 3; ++i) {
        t->view.first[i] = d->first_block[i];
        t->view.global[i] = d->blocks_g[i];
    }
    for (int r = 0; r < c->size; ++r) {
        unsigned char *there = peer_memory_memory(t->peers, r);
        t->view.arrived[r] = (unsigned *)(void *)there;
        t->view.all[r] = (double *)(void *)(there + COUNTERS_BYTES);
    }
    return KOL_OK;
}

const struct sums_team *peer_sums_view(const struct team *t)
{
    return &t->view;
}

void peer_sums_destroy(struct team **t)
{
    if (*t == NULL) return;
    peer_memory_destroy(&(*t)->peers);
    free(*t);
    *t = NULL;
}
