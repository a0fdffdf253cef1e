/* Applies the rules on the conditions of scalars on faces. */
#include "check_scalar_faces.h"

#include <math.h>
#include <string.h>
#include "face_kinds.h"
#include "formula.h"
#include "rules.h"
#include "scalar_balance.h"
#include "scalars.h"

/* Fluxes and sources balance if less than this part of their magnitudes is left, since inputs are rounded. */
static const double BALANCES = 1e-9;

static size_t kind_at(int f)
{
    return OFF(scalars.face) + (size_t)f * SCALARS_MOST * sizeof(int);
}

static size_t value_at(int f)
{
    return OFF(scalars.face_value) + (size_t)f * SCALARS_MOST * sizeof(double);
}

static size_t scalar_formula_at(int f)
{
    return OFF(scalars.face_formula) + (size_t)f * SCALARS_MOST * INPUT_TEXT;
}

static size_t table_at(int f)
{
    return OFF(scalars.face_table) + (size_t)f * SCALARS_MOST * INPUT_TEXT;
}

static size_t along_at(int f)
{
    return OFF(scalars.face_along) + (size_t)f * SCALARS_MOST * sizeof(int);
}

static int given(const struct reading *r, size_t offset, int e)
{
    return r->given[rule_variable(r, offset)].element[e].line > 0;
}

static struct place place(const struct reading *r, size_t offset, int e)
{
    return place_of_element(r, offset, e, OFF(scalars.name));
}

/* The condition of a scalar on a face, as it is written. */
static struct element_name kind_name(const struct reading *r, int f, int n)
{
    return element_name(&r->table[rule_variable(r, kind_at(f))], n);
}

static const char *wanted_of(const struct input *in, int n, int f)
{
    const int none = scalar_has_none(in, n, f), still = scalar_diffusivity(in, n) == 0;
    if (face_is_periodic(in, f) || face_is_outflow(in, f)) return none ? NULL : "choose 'none'";
    if (face_is_inflow(in, f)) return scalar_has_value(in, n, f) ? NULL : "choose 'value' or 'planes'";
    if (scalar_by_planes(in, n, f)) return "choose 'value', 'flux' or 'none'";
    return !none && still ? "choose 'none', or give a diffusivity above 0" : NULL;
}

/* Whether the kind of a condition suits its face. */
static int rule_kind(struct reading *r, const struct input *in, int n, int f)
{
    const char *wanted = wanted_of(in, n, f);
    const size_t at = given(r, kind_at(f), n) ? kind_at(f) : OFF(scalars.name);
    if (wanted != NULL)
        fault_add(&r->faults, place(r, at, n), "scalars.%s(%d) = %s%s does not suit boundary.%s = %s %s; %s",
                  FACE_NAME[f], n + 1, value_write(&r->table[rule_variable(r, kind_at(f))], n, in).text,
                  given(r, kind_at(f), n) ? "" : " (the default)", FACE_NAME[f],
                  value_write(&r->table[rule_variable(r, face_at(f))], 0, in).text,
                  origin_of(r, face_at(f)).text, wanted);
    else if (scalar_by_planes(in, n, f) && is_good(r, profile_at(f)) && !face_has_inflow_planes(in, f))
        fault_add(&r->faults, place(r, at, n),
                  "scalars.%s(%d) = 'planes' takes the planes of the velocity, and boundary.%s_profile is %s "
                  "%s; choose 'value', or give the inflow planes",
                  FACE_NAME[f], n + 1, FACE_NAME[f],
                  value_write(&r->table[rule_variable(r, profile_at(f))], 0, in).text,
                  origin_of(r, profile_at(f)).text);
    else return 1;
    return 0;
}

/* What says how much of a scalar there is on a face: a number, a formula or a table. */
enum { BY_NUMBER, BY_FORMULA, BY_TABLE, WAYS };
struct ways {
    const char *name[WAYS];
    int there[WAYS];
    size_t at[WAYS];
};

static struct ways ways_of(const struct input *in, int n, int f)
{
    return (struct ways){{"value", "formula", "table"},
                         {in->scalars.face_value[f][n] != 0, in->scalars.face_formula[f][n][0] != '\0',
                          in->scalars.face_table[f][n][0] != '\0'},
                         {value_at(f), scalar_formula_at(f), table_at(f)}};
}

