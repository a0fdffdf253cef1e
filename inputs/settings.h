/* The settings "group.name=value" of a command line, and the options that gave them. */
#ifndef KOL_SETTINGS_H
#define KOL_SETTINGS_H

#include <stddef.h>

/* input_settings:
 *
 *   text   the settings
 *   by     the option that gave each of them, for messages, such as "--member 2"; NULL: --set gave all
 *
 * input_settings_by: returns the option that gave the n-th setting, counted from 1. s may be NULL. */
struct input_settings {
    int count;
    const char *const *text;
    const char *const *by;
};

static inline const char *input_settings_by(const struct input_settings *s, int n)
{
    return s != NULL && s->by != NULL ? s->by[n - 1] : "--set";
}

#endif
