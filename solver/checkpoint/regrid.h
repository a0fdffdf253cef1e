/* Starts a run from a checkpoint of another grid in the same box, or of another precision.
 * docs/numerics/regrid.md. */
#ifndef KOL_CHECKPOINT_REGRID_H
#define KOL_CHECKPOINT_REGRID_H

#include "checkpoint_size.h"
#include "host_copy.h"
#include "step/step.h"

struct checkpoint; /* io/checkpoint.h */

/* regrid_read: reads velocity and pressure of the checkpoint, interpolates them to the grid of this run, and
 * projects the velocity. The guesses of the pressure and the length of the time step start anew.
 *
 *   text   gets a sentence for the log: how the kinetic energy and the divergence have changed
 *
 * A rank needs host memory for about four times its share of one field in doubles, on the larger of the two
 * grids. The bits are the same on any number of ranks. Collective. */
kol_status regrid_read(struct step *step, struct flow *flow, struct checkpoint *c, struct host_copy *s,
                       char *text, size_t size);
/* regrid_count: counts the host memory of a rank in regrid_read(), for a file that has as many cells as this
 * run. */
kol_status regrid_count(struct memory *memory, const struct domain *domain);

#endif
