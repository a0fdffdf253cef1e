/* Makes, starts, watches and reads the scalars of a conjugate-gradient iteration. */
#include "../cg.h"

#include <limits.h>
#include "../base/mem.h"
#include "../base/turns.h"

kol_status cg_create(struct cg_scalars *out)
{
    const struct cg_state none = {.outcome = CG_RUNNING};
    void *state = NULL, *watch = NULL;
    *out = (struct cg_scalars){NULL, NULL};
    TRY(mem_kernel_alloc(sizeof *out->state, &state));
    out->state = state;
    TRY(mem_host_alloc(sizeof *out->watch, &watch));
    out->watch = watch;
    return cg_start(*out, none);
}

void cg_destroy(struct cg_scalars *cg)
{
    mem_kernel_free(cg->state);
    mem_host_free(cg->watch);
    *cg = (struct cg_scalars){NULL, NULL};
}

kol_status cg_start(struct cg_scalars cg, struct cg_state values)
{
    *cg.state = values;
    cg.watch->steps = 0;
    cg.watch->ended = INT_MAX;
    cg.watch->outcome = CG_RUNNING;
    return KOL_OK;
}

kol_status cg_wait(struct cg_scalars cg, int steps, int *ended)
{
    if (cg.watch->steps < steps)
        RAISE(KOL_ERR_INTERNAL, "the host waits for step %d of an iteration, but only %d were launched",
              steps, cg.watch->steps);
    turns_wait(NULL, NULL);
    *ended = cg.watch->ended <= steps;
    return KOL_OK;
}

kol_status cg_read(struct cg_scalars cg, struct cg_state *out)
{
    *out = *cg.state;
    return KOL_OK;
}
