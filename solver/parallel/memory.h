/* Takes the memory of an object when it is created, or only counts it.
 *
 * Every create function that allocates arrays which grow with the grid has an argument struct memory *. If it
 * is NULL, the arrays are allocated. Otherwise their bytes are only counted there, by the same lines of code:
 * the function finds its sizes, asks for its arrays, gets NULL for each, and returns before it would write to
 * them and before it touches a GPU, another rank or a file. The object that it leaves can only be destroyed,
 * or tell its sizes to what is created next. So the memory of a run is known before it is taken, also on a
 * machine without a GPU. */
#ifndef KOL_PARALLEL_MEMORY_H
#define KOL_PARALLEL_MEMORY_H

#include "comm.h"

/* memory: bytes counted so far. library is the part of `kernel` that memory_library() counted. temporary is
 * the most host memory that is held for a while beside `host` (memory_for_a_while()). */
struct memory {
    size_t kernel, host, library, temporary;
};

/* memory_counts: returns whether memory is only counted. If so, the create function returns when it has asked
 * for all of its arrays. */
int memory_counts(const struct memory *m);
/* Each of these four allocates `bytes` bytes, or sets *out = NULL and counts them.
 *
 * memory_kernel: calls mem_kernel_alloc(). The memory is freed by mem_kernel_free(). */
kol_status memory_kernel(struct memory *m, size_t bytes, void **out);
/* memory_host: calls mem_host_alloc(). The memory is freed by mem_host_free(). */
kol_status memory_host(struct memory *m, size_t bytes, void **out);
/* memory_plain: host memory from malloc(), for arrays that need no fast transfers to a GPU. Freed by
 * free(). */
kol_status memory_plain(struct memory *m, size_t bytes, void **out);
/* memory_cleared: the same from calloc(), for arrays that begin with zeros. Freed by free(). */
kol_status memory_cleared(struct memory *m, size_t bytes, void **out);
/* memory_library: counts kernel memory that a library or a kernel allocates for itself, so far as its size is
 * known. If memory is allocated rather than counted, it does nothing. */
void memory_library(struct memory *m, size_t bytes);
/* memory_for_a_while: counts temporary host memory. `part` is freed before the next such part is allocated,
 * so only the largest of all parts counts. */
void memory_for_a_while(struct memory *m, const struct memory *part);
/* memory_agree: returns comm_agree(c, st). If memory is only counted, it returns st itself, because then each
 * rank counts on its own. */
kol_status memory_agree(const struct memory *m, const struct comm *c, kol_status st);

#endif
