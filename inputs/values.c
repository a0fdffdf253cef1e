/* Reads and writes one value of a variable. */
#include "values.h"

#include <ctype.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "faults.h"
#include "nearest_name.h"

enum number { NUMBER_OK, NUMBER_BAD, NUMBER_LARGE, NUMBER_SMALL, NUMBER_NOT_FINITE };

static int refuse(struct reason *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct reason *why, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(why->text, sizeof why->text, fmt, args);
    va_end(args);
    return 0;
}

static size_t digits(const char *text)
{
    size_t n = 0;
    while (text[n] >= '0' && text[n] <= '9') ++n;
    return n;
}

static int is_sign(char c)
{
    return c == '+' || c == '-';
}

static int spells_no_number(const char *text)
{
    if (is_sign(*text)) ++text;
    return strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "inf", 3) == 0;
}

/* Calls strtod in the locale C, whatever decimal point the program's locale has. */
static double to_double(const char *text)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0) return NAN;
    const double x = strtod_l(text, NULL, c);
    freelocale(c);
    return x;
}

/* Reads a Fortran real: sign, digits with or without a point, then e, d or q with an exponent, or a signed
 * exponent alone. */
static enum number real_read(const char *text, double *out)
{
    char plain[INPUT_TEXT + 2]; /* one letter may be added */
    if (spells_no_number(text)) return NUMBER_NOT_FINITE;
    const char *p = text + is_sign(*text);
    const size_t whole = digits(p);
    p += whole;
    const size_t part = *p == '.' ? digits(p + 1) : 0;
    if (*p == '.') p += 1 + part;
    if (whole + part == 0) return NUMBER_BAD;
    size_t used = (size_t)(p - text);
    memcpy(plain, text, used);
    if (*p) {
        if (strchr("eEdDqQ", *p)) ++p;
        else if (!is_sign(*p)) return NUMBER_BAD;
        const size_t exponent = digits(p + is_sign(*p));
        if (exponent == 0 || p[is_sign(*p) + exponent] != '\0') return NUMBER_BAD;
        plain[used++] = 'e';
        memcpy(plain + used, p, is_sign(*p) + exponent);
        used += is_sign(*p) + exponent;
    }
    plain[used] = '\0';
    *out = to_double(plain);
    if (!isfinite(*out)) return NUMBER_LARGE;
    if (*out == 0 && strcspn(plain, "123456789") < strcspn(plain, "e")) return NUMBER_SMALL;
    return NUMBER_OK;
}

static enum number int_read(const char *text, int *out)
{
    const char *p = text + is_sign(*text);
    const size_t n = digits(p);
    if (n == 0 || p[n] != '\0') return NUMBER_BAD;
    long long x = 0;
    for (size_t i = 0; i < n; ++i) {
        x = 10 * x + (p[i] - '0');
        if (x > INT_MAX) return NUMBER_LARGE;
    }
    *out = (int)(*text == '-' ? -x : x);
    return NUMBER_OK;
}

static int logical_read(const char *text, int *out)
{
    static const char *const yes[] = {"t", ".t.", "true", ".true."}, *const no[] = {"f", ".f.", "false",
                                                                                    ".false."};
    for (int i = 0; i < 4; ++i) {
        if (strcasecmp(text, yes[i]) == 0) return *out = 1, 1;
        if (strcasecmp(text, no[i]) == 0) return *out = 0, 1;
    }
    return 0;
}

/* hh:mm:ss, hours of one to seven digits. */
static int duration_read(const char *text, double *out)
{
    const size_t hours = digits(text);
    const char *p = text + hours;
    if (hours < 1 || hours > 7 || p[0] != ':' || digits(p + 1) != 2 || p[3] != ':' || digits(p + 4) != 2)
        return 0;
    if (p[6] != '\0' || p[1] > '5' || p[4] > '5') return 0;
    *out = 3600.0 * (double)strtol(text, NULL, 10) + 60.0 * (double)strtol(p + 1, NULL, 10) +
           (double)strtol(p + 4, NULL, 10);
    return 1;
}

static int outside(const struct variable *v, double x)
{
    return !(x >= v->low && x <= v->high) || (v->low_open && x == v->low) || (v->high_open && x == v->high);
}

