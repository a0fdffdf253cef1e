/* Prints the resolved inputs: for --check, as provenance in files, for --help-input and docs/inputs.md. */
#ifndef KOL_PRINT_H
#define KOL_PRINT_H

#include <stdio.h>
#include "namelist.h"

/* input_print: prints a namelist with every value. This namelist can be used as an input file. Defaults are
 * marked "! default". */
void input_print(FILE *out, const struct input *in, const struct input_source *source);
/* input_text: returns the same namelist as text, which the caller frees. Returns NULL if there is no memory.
 */
char *input_text(const struct input *in, const struct input_source *source);
/* input_help: prints every group and variable with type, default, allowed values, unit and help
 * (--help-input). If markdown is set, it prints the reference part of docs/inputs.md. */
void input_help(FILE *out, int markdown);

#endif
