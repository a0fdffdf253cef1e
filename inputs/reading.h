/* An input while it is read: values, where each came from, and the faults so far. Private to inputs/. */
#ifndef KOL_READING_H
#define KOL_READING_H

#include "faults.h"
#include "input_source.h"

/* given: where a variable and its elements were set; line = 0: nowhere. bad: a fault was found in what was
 * given, or in a name that may have meant it, so that rules across names leave it alone. */
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

/* reading_start: nothing given, every value its default. */
void reading_start(struct reading *r, const char *name, const struct variable *table, int count,
                   void *values);

/* fault_unknown_group, fault_unknown_name: with the nearest known one, which is then left out of later rules.
 */
void fault_unknown_group(struct reading *r, struct place place, const char *group);
void fault_unknown_name(struct reading *r, struct place place, int group, const char *name);

#endif
