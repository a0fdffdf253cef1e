/* Prints the resolved inputs: for --check, as provenance in files, for --help-input and docs/inputs.md. */
#ifndef KOL_PRINT_H
#define KOL_PRINT_H

#include <stdio.h>
#include "namelist.h"

/* input_print: prints a namelist with every value. It is valid input itself. Defaults are marked "!
 * default". */
void input_print(FILE *out, const struct input *in, const struct input_source *source);
/* input_print_given: prints the values that the input file and --set give, one paragraph for each group; the
 * defaults are left out. */
void input_print_given(FILE *out, const struct input *in, const struct input_source *source);
/* input_text: gives the same as text that the caller frees. Returns NULL if there is no memory. */
char *input_text(const struct input *in, const struct input_source *source);
/* input_help: prints every group and variable with type, default, allowed values, unit and help
 * (--help-input). With markdown it prints the reference part of docs/inputs.md. */
void input_help(FILE *out, int markdown);

#endif
