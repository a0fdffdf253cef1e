/* The table of all input variables. The parser, the rules, --help-input and the printed inputs all work from
 * it. */
#ifndef KOL_TABLE_H
#define KOL_TABLE_H

#include <stddef.h>
#include "input.h"

enum value_type {
    TYPE_INT,     /* int */
    TYPE_REAL,    /* double */
    TYPE_LOGICAL, /* int, 0 or 1 */
    TYPE_TEXT,    /* char[INPUT_TEXT] */
    TYPE_CHOICE,  /* int, the index of one of the names */
    TYPE_DURATION /* double, seconds; written 'hh:mm:ss' */
};

/* The most variables of the table, the most elements of one variable, and the bytes of "group.name(i,j)". */
enum { INPUT_VARIABLES_MAX = 320, TABLE_ELEMENTS = 192, TABLE_NAME = 80 };

struct variable {
    const char *group, *name;
    enum value_type type;
    int shape[2];      /* 0, 0: one value; n, 0: n values; n, m: n*m values, first index fastest */
    const char *index; /* a letter for each value of the first index, for help; NULL: none */
    size_t offset;     /* in struct input */
    const char
        *preset;      /* default of each element, as in a namelist but without quotes; NULL where required */
    int not_given;    /* the default is out of range, of a logical -1, and means "not given" */
    double low, high; /* range allowed, of texts: of their length */
    int low_open, high_open;
    const char *const *names; /* of a choice, ended by NULL */
    int physics; /* 1: of the equations or the boundaries of the flow: a restart refuses another value unless
                    forced */
    const char *unit, *help;
    const char *example; /* of a required value */
};

/* input_table: returns the table and the number of its lines. */
const struct variable *input_table(int *count);

int variable_elements(const struct variable *v);
size_t variable_element_bytes(const struct variable *v);

/* element_name: returns "group.name", "group.name(2)" or "group.name(2,1)". */
struct element_name {
    char text[TABLE_NAME];
};
struct element_name element_name(const struct variable *v, int element);

/* table_group: returns the number of the first variable of a group. table_name: returns the number of a
 * variable. Both return -1 if there is none. Upper and lower case are the same. */
int table_group(const struct variable *table, int count, const char *group);
int table_name(const struct variable *table, int count, const char *group, const char *name);
#endif
