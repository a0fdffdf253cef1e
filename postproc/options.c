/* Reads the command lines of the programs, and prints their help. */
#include "options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static kol_status keep(struct words *list, const char *word)
{
    if (list->count == WORDS_MOST)
        RAISE(KOL_ERR_INPUT, "error: more than %d words on the command line", WORDS_MOST);
    list->word[list->count++] = word;
    return KOL_OK;
}

/* The option that the word names, as --name or --name=value; NULL if there is none. */
static const struct option *find(const struct option *table, const char *word)
{
    const size_t n = strcspn(word, "=");
    for (const struct option *o = table; o->name != NULL; ++o)
        if (strlen(o->name) == n && strncmp(o->name, word, n) == 0) return o;
    return NULL;
}

static kol_status take(const struct option *o, const char *value)
{
    if (o->list != NULL) return keep(o->list, value);
    if (*o->text != NULL) RAISE(KOL_ERR_INPUT, "error: --%s is given twice", o->name);
    *o->text = value;
    return KOL_OK;
}

static kol_status read_option(const struct option *table, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    const struct option *o = strncmp(word, "--", 2) == 0 ? find(table, word + 2) : NULL;
    if (o == NULL) RAISE(KOL_ERR_INPUT, "error: unknown option %s; see --help", word);
    const char *sign = strchr(word, '=');
    if (o->on != NULL) {
        if (sign != NULL) RAISE(KOL_ERR_INPUT, "error: --%s takes no value", o->name);
        *o->on = 1;
        return KOL_OK;
    }
    if (sign == NULL && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2) == 0)
        RAISE(KOL_ERR_INPUT, "error: --%s needs %s; %s follows it instead", o->name, o->value, argv[*i + 1]);
    const char *value = sign != NULL ? sign + 1 : *i + 1 < argc ? argv[++*i] : "";
    if (value[0] == '\0') RAISE(KOL_ERR_INPUT, "error: --%s needs %s; see --help", o->name, o->value);
    return take(o, value);
}

kol_status options_read(const struct option *table, int argc, char **argv, struct words *rest)
{
    for (int i = 1; i < argc; ++i)
        TRY(argv[i][0] == '-' ? read_option(table, argc, argv, &i) : keep(rest, argv[i]));
    return KOL_OK;
}

void options_print(FILE *out, const struct option *table)
{
    enum { COLUMN = 24 };
    for (const struct option *o = table; o->name != NULL; ++o) {
        const int n = fprintf(out, "  --%s%s%s", o->name, o->value != NULL ? " " : "",
                              o->value != NULL ? o->value : "");
        fprintf(out, "%*s", n < COLUMN ? COLUMN - n : 1, "");
        for (const char *c = o->help; *c != '\0'; ++c)
            if (*c == '\n') fprintf(out, "\n%*s", COLUMN, "");
            else putc(*c, out);
        putc('\n', out);
    }
}

kol_status options_number(const char *name, const char *text, double least, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*value) && *value >= least) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "error: --%s %s: a number of at least %g is needed", name, text, least);
}

kol_status options_count(const char *name, const char *text, int least, int *value)
{
    char *end;
    const long n = strtol(text, &end, 10);
    *value = (int)n;
    if (end != text && *end == '\0' && n >= least && n <= INT_MAX) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "error: --%s %s: an integer of at least %d is needed", name, text, least);
}
