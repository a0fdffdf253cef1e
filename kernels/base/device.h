/* The processor that the kernels run on, its two queues of work, and marks in these queues. */
#ifndef KOL_BASE_DEVICE_H
#define KOL_BASE_DEVICE_H

#include "status.h"

KOL_BEGIN_C

/* device_backend: returns "cpu" or "cuda", the name of the backend that was linked. */
const char *device_backend(void);
/* device_is_gpu: returns whether the kernels of this build run on a GPU. */
int device_is_gpu(void);
/* device_select: selects the processor of this rank and makes its queues. The rank takes GPU number
 * local_rank of its node, modulo the number of GPUs. text: out, name and memory of the processor, for the
 * log and files. Returns KOL_ERR_CUDA if the CUDA build finds no usable GPU. */
kol_status device_select(int local_rank, char *text, size_t size);
/* device_count: returns the number of GPUs of this node, which its ranks share. It is 0 in the CPU build. */
int device_count(void);

/* Work goes to one of two queues, which are CUDA streams. Each queue does its work in order. The CPU build
 * does all work at once.
 *
 * device_use: sends all later kernels and copies to `queue`. At the start this is QUEUE_COMPUTE.
 *
 * device_after: makes the later work of queue `later` wait until queue `earlier` has done all the work that
 * it has been given so far.
 *
 * device_wait: returns when both queues are empty. If a kernel failed, it returns this fault. */
enum device_queue { QUEUE_COMPUTE, QUEUE_TRANSFER };
void device_use(enum device_queue queue);
kol_status device_after(enum device_queue later, enum device_queue earlier);
kol_status device_wait(void);

/* device_mark: a point in the order of work of a queue. device_mark_record: sets the mark behind all work
 * that the queue in use has been given so far.
 *
 * device_mark_wait: returns when the work before the mark is done.
 *
 * device_after_mark: makes the later work of queue `later` wait for the work before the mark. The host does
 * not wait.
 *
 * device_mark_seconds: computes the time between two marks. The host must have waited for both. A mark with
 * timing costs about a microsecond; a mark without timing costs less. */
struct device_mark;
kol_status device_mark_create(int timing, struct device_mark **out);
void device_mark_destroy(struct device_mark **m);
kol_status device_mark_record(struct device_mark *m);
kol_status device_mark_wait(struct device_mark *m);
kol_status device_after_mark(enum device_queue later, const struct device_mark *m);
kol_status device_mark_seconds(const struct device_mark *from, const struct device_mark *to, double *seconds);

/* device_range: begins a named range of work for external profilers (NVTX). The next call ends this range. If
 * name is "", no new range begins. */
void device_range(const char *name);

KOL_END_C

#endif
