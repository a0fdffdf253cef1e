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

/* formula_time: what a formula is for, which decides whether it may contain the time t. Only FORMULA_IN_TIME
 * may. FORMULA_OF_START is for an initial flow, FORMULA_OF_FACE for the velocity or a scalar of a face. */
enum formula_time { FORMULA_OF_START, FORMULA_IN_TIME, FORMULA_OF_FACE };

/* formula_parse: compiles a text. Returns 1 if the text is a formula. Otherwise it returns 0; *column is then
 * the place of the fault in characters, counted from 1, and `fault` says what is wrong and what may stand
 * there. */
int formula_parse(const char *text, enum formula_time time, struct formula *out, int *column,
                  char fault[FORMULA_FAULT]);

/* formula_has: returns whether a formula contains a variable. formula_is_zero: whether it is the number 0. */
int formula_has(const struct formula *f, enum formula_variable variable);
int formula_is_zero(const struct formula *f);

/* formula_value: the value for these variables. It may be infinite or no number, as that of log(-1). */
double formula_value(const struct formula *f, const double variable[FORMULA_VARIABLES]);

#endif
