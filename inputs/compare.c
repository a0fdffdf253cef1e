/* Compares the inputs of this run with those that an earlier run wrote as text.
 *
 * This parser reads only what input_print writes, not namelists in general. In such a text each variable has
 * one line, which ends with a comment. If a variable has no effect, its line begins with "! ". */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4 * VALUE_TEXT };

/* entry: one line of the text, "name = value" or "name: not given". */
struct entry {
    char group[TABLE_NAME], name[TABLE_NAME], value[LINE];
};

/* Copies a value. It ends at a comment or at the end of the line; a '!' inside quotes is part of it. */
static void copy_value(const char *from, char *to, size_t size)
{
    size_t n = 0;
    int quoted = 0;
    for (; *from && (quoted || *from != '!') && n + 1 < size; ++from) {
        if (*from == '\'') quoted = !quoted;
        to[n++] = *from;
    }
    while (n > 0 && to[n - 1] == ' ') --n;
    to[n] = '\0';
}

static int read_line(const char *line, struct entry *e)
{
    if (line[0] == '&') {
        snprintf(e->group, sizeof e->group, "%.*s", TABLE_NAME - 1, line + 1);
        return 0;
    }
    line += strspn(line, " !");
    const size_t length = strcspn(line, " :=");
    if (length == 0 || length >= sizeof e->name || line[0] == '/') return 0;
    memcpy(e->name, line, length);
    e->name[length] = '\0';
    line += length;
    if (strncmp(line, " = ", 3) == 0) copy_value(line + 3, e->value, sizeof e->value);
    else if (strncmp(line, ": not given", 11) == 0) strcpy(e->value, "not given");
    else return 0;
    return 1;
}

/* Finds the next variable of the text from *at on, and moves *at behind it. It returns 0 at the end. */
static int next_entry(const char **at, struct entry *e)
{
    while (**at) {
        char line[LINE];
        const size_t length = strcspn(*at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), *at);
        *at += length + ((*at)[length] == '\n');
        if (read_line(line, e)) return 1;
    }
    return 0;
}

static int find_entry(const char *text, const char *group, const char *name, struct entry *e)
{
    memset(e, 0, sizeof *e);
    while (next_entry(&text, e))
        if (strcmp(e->group, group) == 0 && strcmp(e->name, name) == 0) return 1;
    return 0;
}

/* Writes all elements as input_print does, or "not given" if the default means that. */
static void write_all(const struct variable *v, const struct input *in, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    const int elements = value_count(v, in);
    if (elements == 0) {
        snprintf(out, size, "not given");
        return;
    }
    for (int e = 0; e < elements && used < size; ++e)
        used += (size_t)snprintf(out + used, size - used, "%s%s", e ? ", " : "", value_write(v, e, in).text);
}

/* Whether two values are equal, although the same number may be written in other digits. */
static int same_value(const char *a, const char *b)
{
    char *end_a, *end_b;
    if (strcmp(a, b) == 0) return 1;
    const double x = strtod(a, &end_a), y = strtod(b, &end_b);
    return end_a != a && end_b != b && *end_a == '\0' && *end_b == '\0' && x == y;
}

static int compare_known(const struct variable *v, const char *text, const struct input *in,
                         struct input_change *change)
{
    struct entry e;
    struct input defaults;
    memset(&defaults, 0, sizeof defaults);
    memset(change, 0, sizeof *change);
    change->known = 1;
    change->physics = v->physics;
    snprintf(change->name, sizeof change->name, "%s.%s", v->group, v->name);
    write_all(v, in, change->now, sizeof change->now);
    if (find_entry(text, v->group, v->name, &e)) {
        snprintf(change->was, sizeof change->was, "%.*s", (int)sizeof change->was - 1, e.value);
    } else {
        value_preset(v, &defaults);
        write_all(v, &defaults, change->was, sizeof change->was);
    }
    return !same_value(change->was, change->now);
}

int input_compare(const char *text, const struct input *in,
                  void (*tell)(void *context, const struct input_change *change), void *context)
{
    int count = 0, told = 0;
    const struct variable *table = input_table(&count);
    struct input_change change;
    for (int v = 0; v < count; ++v)
        if (compare_known(&table[v], text, in, &change)) {
            tell(context, &change);
            ++told;
        }
    struct entry e;
    memset(&e, 0, sizeof e);
    while (next_entry(&text, &e)) {
        if (table_name(table, count, e.group, e.name) >= 0) continue;
        memset(&change, 0, sizeof change);
        snprintf(change.name, sizeof change.name, "%.38s.%.38s", e.group, e.name);
        snprintf(change.was, sizeof change.was, "%.*s", (int)sizeof change.was - 1, e.value);
        tell(context, &change);
        ++told;
    }
    return told;
}
