/* The operations of formulas, for the parser of the inputs and for the kernels that evaluate them. */
#ifndef KOL_BASE_FORMULA_STEP_H
#define KOL_BASE_FORMULA_STEP_H

#include <math.h>
#include "types.h"

/* What a formula may contain besides numbers, pi and functions: the coordinates, the time at which the run
 * starts, the lengths of the box, the viscosity, and the time. */
enum formula_variable {
    FORMULA_X,
    FORMULA_Y,
    FORMULA_Z,
    FORMULA_T0,
    FORMULA_LX,
    FORMULA_LY,
    FORMULA_LZ,
    FORMULA_NU,
    FORMULA_T,
    FORMULA_VARIABLES
};

/* Operations: those that put a value on the stack, then those of one value, then those of two. */
enum formula_operation {
    FORMULA_NUMBER,
    FORMULA_VARIABLE,
    FORMULA_NEGATE,
    FORMULA_SIN,
    FORMULA_COS,
    FORMULA_TAN,
    FORMULA_ASIN,
    FORMULA_ACOS,
    FORMULA_ATAN,
    FORMULA_SINH,
    FORMULA_COSH,
    FORMULA_TANH,
    FORMULA_EXP,
    FORMULA_LOG,
    FORMULA_LOG10,
    FORMULA_SQRT,
    FORMULA_ABS,
    FORMULA_FLOOR,
    FORMULA_CEIL,
    FORMULA_ERF,
    FORMULA_STEP,
    FORMULA_SIGN,
    FORMULA_ADD,
    FORMULA_SUBTRACT,
    FORMULA_MULTIPLY,
    FORMULA_DIVIDE,
    FORMULA_POWER,
    FORMULA_MIN,
    FORMULA_MAX,
    FORMULA_ATAN2,
    FORMULA_MOD
};

enum { FORMULA_DEPTH = 32 }; /* values on the stack */

/* formula_step: one step of a stack machine. number: of FORMULA_NUMBER, or which variable. */
struct formula_step {
    int operation; /* enum formula_operation */
    double number;
};

/* formula_one: returns the result of an operation of one value. step(x) is 0 below 0 and 1 from 0 on. */
HD double formula_one(int operation, double a)
{
    switch (operation) {
    case FORMULA_NEGATE:
        return -a;
    case FORMULA_SIN:
        return sin(a);
    case FORMULA_COS:
        return cos(a);
    case FORMULA_TAN:
        return tan(a);
    case FORMULA_ASIN:
        return asin(a);
    case FORMULA_ACOS:
        return acos(a);
    case FORMULA_ATAN:
        return atan(a);
    case FORMULA_SINH:
        return sinh(a);
    case FORMULA_COSH:
        return cosh(a);
    case FORMULA_TANH:
        return tanh(a);
    case FORMULA_EXP:
        return exp(a);
    case FORMULA_LOG:
        return log(a);
    case FORMULA_LOG10:
        return log10(a);
    case FORMULA_SQRT:
        return sqrt(a);
    case FORMULA_ABS:
        return fabs(a);
    case FORMULA_FLOOR:
        return floor(a);
    case FORMULA_CEIL:
        return ceil(a);
    case FORMULA_ERF:
        return erf(a);
    case FORMULA_STEP:
        return a >= 0 ? 1 : a == a ? 0 : a;
    default:
        return a == a ? (a > 0) - (a < 0) : a; /* FORMULA_SIGN */
    }
}

/* formula_two: returns the result of an operation of two values. mod(a, b) has the sign of b, so that
 * mod(x, l) is periodic for negative x, too. */
HD double formula_two(int operation, double a, double b)
{
    switch (operation) {
    case FORMULA_ADD:
        return a + b;
    case FORMULA_SUBTRACT:
        return a - b;
    case FORMULA_MULTIPLY:
        return a * b;
    case FORMULA_DIVIDE:
        return a / b;
    case FORMULA_MIN:
        return fmin(a, b);
    case FORMULA_MAX:
        return fmax(a, b);
    case FORMULA_ATAN2:
        return atan2(a, b);
    case FORMULA_MOD:
        return a - b * floor(a / b);
    default:
        return pow(a, b); /* FORMULA_POWER */
    }
}

/* formula_run: returns the value of a list of steps; 0 of an empty one. */
HD double formula_run(const struct formula_step *step, int count, const double *variable)
{
    double stack[FORMULA_DEPTH + 1] = {0};
    int n = 0;
    for (int s = 0; s < count; ++s) {
        const int operation = step[s].operation;
        if (operation == FORMULA_NUMBER) {
            stack[n++] = step[s].number;
        } else if (operation == FORMULA_VARIABLE) {
            stack[n++] = variable[(int)step[s].number];
        } else if (operation < FORMULA_ADD) {
            stack[n - 1] = formula_one(operation, stack[n - 1]);
        } else {
            --n;
            stack[n - 1] = formula_two(operation, stack[n - 1], stack[n]);
        }
    }
    return n > 0 ? stack[0] : 0;
}

#endif
