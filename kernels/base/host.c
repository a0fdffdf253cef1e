#include <stdio.h>
#include <unistd.h>
#include "mem.h"

/* What Linux says a new program can have without swapping, page cache that can go included. */
kol_status mem_host_available(size_t *bytes)
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
