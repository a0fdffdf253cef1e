/* Velocities on a face of the grid from the formulas of the inputs. docs/own-flows.md. */
#ifndef KOL_BOUNDARY_FACE_FORMULA_H
#define KOL_BOUNDARY_FACE_FORMULA_H

#include "inflow_face.h"
#include "inputs/formula.h"
#include "inputs/input_source.h"

/* face_formula: the three compiled formulas of a face, and what they are evaluated with. */
struct face_formula {
    const struct input *in;            /* borrowed */
    const struct input_source *source; /* for messages; borrowed; may be NULL */
    int face;
    double place; /* coordinate of the face [L] */
    struct formula component[3];
    double variable[FORMULA_VARIABLES];
};

/* face_formula_make: compiles boundary.<face>_formula. */
kol_status face_formula_make(const struct input *in, const struct input_source *source, const struct grid *g,
                             int face, struct face_formula *out);

/* face_formula_value: returns component c at the coordinates along[0] and along[1] of the two directions
 * along the face, the lower one first [U]. It may be infinite or no number. */
double face_formula_value(const struct face_formula *f, int c, const double along[2]);

/* face_formula_at: computes the same. KOL_ERR_INPUT, with the coordinates, if it is not finite. Local. */
kol_status face_formula_at(const struct face_formula *f, int c, const double along[2], double *value);

#endif
