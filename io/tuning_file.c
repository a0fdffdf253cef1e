/* Keeps measured launch shapes in a text file. */
#include "tuning_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cache_file.h"
#include "kernels/base/regular_file.h"

static const char BLANKS[] = " \t\r\n";

kol_status tuning_file_path(const char *given, char path[DISK_PATH])
{
    if (given[0] != '\0') {
        if (snprintf(path, DISK_PATH, "%s", given) >= DISK_PATH)
            RAISE(KOL_ERR_IO, "the path %.60s... is too long: at most %d bytes", given, DISK_PATH - 1);
        return KOL_OK;
    }
    return cache_file_path("tuning.txt", path);
}

/* Returns the text before the next separator, without blanks round it. *rest moves behind the separator; it
 * becomes NULL at the end. */
static char *next_field(char **rest, char separator)
{
    char *field = *rest, *end = strchr(field, separator);
    *rest = end != NULL ? end + 1 : NULL;
    if (end == NULL) end = field + strlen(field);
    field += strspn(field, BLANKS);
    while (end > field && strchr(BLANKS, end[-1]) != NULL) --end;
    *end = '\0';
    return field;
}

static int take_name(char *to, size_t size, const char *text)
{
    return text[0] != '\0' && (size_t)snprintf(to, size, "%s", text) < size;
}

/* Whether the line is an entry. The line is cut into pieces. */
static int parse(char *line, struct tuning_entry *e)
{
    char *rest = line;
    memset(e, 0, sizeof *e);
    if (!take_name(e->device, sizeof e->device, next_field(&rest, '|')) || rest == NULL) return 0;
    if (!take_name(e->real, sizeof e->real, next_field(&rest, '|')) || rest == NULL) return 0;
    int used = 0;
    const char *size = next_field(&rest, '|');
    if (sscanf(size, "%9d %9d %9d%n", &e->n[0], &e->n[1], &e->n[2], &used) != 3 || size[used] != '\0' ||
        rest == NULL)
        return 0;
    while (rest != NULL) {
        char *shape = next_field(&rest, ',');
        if (e->choices == TUNING_CHOICES) return 0;
        const char *kernel = next_field(&shape, '=');
        if (shape == NULL || !take_name(e->choice[e->choices].kernel, TUNING_NAME, kernel) ||
            !take_name(e->choice[e->choices].shape, TUNING_NAME, next_field(&shape, '=')) || shape != NULL)
            return 0;
        ++e->choices;
    }
    return 1;
}

enum line_kind { LINE_REMARK, LINE_ENTRY, LINE_DAMAGED };

/* Finds what kind of line getline has read. An entry is cut into pieces. A line with a zero byte is damaged,
 * since it is no text. */
static enum line_kind line_kind(char *line, ssize_t length, struct tuning_entry *e)
{
    if (strlen(line) != (size_t)length) return LINE_DAMAGED;
    const char first = line[strspn(line, BLANKS)];
    if (first == '\0' || first == '#') return LINE_REMARK;
    return parse(line, e) ? LINE_ENTRY : LINE_DAMAGED;
}

static int same_case(const struct tuning_entry *a, const struct tuning_entry *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->real, b->real) == 0 &&
           memcmp(a->n, b->n, sizeof a->n) == 0;
}

/* Opens the file; NULL if there is none yet. */
static kol_status open_file(const char *path, FILE **f)
{
    const char *why;
    *f = regular_file_stream(path, O_RDONLY, "r", &why);
    if (*f == NULL && errno != ENOENT && errno != ENOTDIR) RAISE(KOL_ERR_IO, "%s: %s", path, why);
    return KOL_OK;
}

kol_status tuning_file_find(const char *path, struct tuning_entry *e, int *found, int *damaged)
{
    FILE *f;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    *found = *damaged = 0;
    TRY(open_file(path, &f));
    if (f == NULL) return KOL_OK;
    while ((length = getline(&line, &room, f)) >= 0) {
        struct tuning_entry other;
        const enum line_kind kind = line_kind(line, length, &other);
        *damaged += kind == LINE_DAMAGED;
        if (kind == LINE_ENTRY && same_case(&other, e)) {
            *e = other;
            *found = 1;
        }
    }
    const int fault = ferror(f) ? errno : 0;
    free(line);
    fclose(f);
    if (fault != 0) RAISE(KOL_ERR_IO, "%s can't be read: %s", path, strerror(fault));
    return KOL_OK;
}

/* Copies the lines that stay. A damaged line may mean that this is another file, given by mistake; then it
 * must not be replaced. */
static kol_status copy_others(const char *path, const struct tuning_entry *e, FILE *to)
{
    FILE *f;
    char *line = NULL, *pieces = NULL;
    size_t room = 0;
    ssize_t length;
    int number = 0, damaged = 0;
    TRY(open_file(path, &f));
    if (f == NULL) return KOL_OK;
    while (!damaged && (length = getline(&line, &room, f)) >= 0) {
        struct tuning_entry other;
        ++number;
        free(pieces);
        pieces = strdup(line);
        if (pieces == NULL) break;
        line[strcspn(line, "\n")] = '\0';
        const enum line_kind kind = line_kind(pieces, length, &other);
        damaged = kind == LINE_DAMAGED;
        if (kind == LINE_REMARK || (kind == LINE_ENTRY && !same_case(&other, e))) fprintf(to, "%s\n", line);
    }
    const int whole = feof(f);
    free(pieces);
    free(line);
    fclose(f);
    if (damaged) RAISE(KOL_ERR_IO, "%s is not a tuning file (line %d)", path, number);
    if (!whole) RAISE(KOL_ERR_IO, "%s: the file could not be read to its end", path);
    return KOL_OK;
}

static void write_entry(const struct tuning_entry *e, FILE *to)
{
    fprintf(to, "%s | %s | %d %d %d |", e->device, e->real, e->n[0], e->n[1], e->n[2]);
    for (int i = 0; i < e->choices; ++i)
        fprintf(to, "%s %s = %s", i > 0 ? "," : "", e->choice[i].kernel, e->choice[i].shape);
    putc('\n', to);
}

kol_status tuning_file_keep(const char *path, const struct tuning_entry *e)
{
    struct cache_file file;
    TRY(cache_file_begin(path, &file));
    const kol_status st = copy_others(path, e, file.to);
    write_entry(e, file.to);
    return cache_file_end(&file, st);
}
