/* Compiles and evaluates formulas. A formula can do mathematics and nothing else. */
#include "formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"

enum operation { NUMBER, VARIABLE, NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, ONE, TWO };

static const char *const VARIABLE_NAME[FORMULA_VARIABLES] = {"x", "y", "z", "t0", "lx", "ly", "lz", "nu"};

/* 0 below 0, 1 from 0 on. */
static double step(double x)
{
    return x >= 0 ? 1 : isnan(x) ? x : 0;
}

static double sign(double x)
{
    return isnan(x) ? x : (x > 0) - (x < 0);
}

/* The remainder with the sign of the divisor, so that mod(x, l) is periodic for negative x, too. */
static double mod(double x, double l)
{
    return x - l * floor(x / l);
}

static const struct one {
    const char *name;
    double (*value)(double);
} ONES[] = {{"sin", sin},   {"cos", cos},   {"tan", tan},   {"asin", asin},   {"acos", acos},
            {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh},   {"exp", exp},
            {"log", log},   {"sqrt", sqrt}, {"abs", fabs},  {"floor", floor}, {"ceil", ceil},
            {"erf", erf},   {"step", step}, {"sign", sign}, {"log10", log10}};
static const struct two {
    const char *name;
    double (*value)(double, double);
} TWOS[] = {{"min", fmin}, {"max", fmax}, {"atan2", atan2}, {"pow", pow}, {"mod", mod}};
enum { ONE_COUNT = sizeof ONES / sizeof ONES[0], TWO_COUNT = sizeof TWOS / sizeof TWOS[0] };
#define FUNCTIONS                                                                                            \
    "sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10, sqrt, abs, floor, ceil, erf, "      \
    "step, sign, min, max, atan2, pow, mod"

/* parser: the place in the text, and the program so far. depth: of parentheses and signs; held: values on the
 * stack at this place. */
struct parser {
    const char *text, *at;
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
            emit(p, NUMBER, value, 0);
            return;
        }
    }
    refuse(p, start, "this is no number");
}

static void arguments(struct parser *p, int operation, int function, int count)
{
    const char *start = p->at;
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
    emit(p, operation, function, count);
}

static void name(struct parser *p)
{
    const char *start = p->at;
    char words[FORMULA_FAULT];
    while (is_letter(*p->at) || is_digit(*p->at)) ++p->at;
    const size_t n = (size_t)(p->at - start);
    if (n == 2 && strncmp(start, "pi", n) == 0) {
        emit(p, NUMBER, PI, 0);
        return;
    }
    for (int v = 0; v < FORMULA_VARIABLES; ++v)
        if (strlen(VARIABLE_NAME[v]) == n && strncmp(start, VARIABLE_NAME[v], n) == 0) {
            emit(p, VARIABLE, v, 0);
            return;
        }
    for (int f = 0; f < ONE_COUNT; ++f)
        if (strlen(ONES[f].name) == n && strncmp(start, ONES[f].name, n) == 0) {
            arguments(p, ONE, f, 1);
            return;
        }
    for (int f = 0; f < TWO_COUNT; ++f)
        if (strlen(TWOS[f].name) == n && strncmp(start, TWOS[f].name, n) == 0) {
            arguments(p, TWO, f, 2);
            return;
        }
    snprintf(words, sizeof words,
             "'%.*s' is not known; known are x, y, z, t0, lx, ly, lz, nu, pi and the functions " FUNCTIONS,
             n < 32 ? (int)n : 32, start);
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
        emit(p, NEGATE, 0, 1);
    } else if (take(p, "+")) {
        sign_or_power(p);
    } else {
        primary(p);
        if (!p->bad && (take(p, "**") || take(p, "^"))) {
            sign_or_power(p); /* 2^-1, and 2^3^2 = 2^9 */
            emit(p, POWER, 0, 2);
        }
    }
    --p->depth;
}

static void term(struct parser *p)
{
    sign_or_power(p);
    while (!p->bad) {
        blanks(p);
        const int operation = *p->at == '*' ? MULTIPLY : *p->at == '/' ? DIVIDE : NUMBER;
        if (operation == NUMBER) return;
        ++p->at;
        sign_or_power(p);
        emit(p, operation, 0, 2);
    }
}

static void expression(struct parser *p)
{
    term(p);
    while (!p->bad) {
        const int operation = take(p, "+") ? ADD : take(p, "-") ? SUBTRACT : NUMBER;
        if (operation == NUMBER) return;
        term(p);
        emit(p, operation, 0, 2);
    }
}

int formula_parse(const char *text, struct formula *out, int *column, char fault[FORMULA_FAULT])
{
    struct parser p = {.text = text, .at = text, .out = out, .fault = fault};
    memset(out, 0, sizeof *out);
    expression(&p);
    blanks(&p);
    if (*p.at != '\0') refuse(&p, p.at, "an operator (+ - * / ^) or the end of the formula must stand here");
    *column = p.column;
    return !p.bad;
}

static double both(int operation, double a, double b)
{
    switch (operation) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    default:
        return pow(a, b);
    }
}

double formula_value(const struct formula *f, const double variable[FORMULA_VARIABLES])
{
    double stack[FORMULA_DEPTH + 1] = {0};
    int n = 0;
    for (const struct formula_step *s = f->step; s < f->step + f->count; ++s) {
        const int which = s->operation == NUMBER ? 0 : (int)s->number;
        switch (s->operation) {
        case NUMBER:
            stack[n++] = s->number;
            break;
        case VARIABLE:
            stack[n++] = variable[which];
            break;
        case NEGATE:
            stack[n - 1] = -stack[n - 1];
            break;
        case ONE:
            stack[n - 1] = ONES[which].value(stack[n - 1]);
            break;
        case TWO:
            --n;
            stack[n - 1] = TWOS[which].value(stack[n - 1], stack[n]);
            break;
        default:
            --n;
            stack[n - 1] = both(s->operation, stack[n - 1], stack[n]);
        }
    }
    return n > 0 ? stack[0] : 0;
}
