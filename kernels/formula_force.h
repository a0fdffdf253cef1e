/* A force on the velocity that is given by formulas in space and time. docs/own-flows.md. */
#ifndef KOL_FORMULA_FORCE_KERNELS_H
#define KOL_FORMULA_FORCE_KERNELS_H

#include "base/formula_step.h"
#include "base/status.h"
#include "base/types.h"
#include "sums.h"

KOL_BEGIN_C

/* formula_field: the force along each direction as a list of steps (kernels/base/formula_step.h), and where
 * its points lie.
 *
 *   step, count    the steps, in kernel memory, and their number; 0: no force along this direction
 *   centre, face   kernel memory: global coordinates of the cell centres and of the lower faces of this rank,
 *                  in each direction from 0 to n - 1 [L]
 *   variable       of enum formula_variable; x, y and z are set at each point
 *   open           kernel memory: the mask of struct stencil. On faces that bodies close there is no force,
 *                  and no formula is evaluated. NULL: all faces are open
 *   first          local index of the first face in each direction that is not a face of the box */
struct formula_field {
    const struct formula_step *step[3];
    int count[3];
    const double *centre[3], *face[3];
    double variable[FORMULA_VARIABLES];
    const unsigned char *open;
    int first[3];
};

/* formula_force_apply: adds the force at all own points of the three components,
 *
 *     vel += a f ;   old += f
 *
 *   vel   in and out: three arrays [U]
 *   a     weight [T]
 *   old   in and out: right-hand sides [U/T]; NULL: they are not kept
 *
 * A component without a formula is not touched. For the others a point costs 1 read and 1 write, with `old`
 * twice as many, and the operations of the formula in double precision. */
kol_status formula_force_apply(struct box b, const struct formula_field *f, real a, real *const vel[3],
                               real *const old[3]);

/* formula_force_power: leaves the sum of V u f over the points of all components that are not on a face of
 * the box for sums.h, where V is the volume of the point [U^2/T L^3]. vel: own points. Per point of a
 * component with a formula: 1 read. */
kol_status formula_force_power(struct box b, struct metrics m, struct blocks bl,
                               const struct formula_field *f, real *const vel[3]);

/* formula_force_total: leaves three sums of V f for sums.h, over the points of each component on which the
 * force acts and that are not on a face of the box [U/T L^3]. Per point of a component with a formula: with
 * bodies 1 byte read. */
kol_status formula_force_total(struct box b, struct metrics m, struct blocks bl,
                               const struct formula_field *f);

KOL_END_C

#endif
