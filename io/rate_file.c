/* Keeps in a text file how fast runs on this machine were. */
#include "rate_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "cache_file.h"

enum { RATE_LINE = 1024, RATE_LINES = 500 }; /* longest line; lines that are kept */

kol_status rate_file_path(char path[DISK_PATH])
{
    return cache_file_path("rates.txt", path);
}

/* Takes the text before the next '|', without blanks round it. Returns what follows; NULL if the text does
 * not fit or there is no '|'. */
static const char *take_text(const char *line, char text[RATE_TEXT])
{
    if (line == NULL) return NULL;
    line += strspn(line, " ");
    const char *bar = strchr(line, '|');
    if (bar == NULL || bar - line >= RATE_TEXT) return NULL;
    size_t length = (size_t)(bar - line);
    while (length > 0 && line[length - 1] == ' ') --length;
    memcpy(text, line, length);
    text[length] = '\0';
    return bar + 1;
}

/* Whether the line is of the form that rate_file_keep writes, with numbers that make sense. */
static int parse(const char *line, struct rate *r)
{
    memset(r, 0, sizeof *r);
    const char *rest = take_text(line, r->host);
    rest = take_text(rest, r->device);
    rest = take_text(rest, r->build);
    rest = take_text(rest, r->method);
    if (rest == NULL || sscanf(rest, "%9d | %9d %9d %9d | %lf | %15s", &r->ranks, &r->n[0], &r->n[1],
                               &r->n[2], &r->seconds, r->day) != 6)
        return 0;
    return r->ranks > 0 && r->n[0] > 0 && r->n[1] > 0 && r->n[2] > 0 && r->seconds > 0 && r->seconds < 1e9;
}

static int same_host(const struct rate *a, const struct rate *b)
{
    return strcmp(a->host, b->host) == 0;
}

static int same_method(const struct rate *a, const struct rate *b)
{
    return strcmp(a->build, b->build) == 0 && strcmp(a->method, b->method) == 0;
}

static int same_size(const struct rate *a, const struct rate *b)
{
    return a->ranks == b->ranks && memcmp(a->n, b->n, sizeof a->n) == 0;
}

/* How far two runs are apart, in factors of e: in the number of ranks, and in that of the cells of a rank. A
 * run on another host that has the same device is a little further away; on another device, it is too far. */
static double distance(const struct rate *a, const struct rate *b)
{
    const double other_host = 0.1;
    double cells = (double)b->ranks / a->ranks;
    if (!same_host(a, b) && (a->device[0] == '\0' || strcmp(a->device, b->device) != 0)) return INFINITY;
    for (int d = 0; d < 3; ++d) cells *= (double)a->n[d] / b->n[d];
    return fabs(log((double)a->ranks / b->ranks)) + fabs(log(cells)) + (same_host(a, b) ? 0 : other_host);
}

/* Opens the file; NULL if there is none yet, or if it is no regular file. */
static kol_status open_file(const char *path, FILE **f)
{
    struct stat about;
    *f = NULL;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return KOL_OK;
    *f = fopen(path, "re");
    if (*f == NULL) RAISE(KOL_ERR_IO, "%s: %s", path, strerror(errno));
    return KOL_OK;
}

kol_status rate_file_find(const char *path, struct rate *r, int *found)
{
    FILE *f;
    char line[RATE_LINE];
    struct rate best = *r;
    double least = log(RATE_FAR);
    *found = 0;
    TRY(open_file(path, &f));
    if (f == NULL) return KOL_OK;
    while (fgets(line, sizeof line, f) != NULL) {
        struct rate other;
        if (!parse(line, &other) || !same_method(&other, r)) continue;
        const double far = distance(&other, r);
        if (far > least) continue;
        least = far;
        best = other;
        *found = 1;
    }
    fclose(f);
    if (*found) *r = best;
    return KOL_OK;
}

/* Copies the lines that stay, of which the newest are the last. */
static kol_status copy_others(const char *path, const struct rate *r, FILE *to)
{
    FILE *f;
    char line[RATE_LINE];
    int lines = 0, skip;
    TRY(open_file(path, &f));
    if (f == NULL) return KOL_OK;
    while (fgets(line, sizeof line, f) != NULL) ++lines;
    rewind(f);
    for (skip = lines - RATE_LINES + 1; fgets(line, sizeof line, f) != NULL; --skip) {
        struct rate other;
        if (skip > 0 || !parse(line, &other) ||
            (same_host(&other, r) && same_method(&other, r) && same_size(&other, r)))
            continue;
        fputs(line, to);
    }
    fclose(f);
    return KOL_OK;
}

kol_status rate_file_keep(const char *path, const struct rate *r)
{
    struct cache_file file;
    TRY(cache_file_begin(path, &file));
    const kol_status st = copy_others(path, r, file.to);
    fprintf(file.to, "%s | %s | %s | %s | %d | %d %d %d | %.4e | %s\n", r->host, r->device, r->build,
            r->method, r->ranks, r->n[0], r->n[1], r->n[2], r->seconds, r->day);
    return cache_file_end(&file, st);
}
