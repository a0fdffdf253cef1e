/* Tests that any bytes are read without harm as an input file, together with settings of the command line.
 * Catches what the sanitizers detect, and broken promises of the reader. A text that is refused gives
 * KOL_ERR_INPUT, with printable lines that say where the fault is. A text that is accepted is printed by
 * input_print; if it is read again, all values have the same bits. The comparison with the inputs of an
 * earlier run (compare.h) then finds no difference.
 *
 * The bytes are the file, followed by settings "group.name=value", each after a byte 1. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "inputs/compare.h"
#include "inputs/namelist.h"
#include "inputs/print.h"

enum { SETS_MAX = 8, SET_MARK = 1 };

/* copy: returns a copy of the bytes in memory of its own, so that the sanitizers see a read beyond their
 * end. It ends with the given number of zeros. */
static char *copy(const uint8_t *from, size_t length, size_t zeros)
{
    char *to = malloc(length + zeros + (length + zeros == 0));
    REQUIRE(to != NULL);
    if (length) memcpy(to, from, length);
    memset(to + length, 0, zeros);
    return to;
}

static size_t until_mark(const uint8_t *data, size_t size)
{
    const uint8_t *mark = size ? memchr(data, SET_MARK, size) : NULL;
    return mark ? (size_t)(mark - data) : size;
}

/* Checks that each line of the message names the file or the setting, and that no control character of the
 * text reaches the message. */
static void check_message(int sets)
{
    const char *line = status_message();
    REQUIRE(line[0] != '\0');
    for (const char *c = line; *c; ++c) REQUIRE(*c == '\n' || (*c >= 32 && *c < 127));
    while (line) {
        REQUIRE(strncmp(line, "f:", 2) == 0 || (sets > 0 && strncmp(line, "--set ", 6) == 0) ||
                strncmp(line, "... and ", 8) == 0);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
}

static void check_source(const struct input_source *source, const char *text, size_t length)
{
    int lines = 1;
    for (size_t i = 0; i < length; ++i) lines += text[i] == '\n';
    for (int v = 0; v < INPUT_VARIABLES_MAX; ++v) REQUIRE(source->line[v] >= -1 && source->line[v] <= lines);
    const size_t used = strnlen(source->warnings, INPUT_WARNINGS);
    REQUIRE(used < INPUT_WARNINGS && (used == 0 || source->warnings[used - 1] == '\n'));
}

static void no_change(void *context, const struct input_change *change)
{
    (void)context;
    fprintf(stderr, "%s: was %s, now %s\n", change->name, change->was, change->now);
}

static void any_change(void *context, const struct input_change *change)
{
    *(size_t *)context += strlen(change->name) + strlen(change->was) + strlen(change->now);
}

static void check_printed(const struct input *in, const struct input_source *source)
{
    struct input again;
    char *printed = input_text(in, source);
    REQUIRE(printed != NULL);
    REQUIRE(input_read("printed", printed, strlen(printed), NULL, 0, &again, NULL) == KOL_OK);
    REQUIRE(memcmp(in, &again, sizeof again) == 0);
    REQUIRE(input_compare(printed, in, no_change, NULL) == 0);
    free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct input in;
    struct input_source source;
    char *set[SETS_MAX];
    int sets = 0;
    const size_t length = until_mark(data, size);
    char *text = copy(data, length, 0);
    for (size_t at = length; at < size && sets < SETS_MAX;) {
        const size_t one = until_mark(data + at + 1, size - at - 1);
        set[sets++] = copy(data + at + 1, one, 1);
        at += 1 + one;
    }
    status_clear();
    const kol_status st = input_read(
        "f", text, length, &(struct input_settings){sets, (const char *const *)set, NULL}, 0, &in, &source);
    REQUIRE(st == KOL_OK || st == KOL_ERR_INPUT);
    if (st == KOL_OK) {
        size_t told = 0;
        char *left = copy(data, length, 1); /* as the text in a file of another program */
        check_source(&source, text, length);
        check_printed(&in, &source);
        input_compare(left, &in, any_change, &told);
        free(left);
    } else {
        check_message(sets);
    }
    for (int i = 0; i < sets; ++i) free(set[i]);
    free(text);
    return 0;
}
