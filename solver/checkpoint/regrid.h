/* A flow from a checkpoint of another grid in the same box, or of another precision. docs/numerics/regrid.md.
 */
#ifndef KOL_CHECKPOINT_REGRID_H
#define KOL_CHECKPOINT_REGRID_H

#include "checkpoint_size.h"
#include "host_copy.h"
#include "step/step.h"

struct checkpoint; /* io/checkpoint.h */

/* regrid_read: velocity and pressure of the checkpoint, interpolated to this run's grid; the velocity is then
 * projected. The guesses of the pressure and the step's length start anew. text: words on what became of the
 * kinetic energy and the divergence, for the log. The same bits on any number of ranks; a rank needs about
 * four times its share of one field in doubles, of the larger grid, in host memory. Collective. */
kol_status regrid_read(struct step *step, struct flow *flow, struct checkpoint *c, struct host_copy *s,
                       char *text, size_t size);

#endif
