/* Reads bodies from a text file, one a line. */
#include "body_list_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/bodies.h"
#include "parallel/share_file.h"
#include "text_numbers.h"

enum { NUMBERS = 9 }; /* centre, size, angles */

/* line: a line of the file while it is read. */
struct line {
    const char *file, *by;
    int number;
};

static int shape_of(const char *word, size_t length)
{
    for (int shape = SHAPE_BOX; shape <= SHAPE_WAVE; ++shape)
        if (strlen(body_shape_word(shape)) == length && strncmp(body_shape_word(shape), word, length) == 0)
            return shape;
    return SHAPE_NONE;
}

static kol_status read_body(const struct line *l, const char *text, struct body *b)
{
    double value[NUMBERS] = {0};
    struct body_size_fault why;
    const size_t length = strcspn(text, " \t\r,#");
    const int shape = shape_of(text, length), count = text_numbers(text + length, NUMBERS, value);
    if (shape == SHAPE_NONE)
        RAISE(
            KOL_ERR_INPUT,
            "%s:%d: error: '%.*s' is no shape of this list; choose 'box', 'sphere', 'ellipsoid', 'cylinder', "
            "'capsule', 'plane', 'torus' or 'wave' %s",
            l->file, l->number, (int)(length < 40 ? length : 40), text, l->by);
    if (count != 6 && count != NUMBERS)
        RAISE(KOL_ERR_INPUT,
              "%s:%d: error: after the shape stand three coordinates, three sizes and, if needed, three "
              "angles; "
              "write 6 or 9 numbers %s",
              l->file, l->number, l->by);
    const int e = body_size_wrong(shape, value + 3, &why);
    if (e >= 0)
        RAISE(KOL_ERR_INPUT, "%s:%d: error: size %d is %g: %s %s", l->file, l->number, e + 1, value[3 + e],
              why.text, l->by);
    b->shape = shape_make(shape, value, value + 3, 2, value + 6);
    memcpy(b->size, value + 3, sizeof b->size);
    b->operation = OPERATION_ADD;
    b->entry = l->number;
    return KOL_OK;
}

/* Reads all lines; the text is cut in place. */
static kol_status read_lines(struct line *l, char *text, struct body *list, int *count)
{
    for (char *next = text; next != NULL;) {
        char *from = next;
        next = strchr(from, '\n');
        if (next != NULL) *next++ = '\0';
        ++l->number;
        while (isspace((unsigned char)*from)) ++from;
        if (*from == '\0' || *from == '#') continue;
        TRY(read_body(l, from, &list[(*count)++]));
    }
    return KOL_OK;
}

kol_status body_list_file_read(const struct domain *domain, struct body **list, int *count)
{
    const char *file = domain->in->bodies_list.file;
    const struct input_place by = input_place(domain->source, offsetof(struct input, bodies_list.file), 0);
    struct line line = {file, by.by, 0};
    char *text = NULL;
    size_t length = 0, lines = 1;
    *list = NULL;
    *count = 0;
    if (!file[0]) return KOL_OK;
    kol_status st = share_file_long_text(&domain->comm, file, &by, &text, &length);
    for (size_t c = 0; st == KOL_OK && c < length; ++c) lines += text[c] == '\n';
    if (st == KOL_OK) *list = calloc(lines, sizeof **list);
    if (st == KOL_OK && *list == NULL) {
        free(text);
        RAISE(KOL_ERR_MEMORY, "no memory for %zu bodies", lines);
    }
    if (st == KOL_OK) st = read_lines(&line, text, *list, count);
    free(text);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "body_list_file_read");
    for (int n = 0; n < *count; ++n) (*list)[n].by = by;
    if (*count == 0)
        RAISE(KOL_ERR_INPUT, "%s: error: the file has no body; add lines such as 'sphere 1 1 1 0.5 0 0' %s",
              file, by.by);
    return KOL_OK;
}
