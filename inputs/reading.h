/* An input while it is read: its values, where each came from, and the faults so far. Private to inputs/. */
#ifndef KOL_READING_H
#define KOL_READING_H

#include "faults.h"
#include "input_source.h"

/* given: where a variable and its elements were set. line = 0 means that they were not. bad: a fault was
 * found in the value, or in a misspelt name that may have meant this variable. Rules that concern several
 * inputs skip a bad one. */
struct given {
    struct place place;                   /* of the name */
    struct place element[TABLE_ELEMENTS]; /* of the value */
    int bad;
};

struct reading {
    const char *name; /* of the file */
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

/* fault_unknown_group, fault_unknown_name: add the fault of a name that the table does not have, and
 * suggest the nearest known one. What that one stands for counts as bad from then on. */
void fault_unknown_group(struct reading *r, struct place place, const char *group);
void fault_unknown_name(struct reading *r, struct place place, int group, const char *name);

#endif
