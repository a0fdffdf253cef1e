/* The levels of one direction, divided into chunks as kernels/tridiag_separators.h needs them. These tables
 * are the same on all ranks. */
#ifndef KOL_POISSON_DIRECT_CHUNKS_H
#define KOL_POISSON_DIRECT_CHUNKS_H

#include "kernels/tridiag_separators.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"

/* direct_chunks_count: returns the number of chunks of direction dir, of at most `levels` levels each. Each
 * block of the grid has the same number of chunks, so that no chunk is divided between ranks. It returns 0 if
 * the number is no power of two, or if it is too large. */
int direct_chunks_count(const struct decomp *d, int dir, int levels);

/* direct_chunks_starts: computes the first level of each chunk: start[0 .. count]. count:
 * direct_chunks_count(). */
void direct_chunks_starts(const struct decomp *d, int dir, int count, int *start);

/* direct_chunks: the tables. Those members of of_grid are set that do not depend on the rank: metric,
 * metric_single, inner, folded, start, slot, inner_width, width, n, chunks and slots. */
struct direct_chunks {
    struct separators of_grid;
    double *values; /* kernel memory */
    float *single;
    int *places;
};

/* direct_chunks_create: makes the tables of `count` chunks.
 *
 *   start   chunk c begins with level start[c]; start[count] is the number of levels
 *   w, g    width of each level, and inverse distances: one more than levels
 *   first   rank p of `parts` ranks has the chunks from first[p] on
 *
 * All of these arrays are in host memory. */
kol_status direct_chunks_create(struct memory *memory, int count, const int *start, const double *w,
                                const double *g, int parts, const int *first, struct direct_chunks *out);
/* direct_chunks_destroy: frees the tables. It accepts a zeroed struct. */
void direct_chunks_destroy(struct direct_chunks *c);

#endif
