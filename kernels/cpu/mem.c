#include "../base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static kol_status allocate(size_t bytes, void **out)
{
    const size_t align = KOL_ALIGN_BYTES;
    *out = aligned_alloc(align, (bytes + align - 1) / align * align);
    if (*out == NULL && bytes > 0)
        RAISE(KOL_ERR_MEMORY, "no memory for %.3f GiB", (double)bytes / 1073741824.0);
    return KOL_OK;
}

kol_status mem_kernel_alloc(size_t bytes, void **out)
{
    return allocate(bytes, out);
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

/* What Linux says a new program can have without swapping, page cache that can go included. */
kol_status mem_kernel_available(size_t *bytes)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1) break;
    }
    if (f != NULL) fclose(f);
    if (kib > 0) {
        *bytes = (size_t)kib * 1024;
        return KOL_OK;
    }
    const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages < 0 || page < 0) RAISE(KOL_ERR_INTERNAL, "the system does not tell its free memory");
    *bytes = (size_t)pages * (size_t)page;
    return KOL_OK;
}
