/* Stands for the processor in the CPU build. Work is done at once, so queues and marks are trivial. */
#include "../base/device.h"
#include "../base/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *device_backend(void)
{
    return "cpu";
}

int device_is_gpu(void)
{
    return 0;
}

/* The name is the processor's model name on Linux, and a plain word elsewhere. */
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

/* All work is done when its call returns, so queues need no order and no waits. */
void device_use(enum device_queue queue)
{
    (void)queue;
}

kol_status device_after(enum device_queue later, enum device_queue earlier)
{
    (void)later;
    (void)earlier;
    return KOL_OK;
}

kol_status device_wait(void)
{
    return KOL_OK;
}

struct device_mark {
    double at; /* seconds of a clock that never goes back */
};

kol_status device_mark_create(int timing, struct device_mark **out)
{
    (void)timing;
    *out = calloc(1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a mark");
    return KOL_OK;
}

void device_mark_destroy(struct device_mark **m)
{
    free(*m);
    *m = NULL;
}

kol_status device_mark_record(struct device_mark *m)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    m->at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    return KOL_OK;
}

/* What is waited for on a GPU is where runs that share the process take turns here, too. */
kol_status device_mark_wait(struct device_mark *m)
{
    (void)m;
    turns_wait(NULL, NULL);
    return KOL_OK;
}

kol_status device_after_mark(enum device_queue later, const struct device_mark *m)
{
    (void)later;
    (void)m;
    return KOL_OK;
}

kol_status device_mark_seconds(const struct device_mark *from, const struct device_mark *to, double *seconds)
{
    *seconds = to->at - from->at;
    return KOL_OK;
}

void device_range(const char *name)
{
    (void)name;
}
