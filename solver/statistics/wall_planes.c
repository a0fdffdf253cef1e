/* Averages one sample over planes parallel to the walls, over all ranks. */
#include "wall_planes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"

/* wall_planes: sums over planes. The blocks of direction a are added up first, then those of direction b. If
 * a direction is not divided over ranks, and no direction before it is, its blocks are added up on the
 * device. The order of addition is then the same as after the exchange of messages. */
struct wall_planes {
    const struct comm *comm;
    const struct decomp *decomp;
    struct box box;
    struct blocks blocks;
    int normal, a, b;
    int folded_a, folded_b;           /* whether on the device */
    double *part, *scratch, *sums;    /* kernel memory; sums: those added up on the device, or NULL */
    double *middle;                   /* kernel memory, for quadrants: means at this rank's levels */
    double *middle_all;               /* host: of the whole grid's */
    double *own, *all;                /* host: sums of this rank; of the whole grid, by block */
    ptrdiff_t own_values, all_values; /* in own and all */
    int levels;                       /* of the whole grid */
};

static int blocks_of(struct blocks bl, int direction)
{
    return direction == X ? bl.nx : direction == Y ? bl.ny : bl.nz;
}

/* Plans the sizes. Of bl only the numbers of blocks are read. */
static struct wall_planes plan(const struct decomp *d, struct box b, struct blocks bl, int normal)
{
    struct wall_planes planned = {.decomp = d, .box = b, .blocks = bl, .normal = normal}, *const p = &planned;
    p->a = normal == X ? Y : X;
    p->b = normal == Z ? Y : Z;
    p->folded_a = d->ranks[p->a] == 1;
    p->folded_b = p->folded_a && d->ranks[p->b] == 1;
    p->levels = d->n_g[normal] + 1;
    const ptrdiff_t groups = (ptrdiff_t)plane_average_levels(b, normal) * AVG_COUNT,
                    groups_g = (ptrdiff_t)p->levels * AVG_COUNT;
    p->own_values =
        groups * (p->folded_a ? 1 : blocks_of(bl, p->a)) * (p->folded_b ? 1 : blocks_of(bl, p->b));
    p->all_values = groups_g * (p->folded_a ? 1 : d->blocks_g[p->a]) * (p->folded_b ? 1 : d->blocks_g[p->b]);
    return planned;
}

kol_status wall_planes_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                              struct box b, struct blocks bl, int normal, struct wall_planes **out)
{
    struct wall_planes *p = *out = malloc(sizeof *p);
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for plane averages");
    *p = plan(d, b, bl, normal);
    p->comm = c;
    const size_t part = (size_t)plane_average_values(b, bl, normal),
                 scratch = (size_t)plane_average_scratch(b, bl, normal);
    TRY(memory_kernel(memory, part * sizeof(double), (void **)&p->part));
    if (scratch > 0) TRY(memory_kernel(memory, scratch * sizeof(double), (void **)&p->scratch));
    if (p->folded_a) TRY(memory_kernel(memory, (size_t)p->own_values * sizeof(double), (void **)&p->sums));
    TRY(memory_kernel(memory, 2 * (size_t)plane_average_levels(b, normal) * sizeof(double),
                      (void **)&p->middle));
    TRY(memory_host(memory, 2 * (size_t)p->levels * sizeof(double), (void **)&p->middle_all));
    TRY(memory_host(memory, (size_t)p->own_values * sizeof(double), (void **)&p->own));
    return memory_host(memory, (size_t)p->all_values * sizeof(double), (void **)&p->all);
}

void wall_planes_destroy(struct wall_planes **planes)
{
    struct wall_planes *p = *planes;
    if (p == NULL) return;
    mem_kernel_free(p->part);
    mem_kernel_free(p->scratch);
    mem_kernel_free(p->sums);
    mem_kernel_free(p->middle);
    mem_host_free(p->middle_all);
    mem_host_free(p->own);
    mem_host_free(p->all);
    free(p);
    *planes = NULL;
}

/* Copies the sums of this rank to their places among those of the whole grid; the other places are 0. So the
 * sum over ranks is exact in any order. */
static void place_own(struct wall_planes *p)
{
    const struct decomp *d = p->decomp;
    const int na = p->folded_a ? 1 : d->blocks[p->a], nb = p->folded_b ? 1 : d->blocks[p->b];
    const int na_g = p->folded_a ? 1 : d->blocks_g[p->a], nb_g = p->folded_b ? 1 : d->blocks_g[p->b];
    const int a0 = p->folded_a ? 0 : d->first_block[p->a], b0 = p->folded_b ? 0 : d->first_block[p->b];
    const int top = d->coord[p->normal] == d->ranks[p->normal] - 1;
    const int levels = d->n[p->normal] + top; /* the upper face of the others is the next rank's lower */
    memset(p->all, 0, (size_t)p->all_values * sizeof *p->all);
    for (ptrdiff_t g = 0; g < (ptrdiff_t)levels * AVG_COUNT; ++g) {
        const ptrdiff_t to = (ptrdiff_t)d->offset[p->normal] * AVG_COUNT + g;
        for (int bb = 0; bb < nb; ++bb)
            memcpy(p->all + (to * nb_g + b0 + bb) * na_g + a0, p->own + (g * nb + bb) * na,
                   (size_t)na * sizeof *p->all);
    }
}

