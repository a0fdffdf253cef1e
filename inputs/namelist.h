/* Namelist text to values. Grammar: docs/inputs.md, "The file". */
#ifndef KOL_NAMELIST_H
#define KOL_NAMELIST_H

#include "input_source.h"
#include "kernels/base/status.h"

enum { INPUT_BYTES_MAX = 1 << 20 }; /* largest input file */

/* input_read: defaults, then the namelist text, then the settings "group.name=value", then the rules across
 * names of check.c. name: of the file, for messages. All faults are gathered into one KOL_ERR_INPUT, whose
 * message has a line "file:line:column: error: what is wrong; remedy" for each, or "--set group.name=value:
 * error: ...". nranks: 0 where it isn't known; then ranks are not checked. source may be NULL. After a fault
 * *in is not to be used. Makes no file, is not collective: every rank parses the same bytes. */
kol_status input_read(const char *name, const char *text, size_t length, const char *const *set, int sets,
                      int nranks, struct input *in, struct input_source *source);

/* input_load: the bytes of a file, malloced, with a zero after them, at most 1 MiB; KOL_ERR_INPUT where it
 * can't be read. */
kol_status input_load(const char *path, char **text, size_t *length);

#endif
