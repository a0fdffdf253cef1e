/* Provides the kernel memory of the CPU build, which is host memory. */
#include "../base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Fields of at least LARGE bytes are asked for in pages of HUGE_PAGE bytes. The sweeps go through many arrays
 * at a time, and miss fewer entries of the page table with these. The system may give small ones. */
enum { HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

static kol_status allocate_large(size_t bytes, void **out)
{
    if (posix_memalign(out, HUGE_PAGE, bytes) != 0) {
        *out = NULL;
        RAISE(KOL_ERR_MEMORY, "no memory for %.3f GiB", (double)bytes / 1073741824.0);
    }
#ifdef MADV_HUGEPAGE
    (void)madvise(*out, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return KOL_OK;
}

static kol_status allocate(size_t bytes, void **out)
{
    const size_t align = KOL_ALIGN_BYTES;
    *out = aligned_alloc(align, (bytes + align - 1) / align * align);
    if (*out == NULL && bytes > 0)
        RAISE(KOL_ERR_MEMORY, "no memory for %.3f GiB", (double)bytes / 1073741824.0);
    return KOL_OK;
}

void mem_stay_on_host(void)
{
}

kol_status mem_kernel_alloc(size_t bytes, void **out)
{
    return bytes >= LARGE ? allocate_large(bytes, out) : allocate(bytes, out);
}

void mem_kernel_free(void *p)
{
    free(p);
}

kol_status mem_host_alloc(size_t bytes, void **out)
{
    return allocate(bytes, out);
}

void mem_host_free(void *p)
{
    free(p);
}

kol_status mem_to_host(void *host, const void *kernel, size_t bytes)
{
    memcpy(host, kernel, bytes);
    return KOL_OK;
}

kol_status mem_to_kernel(void *kernel, const void *host, size_t bytes)
{
    memcpy(kernel, host, bytes);
    return KOL_OK;
}

kol_status mem_to_host_begin(void *host, const void *kernel, size_t bytes)
{
    return mem_to_host(host, kernel, bytes);
}

kol_status mem_to_kernel_begin(void *kernel, const void *host, size_t bytes)
{
    return mem_to_kernel(kernel, host, bytes);
}

kol_status mem_fill_real(real *kernel, ptrdiff_t n, real value)
{
    for (ptrdiff_t i = 0; i < n; ++i) kernel[i] = value;
    return KOL_OK;
}

kol_status mem_kernel_available(size_t *bytes)
{
    return mem_host_available(bytes);
}
