/* What a restart may and may not change: the inputs of now against the text that an earlier run left in its
 * files. */
#ifndef KOL_COMPARE_H
#define KOL_COMPARE_H

#include "values.h"

/* input_change: one variable whose value is another one. physics: it belongs to the equations or the flow's
 * boundaries, so that the flow would be another one; else it is of the run's control, its numerics or its
 * output. known: 0 where this program has no such variable; then now is empty. */
struct input_change {
    char name[TABLE_NAME]; /* "group.name" */
    char was[3 * VALUE_TEXT], now[3 * VALUE_TEXT];
    int physics, known;
};

/* input_compare: tell(context, change) for each change from `text`, which input_print has written, to `in`;
 * in the order of the table, unknown ones at the end. A variable that the text lacks had its default. Returns
 * how many were told. */
int input_compare(const char *text, const struct input *in,
                  void (*tell)(void *context, const struct input_change *change), void *context);

#endif
