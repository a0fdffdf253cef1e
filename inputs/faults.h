/* The faults found in an input, gathered so that the user sees all of them at once. Private to inputs/. */
#ifndef KOL_FAULTS_H
#define KOL_FAULTS_H

#include <stddef.h>
#include "kernels/base/status.h"

enum { INPUT_FAULTS_MAX = 50, FAULT_TEXT = 512, SHOWN_TEXT = 64 };

/* place: where something stands. In the file: line and column (in characters) from 1. In the n-th --set: set
 * = n, from 1. line = 0: nowhere, a default. */
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

/* shown: a piece of the user's text, fit to stand in a message: clipped, odd bytes as \xNN. */
struct shown {
    char text[SHOWN_TEXT];
};

struct shown show(const char *text, size_t length);

/* fault_add: "what is wrong; remedy". */
void fault_add(struct faults *f, struct place place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* faults_raise: KOL_OK where there are none; else one KOL_ERR_INPUT with a line for each, those of the file
 * first, in its order, then those of the settings. */
kol_status faults_raise(struct faults *f, const char *name, const char *const *set);

#endif
