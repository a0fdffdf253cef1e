/* Compiles and evaluates the formulas of the velocity on a face. */
#include "face_formula.h"

#include <math.h>
#include <stddef.h>
#include "kernels/base/speed.h"

kol_status face_formula_make(const struct input *in, const struct input_source *source, const struct grid *g,
                             int face, struct face_formula *out)
{
    const int d = face / 2;
    char fault[FORMULA_FAULT];
    int column;
    *out = (struct face_formula){
        .in = in, .source = source, .face = face, .place = g->face[d][face % 2 ? g->n_g[d] : 0]};
    for (int c = 0; c < 3; ++c) {
        if (!formula_parse(in->boundary.formula[face][c], FORMULA_OF_FACE, &out->component[c], &column,
                           fault)) /* check_formulas() has parsed it */
            RAISE(KOL_ERR_INTERNAL, "the formula of %c on a face: column %d: %s", "uvw"[c], column, fault);
        out->variable[FORMULA_LX + c] = g->length[c];
    }
    out->variable[FORMULA_NU] = in->fluid.nu;
    return KOL_OK;
}

/* The coordinates of a place on the face, among the variables of the formulas. */
static void put_place(const struct face_formula *f, const double along[2], double v[FORMULA_VARIABLES])
{
    const int d = f->face / 2;
    for (int i = 0; i < FORMULA_VARIABLES; ++i) v[i] = f->variable[i];
    v[FORMULA_X + d] = f->place;
    v[FORMULA_X + (d == X ? Y : X)] = along[0];
    v[FORMULA_X + (d == Z ? Y : Z)] = along[1];
}

double face_formula_value(const struct face_formula *f, int c, const double along[2])
{
    double v[FORMULA_VARIABLES];
    put_place(f, along, v);
    return formula_value(&f->component[c], v);
}

kol_status face_formula_at(const struct face_formula *f, int c, const double along[2], double *value)
{
    const char *text = f->in->boundary.formula[f->face][c];
    double v[FORMULA_VARIABLES];
    *value = face_formula_value(f, c, along);
    if (fabs(*value) <= SPEED_MOST) return KOL_OK;
    put_place(f, along, v);
    const struct input_place p = input_place(
        f->source, offsetof(struct input, boundary.formula) + (size_t)f->face * 3 * INPUT_TEXT, c);
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s is %g at x = %.6g, y = %.6g, z = %.6g; change its formula, %s, so that it is finite "
          "on the whole face, and at most %g in %s arithmetic",
          p.at, p.name, *value, v[FORMULA_X], v[FORMULA_Y], v[FORMULA_Z], text, SPEED_MOST, KOL_REAL_NAME);
}
