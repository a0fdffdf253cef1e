/* The command line of kolmo. */
#ifndef KOL_COMMAND_LINE_H
#define KOL_COMMAND_LINE_H

#include "inputs/input.h"
#include "kernels/base/status.h"

enum { SETTINGS_MAX = 64, MEMBERS_MAX = 1024, MEMBER_NAME = 32 };

/* options: what the command line asks for. It borrows the words of the command line. */
struct options {
    const char *input;
    const char *member[MEMBERS_MAX]; /* settings of each member of an ensemble */
    int members;                     /* 0: there is no ensemble */
    const char *twin;                /* --twin: 'none', 'rounding' or a file; NULL: there is none */
    char file[INPUT_TEXT + 32];      /* of the twin's initial flow, as a setting */
    const char *set[SETTINGS_MAX], *by[SETTINGS_MAX]; /* settings, and the options that gave them */
    int sets;
    const char *picture; /* --picture; NULL: none */
    int check, help, help_input, help_statistics, markdown, version, profile;
    char restart[INPUT_TEXT + 32]; /* --restart X as a setting */
    char folder[2 * INPUT_TEXT];   /* of a member, as a setting */
    char *words;                   /* the settings of a member, divided */
    char name[MEMBER_NAME];        /* of a member, for messages: "--member 2" */
};

extern const char command_line_usage[];

/* command_line_read: reads the command line into *o, which is all zero. KOL_ERR_INPUT if it makes no
 * sense. */
kol_status command_line_read(int argc, char **argv, struct options *o);
/* command_line_add: adds a setting that the option `by` gives. Both texts are borrowed. */
kol_status command_line_add(struct options *o, const char *text, const char *by);
/* command_line_file_twin: returns whether the copy of the run begins with the flow of a file. */
int command_line_file_twin(const struct options *o);

#endif
