/* Kernel memory, and host memory for files and messages. Kernel memory is GPU memory in the CUDA build and
 * host memory in the CPU build. */
#ifndef KOL_BASE_MEM_H
#define KOL_BASE_MEM_H

#include "status.h"

KOL_BEGIN_C

/* mem_kernel_alloc: allocates kernel memory, aligned to KOL_ALIGN_BYTES. The memory is not cleared. Returns
 * KOL_ERR_MEMORY, with the amount in its message, if there is not enough. mem_kernel_free accepts NULL. */
kol_status mem_kernel_alloc(size_t bytes, void **out);
void mem_kernel_free(void *p);
/* mem_stay_on_host: makes kernel memory plain host memory, also in the CUDA build. Copies are then done by
 * the host's processor. This is for programs that launch no kernel and have to work without a GPU. Call it
 * before anything else in this header. */
void mem_stay_on_host(void);
/* mem_host_alloc: allocates host memory for fast transfers. It is page-locked in the CUDA build, and kernels
 * can write to it. */
kol_status mem_host_alloc(size_t bytes, void **out);
void mem_host_free(void *p);
/* Copies between host memory and kernel memory, in order with the queue in use (device.h). They return when
 * the data have arrived. */
kol_status mem_to_host(void *host, const void *kernel, size_t bytes);
kol_status mem_to_kernel(void *kernel, const void *host, size_t bytes);
/* These functions start the same copies and return at once. `host` must come from mem_host_alloc. It may be
 * read or changed only after the queue has done the copy. */
kol_status mem_to_host_begin(void *host, const void *kernel, size_t bytes);
kol_status mem_to_kernel_begin(void *kernel, const void *host, size_t bytes);
/* mem_fill_real: sets n values to `value`, in the queue in use. Debug builds fill with NaN. */
kol_status mem_fill_real(real *kernel, ptrdiff_t n, real value);
/* mem_kernel_available: finds how many bytes of kernel memory the ranks of this node together can still
 * allocate. */
kol_status mem_kernel_available(size_t *bytes);
/* mem_host_available: finds how many bytes of host memory can still be allocated. This is the smaller of two
 * numbers: what the host has, and what the limits of this process's control groups leave.
 * mem_host_available_below: does the same, but reads the system files below the folder `root`; for tests. */
kol_status mem_host_available(size_t *bytes);
kol_status mem_host_available_below(const char *root, size_t *bytes);

KOL_END_C

#endif
