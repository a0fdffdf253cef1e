/* Namelist text to values. Grammar: docs/inputs.md, "The file". */
#ifndef KOL_NAMELIST_H
#define KOL_NAMELIST_H

#include "input.h"
#include "kernels/base/status.h"

enum { INPUT_VARIABLES_MAX = 192, INPUT_FAULTS_MAX = 50, INPUT_WARNINGS = 512, INPUT_BYTES_MAX = 1 << 20 };

/* input_source: where each variable of the table was set: line > 0 in the file, -1 by --set, 0 default.
 * warnings: lines "file:line:column: warning: ..." for the log, each ended by a newline; "" where there are
 * none. */
struct input_source {
    char name[INPUT_TEXT]; /* of the file, cut where it is longer */
    int line[INPUT_VARIABLES_MAX];
    char warnings[INPUT_WARNINGS];
};

/* input_read: defaults, then the namelist text, then the settings "group.name=value", then the rules across
 * names of check.c. name: of the file, for messages. All faults are gathered into one KOL_ERR_INPUT, whose
 * message has a line "file:line:column: error: what is wrong; remedy" for each, or "--set group.name=value:
 * error: ...". nranks: 0 where it isn't known; then ranks are not checked. source may be NULL. After a fault
 * *in is not to be used. Makes no file, is not collective: every rank parses the same bytes. */
kol_status input_read(const char *name, const char *text, size_t length, const char *const *set, int sets,
                      int nranks, struct input *in, struct input_source *source);

/* input_place: of element `element` of the variable at an offset of struct input: its name,
 * "grid.stretching_file(3)", and where it was set, "case.nml:12", "--set"; the file alone where it was not;
 * "input" where source is NULL. by: both, for the end of a message. */
struct input_place {
    char name[96], at[INPUT_TEXT + 16], by[INPUT_TEXT + 128];
};
struct input_place input_place(const struct input_source *source, size_t offset, int element);

/* input_load: the bytes of a file, malloced, with a zero after them, at most 1 MiB; KOL_ERR_INPUT where it
 * can't be read. */
kol_status input_load(const char *path, char **text, size_t *length);

#endif