/* There is one of them at most, and none where the condition takes none. */
static int rule_ways(struct reading *r, const struct input *in, int n, int f)
{
    const struct ways w = ways_of(in, n, f);
    const int takes_none = scalar_has_none(in, n, f) || scalar_by_planes(in, n, f);
    int before = -1;
    for (int way = 0; way < WAYS; ++way) {
        if (!w.there[way]) continue;
        if (takes_none) {
            fault_add(&r->faults, place(r, w.at[way], n),
                      "scalars.%s_%s(%d) has no effect with %s = %s; remove it, or choose 'value' or "
                      "'flux'",
                      FACE_NAME[f], w.name[way], n + 1, kind_name(r, f, n).text,
                      value_write(&r->table[rule_variable(r, kind_at(f))], n, in).text);
            return 0;
        }
        if (before >= 0) {
            fault_add(&r->faults, place(r, w.at[way], n),
                      "scalars.%s_%s(%d) and scalars.%s_%s(%d) can't both be given; remove one", FACE_NAME[f],
                      w.name[before], n + 1, FACE_NAME[f], w.name[way], n + 1);
            return 0;
        }
        before = way;
    }
    return 1;
}

static void rule_formula(struct reading *r, const struct input *in, int n, int f)
{
    char fault[FORMULA_FAULT];
    struct formula compiled;
    int column;
    struct place at = place(r, scalar_formula_at(f), n);
    if (!scalar_by_formula(in, n, f) ||
        formula_parse(in->scalars.face_formula[f][n], FORMULA_OF_FACE, &compiled, &column, fault))
        return;
    at.column += column; /* the value begins with a quotation mark */
    fault_add(&r->faults, at, "scalars.%s_formula(%d): column %d of the formula: %s", FACE_NAME[f], n + 1,
              column, fault);
}

static void rule_along(struct reading *r, const struct input *in, int n, int f)
{
    const int d = in->scalars.face_along[f][n], usual = f / 2 == 2 ? 0 : 2;
    if (!scalar_by_table(in, n, f) && d != usual)
        fault_add(&r->faults, place(r, along_at(f), n),
                  "scalars.%s_along(%d) has no effect without scalars.%s_table(%d); remove it, or give a "
                  "table",
                  FACE_NAME[f], n + 1, FACE_NAME[f], n + 1);
    else if (d == f / 2)
        fault_add(&r->faults, place(r, along_at(f), n),
                  "scalars.%s_along(%d) = '%c' does not lie along the face; choose '%c' or '%c'",
                  FACE_NAME[f], n + 1, "xyz"[d], f / 2 == 0 ? 'y' : 'x', f / 2 == 2 ? 'y' : 'z');
}

void check_scalar_face(struct reading *r, const struct input *in, int n, int f)
{
    if (!is_good(r, face_at(f)) || !rule_kind(r, in, n, f) || !rule_ways(r, in, n, f)) return;
    rule_formula(r, in, n, f);
    rule_along(r, in, n, f);
}

void check_scalar_balance(struct reading *r, const struct input *in, int n)
{
    const double *length = in->grid.length;
    double sum;
    const int known = scalar_mean_source(in, n, &sum);
    double size = fabs(sum);
    int last = -1;
    for (int f = 0; f < FACES_NONE; ++f) {
        if (!scalar_has_flux(in, n, f)) continue;
        if (scalar_varies(in, n, f)) return;
        sum += in->scalars.face_value[f][n] / length[f / 2];
        size += fabs(in->scalars.face_value[f][n] / length[f / 2]);
        last = f;
    }
    if (last < 0 || scalar_is_held(in, n) || scalar_flux_on_bodies(in, n) || !known ||
        scalar_balance_doubt(in, n) != NULL || fabs(sum) <= BALANCES * size)
        return;
    if (!is_good(r, OFF(grid.length))) return;
    const double balanced = in->scalars.source[n] - sum;
    fault_add(&r->faults, place(r, given(r, value_at(last), n) ? value_at(last) : kind_at(last), n),
              "scalar %d, '%s': its fluxes and sources don't balance, and no face holds its value, so its "
              "mean would change by %g a unit of time; change scalars.source(%d) to %.15g",
              n + 1, in->scalars.name[n], sum, n + 1, fabs(balanced) <= BALANCES * size ? 0 : balanced);
}
