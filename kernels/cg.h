/* The scalars of a conjugate-gradient iteration in kernel memory: how the host makes, starts, watches and
 * reads them. What each sum does to them: point/cg.h. */
#ifndef KOL_CG_H
#define KOL_CG_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* cg_scalars: the state in kernel memory, and a watch that the host can read while the GPU works: `steps`
 * counts the steps of any kind but CG_DIRECTION since cg_start, also those after the end, `ended` is the
 * count at which the outcome was known (INT_MAX before), `outcome` what it was. */
struct cg_watch {
    volatile int steps, ended, outcome;
};
kol_status cg_create(struct cg_scalars *out);
void cg_destroy(struct cg_scalars *cg);
/* cg_start: a new iteration from these values; in order with the queue in use. The watch is set back at once:
 * nothing may be under way. */
kol_status cg_start(struct cg_scalars cg, struct cg_state values);
/* cg_wait: return when `steps` steps are counted; *ended: whether the outcome was known by then, the same
 * answer on every rank that has the same sums, however far its GPU has come. */
kol_status cg_wait(struct cg_scalars cg, int steps, int *ended);
/* cg_read: wait for the queue and copy the state. */
kol_status cg_read(struct cg_scalars cg, struct cg_state *out);

KOL_END_C

#endif
