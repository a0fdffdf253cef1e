/* Finds variables in the table of inputs, counts their elements and writes the names of these. */
#include <stdio.h>
#include <strings.h>
#include "table.h"

int variable_elements(const struct variable *v)
{
    const int n = v->shape[0] > 0 ? v->shape[0] : 1;
    return v->shape[1] > 0 ? n * v->shape[1] : n;
}

size_t variable_element_bytes(const struct variable *v)
{
    switch (v->type) {
    case TYPE_TEXT:
        return INPUT_TEXT;
    case TYPE_REAL:
    case TYPE_DURATION:
        return sizeof(double);
    case TYPE_INT:
    case TYPE_LOGICAL:
    case TYPE_CHOICE:
        return sizeof(int);
    }
    return 0;
}

struct element_name element_name(const struct variable *v, int element)
{
    struct element_name out;
    if (v->shape[0] == 0) snprintf(out.text, sizeof out.text, "%s.%s", v->group, v->name);
    else if (v->shape[1] == 0)
        snprintf(out.text, sizeof out.text, "%s.%s(%d)", v->group, v->name, element + 1);
    else
        snprintf(out.text, sizeof out.text, "%s.%s(%d,%d)", v->group, v->name, element % v->shape[0] + 1,
                 element / v->shape[0] + 1);
    return out;
}

int table_group(const struct variable *table, int count, const char *group)
{
    for (int i = 0; i < count; ++i)
        if (strcasecmp(table[i].group, group) == 0) return i;
    return -1;
}

int table_name(const struct variable *table, int count, const char *group, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcasecmp(table[i].group, group) == 0 && strcasecmp(table[i].name, name) == 0) return i;
    return -1;
}