static int number_to(const struct variable *v, const char *what, const char *text, int quoted, double *x,
                     struct reason *why)
{
    const struct shown s = show(text, strlen(text));
    if (quoted) return refuse(why, "%s takes a number without quotes, not '%s'", what, s.text);
    int i = 0;
    const enum number got = v->type == TYPE_INT ? int_read(text, &i) : real_read(text, x);
    if (v->type == TYPE_INT) *x = i;
    switch (got) {
    case NUMBER_BAD:
        return refuse(why, "%s takes %s, not '%s'", what,
                      v->type == TYPE_INT ? "an integer" : "a real number", s.text);
    case NUMBER_LARGE:
        return refuse(why, "%s = %s is too large for its type", what, s.text);
    case NUMBER_SMALL:
        return refuse(why, "%s = %s is too small for its type; write 0 if that is meant", what, s.text);
    case NUMBER_NOT_FINITE:
        return refuse(why, "%s takes a finite number, not '%s'", what, s.text);
    case NUMBER_OK:
        break;
    }
    if (outside(v, *x))
        return refuse(why, "%s = %s is out of range; allowed: %s", what, s.text, value_allowed(v).text);
    return 1;
}

static int choice_to(const struct variable *v, const char *what, const char *text, int *out,
                     struct reason *why)
{
    for (int i = 0; v->names[i]; ++i)
        if (strcmp(v->names[i], text) == 0) return *out = i, 1;
    const int near = nearest_choice(v->names, text);
    const struct shown s = show(text, strlen(text));
    if (near >= 0)
        return refuse(why, "%s = '%s' is not known, did you mean '%s'? allowed: %s", what, s.text,
                      v->names[near], value_allowed(v).text);
    return refuse(why, "%s = '%s' is not known; allowed: %s", what, s.text, value_allowed(v).text);
}

static int text_to(const struct variable *v, const char *what, const char *text, char *out,
                   struct reason *why)
{
    const size_t length = strlen(text);
    if ((double)length < v->low) return refuse(why, "%s must not be empty", what);
    memcpy(out, text, length + 1);
    memset(out + length, 0, INPUT_TEXT - length);
    return 1;
}

int value_read(const struct variable *v, int element, const char *text, size_t length, int quoted,
               void *values, struct reason *why)
{
    const struct element_name name = element_name(v, element);
    const char *what = name.text;
    char *to = (char *)values + v->offset + (size_t)element * variable_element_bytes(v);
    const struct shown s = show(text, strlen(text));
    const int wants_text = v->type == TYPE_TEXT || v->type == TYPE_CHOICE || v->type == TYPE_DURATION;
    if (length >= INPUT_TEXT)
        return refuse(why, "%s has %zu bytes; at most %d are allowed", what, length, INPUT_TEXT - 1);
    double x = 0;
    int i = 0;
    if (v->type == TYPE_DURATION && !duration_read(text, &x))
        return refuse(why, "%s takes 'hh:mm:ss', not %s%s%s", what, quoted ? "'" : "", s.text,
                      quoted ? "'" : "");
    if (wants_text && !quoted) return refuse(why, "%s takes text in quotes; write '%s'", what, s.text);
    switch (v->type) {
    case TYPE_TEXT:
        return text_to(v, what, text, to, why);
    case TYPE_CHOICE:
        if (!choice_to(v, what, text, &i, why)) return 0;
        break;
    case TYPE_LOGICAL:
        if (quoted || !logical_read(text, &i))
            return refuse(why, "%s takes .true. or .false., not '%s'", what, s.text);
        break;
    case TYPE_DURATION:
        break;
    case TYPE_INT:
    case TYPE_REAL:
        if (!number_to(v, what, text, quoted, &x, why)) return 0;
        i = v->type == TYPE_INT ? (int)x : 0;
        break;
    }
    if (v->type == TYPE_REAL || v->type == TYPE_DURATION) memcpy(to, &x, sizeof x);
    else memcpy(to, &i, sizeof i);
    return 1;
}

void value_preset(const struct variable *v, void *values)
{
    const int quoted = v->type == TYPE_TEXT || v->type == TYPE_CHOICE || v->type == TYPE_DURATION;
    struct variable any = *v; /* without its range, because "not given" lies outside */
    struct reason why;
    any.low = -HUGE_VAL;
    any.high = HUGE_VAL;
    any.low_open = any.high_open = 0;
    if (v->type == TYPE_LOGICAL && v->not_given) {
        const int neither = -1;
        memcpy((char *)values + v->offset, &neither, sizeof neither);
        return;
    }
    if (!v->preset) return;
    value_read(&any, 0, v->preset, strlen(v->preset), quoted, values, &why);
    const size_t bytes = variable_element_bytes(v);
    char *first = (char *)values + v->offset;
    for (int e = 1; e < variable_elements(v); ++e) memcpy(first + (size_t)e * bytes, first, bytes);
}

