/* Counts values in bins, on the device and over the ranks. */
#include "density_counts.h"

#include <string.h>
#include "kernels/base/mem.h"

static size_t bytes_of(const struct density_counts *c)
{
    return c->sets * COUNT_SLOTS * sizeof *c->kernel;
}

kol_status density_counts_create(struct memory *memory, const struct comm *comm, size_t sets,
                                 struct density_counts *out)
{
    *out = (struct density_counts){.comm = comm, .sets = sets};
    TRY(memory_kernel(memory, bytes_of(out), (void **)&out->kernel));
    return memory_host(memory, bytes_of(out), (void **)&out->host);
}

void density_counts_free(struct density_counts *c)
{
    mem_kernel_free(c->kernel);
    mem_host_free(c->host);
}

kol_status density_counts_clear(struct density_counts *c)
{
    memset(c->host, 0, bytes_of(c));
    return mem_to_kernel(c->kernel, c->host, bytes_of(c));
}

unsigned long long *density_counts_of(const struct density_counts *c, size_t set)
{
    return c->kernel + set * COUNT_SLOTS;
}

/* The field stands for all three components of a velocity, so each cell counts three times. The counts of the
 * vorticity, in the next set, are of no use. */
kol_status density_counts_add(const struct density_counts *c, size_t set, struct box b, struct metrics m,
                              real *field, double shift, double scale)
{
    real *const vel[3] = {field, field, field};
    const struct counted how = {{shift, shift, shift}, {scale, scale, scale}, {0, 0, 0}};
    return increments_count_fields(b, m, how, vel, density_counts_of(c, set));
}

kol_status density_counts_add_volume(const struct density_counts *c, size_t set, struct box b,
                                     struct metrics m, struct counted_volume how, const real *field)
{
    return increments_count_volume(b, m, how, field, density_counts_of(c, set));
}

kol_status density_counts_collect(struct density_counts *c)
{
    TRY(mem_to_host(c->host, c->kernel, bytes_of(c)));
    if (c->comm->size == 1) return KOL_OK;
    const int root = c->comm->rank == 0;
    MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : c->host, root ? c->host : NULL, (int)(c->sets * COUNT_SLOTS),
                       MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, c->comm->mpi));
    return KOL_OK;
}

void density_counts_shares(const struct density_counts *c, size_t set, double *share)
{
    const unsigned long long *from = c->host + set * COUNT_SLOTS;
    double all = 0;
    for (int slot = 0; slot < COUNT_SLOTS; ++slot) all += (double)from[slot];
    for (int slot = 0; slot < COUNT_SLOTS; ++slot) share[slot] = (double)from[slot] / all;
}
