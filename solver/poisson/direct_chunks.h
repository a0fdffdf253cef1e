/* The levels of one direction in chunks, as kernels/separators.h wants them: the tables that all ranks have
 * alike. */
#ifndef KOL_POISSON_DIRECT_CHUNKS_H
#define KOL_POISSON_DIRECT_CHUNKS_H

#include "kernels/separators.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"

/* direct_chunks_count: chunks of direction dir, the same number in each block of the grid, so that no rank's
 * boundary cuts one; 0 where it is no power of two, or too large a one. */
int direct_chunks_count(const struct decomp *d, int dir);

/* direct_chunks_starts: start[0 .. count]; count: direct_chunks_count(). */
void direct_chunks_starts(const struct decomp *d, int dir, int count, int *start);

/* chunks: of_grid: its members metric, inner, folded, start, slot, inner_width, width, n, chunks, slots are
 * set. */
struct direct_chunks {
    struct separators of_grid;
    double *values; /* kernel memory */
    int *places;
};

/* direct_chunks_create: count chunks, chunk c from level start[c] on; w, g: of the levels, start[count] and
 * one more; rank p of `parts` has the chunks from first[p] on. Host memory. direct_chunks_destroy takes a
 * zeroed struct. */
kol_status direct_chunks_create(struct memory *memory, int count, const int *start, const double *w,
                                const double *g, int parts, const int *first, struct direct_chunks *out);
void direct_chunks_destroy(struct direct_chunks *c);

#endif
