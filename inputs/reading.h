/* An input while it is read. It has the values, the place where each one came from, and the faults so far.
 * Private to inputs/. */
#ifndef KOL_READING_H
#define KOL_READING_H

#include "faults.h"
#include "input_source.h"

/* given: where a variable and its elements were set. line = 0 means that they were not set. bad: a fault was
 * found in the value, or in a misspelt name that may stand for this variable. Rules between several inputs
 * skip a bad variable. */
struct given {
    struct place place;                   /* of the name */
    struct place element[TABLE_ELEMENTS]; /* of the value */
    int bad;
};

struct reading {
    const char *name;                 /* of the file */
    const struct input_settings *set; /* of the command line; NULL: there are none */
    const struct variable *table;
    int count;
    void *values; /* struct input, or what the table's offsets are for */
    struct given given[INPUT_VARIABLES_MAX];
    struct place group[INPUT_VARIABLES_MAX]; /* where the group of this first variable was opened */
    struct faults faults;
    char warnings[INPUT_WARNINGS];
};

/* reading_start: sets every value to its default and marks nothing as given. */
void reading_start(struct reading *r, const char *name, const struct variable *table, int count,
                   void *values);

/* fault_unknown_group, fault_unknown_name: add a fault because the table does not have this name, and suggest
 * the nearest known name. The group or variable with the suggested name then counts as bad. */
void fault_unknown_group(struct reading *r, struct place place, const char *group);
void fault_unknown_name(struct reading *r, struct place place, int group, const char *name);

#endif
