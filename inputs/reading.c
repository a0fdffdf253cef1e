/* Keeps the state of an input that is being read, and reports names that the table does not have. */
#include "reading.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "nearest_name.h"
#include "values.h"

void reading_start(struct reading *r, const char *name, const struct variable *table, int count, void *values)
{
    memset(r, 0, sizeof *r);
    r->name = name;
    r->table = table;
    r->count = count;
    r->values = values;
    for (int v = 0; v < count; ++v) value_preset(&table[v], values);
}

void fault_unknown_group(struct reading *r, struct place place, const char *group)
{
    const struct shown s = show(group, strlen(group));
    const char *instead = group_instead(group);
    if (instead != NULL) {
        fault_add(&r->faults, place, "group '%s' is not known: %s", s.text, instead);
        return;
    }
    const int near = nearest_group(r->table, r->count, group);
    if (near >= 0) {
        fault_add(&r->faults, place, "group '%s' is not known, did you mean '%s'?", s.text,
                  r->table[near].group);
        for (int v = 0; v < r->count; ++v)
            if (strcmp(r->table[v].group, r->table[near].group) == 0) r->given[v].bad = 1;
        return;
    }
    char known[FAULT_TEXT] = "";
    for (int v = 0; v < r->count; ++v)
        if (v == 0 || strcmp(r->table[v].group, r->table[v - 1].group) != 0)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", v ? ", " : "",
                     r->table[v].group);
    fault_add(&r->faults, place, "group '%s' is not known; the groups are %s", s.text, known);
}

void fault_unknown_name(struct reading *r, struct place place, int group, const char *name)
{
    const char *in = r->table[group].group;
    const struct shown s = show(name, strlen(name));
    const int near = nearest_variable(r->table, r->count, in, name);
    const int plural = near >= 0 && differs_by_last_letter(r->table[near].name, name);
    for (int v = 0; v < r->count && !plural; ++v) { /* the name is right, but in the wrong group */
        if (strcasecmp(r->table[v].name, name) != 0) continue;
        fault_add(&r->faults, place, "'%s' is not known in group %s, did you mean %s.%s?", s.text, in,
                  r->table[v].group, r->table[v].name);
        r->given[v].bad = 1;
        return;
    }
    if (near >= 0) {
        fault_add(&r->faults, place, "'%s' is not known in group %s, did you mean '%s'?", s.text, in,
                  r->table[near].name);
        r->given[near].bad = 1;
        return;
    }
    char known[FAULT_TEXT] = "";
    for (int v = 0; v < r->count; ++v)
        if (strcmp(r->table[v].group, in) == 0)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", known[0] ? ", " : "",
                     r->table[v].name);
    fault_add(&r->faults, place, "'%s' is not known in group %s; its names are %s", s.text, in, known);
}
