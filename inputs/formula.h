/* Formulas of the inputs: text with mathematics in it, compiled to a list of steps. docs/own-flows.md. */
#ifndef KOL_FORMULA_H
#define KOL_FORMULA_H

enum { FORMULA_STEPS = 256, FORMULA_DEPTH = 32, FORMULA_FAULT = 320 };

/* What a formula may contain besides numbers, pi and functions: the coordinates, the time at which the run
 * starts, the lengths of the box, and the viscosity. */
enum formula_variable {
    FORMULA_X,
    FORMULA_Y,
    FORMULA_Z,
    FORMULA_T0,
    FORMULA_LX,
    FORMULA_LY,
    FORMULA_LZ,
    FORMULA_NU,
    FORMULA_VARIABLES
};

/* formula: steps of a stack machine. A step puts a number or a variable on the stack, or replaces the values
 * on its top by the result of an operation. */
struct formula {
    int count;
    struct formula_step {
        int operation; /* of formula.c */
        double number; /* a number; the number of a variable or of a function */
    } step[FORMULA_STEPS];
};

/* formula_parse: compiles a text. Returns 1; or 0 after a fault. Then *column is where it lies, in characters
 * from 1, and fault says what is wrong and what may stand there. */
int formula_parse(const char *text, struct formula *out, int *column, char fault[FORMULA_FAULT]);

/* formula_value: the value for these variables. It may be infinite or no number, as that of log(-1). */
double formula_value(const struct formula *f, const double variable[FORMULA_VARIABLES]);

#endif
