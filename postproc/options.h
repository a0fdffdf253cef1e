/* Command lines of the programs from one table, which their --help is printed from, too. */
#ifndef KOL_POSTPROC_OPTIONS_H
#define KOL_POSTPROC_OPTIONS_H

#include <stdio.h>
#include "kernels/base/status.h"

enum { WORDS_MOST = 4096 };

struct words {
    const char *word[WORDS_MOST];
    int count;
};

/* option: --name, or --name VALUE. One of on, text, list takes what is given: a switch; one value; values of
 * an option that may be given several times. */
struct option {
    const char *name, *value, *help;
    int *on;
    const char **text;
    struct words *list;
};

/* options_read: the table up to an entry without a name; words that are no option go to rest. KOL_ERR_INPUT:
 * unknown options, missing values, options given twice. options_print: the table as help. */
kol_status options_read(const struct option *table, int argc, char **argv, struct words *rest);
void options_print(FILE *out, const struct option *table);
/* options_number: a value that is a finite number, at least `least`; KOL_ERR_INPUT names the option.
 * options_count: an integer. */
kol_status options_number(const char *name, const char *text, double least, double *value);
kol_status options_count(const char *name, const char *text, int least, int *value);

#endif
