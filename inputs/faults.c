/* Gathers faults of an input and makes one message of them. */
#include "faults.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_TEXT = 16000 }; /* below what status.c keeps */

struct shown show(const char *text, size_t length)
{
    enum { ROOM = SHOWN_TEXT - 4 }; /* "..." and the terminating zero */
    struct shown out;
    size_t n = 0;
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)text[i];
        const int odd = c < 32 || c > 126;
        if (n + (odd ? 4 : 1) > ROOM) {
            memcpy(out.text + n, "...", 3);
            n += 3;
            break;
        }
        if (odd) {
            snprintf(out.text + n, 5, "\\x%02x", c);
            n += 4;
        } else {
            out.text[n++] = (char)c;
        }
    }
    out.text[n] = '\0';
    return out;
}

void fault_add(struct faults *f, struct place place, const char *fmt, ...)
{
    if (f->count < INPUT_FAULTS_MAX) {
        struct fault *fault = &f->list[f->count];
        fault->place = place;
        fault->order = f->count;
        va_list args;
        va_start(args, fmt);
        vsnprintf(fault->text, sizeof fault->text, fmt, args);
        va_end(args);
    }
    ++f->count;
}

static int by_place(const void *left, const void *right)
{
    const struct fault *a = left, *b = right;
    if (a->place.set != b->place.set) return a->place.set < b->place.set ? -1 : 1;
    if (a->place.line != b->place.line) return a->place.line < b->place.line ? -1 : 1;
    if (a->place.column != b->place.column) return a->place.column < b->place.column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

kol_status faults_raise(struct faults *f, const char *name, const struct input_settings *set)
{
    if (f->count == 0) return KOL_OK;
    const int kept = f->count < INPUT_FAULTS_MAX ? f->count : INPUT_FAULTS_MAX;
    qsort(f->list, (size_t)kept, sizeof f->list[0], by_place);
    char *message = malloc(MESSAGE_TEXT);
    if (!message) RAISE(KOL_ERR_MEMORY, "no memory for a message of %d bytes", MESSAGE_TEXT);
    size_t used = 0;
    int told = 0;
    for (; told < kept; ++told) {
        const struct fault *fault = &f->list[told];
        char line[FAULT_TEXT + 4096];
        if (fault->place.set > 0) {
            const char *arg = set->text[fault->place.set - 1];
            snprintf(line, sizeof line, "%s %s: error: %s", input_settings_by(set, fault->place.set),
                     show(arg, strlen(arg)).text, fault->text);
        } else {
            snprintf(line, sizeof line, "%.4000s:%d:%d: error: %s", name, fault->place.line,
                     fault->place.column, fault->text);
        }
        const size_t length = strlen(line);
        if (used + length + 64 > MESSAGE_TEXT) break;
        if (used) message[used++] = '\n';
        memcpy(message + used, line, length + 1);
        used += length;
    }
    if (told < f->count) snprintf(message + used, MESSAGE_TEXT - used, "\n... and %d more", f->count - told);
    const kol_status st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__, "%s", message);
    free(message);
    return st;
}
