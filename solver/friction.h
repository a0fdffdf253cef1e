/* The force of a stream on each wall without slip, per area and density, for series.nc. */
#ifndef KOL_FRICTION_H
#define KOL_FRICTION_H

#include "decomp.h"
#include "grid.h"
#include "reduction.h"

struct friction;
/* friction_create: of walls that the stream goes along, where its direction is periodic: *out is NULL where there are none. c, d, r are borrowed.
 * friction_destroy takes NULL. friction_bytes: kernel memory that it takes. */
kol_status friction_create(const struct comm *c, const struct input *in, const struct decomp *d,
                           const struct reduction *r, struct friction **out);
void friction_destroy(struct friction **f);
double friction_bytes(const struct input *in, const struct decomp *d);
/* friction_measure: nu times the mean over each face of the stream's gradient away from it [U^2], 0 on other faces: on rank 0. The same bits on any
 * ranks. vel: the layer beyond walls filled. f may be NULL: all are 0. Collective: one message, none on one rank. */
kol_status friction_measure(struct friction *f, const struct grid *g, real *const vel[3],
                            double stress[FACES]);

#endif
