/* A fault that only one rank knows of, for example of files that are written while the steps go on. It is
 * kept until all ranks agree on it after the next step (control/stop.h). It can't be raised at once: the step
 * may fail, too, and no rank may leave the others alone. */
#ifndef KOL_STATE_PENDING_FAULT_H
#define KOL_STATE_PENDING_FAULT_H

#include "kernels/base/status.h"

struct pending {
    kol_status status; /* KOL_OK: there is none */
    struct status_record fault;
};

/* pending_put: keeps the recorded fault, whose status is st. Of two faults the first is kept. */
void pending_put(struct pending *p, kol_status st);
/* pending_raise: records the kept fault again and returns its status; KOL_OK if there is none. */
kol_status pending_raise(struct pending *p);

#endif
