/* Reads a complete input, which is a namelist and the settings of the command line. docs/inputs.md, "The
 * file", describes the grammar. */
#ifndef KOL_NAMELIST_H
#define KOL_NAMELIST_H

#include "input_source.h"
#include "kernels/base/status.h"
#include "settings.h"

enum { INPUT_BYTES_MAX = 1 << 20 }; /* largest input file */

/* input_read: fills *in. It sets the defaults, then the values of the namelist in text, then the settings of
 * the command line. Then it applies the rules of check.h.
 *
 *   name     the name of the file, for messages
 *   set      the settings; NULL: there are none
 *   nranks   the number of ranks; 0 if it is not known, and then it is not checked
 *   source   may be NULL. The names of the options in it are borrowed from `set`
 *
 * Not collective: every rank parses the same bytes.
 *
 * All faults are collected in one KOL_ERR_INPUT. Its message has one line for each fault: "file:line:column:
 * error: what is wrong; remedy", or "--set group.name=value: error: ...", with the option that gave the
 * setting. After a fault *in must not be used. */
kol_status input_read(const char *name, const char *text, size_t length, const struct input_settings *set,
                      int nranks, struct input *in, struct input_source *source);

/* input_load: reads a regular file of at most 1 MiB into memory that the caller frees; a zero follows the
 * bytes. With pipes = 1, the file may also be a pipe that somebody writes to. Returns KOL_ERR_INPUT if the
 * file can't be read. */
kol_status input_load(const char *path, int pipes, char **text, size_t *length);

#endif
