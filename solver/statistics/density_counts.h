/* Counts of values in bins, for probability densities of scalars. docs/statistics.md, "Densities of
 * scalars". */
#ifndef KOL_STATISTICS_DENSITY_COUNTS_H
#define KOL_STATISTICS_DENSITY_COUNTS_H

#include "kernels/increments.h"
#include "parallel/comm.h"
#include "parallel/memory.h"

/* density_counts: `sets` sets of COUNT_SLOTS counts, one set after the other. */
struct density_counts {
    const struct comm *comm; /* borrowed */
    size_t sets;
    unsigned long long *kernel, *host;
};
/* density_counts_create: takes memory for the counts. density_counts_free: frees it; without memory it does
 * nothing. */
kol_status density_counts_create(struct memory *memory, const struct comm *comm, size_t sets,
                                 struct density_counts *out);
void density_counts_free(struct density_counts *c);
/* density_counts_clear: sets all counts to 0. density_counts_of: returns a set in kernel memory. */
kol_status density_counts_clear(struct density_counts *c);
unsigned long long *density_counts_of(const struct density_counts *c, size_t set);
/* density_counts_add: counts the values of a field in a set. From each value `shift` is subtracted; the
 * result is multiplied by `scale`. The next set is changed, too, and is of no use then. */
enum { DENSITY_COUNTS_FIELD = 2 }; /* sets that it takes */
kol_status density_counts_add(const struct density_counts *c, size_t set, struct box b, struct metrics m,
                              real *field, double shift, double scale);
/* density_counts_add_volume: does the same, each cell with its volume. It changes one set. */
kol_status density_counts_add_volume(const struct density_counts *c, size_t set, struct box b,
                                     struct metrics m, struct counted_volume how, const real *field);
/* density_counts_collect: adds up the counts of all ranks on rank 0. Collective. density_counts_shares:
 * puts the counts of a set on rank 0, divided by their sum, to share[COUNT_SLOTS]. */
kol_status density_counts_collect(struct density_counts *c);
void density_counts_shares(const struct density_counts *c, size_t set, double *share);

#endif
