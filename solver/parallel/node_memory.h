/* Memory that the ranks of a node share: the host's in the CPU build, that of each GPU in the CUDA build. */
#ifndef KOL_PARALLEL_NODE_MEMORY_H
#define KOL_PARALLEL_NODE_MEMORY_H

#include "comm.h"

/* node_memory_sharers: the most ranks that share one GPU; without GPUs, the ranks of this node. Collective:
 * each rank may see a GPU of its own, and what counts is which GPU it is, not how many a rank sees. */
kol_status node_memory_sharers(const struct comm *c, int *sharers);
/* node_memory_available: bytes of kernel memory that are free now for this rank, its share among `sharers`
 * ranks. sharers = 0: it is not known yet; the ranks of a node are taken to be spread evenly over its GPUs.
 */
kol_status node_memory_available(const struct comm *c, int sharers, double *available);

#endif
