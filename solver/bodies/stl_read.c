/* Reads STL files, text and binary. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "stl_internal.h"

enum { HEAD = 84, RECORD = 50 }; /* bytes of a binary file before the triangles, and of each of these */

struct stl_words stl_place(const struct stl *s, int triangle)
{
    struct stl_words out;
    snprintf(out.text, sizeof out.text, s->is_text ? "%s:%d" : "%s: triangle %d", s->file,
             s->place[triangle]);
    return out;
}

/* found: the corners of all triangles as the file has them. */
struct found {
    double (*corner)[3];
    int *place, count, room;
};

static kol_status make_room(struct found *f)
{
    if (f->count < f->room) return KOL_OK;
    const int more = 2 * f->room + 1024;
    double(*corner)[3] = realloc(f->corner, 3 * (size_t)more * sizeof *corner);
    if (corner != NULL) f->corner = corner;
    int *place = realloc(f->place, (size_t)more * sizeof *place);
    if (place != NULL) f->place = place;
    if (corner == NULL || place == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d triangles", more);
    f->room = more;
    return KOL_OK;
}

static uint32_t word(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static kol_status read_binary(const struct stl *s, const unsigned char *bytes, struct found *f)
{
    const uint32_t count = word(bytes + 80);
    for (uint32_t n = 0; n < count; ++n) {
        TRY(make_room(f));
        f->place[f->count] = (int)n + 1;
        for (int v = 0; v < 9; ++v) {
            const uint32_t bits = word(bytes + HEAD + (size_t)n * RECORD + 12 + 4 * (size_t)v);
            float x;
            memcpy(&x, &bits, sizeof x);
            if (!isfinite(x))
                RAISE(KOL_ERR_INPUT,
                      "%s: error: triangle %u, corner %d: a coordinate is not a finite number; repair the "
                      "file %s",
                      s->file, n + 1, v / 3 + 1, s->frame.by);
            f->corner[3 * f->count + v / 3][v % 3] = (double)x + 0.0; /* -0 becomes 0 */
        }
        ++f->count;
    }
    return KOL_OK;
}

/* text: a text file while it is read. */
struct text {
    const struct stl *stl;
    const char *at;
    int line;
};

/* The next word; its length is 0 at the end of the file. */
static size_t next_word(struct text *t)
{
    while (isspace((unsigned char)*t->at)) t->line += *t->at++ == '\n';
    size_t length = 0;
    while (t->at[length] && !isspace((unsigned char)t->at[length])) ++length;
    return length;
}

static int is_word(const struct text *t, size_t length, const char *word_)
{
    return length == strlen(word_) && strncasecmp(t->at, word_, length) == 0;
}

static kol_status expect(struct text *t, const char *word_)
{
    const size_t length = next_word(t);
    if (!is_word(t, length, word_))
        RAISE(KOL_ERR_INPUT, "%s:%d: error: '%s' must stand here, not '%.*s'; repair the file %s",
              t->stl->file, t->line, word_, (int)(length < 40 ? length : 40), t->at, t->stl->frame.by);
    t->at += length;
    return KOL_OK;
}

static kol_status read_three(struct text *t, int finite, double x[3])
{
    for (int d = 0; d < 3; ++d) {
        char *rest;
        const size_t length = next_word(t);
        x[d] = strtod(t->at, &rest) + 0.0;
        if (length == 0 || rest != t->at + length || (finite && !isfinite(x[d])))
            RAISE(KOL_ERR_INPUT,
                  "%s:%d: error: a finite number must stand here, not '%.*s'; repair the file %s",
                  t->stl->file, t->line, (int)(length < 40 ? length : 40), t->at, t->stl->frame.by);
        t->at += length;
    }
    return KOL_OK;
}

static void skip_line(struct text *t)
{
    while (*t->at && *t->at != '\n') ++t->at;
}

static kol_status read_facet(struct text *t, struct found *f)
{
    double normal[3];
    TRY(make_room(f));
    f->place[f->count] = t->line;
    TRY(expect(t, "normal"));
    TRY(read_three(t, 0, normal));
    TRY(expect(t, "outer"));
    TRY(expect(t, "loop"));
    for (int v = 0; v < 3; ++v) {
        TRY(expect(t, "vertex"));
        TRY(read_three(t, 1, f->corner[3 * f->count + v]));
    }
    TRY(expect(t, "endloop"));
    TRY(expect(t, "endfacet"));
    ++f->count;
    return KOL_OK;
}

static kol_status read_text(const struct stl *s, const char *bytes, struct found *f)
{
    struct text t = {s, bytes, 1};
    int inside = 0;
    for (;;) {
        const size_t length = next_word(&t);
        if (length == 0) break;
        if (is_word(&t, length, "solid") || is_word(&t, length, "endsolid")) {
            inside = is_word(&t, length, "solid");
            skip_line(&t);
        } else {
            TRY(expect(&t, "facet"));
            TRY(read_facet(&t, f));
        }
    }
    if (inside)
        RAISE(KOL_ERR_INPUT, "%s:%d: error: the file ends without 'endsolid', so it is not complete %s",
              s->file, t.line, s->frame.by);
    return KOL_OK;
}

static uint64_t hash(const double x[3])
{
    uint64_t bits[3], h = 1469598103934665603u;
    memcpy(bits, x, sizeof bits);
    for (int d = 0; d < 3; ++d) {
        h = (h ^ bits[d]) * 1099511628211u;
        h ^= h >> 29;
    }
    return h;
}

/* Gives equal corners one number. Triangles with two equal corners have no area; they are left out. */
static kol_status weld(struct stl *s, const struct found *f)
{
    size_t slots = 64;
    while (slots < 8 * (size_t)f->count) slots *= 2;
    int *slot = malloc(slots * sizeof *slot);
    s->vertex = malloc(3 * (size_t)f->count * sizeof *s->vertex);
    s->corner = malloc((size_t)f->count * sizeof *s->corner);
    s->place = malloc((size_t)f->count * sizeof *s->place);
    if (slot == NULL || s->vertex == NULL || s->corner == NULL || s->place == NULL) {
        free(slot);
        RAISE(KOL_ERR_MEMORY, "no memory for %d triangles", f->count);
    }
    for (size_t n = 0; n < slots; ++n) slot[n] = -1;
    for (int n = 0; n < f->count; ++n) {
        int corner[3];
        for (int v = 0; v < 3; ++v) {
            const double *x = f->corner[3 * n + v];
            size_t m = hash(x) & (slots - 1);
            while (slot[m] >= 0 && memcmp(s->vertex[slot[m]], x, sizeof s->vertex[0]) != 0)
                m = (m + 1) & (slots - 1);
            if (slot[m] < 0) {
                memcpy(s->vertex[s->vertices], x, sizeof s->vertex[0]);
                slot[m] = s->vertices++;
            }
            corner[v] = slot[m];
        }
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
        memcpy(s->corner[s->triangles], corner, sizeof corner);
        s->place[s->triangles++] = f->place[n];
    }
    free(slot);
    return KOL_OK;
}

kol_status stl_read(struct stl *s, const char *bytes, size_t length)
{
    struct found f = {NULL, NULL, 0, 0};
    const unsigned char *raw = (const unsigned char *)bytes;
    const size_t told = length >= HEAD ? HEAD + (size_t)RECORD * word(raw + 80) : 0;
    kol_status st;
    s->is_text = told != length && length >= 5 && strncasecmp(bytes, "solid", 5) == 0 &&
                 memchr(bytes, 0, length) == NULL;
    if (length > 0 && !s->is_text && told != length)
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: the file is no STL file: it %s, and a binary one with its number of triangles would "
            "have %zu bytes, not %zu; repair the file %s",
            s->file,
            length >= 5 && strncasecmp(bytes, "solid", 5) == 0 ? "holds bytes that are no text"
                                                               : "does not begin with 'solid'",
            told, length, s->frame.by);
    st = length == 0 ? KOL_OK : s->is_text ? read_text(s, bytes, &f) : read_binary(s, raw, &f);
    if (st == KOL_OK && f.count > 0) st = weld(s, &f);
    free(f.corner);
    free(f.place);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "stl_read");
    if (s->triangles == 0)
        RAISE(KOL_ERR_INPUT, "%s: error: the file has no triangles; give a file with a closed surface %s",
              s->file, s->frame.by);
    return KOL_OK;
}
