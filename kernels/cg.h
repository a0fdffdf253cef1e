/* The scalars of a conjugate-gradient iteration in kernel memory: the host makes, starts, watches and reads
 * them. What each sum does to them is in point/cg.h. */
#ifndef KOL_CG_H
#define KOL_CG_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* cg_watch: what the host can read while the GPU works.
 *
 *   steps     number of steps of any kind but CG_DIRECTION since cg_start, including those after the end
 *   ended     the number of steps at which the outcome was known; INT_MAX before that
 *   outcome   the outcome */
struct cg_watch {
    volatile int steps, ended, outcome;
};
/* cg_create: allocates state and watch and starts an iteration that runs. cg_destroy: frees them. */
kol_status cg_create(struct cg_scalars *out);
void cg_destroy(struct cg_scalars *cg);
/* cg_start: starts a new iteration from these values, in order with the queue in use. The watch is reset at
 * once, so no step may be under way. */
kol_status cg_start(struct cg_scalars cg, struct cg_state values);
/* cg_wait: returns when `steps` steps are counted. *ended: whether the outcome was known by then. The answer
 * is the same on every rank that has the same sums, however far its GPU has come. */
kol_status cg_wait(struct cg_scalars cg, int steps, int *ended);
/* cg_read: waits for the queue and copies the state. */
kol_status cg_read(struct cg_scalars cg, struct cg_state *out);

KOL_END_C

#endif
