/* The scalars of a conjugate-gradient iteration, in kernel memory. The host allocates them, starts the
 * iteration, waits for it and reads the result. point/cg.h defines how each sum changes the scalars. */
#ifndef KOL_CG_H
#define KOL_CG_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* cg_watch: what the host can read while the GPU works.
 *
 *   steps     number of steps since cg_start, of any kind but CG_DIRECTION. Steps after the end are counted,
 *             too.
 *   ended     the number of steps at which the outcome became known; INT_MAX before that
 *   outcome   the outcome */
struct cg_watch {
    volatile int steps, ended, outcome;
};
/* cg_create: allocates the state and the watch, and starts an iteration that is not yet ended. cg_destroy:
 * frees both. */
kol_status cg_create(struct cg_scalars *out);
void cg_destroy(struct cg_scalars *cg);
/* cg_start: starts a new iteration from these values. The values are copied in order with the other work of
 * the queue in use. The watch (struct cg_watch) is reset at once, so no step of an earlier iteration may
 * still be running. */
kol_status cg_start(struct cg_scalars cg, struct cg_state values);
/* cg_wait: returns when `steps` steps have been counted. *ended: whether the outcome was known after these
 * steps. Ranks that have the same sums get the same answer, even if the GPU of one rank is already further
 * ahead. */
kol_status cg_wait(struct cg_scalars cg, int steps, int *ended);
/* cg_read: waits until the work of the queue is done, and copies the state to the host. */
kol_status cg_read(struct cg_scalars cg, struct cg_state *out);

KOL_END_C

#endif
