/* Where each value of an input came from. It is needed for printing, and for messages of rules that are
 * checked later. */
#ifndef KOL_INPUT_SOURCE_H
#define KOL_INPUT_SOURCE_H

#include "table.h"

enum { INPUT_WARNINGS = 512 }; /* bytes of the warnings, terminating zero included */

/* input_source: the place where each variable of the table was set. line is above 0 for the file, -1 for
 * a setting of the command line, and 0 for a default. by is the option that gave the setting, such as
 * "--set", and NULL without one. warnings holds lines "file:line:column: warning: ..." for the log, each
 * ended by a newline. If there are no warnings, it is "". */
struct input_source {
    char name[INPUT_TEXT]; /* of the file, cut where it is longer */
    int line[INPUT_VARIABLES_MAX];
    const char *by[INPUT_VARIABLES_MAX];
    char warnings[INPUT_WARNINGS];
};

/* input_place: gives the name of a variable and the place where it was set, for messages. The variable, or
 * one of its elements, lies at an offset of struct input.
 *
 *   name   for example "grid.stretching_file(3)"
 *   at     for example "case.nml:12" or "--set"; the file alone for a default; "input" if source is NULL
 *   by     both in parentheses, for the end of a message */
struct input_place {
    char name[96], at[INPUT_TEXT + 16], by[INPUT_TEXT + 128];
};
struct input_place input_place(const struct input_source *source, size_t offset, int element);

#endif