static double sum_in_order(const double *v, int n)
{
    double s = v[0];
    for (int i = 1; i < n; ++i) s += v[i];
    return s;
}

/* The first `count` of the sums are wanted. */
static void add_up(const struct wall_planes *p, double area, int count, double *mean)
{
    const struct decomp *d = p->decomp;
    const int na = p->folded_a ? 1 : d->blocks_g[p->a], nb = p->folded_b ? 1 : d->blocks_g[p->b];
    const double *from = p->all;
    for (int k = 0; k < p->levels; ++k) {
        for (int q = 0; q < AVG_COUNT; ++q) {
            double all = 0;
            for (int bb = 0; bb < nb; ++bb, from += na) {
                const double row = sum_in_order(from, na);
                all = bb == 0 ? row : all + row;
            }
            if (q >= count) continue;
            mean[(ptrdiff_t)q * p->levels + k] =
                all / area + 0.0; /* no negative zero: added to the zeros of other ranks it would change */
        }
    }
}

/* Computes the means of the first `count` sums from what a kernel has left in part. */
static kol_status finish(struct wall_planes *p, const struct grid *g, int count, double *mean)
{
    const int na = blocks_of(p->blocks, p->a), nb = blocks_of(p->blocks, p->b);
    const double *from = p->part;
    if (p->folded_a) {
        const ptrdiff_t groups = (ptrdiff_t)plane_average_levels(p->box, p->normal) * AVG_COUNT;
        TRY(plane_average_fold(groups, na, nb, p->folded_b, p->part, p->sums));
        from = p->sums;
    }
    TRY(mem_to_host(p->own, from, (size_t)p->own_values * sizeof *p->own));
    place_own(p);
    if (p->comm->size > 1) {
        const int root = p->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : p->all, root ? p->all : NULL, (int)p->all_values, MPI_DOUBLE,
                           MPI_SUM, 0, p->comm->mpi));
    }
    if (mean != NULL) add_up(p, g->length[p->a] * g->length[p->b], count, mean);
    return KOL_OK;
}

kol_status wall_planes_sample(struct wall_planes *p, const struct grid *g, real *const vel[3],
                              const real *pressure, double *mean)
{
    TRY(plane_average_planes(p->box, g->m, p->blocks, p->normal, vel, pressure, p->part, p->scratch));
    return finish(p, g, AVG_COUNT, mean);
}

kol_status wall_planes_stresses(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                const real *pressure, real *const convection[3], real *const momentum[3],
                                double *mean)
{
    TRY(plane_average_stresses(p->box, g->m, p->blocks, p->normal, vel, pressure, convection, momentum,
                               p->part, p->scratch));
    return finish(p, g, AVG_COUNT, mean);
}

kol_status wall_planes_scalar(struct wall_planes *p, const struct grid *g, real *const vel[3],
                              const struct plane_scalar *s, double *mean)
{
    TRY(plane_scalar_means(p->box, g->m, p->blocks, p->normal, vel, s, p->part, p->scratch));
    return finish(p, g, THETA_COUNT, mean);
}

kol_status wall_planes_scalar_fluxes(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                     const real *pressure, const struct plane_scalar *s, double *mean)
{
    TRY(plane_scalar_fluxes(p->box, g->m, p->blocks, p->normal, vel, pressure, s, p->part, p->scratch));
    return finish(p, g, FLUXES_COUNT, mean);
}

/* For quadrants: takes from the sample's means, which rank 0 has, the mean of the component round each face
 * and the magnitude of its stress, and sends them to all ranks. */
static kol_status find_middle(struct wall_planes *p, int component, const double *mean)
{
    double *centre = p->middle_all, *product = centre + p->levels;
    if (mean != NULL) {
        const double *u = mean + (ptrdiff_t)(component ? AVG_B : AVG_A) * p->levels,
                     *n = mean + (ptrdiff_t)AVG_N * p->levels,
                     *flux = mean + (ptrdiff_t)(component ? AVG_BN : AVG_AN) * p->levels;
        for (int k = 0; k < p->levels; ++k) {
            const int inner = k > 0 && k < p->levels - 1; /* through walls there is nothing */
            centre[k] = inner ? 0.5 * (u[k - 1] + u[k]) : 0;
            product[k] = inner ? fabs(flux[k] - centre[k] * n[k]) : 0;
        }
    }
    if (p->comm->size > 1) MPI_TRY(MPI_Bcast(p->middle_all, 2 * p->levels, MPI_DOUBLE, 0, p->comm->mpi));
    const int own = plane_average_levels(p->box, p->normal), first = p->decomp->offset[p->normal];
    TRY(mem_to_kernel(p->middle, centre + first, (size_t)own * sizeof *centre));
    return mem_to_kernel(p->middle + own, product + first, (size_t)own * sizeof *centre);
}

kol_status wall_planes_quadrants(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                 int component, const double hole[QUADRANT_HOLES], const double *sample,
                                 double *mean)
{
    struct quadrants q = {.component = component, .centre = p->middle};
    q.product = p->middle + plane_average_levels(p->box, p->normal);
    memcpy(q.hole, hole, sizeof q.hole);
    TRY(find_middle(p, component, sample));
    TRY(plane_average_quadrants(p->box, g->m, p->blocks, p->normal, vel, &q, p->part, p->scratch));
    return finish(p, g, AVG_COUNT, mean);
}
