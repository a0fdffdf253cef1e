/* Holds the connected regions of fluid, and makes the means of fields over each of them what they should be.
 * */
#include "fluid_regions.h"

#include <stdlib.h>
#include "kernels/laplace.h"
#include "kernels/region.h"
#include "kernels/volume_dot.h"
#include "region_labels.h"

struct fluid_regions {
    const struct domain *domain;
    int count;
    double volume;   /* of the main one */
    double at_first; /* the same when the regions were found */
    double *volumes; /* of the others, by number */
    double *of_p;    /* sums of the pressure over the others, used by fluid_regions_mean() */
    /* segments of all ranks, in the order of regions and reduction blocks: their regions, and their places
     * among those of all ranks, one rank after the other */
    int segments, *region, *place;
    int *on_rank, *before; /* segments of each rank, and of the ranks before */
    double *all;           /* sums of all segments, rank after rank */
    /* kernel memory of this rank */
    struct region_list list;
    void *store[4];
    double *sum, *shift;
    double *host; /* for copies of sum and shift */
};

static kol_status hand_over(const void *host, size_t bytes, void **out)
{
    if (bytes == 0) return KOL_OK;
    TRY(mem_kernel_alloc(bytes, out));
    return mem_to_kernel(*out, host, bytes);
}

/* The list of this rank in kernel memory. */
static kol_status store_list(const struct region_labels *l, struct fluid_regions *r)
{
    const size_t segments = (size_t)l->segments, cells = (size_t)l->first[l->segments];
    TRY(hand_over(l->first, (segments + 1) * sizeof *l->first, &r->store[0]));
    TRY(hand_over(l->region, segments * sizeof *l->region, &r->store[1]));
    TRY(hand_over(l->cell, cells * sizeof *l->cell, &r->store[2]));
    TRY(hand_over(l->cell_volume, cells * sizeof *l->cell_volume, &r->store[3]));
    r->list = (struct region_list){.segments = l->segments,
                                   .first = r->store[0],
                                   .region = r->store[1],
                                   .cell = r->store[2],
                                   .volume = r->store[3]};
    TRY(mem_kernel_alloc((segments + 1) * sizeof *r->sum, (void **)&r->sum));
    TRY(mem_kernel_alloc((size_t)r->count * sizeof *r->shift, (void **)&r->shift));
    const size_t most = segments > (size_t)r->count ? segments : (size_t)r->count;
    return mem_host_alloc((most + 1) * sizeof *r->host, (void **)&r->host);
}

/* segment: of any rank, for the order of additions. */
struct segment {
    int region, block, place;
};

static int in_order(const void *a, const void *b)
{
    const struct segment *s = a, *t = b;
    return s->region != t->region ? (s->region > t->region) - (s->region < t->region)
                                  : (s->block > t->block) - (s->block < t->block);
}

/* A number of each segment, of all ranks. */
static kol_status share(const struct fluid_regions *r, const int *own, int segments, int *all)
{
    MPI_TRY(MPI_Allgatherv(own, segments, MPI_INT, all, r->on_rank, r->before, MPI_INT, r->domain->comm.mpi));
    return KOL_OK;
}

