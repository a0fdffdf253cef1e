/* Compiles the formulas of an input, to find faults in them before anything is computed. */
#include "check_formulas.h"

#include "drives.h"
#include "face_kinds.h"
#include "formula.h"
#include "rules.h"

/* The place in the input of a column of a formula. The value begins with a quotation mark. */
static struct place inside(struct place value, int column)
{
    value.column += column;
    return value;
}

static void check_one(struct reading *r, size_t offset, const char *text, enum formula_time time)
{
    struct formula compiled;
    char fault[FORMULA_FAULT];
    int column;
    const struct variable *v = &r->table[rule_variable(r, offset)];
    if (!is_good(r, offset) || formula_parse(text, time, &compiled, &column, fault)) return;
    fault_add(&r->faults, inside(place_of_element(r, offset, 0, offset), column),
              "%s.%s: column %d of the formula: %s", v->group, v->name, column, fault);
}

/* Three formulas, one for each direction. kind: where the input asks for them; wanted: what to say without
 * any. */
static void check_three(struct reading *r, size_t first, const char (*text)[INPUT_TEXT], size_t kind,
                        enum formula_time time, const char *wanted)
{
    int any = 0;
    for (int c = 0; c < 3; ++c) {
        any |= is_given(r, first + (size_t)c * sizeof *text);
        check_one(r, first + (size_t)c * sizeof *text, text[c], time);
    }
    if (!any) fault_add(&r->faults, place_of(r, kind), "%s", wanted);
}

static void check_force(struct reading *r, const struct input *in)
{
    check_three(r, OFF(forcing.formula), in->forcing.formula, OFF(forcing.type), FORMULA_IN_TIME,
                "forcing.type = 'formula' needs a formula; add for example fx = 'sin(y)' to &forcing, or "
                "choose forcing.type = 'pressure-gradient'");
}

/* The three formulas of a face are the elements of one variable. Those that are not given are '0'. */
static void check_face(struct reading *r, const struct input *in, int f)
{
    const size_t self = formula_at(f);
    char fault[FORMULA_FAULT];
    struct formula compiled;
    int column;
    if (!is_given(r, self))
        fault_add(&r->faults, place_of(r, profile_at(f)),
                  "boundary.%s_profile = 'formula' needs boundary.%s_formula; add for example %s_formula = "
                  "'sin(pi*%c/l%c)', '0', '0'",
                  FACE_NAME[f], FACE_NAME[f], FACE_NAME[f], f / 2 == 2 ? 'x' : 'z', f / 2 == 2 ? 'x' : 'z');
    for (int c = 0; c < 3 && is_given(r, self) && is_good(r, self); ++c) {
        const struct place place = place_of_element(r, self, c, self);
        if (!formula_parse(in->boundary.formula[f][c], FORMULA_OF_FACE, &compiled, &column, fault))
            fault_add(&r->faults, inside(place, column),
                      "boundary.%s_formula(%d): column %d of the formula: %s", FACE_NAME[f], c + 1, column,
                      fault);
        else if (c == f / 2 && face_has_wall_formula(in, f) && !formula_is_zero(&compiled))
            fault_add(&r->faults, place,
                      "boundary.%s_formula(%d) = '%s': the wall would move through itself; make it '0'",
                      FACE_NAME[f], c + 1, in->boundary.formula[f][c]);
    }
}

void check_formulas(struct reading *r, const struct input *in)
{
    if (is_good(r, OFF(initial.type)) && in->initial.type == INITIAL_FORMULA)
        check_three(r, OFF(initial.formula), in->initial.formula, OFF(initial.type), FORMULA_OF_START,
                    "initial.type = 'formula' needs a formula; add for example u = 'sin(y)' to &initial, or "
                    "choose initial.type = 'uniform'");
    for (int f = 0; f < FACES_NONE; ++f)
        if (is_good(r, face_at(f)) && is_good(r, profile_at(f)) &&
            (face_has_inflow_formula(in, f) || face_has_wall_formula(in, f)))
            check_face(r, in, f);
    if (is_good(r, OFF(forcing.type)) && drive_by_formula(in)) check_force(r, in);
}
