/* Compiles the formulas of an input, to find faults in them before anything is computed. */
#include "check_formulas.h"

#include "formula.h"
#include "rules.h"

/* The place in the input of a column of a formula. The value begins with a quotation mark. */
static struct place inside(struct place value, int column)
{
    value.column += column;
    return value;
}

static void check_one(struct reading *r, size_t offset, const char *text)
{
    struct formula compiled;
    char fault[FORMULA_FAULT];
    int column;
    const struct variable *v = &r->table[rule_variable(r, offset)];
    if (!is_good(r, offset) || formula_parse(text, &compiled, &column, fault)) return;
    fault_add(&r->faults, inside(place_of_element(r, offset, 0, offset), column),
              "%s.%s: column %d of the formula: %s", v->group, v->name, column, fault);
}

void check_formulas(struct reading *r, const struct input *in)
{
    const size_t first = OFF(initial.formula), size = sizeof in->initial.formula[0];
    if (!is_good(r, OFF(initial.type)) || in->initial.type != INITIAL_FORMULA) return;
    int any = 0;
    for (int c = 0; c < 3; ++c) {
        any |= is_given(r, first + (size_t)c * size);
        check_one(r, first + (size_t)c * size, in->initial.formula[c]);
    }
    if (!any)
        fault_add(&r->faults, place_of(r, OFF(initial.type)),
                  "initial.type = 'formula' needs a formula; add for example u = 'sin(y)' to &initial, or "
                  "choose initial.type = 'uniform'");
}
