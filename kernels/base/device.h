/* The processor that the kernels run on. */
#ifndef KOL_BASE_DEVICE_H
#define KOL_BASE_DEVICE_H

#include "status.h"

KOL_BEGIN_C

/* device_backend: "cpu" or "cuda", the backend that was linked. */
const char *device_backend(void);
/* device_select: take the processor of this rank, the local_rank-th of its node (modulo the number of GPUs);
 * text: its name and memory for log and files. KOL_ERR_CUDA where the CUDA build finds no usable GPU. */
kol_status device_select(int local_rank, char *text, size_t size);
/* device_count: processors of this node that ranks share: GPUs; 0 in the CPU build. */
int device_count(void);
/* device_wait: return when all work launched so far is done; a fault of a kernel shows here. */
kol_status device_wait(void);

KOL_END_C

#endif
