/* Finds out how much memory this host has left, by its system files and by the limits of control groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mem.h"

enum { PATH_TEXT = 4096 };

/* --- the host --- */

/* Reads the number that follows `word` in a file; if word is "", the first number. */
static int number_in(const char *path, const char *word, double *value)
{
    FILE *f = fopen(path, "r");
    char line[256];
    const size_t length = strlen(word);
    int found = 0;
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        char *end;
        if (strncmp(line, word, length) != 0) continue;
        *value = strtod(line + length, &end);
        found = end != line + length;
    }
    if (f != NULL) fclose(f);
    return found;
}

/* Reads how much Linux says a new program can have without swapping, which includes page cache that can be
 * freed. */
static kol_status of_host(const char *root, double *bytes)
{
    char path[PATH_TEXT];
    double kib = 0;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    if (number_in(path, "MemAvailable:", &kib)) {
        *bytes = kib * 1024;
        return KOL_OK;
    }
    const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages < 0 || page < 0) RAISE(KOL_ERR_INTERNAL, "the system does not tell its free memory");
    *bytes = (double)pages * (double)page;
    return KOL_OK;
}

/* --- control groups, by which batch systems and containers set limits --- */

/* hierarchy: where one of the two kinds of control groups of Linux keeps its groups, and the names of its
 * files. */
struct hierarchy {
    const char *mounted, *limit, *used, *inactive, *active;
};
static const struct hierarchy VERSION_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                           "memory.usage_in_bytes", "total_inactive_file ",
                                           "total_active_file "};
static const struct hierarchy VERSION_2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file ",
                                           "active_file "};

/* Lowers *bytes to what one group leaves, which includes page cache that can be freed. The limit of a group
 * without a limit is the word "max", or a number larger than the memory of any host. */
static void lower_to_group(const char *root, const struct hierarchy *h, const char *group, double *bytes)
{
    char path[PATH_TEXT + 512];
    double limit, used = 0, inactive = 0, active = 0;
    snprintf(path, sizeof path, "%s%s%s/%s", root, h->mounted, group, h->limit);
    if (!number_in(path, "", &limit)) return;
    snprintf(path, sizeof path, "%s%s%s/%s", root, h->mounted, group, h->used);
    if (!number_in(path, "", &used)) return;
    snprintf(path, sizeof path, "%s%s%s/memory.stat", root, h->mounted, group);
    (void)number_in(path, h->inactive, &inactive);
    (void)number_in(path, h->active, &active);
    double left = limit - used + inactive + active;
    if (left > limit) left = limit;
    if (left < 0) left = 0;
    if (left < *bytes) *bytes = left;
}

/* Looks at the group and at all groups above it, since each may have a limit. In a container that sees its
 * own group as the topmost one, the path of the group does not exist, and the topmost group counts. */
static void lower_to_groups(const char *root, const struct hierarchy *h, char *group, double *bytes)
{
    for (;;) {
        lower_to_group(root, h, strcmp(group, "/") == 0 ? "" : group, bytes);
        char *last = strrchr(group, '/');
        if (last == NULL || group[1] == '\0') return;
        last[last == group] = '\0';
    }
}

/* Reads a line of /proc/self/cgroup, "number:controllers:group". */
static void lower_to_line(const char *root, char *line, double *bytes)
{
    char *controllers = strchr(line, ':'), *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL || group[1] != '/') return;
    *group++ = '\0';
    ++controllers;
    group[strcspn(group, "\n")] = '\0';
    if (controllers[0] == '\0') lower_to_groups(root, &VERSION_2, group, bytes);
    for (char *one = strtok(controllers, ","); one != NULL; one = strtok(NULL, ","))
        if (strcmp(one, "memory") == 0) lower_to_groups(root, &VERSION_1, group, bytes);
}

kol_status mem_host_available_below(const char *root, size_t *bytes)
{
    char path[PATH_TEXT], line[PATH_TEXT];
    double left;
    TRY(of_host(root, &left));
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) lower_to_line(root, line, &left);
    if (f != NULL) fclose(f);
    *bytes = (size_t)left;
    return KOL_OK;
}

kol_status mem_host_available(size_t *bytes)
{
    return mem_host_available_below("", bytes);
}
