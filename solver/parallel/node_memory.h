/* Memory that the ranks of a node share: the host's in the CPU build, that of each GPU in the CUDA build. */
#ifndef KOL_PARALLEL_NODE_MEMORY_H
#define KOL_PARALLEL_NODE_MEMORY_H

#include "comm.h"

/* node_memory_sharers: finds the largest number of ranks that share one GPU. Without GPUs it is the number of
 * ranks of this node. Each rank may see another GPU as its first, so the GPUs are compared by their identity,
 * not by how many a rank sees. Collective. */
kol_status node_memory_sharers(const struct comm *c, int *sharers);
/* node_memory_available: finds how many bytes of kernel memory are free now for this rank: its share among
 * `sharers` ranks. sharers = 0 means that the number is not known yet; then the ranks of a node are taken to
 * be spread evenly over its GPUs. */
kol_status node_memory_available(const struct comm *c, int sharers, double *available);

#endif
