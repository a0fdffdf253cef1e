/* Formulas of the inputs: text with mathematics in it, compiled to a list of steps. docs/own-flows.md. */
#ifndef KOL_FORMULA_H
#define KOL_FORMULA_H

#include "kernels/base/formula_step.h"

enum { FORMULA_STEPS = 256, FORMULA_FAULT = 320 };

/* formula: steps of a stack machine. A step puts a number or a variable on the stack, or replaces the values
 * on its top by the result of an operation. */
struct formula {
    int count;
    struct formula_step step[FORMULA_STEPS];
};

/* formula_parse: compiles a text. timed: whether it may contain the time t. Returns 1 if the text is a
 * formula. Otherwise it returns 0; *column is then the place of the fault in characters, counted from 1, and
 * `fault` says what is wrong and what may stand there. */
int formula_parse(const char *text, int timed, struct formula *out, int *column, char fault[FORMULA_FAULT]);

/* formula_value: the value for these variables. It may be infinite or no number, as that of log(-1). */
double formula_value(const struct formula *f, const double variable[FORMULA_VARIABLES]);

#endif
