/* Reads a whole input: a namelist, and settings of the command line. Its grammar is in docs/inputs.md,
 * "The file". */
#ifndef KOL_NAMELIST_H
#define KOL_NAMELIST_H

#include "input_source.h"
#include "kernels/base/status.h"

enum { INPUT_BYTES_MAX = 1 << 20 }; /* largest input file */

/* input_read: fills *in with the defaults, then with the namelist in text, then with the settings
 * "group.name=value", and then applies the rules of check.h.
 * name is that of the file, for messages. If nranks is 0, the number of ranks is not known and not
 * checked. source may be NULL. Not collective: every rank parses the same bytes.
 * All faults are collected in one KOL_ERR_INPUT. Its message has one line for each: "file:line:column:
 * error: what is wrong; remedy", or "--set group.name=value: error: ...". After a fault *in must not be
 * used. */
kol_status input_read(const char *name, const char *text, size_t length, const char *const *set, int sets,
                      int nranks, struct input *in, struct input_source *source);

/* input_load: reads a regular file of at most 1 MiB into memory that the caller frees; a zero follows the
 * bytes. With pipes = 1, the file may also be a pipe that somebody writes to. Returns KOL_ERR_INPUT if the
 * file can't be read. */
kol_status input_load(const char *path, int pipes, char **text, size_t *length);

#endif
