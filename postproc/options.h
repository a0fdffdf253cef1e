/* Reads the command lines of the programs by a table of options. The text of --help is printed from the same
 * table. */
#ifndef KOL_POSTPROC_OPTIONS_H
#define KOL_POSTPROC_OPTIONS_H

#include <stdio.h>
#include "kernels/base/status.h"

enum { WORDS_MOST = 4096 };

/* words: a list of words of the command line, which are borrowed. */
struct words {
    const char *word[WORDS_MOST];
    int count;
};

/* option: --name, --name VALUE or --name=VALUE. One of three pointers is set; it says what the option is and
 * where it is stored:
 *
 *   on     a switch; *on becomes 1
 *   text   an option with one value
 *   list   an option with a value that may be given several times
 *
 * `value` is the word for the value in --help, NULL for a switch. */
struct option {
    const char *name, *value, *help;
    int *on;
    const char **text;
    struct words *list;
};

/* options_read: reads the command line. The table ends with an entry without a name. Words that do not begin
 * with - are appended to rest. KOL_ERR_INPUT if an option is unknown, has no value, or is given twice. */
kol_status options_read(const struct option *table, int argc, char **argv, struct words *rest);
/* options_print: prints the table as help. A help text may have several lines; they are indented. */
void options_print(FILE *out, const struct option *table);
/* options_number: reads the value `text` of an option as a finite number that is at least `least`. Otherwise
 * KOL_ERR_INPUT names the option. */
kol_status options_number(const char *name, const char *text, double least, double *value);
/* options_count: reads an integer in the same way. */
kol_status options_count(const char *name, const char *text, int least, int *value);

#endif
