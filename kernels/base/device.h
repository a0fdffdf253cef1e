/* The processor that the kernels run on, its two queues of work, and marks in them. */
#ifndef KOL_BASE_DEVICE_H
#define KOL_BASE_DEVICE_H

#include "status.h"

KOL_BEGIN_C

/* device_backend: "cpu" or "cuda", the backend that was linked. */
const char *device_backend(void);
/* device_select: take the processor of this rank, the local_rank-th of its node (modulo the number of GPUs),
 * and make its queues; text: its name and memory for log and files. KOL_ERR_CUDA where the CUDA build finds
 * no usable GPU. */
kol_status device_select(int local_rank, char *text, size_t size);
/* device_count: processors of this node that ranks share: GPUs; 0 in the CPU build. */
int device_count(void);

/* Work goes to one of two queues (CUDA streams), each in order; the CPU build does it at once. device_use:
 * kernels and copies from now on go to `queue`; QUEUE_COMPUTE at the start. device_after: what `later` is
 * given from now on begins when everything that `earlier` has been given so far is done. device_wait: return
 * when both queues are empty; a fault of a kernel shows here. */
enum device_queue { QUEUE_COMPUTE, QUEUE_TRANSFER };
void device_use(enum device_queue queue);
kol_status device_after(enum device_queue later, enum device_queue earlier);
kol_status device_wait(void);

/* device_mark: a place in the queue in use. device_mark_wait: return when the work before it is done.
 * device_after_mark: what `later` is given from now on begins when the work before the place recorded last is
 * done; the host goes on. device_mark_seconds: from one mark to another, both waited for. Marks with timing
 * cost about a microsecond each; without, less. */
struct device_mark;
kol_status device_mark_create(int timing, struct device_mark **out);
void device_mark_destroy(struct device_mark **m);
kol_status device_mark_record(struct device_mark *m);
kol_status device_mark_wait(struct device_mark *m);
kol_status device_after_mark(enum device_queue later, const struct device_mark *m);
kol_status device_mark_seconds(const struct device_mark *from, const struct device_mark *to, double *seconds);

/* device_range: a named range of work for external profilers (NVTX), until the next call; "" ends it. */
void device_range(const char *name);

KOL_END_C

#endif
