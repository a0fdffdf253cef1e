#include "../base/device.h"

#include <stdio.h>
#include <string.h>

const char *device_backend(void)
{
    return "cpu";
}

/* The model name as Linux tells it; elsewhere the plain word. */
kol_status device_select(int local_rank, char *text, size_t size)
{
    (void)local_rank;
    snprintf(text, size, "CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (f == NULL) return KOL_OK;
    char line[256];
    while (fgets(line, sizeof line, f) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(text, size, "%s", colon + 2);
            text[strcspn(text, "\n")] = '\0';
            break;
        }
    }
    fclose(f);
    return KOL_OK;
}

int device_count(void)
{
    return 0;
}

kol_status device_wait(void)
{
    return KOL_OK;
}
