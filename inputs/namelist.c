/* Reads a whole input: defaults, the file, the settings of the command line, then the rules. */
#include "namelist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parse.h"
#include "resolve.h"

static void source_fill(const struct reading *r, const char *name, struct input_source *source)
{
    memset(source, 0, sizeof *source);
    snprintf(source->name, sizeof source->name, "%s", name);
    for (int v = 0; v < r->count; ++v) source->line[v] = r->given[v].place.set ? -1 : r->given[v].place.line;
    memcpy(source->warnings, r->warnings, sizeof source->warnings);
}

kol_status input_read(const char *name, const char *text, size_t length, const char *const *set, int sets,
                      int nranks, struct input *in, struct input_source *source)
{
    if (length > INPUT_BYTES_MAX)
        RAISE(KOL_ERR_INPUT, "%s:1:1: error: the file has %zu bytes; at most %d are allowed", name, length,
              INPUT_BYTES_MAX);
    struct reading *r = malloc(sizeof *r);
    if (!r) RAISE(KOL_ERR_MEMORY, "no memory to read %s: %zu bytes", name, sizeof *r);
    int count = 0;
    const struct variable *table = input_table(&count);
    memset(in, 0, sizeof *in);
    reading_start(r, name, table, count, in);
    parse_file(r, text, length);
    for (int i = 0; i < sets; ++i) parse_set(r, set[i], i + 1);
    check_given(r, in);
    resolve_inputs(r, in);
    check_rules(r, in, nranks);
    if (source) source_fill(r, name, source);
    const kol_status st = faults_raise(&r->faults, name, set);
    free(r);
    return st;
}

kol_status input_load(const char *path, char **text, size_t *length)
{
    *text = NULL;
    *length = 0;
    FILE *file = fopen(path, "rb");
    if (!file) RAISE(KOL_ERR_INPUT, "%s: error: the file can't be opened: %s", path, strerror(errno));
    char *bytes = malloc(INPUT_BYTES_MAX + 2);
    const size_t got = bytes ? fread(bytes, 1, INPUT_BYTES_MAX + 1, file) : 0;
    const int failed = ferror(file), why = errno;
    fclose(file);
    if (!bytes) RAISE(KOL_ERR_MEMORY, "no memory to read %s: %d bytes", path, INPUT_BYTES_MAX);
    if (failed || got > INPUT_BYTES_MAX) {
        free(bytes);
        if (failed) RAISE(KOL_ERR_INPUT, "%s: error: the file can't be read: %s", path, strerror(why));
        RAISE(KOL_ERR_INPUT, "%s: error: the file is larger than %d bytes, so it is no input file", path,
              INPUT_BYTES_MAX);
    }
    bytes[got] = '\0';
    *text = bytes;
    *length = got;
    return KOL_OK;
}