static kol_status order_segments(const struct region_labels *l, struct fluid_regions *r)
{
    const struct comm *c = &r->domain->comm;
    const size_t ranks = (size_t)c->size;
    r->on_rank = calloc(ranks, sizeof *r->on_rank);
    r->before = calloc(ranks, sizeof *r->before);
    if (r->on_rank == NULL || r->before == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the regions");
    MPI_TRY(MPI_Allgather(&l->segments, 1, MPI_INT, r->on_rank, 1, MPI_INT, c->mpi));
    for (int n = 0; n < c->size; ++n) {
        r->before[n] = r->segments;
        r->segments += r->on_rank[n];
    }
    const size_t total = (size_t)r->segments + 1;
    struct segment *sorted = malloc(total * sizeof *sorted);
    int *block = malloc(total * sizeof *block);
    kol_status st = KOL_OK;
    r->region = malloc(total * sizeof *r->region);
    r->place = malloc(total * sizeof *r->place);
    r->all = malloc(total * sizeof *r->all);
    if (sorted == NULL || block == NULL || r->region == NULL || r->place == NULL || r->all == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d segments of regions",
                          r->segments);
    TRY_OR(done, comm_agree(c, st));
    TRY_OR(done, share(r, l->region, l->segments, r->region));
    TRY_OR(done, share(r, l->block, l->segments, block));
    for (int n = 0; n < r->segments; ++n) sorted[n] = (struct segment){r->region[n], block[n], n};
    qsort(sorted, (size_t)r->segments, sizeof *sorted, in_order);
    for (int n = 0; n < r->segments; ++n) {
        r->region[n] = sorted[n].region;
        r->place[n] = sorted[n].place;
    }
done:
    free(sorted);
    free(block);
    return st;
}

/* Adds up r->sum over the regions other than the main one, to r->host[1 ..], the same on all ranks. Segments
 * are added one after another, in the order of reduction blocks. */
static kol_status collect(struct fluid_regions *r)
{
    const struct comm *c = &r->domain->comm;
    if (r->list.segments > 0) TRY(mem_to_host(r->host, r->sum, (size_t)r->list.segments * sizeof *r->sum));
    MPI_TRY(MPI_Allgatherv(r->host, r->list.segments, MPI_DOUBLE, r->all, r->on_rank, r->before, MPI_DOUBLE,
                           c->mpi));
    for (int n = 0; n < r->count; ++n) r->host[n] = 0;
    for (int n = 0; n < r->segments; ++n) r->host[r->region[n]] += r->all[r->place[n]];
    return KOL_OK;
}

/* Sums of a field over these regions. */
static kol_status sum_others(struct fluid_regions *r, int weighted, const real *a)
{
    TRY(region_sums(r->list, weighted, a, r->sum));
    return collect(r);
}

/* The volumes are added up as other fields are: of a field that is 1 in live cells. */
static kol_status measure(struct fluid_regions *r)
{
    const struct domain *domain = r->domain;
    const struct grid *g = &domain->grid;
    real *ones = NULL;
    TRY(pool_hold(domain->pool, "volumes of regions", &ones));
    if (pool_counts(domain->pool)) return pool_drop(domain->pool, &ones);
    TRY(mem_fill_real(ones, g->box.size, 1));
    TRY(laplace_clear(g->box, g->open, ones));
    TRY(volume_dot_weighted(g->box, reduction_blocks(domain->reduction), grid_stencil(g, LOC_CCC, 0, 1),
                            ones));
    TRY(reduction_finish(domain->reduction, 1, 0, &r->volume));
    if (r->count > 1) TRY(sum_others(r, 1, ones));
    for (int n = 1; n < r->count; ++n) {
        r->volumes[n] = r->host[n];
        r->volume -= r->host[n];
    }
    return pool_drop(domain->pool, &ones);
}

kol_status fluid_regions_create(const struct domain *domain, struct fluid_regions **out)
{
    struct region_labels labels = {.count = 1};
    kol_status st = KOL_OK;
    struct fluid_regions *r = calloc(1, sizeof *r);
    *out = r;
    if (r == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the regions");
    r->domain = domain;
    r->count = 1;
    r->volume = r->at_first = domain->grid.volume;
    if (domain->grid.open == NULL || memory_counts(domain->memory)) return KOL_OK;
    TRY_OR(done, region_labels_make(domain, &labels));
    r->count = labels.count;
    TRY_OR(done, comm_agree(&domain->comm, order_segments(&labels, r)));
    TRY_OR(done, comm_agree(&domain->comm, store_list(&labels, r)));
    r->volumes = calloc((size_t)r->count, sizeof *r->volumes);
    r->of_p = calloc((size_t)r->count, sizeof *r->of_p);
    TRY_OR(done, comm_agree(&domain->comm, r->volumes == NULL || r->of_p == NULL
                                               ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                                              "no memory for %d volumes", r->count)
                                               : KOL_OK));
    TRY_OR(done, measure(r));
    r->at_first = r->volume;
done:
    region_labels_destroy(&labels);
    return st;
}

void fluid_regions_cover(struct fluid_regions *r, double covered)
{
    r->volume = r->at_first - covered * r->domain->grid.volume;
}

void fluid_regions_destroy(struct fluid_regions **of)
{
    struct fluid_regions *r = *of;
    if (r == NULL) return;
    for (int n = 0; n < 4; ++n) mem_kernel_free(r->store[n]);
    mem_kernel_free(r->sum);
    mem_kernel_free(r->shift);
    mem_host_free(r->host);
    free(r->volumes);
    free(r->of_p);
    free(r->region);
    free(r->place);
    free(r->on_rank);
    free(r->before);
    free(r->all);
    free(r);
    *of = NULL;
}

int fluid_regions_count(const struct fluid_regions *r)
{
    return r->count;
}

/* From the sums of the other regions, finds the mean of the main one, and by how much that of each other one
 * lacks. */
static kol_status find_shifts(struct fluid_regions *r, double sum, double *mean)
{
    for (int n = 1; n < r->count; ++n) sum -= r->host[n];
    *mean = sum / r->volume;
    for (int n = 1; n < r->count; ++n) r->host[n] = *mean - r->host[n] / r->volumes[n];
    r->host[0] = 0;
    return mem_to_kernel(r->shift, r->host, (size_t)r->count * sizeof *r->shift);
}

/* Shifts the other regions by the difference of their means from that of the main one, or by the opposite of
 * it. */
static kol_status level(struct fluid_regions *r, double sum, int of_values, real *a, double *mean)
{
    *mean = sum / r->volume;
    if (r->count == 1) return KOL_OK;
    TRY(sum_others(r, of_values, a));
    TRY(find_shifts(r, sum, mean));
    return region_shift(r->list, !of_values, r->shift, a);
}

kol_status fluid_regions_balance(struct fluid_regions *r, double sum, real *rhs, double *mean)
{
    return level(r, sum, 0, rhs, mean);
}

kol_status fluid_regions_settle(struct fluid_regions *r, double sum_vx, real *x, double *mean)
{
    TRY(level(r, sum_vx, 1, x, mean));
    if (r->count == 1) return KOL_OK;
    TRY(halo_fill_one(r->domain->halo, x, HALO_FACES));
    return laplace_around() ? halo_wrap(r->domain->halo, x) : KOL_OK;
}

kol_status fluid_regions_mean(struct fluid_regions *r, double sum, struct level_sum phi, const real *p,
                              double *mean)
{
    *mean = sum / r->volume;
    if (r->count == 1) return KOL_OK;
    for (int n = 1; n < r->count; ++n) r->of_p[n] = 0;
    if (p != NULL) {
        TRY(sum_others(r, 1, p));
        for (int n = 1; n < r->count; ++n) r->of_p[n] = r->host[n];
    }
    TRY(region_sums_level(r->list, phi, r->sum));
    TRY(collect(r));
    for (int n = 1; n < r->count; ++n) r->host[n] += r->of_p[n];
    return find_shifts(r, sum, mean);
}

kol_status fluid_regions_shift(struct fluid_regions *r, real *p)
{
    return r->count > 1 ? region_shift(r->list, 0, r->shift, p) : KOL_OK;
}
