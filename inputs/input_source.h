/* Where each value of an input came from: for messages of rules that are checked later, and for printing. */
#ifndef KOL_INPUT_SOURCE_H
#define KOL_INPUT_SOURCE_H

#include "table.h"

enum { INPUT_WARNINGS = 512 }; /* bytes of the warnings, terminating zero included */

/* input_source: where each variable of the table was set: line > 0 in the file, -1 by --set, 0 default.
 * warnings: lines "file:line:column: warning: ..." for the log, each ended by a newline; "" where there are
 * none. */
struct input_source {
    char name[INPUT_TEXT]; /* of the file, cut where it is longer */
    int line[INPUT_VARIABLES_MAX];
    char warnings[INPUT_WARNINGS];
};

/* input_place: of element `element` of the variable at an offset of struct input: its name,
 * "grid.stretching_file(3)", and where it was set, "case.nml:12", "--set"; the file alone where it was not;
 * "input" where source is NULL. by: both, for the end of a message. */
struct input_place {
    char name[96], at[INPUT_TEXT + 16], by[INPUT_TEXT + 128];
};
struct input_place input_place(const struct input_source *source, size_t offset, int element);

#endif
