/* Names the place where a value was set, for messages. */
#include "input_source.h"

#include <stdio.h>

struct input_place input_place(const struct input_source *source, size_t offset, int element)
{
    struct input_place out = {.at = "input"};
    int count = 0, v = 0;
    const struct variable *table = input_table(&count);
    while (v + 1 < count && table[v].offset != offset) ++v;
    snprintf(out.name, sizeof out.name, "%s", element_name(&table[v], element).text);
    if (source != NULL && source->line[v] > 0)
        snprintf(out.at, sizeof out.at, "%s:%d", source->name, source->line[v]);
    else if (source != NULL)
        snprintf(out.at, sizeof out.at, "%s", source->line[v] < 0 ? source->by[v] : source->name);
    snprintf(out.by, sizeof out.by, "(%s, %s)", out.name, out.at);
    return out;
}
