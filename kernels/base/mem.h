/* Memory of the kernels (host memory in the CPU build, GPU memory in the CUDA build) and host memory for
 * files and messages. */
#ifndef KOL_BASE_MEM_H
#define KOL_BASE_MEM_H

#include "status.h"

KOL_BEGIN_C

/* mem_kernel_alloc: bytes of kernel memory, aligned to KOL_ALIGN_BYTES, not cleared. KOL_ERR_MEMORY with the
 * amount where there is none. mem_kernel_free takes NULL. */
kol_status mem_kernel_alloc(size_t bytes, void **out);
void mem_kernel_free(void *p);
/* mem_stay_on_host: from now on kernel memory is host memory as any other, in the CUDA build, too, and the
 * processor copies: for what launches no kernel, and has to work where there is no GPU. Before anything else
 * of this header. */
void mem_stay_on_host(void);
/* mem_host_alloc: host memory that transfers take fast (page-locked in the CUDA build). */
kol_status mem_host_alloc(size_t bytes, void **out);
void mem_host_free(void *p);
/* Copies between the two, in order with the queue in use (device.h); they return when the data has arrived.
 */
kol_status mem_to_host(void *host, const void *kernel, size_t bytes);
kol_status mem_to_kernel(void *kernel, const void *host, size_t bytes);
/* The same, but they return at once: host, from mem_host_alloc, may be read or changed when the queue has
 * come past. */
kol_status mem_to_host_begin(void *host, const void *kernel, size_t bytes);
kol_status mem_to_kernel_begin(void *kernel, const void *host, size_t bytes);
/* mem_fill_real: n values set to value (NaN poisons), in the queue in use. */
kol_status mem_fill_real(real *kernel, ptrdiff_t n, real value);
/* mem_kernel_available: bytes of kernel memory that this node's ranks together can still have. */
kol_status mem_kernel_available(size_t *bytes);
/* mem_host_available: the same of host memory: what the host has and the limits of this process's control
 * groups leave. mem_host_available_below: the same by files of the system that lie below the folder root; for
 * tests. */
kol_status mem_host_available(size_t *bytes);
kol_status mem_host_available_below(const char *root, size_t *bytes);

KOL_END_C

#endif
