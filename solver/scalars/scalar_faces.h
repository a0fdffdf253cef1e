/* Conditions of scalars on the faces of the grid: the values in the layer beyond them.
 * docs/numerics/scalars.md. */
#ifndef KOL_SCALARS_SCALAR_FACES_H
#define KOL_SCALARS_SCALAR_FACES_H

#include "kernels/scalar.h"
#include "state/flow.h"

/* scalar_faces_beyond: returns the value beyond a face that is not periodic: factor times the value inside
 * plus add. Where what is given varies over the face, add is 0 and domain->scalar_plane is added.
 * scalar_faces_added: returns what is added for a given value or flux. */
struct scalar_beyond {
    double factor, add;
};
struct scalar_beyond scalar_faces_beyond(const struct input *in, const struct grid *g, int n, int face);
double scalar_faces_added(const struct input *in, const struct grid *g, int n, int face, double given);

/* scalar_faces_fill: fills the layer beyond the faces that this rank's box touches, by the conditions of the
 * inputs. theta: scalar_count()
 * arrays.
 *
 *   CELLS_INNER   beyond faces that are not in cells.remote: beyond the others messages may still arrive
 *   CELLS_RIM     beyond the others
 *   CELLS_ALL     beyond all faces */
kol_status scalar_faces_fill(const struct domain *domain, struct cells cells, real *const *theta);

#endif
