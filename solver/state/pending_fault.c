/* Keeps a fault that not all ranks know of yet, until they agree on it. */
#include "pending_fault.h"

void pending_put(struct pending *p, kol_status st)
{
    if (p->status == KOL_OK) {
        p->status = st;
        status_take(&p->fault);
    } else {
        status_clear();
    }
}

kol_status pending_raise(struct pending *p)
{
    if (p->status != KOL_OK) status_give(&p->fault);
    return p->status;
}
