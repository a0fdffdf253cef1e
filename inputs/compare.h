/* Compares the inputs of this run with those that an earlier run stored as text in its files. A restart uses
 * it to decide which changes are allowed. */
#ifndef KOL_COMPARE_H
#define KOL_COMPARE_H

#include "values.h"

/* input_change: one variable whose value in the earlier run differs from that in this run.
 *
 *   physics   whether the variable belongs to the equations or to the boundaries, so that the flow would be a
 *             different one. Otherwise it belongs to run control, numerics or output.
 *   known     0 if this program has no such variable; then `now` is empty */
struct input_change {
    char name[TABLE_NAME]; /* "group.name" */
    char was[3 * VALUE_TEXT], now[3 * VALUE_TEXT];
    int physics, known;
};

/* input_compare: calls tell(context, change) for each variable that differs between `text`, which input_print
 * wrote, and `in`. The changes come in the order of the table, unknown variables last. If a variable is
 * missing in the text, it counts as having its default. Returns the number of changes. */
int input_compare(const char *text, const struct input *in,
                  void (*tell)(void *context, const struct input_change *change), void *context);

#endif
