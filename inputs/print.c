/* Prints the inputs and the reference of all variables. */
#include "print.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "values.h"

enum { LINE_TEXT = 2048 };

static int first_of_group(const struct variable *table, int v)
{
    return v == 0 || strcmp(table[v].group, table[v - 1].group) != 0;
}

static int last_of_group(const struct variable *table, int count, int v)
{
    return v + 1 == count || strcmp(table[v].group, table[v + 1].group) != 0;
}

/* Prints why a value has no effect: because of the value of another variable, which may not be given. */
static void print_cause(FILE *out, const struct variable *var, const struct variable *on,
                        const struct input *in)
{
    const int follows = var->offset == offsetof(struct input, fluid.nu);
    if (value_count(on, in) == 0) fprintf(out, " ! no effect: %s.%s is not given", on->group, on->name);
    else
        fprintf(out, " ! %s %s.%s = %s", follows ? "follows from" : "no effect with", on->group, on->name,
                value_write(on, 0, in).text);
}

/* Prints a variable. It is a comment if it would be refused, because its value has no effect or stands for
 * "not given". */
static void print_variable(FILE *out, const struct variable *table, int count, int v, const struct input *in,
                           const struct input_source *source)
{
    const struct variable *var = &table[v];
    const char *remedy = "";
    const size_t on = input_unused(in, var->offset, &remedy);
    const int elements = value_count(var, in);
    if (elements == 0) {
        fprintf(out, "  ! %s: not given\n", var->name);
        return;
    }
    fprintf(out, "  %s%s = ", on ? "! " : "", var->name);
    for (int e = 0; e < elements; ++e) fprintf(out, "%s%s", e ? ", " : "", value_write(var, e, in).text);
    for (int c = 0; c < count && on; ++c)
        if (table[c].offset == on) print_cause(out, var, &table[c], in);
    if (source && source->line[v] < 0) fprintf(out, " ! by %s\n", source->by[v]);
    else fprintf(out, "%s\n", source && source->line[v] == 0 && !on ? " ! default" : "");
}

void input_print(FILE *out, const struct input *in, const struct input_source *source)
{
    int count = 0;
    const struct variable *table = input_table(&count);
    for (int v = 0; v < count; ++v) {
        if (first_of_group(table, v)) fprintf(out, "&%s\n", table[v].group);
        print_variable(out, table, count, v, in, source);
        if (last_of_group(table, count, v)) fprintf(out, "/\n");
    }
}

char *input_text(const struct input *in, const struct input_source *source)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    input_print(out, in, source);
    const int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

static const char *type_name(enum value_type type, int many)
{
    switch (type) {
    case TYPE_INT:
        return many ? "integers" : "integer";
    case TYPE_REAL:
        return many ? "reals" : "real";
    case TYPE_LOGICAL:
        return many ? "logicals" : "logical";
    case TYPE_TEXT:
        return many ? "texts" : "text";
    case TYPE_CHOICE:
        return many ? "choices" : "choice";
    case TYPE_DURATION:
        return many ? "durations" : "duration";
    }
    return "";
}

/* "3 integers (x, y, z)" */
static void write_type(char *out, const struct variable *v)
{
    const int n = variable_elements(v);
    if (v->shape[0] == 0) {
        sprintf(out, "%s", type_name(v->type, 0));
        return;
    }
    if (v->shape[1] > 0) out += sprintf(out, "%d x ", v->shape[0]);
    out += sprintf(out, "%d %s", v->shape[1] > 0 ? v->shape[1] : n, type_name(v->type, 1));
    for (int i = 0; v->index && v->index[i]; ++i) out += sprintf(out, "%s%c", i ? ", " : " (", v->index[i]);
    if (v->index) sprintf(out, ")");
}

static void write_preset(char *out, const struct variable *v)
{
    const int quotes = v->type == TYPE_TEXT || v->type == TYPE_CHOICE || v->type == TYPE_DURATION;
    if (!v->preset) strcpy(out, "required");
    else if (v->not_given) strcpy(out, "not given");
    else sprintf(out, quotes ? "'%s'" : "%s", v->preset);
}

static void help_markdown(FILE *out, const struct variable *v, int first)
{
    char type[LINE_TEXT], preset[LINE_TEXT];
    write_type(type, v);
    write_preset(preset, v);
    if (first) {
        fprintf(out, "## &%s\n\n| name | type | default | allowed | unit | meaning |\n", v->group);
        fprintf(out, "| --- | --- | --- | --- | --- | --- |\n");
    }
    fprintf(out, "| `%s` | %s | %s | ", v->name, type, preset);
    fprintf(out, "%s | %s | ", value_allowed(v).text, v->unit);
    for (const char *p = v->help; *p; ++p)
        fprintf(out, *p == '|' || *p == '*' ? "\\%c" : "%c", *p); /* the others are markup */
    fprintf(out, " |\n");
}

/* Prints a text in lines of at most 100 characters, each after eight blanks. */
static void print_wrapped(FILE *out, const char *text)
{
    enum { INDENT = 8, WIDTH = 100 };
    int column = 0;
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + word > WIDTH) {
            fprintf(out, "\n");
            column = 0;
        }
        if (column == 0) column = fprintf(out, "%*s%.*s", INDENT, "", word, text);
        else column += fprintf(out, " %.*s", word, text);
        text += word + (text[word] == ' ');
    }
    fprintf(out, "\n");
}

static void help_text(FILE *out, const struct variable *v, int first)
{
    char type[LINE_TEXT], preset[LINE_TEXT];
    write_type(type, v);
    write_preset(preset, v);
    const struct value_text allowed = value_allowed(v);
    if (first) fprintf(out, "&%s\n", v->group);
    fprintf(out, "    %s: %s%s%s", v->name, type, strcmp(v->unit, "-") == 0 ? "" : " in ",
            strcmp(v->unit, "-") == 0 ? "" : v->unit);
    fprintf(out, v->preset && !v->not_given ? "; default %s" : "; %s", preset);
    fprintf(out, "%s%s\n", allowed.text[0] ? "; allowed: " : "", allowed.text);
    print_wrapped(out, v->help);
}

void input_help(FILE *out, int markdown)
{
    int count = 0;
    const struct variable *table = input_table(&count);
    for (int v = 0; v < count; ++v) {
        const int first = first_of_group(table, v);
        if (first && v > 0) fprintf(out, "\n");
        if (markdown) help_markdown(out, &table[v], first);
        else help_text(out, &table[v], first);
    }
}
