/* The resolved inputs as text: for --check, for provenance in files, for --help-input and docs/inputs.md. */
#ifndef KOL_PRINT_H
#define KOL_PRINT_H

#include <stdio.h>
#include "namelist.h"

/* input_print: a namelist with every value, valid input itself; defaults are marked "! default". */
void input_print(FILE *out, const struct input *in, const struct input_source *source);
/* input_text: the same, malloced. NULL where memory ends. */
char *input_text(const struct input *in, const struct input_source *source);
/* input_help: every group and name with type, default, allowed values, unit and help (--help-input). With
 * markdown it is the reference part of docs/inputs.md. */
void input_help(FILE *out, int markdown);

#endif
