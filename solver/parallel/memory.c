/* Allocates the memory of objects, or only counts what they would take. */
#include "memory.h"

#include <stdlib.h>
#include "kernels/base/mem.h"

int memory_counts(const struct memory *m)
{
    return m != NULL;
}

kol_status memory_kernel(struct memory *m, size_t bytes, void **out)
{
    *out = NULL;
    if (m == NULL) return mem_kernel_alloc(bytes, out);
    m->kernel += bytes;
    return KOL_OK;
}

kol_status memory_host(struct memory *m, size_t bytes, void **out)
{
    *out = NULL;
    if (m == NULL) return mem_host_alloc(bytes, out);
    m->host += bytes;
    return KOL_OK;
}

static kol_status on_host(struct memory *m, size_t bytes, int cleared, void **out)
{
    *out = NULL;
    if (m != NULL) {
        m->host += bytes;
        return KOL_OK;
    }
    *out = cleared ? calloc(bytes, 1) : malloc(bytes);
    if (*out == NULL && bytes > 0)
        RAISE(KOL_ERR_MEMORY, "no host memory for %.3f GiB", (double)bytes / 1073741824.0);
    return KOL_OK;
}

kol_status memory_plain(struct memory *m, size_t bytes, void **out)
{
    return on_host(m, bytes, 0, out);
}

kol_status memory_cleared(struct memory *m, size_t bytes, void **out)
{
    return on_host(m, bytes, 1, out);
}

void memory_library(struct memory *m, size_t bytes)
{
    if (m == NULL) return;
    m->kernel += bytes;
    m->library += bytes;
}

void memory_for_a_while(struct memory *m, const struct memory *part)
{
    const size_t bytes = part->host + part->temporary;
    if (m != NULL && bytes > m->temporary) m->temporary = bytes;
}

kol_status memory_agree(const struct memory *m, const struct comm *c, kol_status st)
{
    return m == NULL ? comm_agree(c, st) : st;
}
