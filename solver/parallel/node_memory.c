/* Finds how much memory a rank may take of what its node has free. */
#include "node_memory.h"

#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "peer_memory.h"

kol_status node_memory_sharers(const struct comm *c, int *sharers)
{
    char obstacle[256];
    *sharers = device_count() == 0 ? c->node_size + c->beside : 1;
    if (device_count() > 0 && c->beside > 0) *sharers = 0; /* not all of them are known to this member */
    if (device_count() == 0 || c->size == 1 || c->beside > 0) return KOL_OK;
    return peer_memory_obstacle(c, obstacle, sizeof obstacle, sharers);
}

kol_status node_memory_available(const struct comm *c, int sharers, double *available)
{
    size_t bytes = 0;
    TRY(mem_kernel_available(&bytes));
    if (sharers == 0) {
        const int gpus = device_count();
        const int all = c->node_size + c->beside;
        sharers = gpus == 0 ? all : (all + gpus - 1) / gpus;
    }
    *available = (double)bytes / sharers;
    return KOL_OK;
}
