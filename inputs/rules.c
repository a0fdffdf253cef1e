/* Tells the rules where a value was given, and whether it has an effect. */
#include "rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

size_t face_at(int f)
{
    return OFF(boundary.face) + (size_t)f * sizeof(int);
}

size_t velocity_at(int f)
{
    return OFF(boundary.velocity) + (size_t)f * 3 * sizeof(double);
}

size_t profile_at(int f)
{
    return OFF(boundary.profile) + (size_t)f * sizeof(int);
}

size_t formula_at(int f)
{
    return OFF(boundary.formula) + (size_t)f * 3 * INPUT_TEXT;
}

int rule_variable(const struct reading *r, size_t offset)
{
    for (int v = 0; v < r->count; ++v)
        if (r->table[v].offset == offset) return v;
    return 0; /* not reached: the rules name members of the table */
}

int is_given(const struct reading *r, size_t offset)
{
    return r->given[rule_variable(r, offset)].place.line > 0;
}

int is_good(const struct reading *r, size_t offset)
{
    return !r->given[rule_variable(r, offset)].bad;
}

struct place place_of(const struct reading *r, size_t offset)
{
    return r->given[rule_variable(r, offset)].place;
}

struct place place_of_element(const struct reading *r, size_t offset, int e, size_t other)
{
    const struct given *given = &r->given[rule_variable(r, offset)];
    if (given->element[e].line > 0) return given->element[e];
    return given->place.line > 0 ? given->place : place_of(r, other);
}

struct origin origin_of(const struct reading *r, size_t offset)
{
    struct origin out;
    const struct place place = place_of(r, offset);
    if (place.set > 0)
        snprintf(out.text, sizeof out.text, "(given by %s)", input_settings_by(r->set, place.set));
    else if (place.line > 0) snprintf(out.text, sizeof out.text, "(line %d)", place.line);
    else snprintf(out.text, sizeof out.text, "(the default)");
    return out;
}

size_t use_lacking(const struct use *use, size_t count, const struct input *in, size_t offset,
                   const char **remedy)
{
    for (size_t i = 0; i < count; ++i) {
        if (use[i].of != offset || use[i].useful(in)) continue;
        *remedy = use[i].remedy;
        return use[i].on;
    }
    return 0;
}

struct origin ask_for(double least)
{
    struct origin out;
    snprintf(out.text, sizeof out.text, "%.1e", least);
    const double told = strtod(out.text, NULL) < least ? least + 0.05 * pow(10, floor(log10(least))) : least;
    snprintf(out.text, sizeof out.text, "ask for %.1e or more", told);
    return out;
}
