/* Compiles and evaluates formulas. A formula can do mathematics and nothing else. */
#include "formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"

static const char *const VARIABLE_NAME[FORMULA_VARIABLES] = {"x",  "y",  "z",  "t0", "lx",
                                                             "ly", "lz", "nu", "t"};

static const struct function {
    const char *name;
    int operation;
} FUNCTION[] = {
    {"sin", FORMULA_SIN},   {"cos", FORMULA_COS},   {"tan", FORMULA_TAN},     {"asin", FORMULA_ASIN},
    {"acos", FORMULA_ACOS}, {"atan", FORMULA_ATAN}, {"sinh", FORMULA_SINH},   {"cosh", FORMULA_COSH},
    {"tanh", FORMULA_TANH}, {"exp", FORMULA_EXP},   {"log", FORMULA_LOG},     {"log10", FORMULA_LOG10},
    {"sqrt", FORMULA_SQRT}, {"abs", FORMULA_ABS},   {"floor", FORMULA_FLOOR}, {"ceil", FORMULA_CEIL},
    {"erf", FORMULA_ERF},   {"step", FORMULA_STEP}, {"sign", FORMULA_SIGN},   {"min", FORMULA_MIN},
    {"max", FORMULA_MAX},   {"mod", FORMULA_MOD},   {"atan2", FORMULA_ATAN2}, {"pow", FORMULA_POWER}};
enum { FUNCTIONS_KNOWN = sizeof FUNCTION / sizeof FUNCTION[0] };
#define FUNCTIONS                                                                                            \
    "sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10, sqrt, abs, floor, ceil, erf, "      \
    "step, sign, min, max, atan2, pow, mod"

/* parser: the place in the text, and the program so far. depth: of parentheses and signs; held: values on the
 * stack at this place. */
struct parser {
    const char *text, *at;
    enum formula_time time;
    struct formula *out;
    int depth, held, bad, column;
    char *fault;
};

static void refuse(struct parser *p, const char *at, const char *words)
{
    if (p->bad) return;
    p->bad = 1;
    p->column = (int)(at - p->text) + 1;
    snprintf(p->fault, FORMULA_FAULT, "%s", words);
}

/* Adds a step that takes `takes` values from the stack and puts one there. */
static void emit(struct parser *p, int operation, double number, int takes)
{
    if (p->out->count == FORMULA_STEPS || (p->held += 1 - takes) > FORMULA_DEPTH) {
        refuse(p, p->at, "the formula is too long; write it shorter");
        return;
    }
    p->out->step[p->out->count++] = (struct formula_step){operation, number};
}

static void blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t') ++p->at;
}

