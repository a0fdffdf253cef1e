/* The force of a stream on each wall without slip, per area and density, for series.nc. */
#ifndef KOL_OUTPUT_WALL_FORCE_H
#define KOL_OUTPUT_WALL_FORCE_H

#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"
#include "parallel/reduction.h"

struct wall_force;
/* wall_force_create: of walls that the stream goes along, where its direction is periodic: *out is NULL where
 * there are none. c, d, r are borrowed. wall_force_destroy takes NULL. */
kol_status wall_force_create(struct memory *memory, const struct comm *c, const struct input *in,
                             const struct decomp *d, const struct reduction *r, struct wall_force **out);
void wall_force_destroy(struct wall_force **f);
/* wall_force_measure: nu times the mean over each face of the stream's gradient away from it [U^2], 0 on
 * other faces: on rank 0. The same bits on any ranks. vel: the layer beyond walls filled. f may be NULL: all
 * are 0. Collective: one message, none on one rank. */
kol_status wall_force_measure(struct wall_force *f, const struct grid *g, real *const vel[3],
                              double stress[FACES]);

#endif
