/* Collects the sums over segments on rank 0. */
#include "body_segments.h"

#include <stdlib.h>

struct body_segments {
    const struct comm *comm; /* borrowed */
    surface_key blocks;      /* of the whole grid */
    int own, values;         /* segments of this rank, sums of each */
    /* rank 0: values of each rank, and those before it; the segments of all ranks, their values, and the
     * order in which to add them */
    int *count, *first, all;
    double *gathered;
    surface_key *keys;
    int *order;
};

surface_key body_key(const struct decomp *d, int body, int q)
{
    const int bx = q % d->blocks[X], by = q / d->blocks[X] % d->blocks[Y],
              bz = q / d->blocks[X] / d->blocks[Y];
    const surface_key block =
        ((surface_key)(d->first_block[Z] + bz) * d->blocks_g[Y] + d->first_block[Y] + by) * d->blocks_g[X] +
        d->first_block[X] + bx;
    return (surface_key)body * d->blocks_g[X] * d->blocks_g[Y] * d->blocks_g[Z] + block;
}

struct ranked {
    surface_key of;
    int number;
};

static int by_rank_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->of > y->of) - (x->of < y->of);
}

/* Finds the order of the keys, and turns counts of segments into counts of values. */
static kol_status order_keys(struct body_segments *s)
{
    struct ranked *sorted = malloc(((size_t)s->all + 1) * sizeof *sorted);
    if (sorted == NULL) RAISE(KOL_ERR_MEMORY, "no memory for sums over bodies");
    for (int n = 0; n < s->all; ++n) sorted[n] = (struct ranked){s->keys[n], n};
    qsort(sorted, (size_t)s->all, sizeof *sorted, by_rank_key);
    for (int n = 0; n < s->all; ++n) s->order[n] = sorted[n].number;
    for (int r = 0; r < s->comm->size; ++r) {
        s->count[r] *= s->values;
        s->first[r] *= s->values;
    }
    free(sorted);
    return KOL_OK;
}

kol_status body_segments_create(const struct domain *domain, int segments, const surface_key *keys,
                                int values, struct body_segments **out)
{
    const struct comm *c = &domain->comm;
    const int *blocks = domain->decomp.blocks_g;
    kol_status st = KOL_OK;
    struct body_segments *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for sums over bodies");
    s->comm = c;
    s->blocks = (surface_key)blocks[X] * blocks[Y] * blocks[Z];
    s->own = segments;
    s->values = values;
    s->count = calloc((size_t)c->size, sizeof *s->count);
    s->first = calloc((size_t)c->size, sizeof *s->first);
    if (s->count == NULL || s->first == NULL) RAISE(KOL_ERR_MEMORY, "no memory for sums over bodies");
    MPI_TRY(MPI_Gather(&segments, 1, MPI_INT, s->count, 1, MPI_INT, 0, c->mpi));
    for (int r = 1; r < c->size; ++r) s->first[r] = s->first[r - 1] + s->count[r - 1];
    s->all = c->rank == 0 ? s->first[c->size - 1] + s->count[c->size - 1] : 0;
    if (c->rank == 0) {
        s->keys = malloc(((size_t)s->all + 1) * sizeof *s->keys);
        s->order = malloc(((size_t)s->all + 1) * sizeof *s->order);
        s->gathered = malloc(((size_t)s->all + 1) * (size_t)values * sizeof *s->gathered);
        if (s->keys == NULL || s->order == NULL || s->gathered == NULL)
            st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for sums over bodies");
    }
    TRY(comm_agree(c, st));
    MPI_TRY(
        MPI_Gatherv(keys, segments, MPI_LONG_LONG, s->keys, s->count, s->first, MPI_LONG_LONG, 0, c->mpi));
    return c->rank == 0 ? order_keys(s) : KOL_OK;
}

void body_segments_destroy(struct body_segments **segments)
{
    struct body_segments *s = *segments;
    if (s == NULL) return;
    free(s->count);
    free(s->first);
    free(s->gathered);
    free(s->keys);
    free(s->order);
    free(s);
    *segments = NULL;
}

kol_status body_segments_add(struct body_segments *s, const double *own, double over, double *value)
{
    const struct comm *c = s->comm;
    MPI_TRY(MPI_Gatherv(own, s->own * s->values, MPI_DOUBLE, s->gathered, s->count, s->first, MPI_DOUBLE, 0,
                        c->mpi));
    for (int n = 0; n < s->all; ++n) {
        const int from = s->order[n];
        double *to = value + s->keys[from] / s->blocks * s->values;
        for (int q = 0; q < s->values; ++q) to[q] += s->gathered[(ptrdiff_t)from * s->values + q] / over;
    }
    return KOL_OK;
}
