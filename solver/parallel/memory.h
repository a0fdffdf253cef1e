/* Where what is created gets its memory: from the machine or, to learn what that will be, from nowhere.
 *
 * Every create function that takes arrays which grow with the grid is given a struct memory *. NULL: it takes
 * them. Otherwise they are only counted there, by the same lines: the function finds its sizes, asks for its
 * arrays, gets NULL for each, and returns before it would write to them, and before it touches a GPU, another
 * rank or a file. What it leaves behind is of no use but to be destroyed, and to tell its sizes to what is
 * created next. So what a run will take is known before it takes it, on a machine without a GPU, too. */
#ifndef KOL_PARALLEL_MEMORY_H
#define KOL_PARALLEL_MEMORY_H

#include "comm.h"

/* memory: bytes counted so far; library: what of the kernel memory memory_library() counted. */
struct memory {
    size_t kernel, host, library;
};

/* memory_counts: whether memory is only counted; the create function then ends when it has asked for all. */
int memory_counts(const struct memory *m);
/* memory_kernel, memory_host: mem_kernel_alloc(), mem_host_alloc(), or *out = NULL and the bytes counted.
 * memory_plain: host memory that no transfer is to take fast, from malloc(); free() gives it back. The other
 * two go back by mem_kernel_free() and mem_host_free(). */
kol_status memory_kernel(struct memory *m, size_t bytes, void **out);
kol_status memory_host(struct memory *m, size_t bytes, void **out);
kol_status memory_plain(struct memory *m, size_t bytes, void **out);
/* memory_library: counts kernel memory that a library or a kernel takes for itself, as far as it tells;
 * nothing where memory is taken. */
void memory_library(struct memory *m, size_t bytes);
/* memory_agree: comm_agree(); where memory is only counted st itself, as that is each rank's own affair. */
kol_status memory_agree(const struct memory *m, const struct comm *c, kol_status st);

#endif