/* Prints one double in the locale C. */
static void print_double(char *out, size_t size, int precision, double x)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t old = c != (locale_t)0 ? uselocale(c) : (locale_t)0;
    snprintf(out, size, "%.*g", precision, x);
    if (c == (locale_t)0) return;
    uselocale(old);
    freelocale(c);
}

static void write_double(char *out, size_t size, double x)
{
    for (int precision = 15; precision <= 17; ++precision) {
        print_double(out, size, precision, x);
        if (to_double(out) == x) return;
    }
}

static void write_text(char *out, const char *text)
{
    *out++ = '\'';
    for (; *text; ++text) {
        if (*text == '\'') *out++ = '\'';
        *out++ = *text;
    }
    *out++ = '\'';
    *out = '\0';
}

struct value_text value_write(const struct variable *v, int element, const void *values)
{
    const char *from = (const char *)values + v->offset + (size_t)element * variable_element_bytes(v);
    struct value_text out;
    double x = 0;
    int i = 0;
    if (v->type == TYPE_REAL || v->type == TYPE_DURATION) memcpy(&x, from, sizeof x);
    else if (v->type != TYPE_TEXT) memcpy(&i, from, sizeof i);
    out.text[0] = '\0';
    if (v->not_given && v->shape[0] > 0 && x == to_double(v->preset)) return out;
    switch (v->type) {
    case TYPE_TEXT:
        write_text(out.text, from);
        break;
    case TYPE_CHOICE:
        write_text(out.text, v->names[i]);
        break;
    case TYPE_LOGICAL:
        snprintf(out.text, sizeof out.text, "%s", i < 0 ? v->preset : i ? ".true." : ".false.");
        break;
    case TYPE_DURATION: {
        const long s = (long)x;
        snprintf(out.text, sizeof out.text, "'%02ld:%02ld:%02ld'", s / 3600, s / 60 % 60, s % 60);
        break;
    }
    case TYPE_INT:
        snprintf(out.text, sizeof out.text, "%d", i);
        break;
    case TYPE_REAL:
        write_double(out.text, sizeof out.text, x);
        break;
    }
    return out;
}

int value_count(const struct variable *v, const void *values)
{
    enum { SHORT = 6 };
    struct input preset;
    const size_t bytes = variable_element_bytes(v);
    const char *now = (const char *)values + v->offset, *before = (const char *)&preset + v->offset;
    int n = variable_elements(v);
    if (n <= SHORT && !v->not_given) return n;
    memset(&preset, 0, sizeof preset);
    value_preset(v, &preset);
    while (n > 0 && memcmp(now + (size_t)(n - 1) * bytes, before + (size_t)(n - 1) * bytes, bytes) == 0) --n;
    if (n == 0) return v->not_given ? 0 : 1;
    return variable_elements(v) <= SHORT ? variable_elements(v) : n;
}

struct value_text value_allowed(const struct variable *v)
{
    struct value_text out = {""};
    size_t used = 0;
    if (v->type == TYPE_CHOICE)
        for (int i = 0; v->names[i]; ++i)
            used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s'%s'", i ? ", " : "",
                                     v->names[i]);
    if (v->type != TYPE_INT && v->type != TYPE_REAL) return out;
    char low[32], high[32];
    print_double(low, sizeof low, 10, v->low);
    print_double(high, sizeof high, 10, v->high);
    const char *above = v->low_open ? "<" : "<=", *below = v->high_open ? "<" : "<=";
    if (isfinite(v->low) && isfinite(v->high))
        snprintf(out.text, sizeof out.text, "%s %s %s %s %s", low, above, v->name, below, high);
    else if (isfinite(v->low))
        snprintf(out.text, sizeof out.text, "%s %s %s", v->name, v->low_open ? ">" : ">=", low);
    else if (isfinite(v->high)) snprintf(out.text, sizeof out.text, "%s %s %s", v->name, below, high);
    return out;
}
