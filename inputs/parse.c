/* Parses the groups of a namelist file, and a --set. */
#include "parse.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "assignment.h"

static void warn(struct reading *r, struct place place, const char *what)
{
    const size_t used = strlen(r->warnings);
    char line[INPUT_WARNINGS];
    const int length =
        snprintf(line, sizeof line, "%.300s:%d:%d: warning: %s\n", r->name, place.line, place.column, what);
    if (used + (size_t)length < sizeof r->warnings) memcpy(r->warnings + used, line, (size_t)length + 1);
}

static void skip_to_group(struct scanner *s)
{
    while (scan_peek(s) != SCAN_END && scan_peek(s) != '\n' && scan_peek(s) != '&') scan_next(s);
}

/* Looks at the text after "/". It is ignored, as in Fortran, but not silently. */
static void end_of_group(struct reading *r, struct scanner *s)
{
    scan_spaces(s);
    const int c = scan_peek(s);
    if (c == SCAN_END || c == '\n' || c == '!' || c == '&') return;
    warn(r, scan_place(s), "text after the '/' of a group is ignored");
    skip_to_group(s);
}

/* Whether "&end" or "$end" stands here; if so, it is skipped. */
static int passes_end(struct scanner *s)
{
    struct scanner ahead = *s;
    struct token name;
    scan_next(&ahead);
    scan_name(&ahead, &name);
    if (strcasecmp(name.text, "end") != 0) return 0;
    *s = ahead;
    return 1;
}

/* ends_group: whether the group ends here. It skips the end, and reports it if it is not right. */
static int ends_group(struct reading *r, struct scanner *s, struct place open, const char *name)
{
    const struct place place = scan_place(s);
    const int c = scan_peek(s);
    if (c == '/') {
        scan_next(s);
        end_of_group(r, s);
        return 1;
    }
    if ((c == '&' || c == '$') && passes_end(s)) {
        if (c == '$') fault_add(&r->faults, place, "'$end' is not accepted; end a group with '/'");
        end_of_group(r, s);
        return 1;
    }
    if (c == SCAN_END || c == '&') {
        fault_add(&r->faults, open, "group &%s is not closed; end it with '/'",
                  show(name, strlen(name)).text);
        return 1;
    }
    return 0;
}

/* skip_item: skips a name, a value, or one character of neither. */
static void skip_item(struct scanner *s)
{
    struct token t;
    const size_t before = s->at;
    scan_value(s, &t);
    if (s->at == before) scan_next(s);
}

static void parse_members(struct reading *r, struct scanner *s, struct place open, int group)
{
    int told = 0;
    for (scan_blank(s); !ends_group(r, s, open, r->table[group].group); scan_blank(s)) {
        if (scan_is_name(s)) {
            struct token name;
            scan_name(s, &name);
            const int v = table_name(r->table, r->count, r->table[group].group, name.text);
            if (v < 0) fault_unknown_name(r, name.place, group, name.text);
            parse_assignment(r, s, v, &name);
            told = 0;
            continue;
        }
        const struct place place = scan_place(s);
        const size_t from = s->at;
        skip_item(s);
        if (!told)
            fault_add(&r->faults, place, "'%s' is not expected here; write name = value",
                      show(s->text + from, s->at - from).text);
        told = 1;
    }
}

static void parse_group(struct reading *r, struct scanner *s)
{
    const struct place open = scan_place(s);
    struct token name;
    if (scan_next(s) == '$')
        fault_add(&r->faults, open, "a group opens with '&', not with '$', and ends with '/'");
    scan_name(s, &name);
    if (name.length == 0 || strcasecmp(name.text, "end") == 0) {
        fault_add(&r->faults, open,
                  name.length ? "&end stands here, but no group is open"
                              : "the name of a group must follow '&'");
        skip_to_group(s);
        return;
    }
    const int group = table_group(r->table, r->count, name.text);
    if (group < 0) {
        fault_unknown_group(r, name.place, name.text);
        for (scan_blank(s); !ends_group(r, s, open, name.text); scan_blank(s)) skip_item(s);
        return;
    }
    if (r->group[group].line > 0)
        fault_add(&r->faults, open, "group &%s stands here and in line %d; put all its values into one group",
                  r->table[group].group, r->group[group].line);
    else r->group[group] = open;
    if (!scan_separated(s))
        fault_add(&r->faults, scan_place(s), "a blank must follow &%s", r->table[group].group);
    parse_members(r, s, open, group);
}

void parse_file(struct reading *r, const char *text, size_t length)
{
    struct scanner s = scan_open(text, length, 0);
    int told = 0; /* a run of odd text is one fault */
    for (scan_blank(&s); scan_peek(&s) != SCAN_END; scan_blank(&s)) {
        const int c = scan_peek(&s);
        if (c == '#' && scan_first(&s)) {
            scan_line(&s);
        } else if (c == '&' || c == '$') {
            parse_group(r, &s);
            told = 0;
        } else {
            if (!told)
                fault_add(&r->faults, scan_place(&s),
                          "this text stands outside a group; begin a comment with '!'");
            told = 1;
            skip_to_group(&s);
        }
    }
}

/* Whether this --set has too few values for v, so that the elements after its last value keep others. A list
 * may end sooner. */
static int set_too_short(const struct reading *r, int v, int set)
{
    const struct place *element = r->given[v].element;
    const int elements = variable_elements(&r->table[v]), list = r->table[v].not_given;
    for (int e = elements - 1; e >= 0 && element[e].set != set; --e)
        if (e == 0 || !list || element[e].set || element[e].line) return 1;
    return 0;
}

void parse_set(struct reading *r, const char *text, int set)
{
    struct scanner s = scan_open(text, strlen(text), set);
    struct token group, name;
    scan_name(&s, &group);
    const int dot = scan_next(&s) == '.';
    scan_name(&s, &name);
    scan_spaces(&s);
    if (!group.length || !dot || !name.length || (scan_peek(&s) != '=' && scan_peek(&s) != '(')) {
        fault_add(&r->faults, group.place, "group.name=value is expected");
        return;
    }
    const int g = table_group(r->table, r->count, group.text);
    if (g < 0) {
        fault_unknown_group(r, group.place, group.text);
        return;
    }
    const int v = table_name(r->table, r->count, group.text, name.text);
    if (v < 0) {
        fault_unknown_name(r, name.place, g, name.text);
        return;
    }
    name.place = group.place;
    const int whole = scan_peek(&s) == '=', faults = r->faults.count,
              elements = variable_elements(&r->table[v]);
    parse_assignment(r, &s, v, &name);
    /* on a command line too few values are a mistake; in a file the rest keeps its values, as in Fortran */
    if (whole && r->faults.count == faults && set_too_short(r, v, set))
        fault_add(&r->faults, name.place, "%s.%s takes %d values; for one of them write %s=...", group.text,
                  name.text, elements, element_name(&r->table[v], 0).text);
}