static int take(struct parser *p, const char *symbol)
{
    blanks(p);
    if (strncmp(p->at, symbol, strlen(symbol)) != 0) return 0;
    p->at += strlen(symbol);
    return 1;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void expression(struct parser *p);

/* A number of digits, a point and an exponent; strtod() alone would take inf and hexadecimal ones, too. */
static void number(struct parser *p)
{
    const char *start = p->at;
    char digits[64];
    size_t n = 0;
    while (is_digit(*p->at) || *p->at == '.') ++p->at;
    if ((*p->at == 'e' || *p->at == 'E') &&
        (is_digit(p->at[1]) || ((p->at[1] == '+' || p->at[1] == '-') && is_digit(p->at[2])))) {
        p->at += 2;
        while (is_digit(*p->at)) ++p->at;
    }
    n = (size_t)(p->at - start);
    char *end = digits;
    if (n < sizeof digits) {
        memcpy(digits, start, n);
        digits[n] = '\0';
        const double value = strtod(digits, &end);
        if (end == digits + n && isfinite(value)) {
            emit(p, FORMULA_NUMBER, value, 0);
            return;
        }
    }
    refuse(p, start, "this is no number");
}

static void arguments(struct parser *p, int operation)
{
    const char *start = p->at;
    const int count = operation < FORMULA_ADD ? 1 : 2;
    if (!take(p, "(")) {
        refuse(p, start, "a function takes its arguments in parentheses, such as sin(x)");
        return;
    }
    for (int n = 0; n < count && !p->bad; ++n) {
        if (n > 0 && !take(p, ","))
            refuse(p, p->at, "this function takes two arguments, with a comma between");
        else expression(p);
    }
    blanks(p);
    if (!p->bad && *p->at == ',') refuse(p, p->at, "this function does not take so many arguments");
    else if (!p->bad && !take(p, ")")) refuse(p, p->at, "a closing parenthesis is missing here");
    emit(p, operation, 0, count);
}

static void name(struct parser *p)
{
    const char *start = p->at;
    char words[FORMULA_FAULT];
    while (is_letter(*p->at) || is_digit(*p->at)) ++p->at;
    const size_t n = (size_t)(p->at - start);
    if (n == 2 && strncmp(start, "pi", n) == 0) {
        emit(p, FORMULA_NUMBER, PI, 0);
        return;
    }
    for (int v = 0; v < FORMULA_VARIABLES; ++v)
        if (strlen(VARIABLE_NAME[v]) == n && strncmp(start, VARIABLE_NAME[v], n) == 0) {
            if (v == FORMULA_T && p->time != FORMULA_IN_TIME) {
                refuse(
                    p, start,
                    p->time == FORMULA_OF_FACE
                        ? "t can't stand here, for formulas of faces do not change in time; an inflow that "
                          "changes in time takes the profile 'planes'"
                        : "t can't stand here, for this formula is of the start; t0 is its time");
                return;
            }
            emit(p, FORMULA_VARIABLE, v, 0);
            return;
        }
    for (int f = 0; f < FUNCTIONS_KNOWN; ++f)
        if (strlen(FUNCTION[f].name) == n && strncmp(start, FUNCTION[f].name, n) == 0) {
            arguments(p, FUNCTION[f].operation);
            return;
        }
    snprintf(words, sizeof words,
             "'%.*s' is not known; known are x, y, z, %st0, lx, ly, lz, nu, pi and the functions " FUNCTIONS,
             n < 32 ? (int)n : 32, start, p->time == FORMULA_IN_TIME ? "t, " : "");
    refuse(p, start, words);
}

static void primary(struct parser *p)
{
    blanks(p);
    if (is_digit(*p->at) || *p->at == '.') {
        number(p);
    } else if (is_letter(*p->at)) {
        name(p);
    } else if (take(p, "(")) {
        expression(p);
        if (!p->bad && !take(p, ")")) refuse(p, p->at, "a closing parenthesis is missing here");
    } else {
        refuse(p, p->at,
               *p->at == '\0' ? "the formula ends where a number, a name or a parenthesis is missing"
                              : "a number, a name or a parenthesis must stand here");
    }
}

static void sign_or_power(struct parser *p)
{
    if (++p->depth > FORMULA_DEPTH) refuse(p, p->at, "the formula is nested too deeply; write it flatter");
    if (p->bad) return;
    if (take(p, "-")) {
        sign_or_power(p);
        emit(p, FORMULA_NEGATE, 0, 1);
    } else if (take(p, "+")) {
        sign_or_power(p);
    } else {
        primary(p);
        if (!p->bad && (take(p, "**") || take(p, "^"))) {
            sign_or_power(p); /* 2^-1, and 2^3^2 = 2^9 */
            emit(p, FORMULA_POWER, 0, 2);
        }
    }
    --p->depth;
}

static void term(struct parser *p)
{
    sign_or_power(p);
    while (!p->bad) {
        blanks(p);
        const int operation = *p->at == '*'   ? FORMULA_MULTIPLY
                              : *p->at == '/' ? FORMULA_DIVIDE
                                              : FORMULA_NUMBER;
        if (operation == FORMULA_NUMBER) return;
        ++p->at;
        sign_or_power(p);
        emit(p, operation, 0, 2);
    }
}

static void expression(struct parser *p)
{
    term(p);
    while (!p->bad) {
        const int operation = take(p, "+") ? FORMULA_ADD : take(p, "-") ? FORMULA_SUBTRACT : FORMULA_NUMBER;
        if (operation == FORMULA_NUMBER) return;
        term(p);
        emit(p, operation, 0, 2);
    }
}

int formula_parse(const char *text, enum formula_time time, struct formula *out, int *column,
                  char fault[FORMULA_FAULT])
{
    struct parser p = {.text = text, .at = text, .time = time, .out = out, .fault = fault};
    memset(out, 0, sizeof *out);
    expression(&p);
    blanks(&p);
    if (*p.at != '\0') refuse(&p, p.at, "an operator (+ - * / ^) or the end of the formula must stand here");
    *column = p.column;
    return !p.bad;
}

int formula_has(const struct formula *f, enum formula_variable variable)
{
    for (int s = 0; s < f->count; ++s)
        if (f->step[s].operation == FORMULA_VARIABLE && (int)f->step[s].number == (int)variable) return 1;
    return 0;
}

int formula_is_zero(const struct formula *f)
{
    return f->count == 1 && f->step[0].operation == FORMULA_NUMBER && f->step[0].number == 0;
}

double formula_value(const struct formula *f, const double variable[FORMULA_VARIABLES])
{
    return formula_run(f->step, f->count, variable);
}
