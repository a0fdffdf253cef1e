/* Collects the faults of an input, so that the user sees all of them at once. Private to inputs/. */
#ifndef KOL_FAULTS_H
#define KOL_FAULTS_H

#include <stddef.h>
#include "kernels/base/status.h"
#include "settings.h"

enum { INPUT_FAULTS_MAX = 50, FAULT_TEXT = 512, SHOWN_TEXT = 64 };

/* place: where something stands. In the file, line and column (in characters) are both counted from 1. In the
 * n-th setting of the command line, set is n, counted from 1. If line and set are 0, the value is a default
 * and has no place. */
struct place {
    int line, column, set;
};

struct fault {
    struct place place;
    int order; /* of discovery */
    char text[FAULT_TEXT];
};

struct faults {
    int count; /* of all; the first INPUT_FAULTS_MAX are kept */
    struct fault list[INPUT_FAULTS_MAX];
};

/* show: prepares a piece of the user's text for a message. Long text is cut, and bytes that can't be printed
 * become \xNN. */
struct shown {
    char text[SHOWN_TEXT];
};

struct shown show(const char *text, size_t length);

/* fault_add: adds a fault. The text says what is wrong, then "; ", then the remedy. */
void fault_add(struct faults *f, struct place place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* faults_raise: makes one KOL_ERR_INPUT of all faults, with a line for each. Faults of the file come first,
 * in the order of the file. Faults of the settings, which may be NULL, follow. Returns KOL_OK if there are no
 * faults. */
kol_status faults_raise(struct faults *f, const char *name, const struct input_settings *set);

#endif
