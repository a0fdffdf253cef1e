/* The CUDA stream of the queue in use (../base/device.h), for launches. */
#ifndef KOL_CUDA_QUEUE_CUH
#define KOL_CUDA_QUEUE_CUH

#include "../base/status.h"

cudaStream_t queue_stream(void);
/* queue_wait: returns when the stream has done its work; runs that share the process go on meanwhile. */
kol_status queue_wait(cudaStream_t stream);

/* PATIENCE_NS: how long a GPU waits for a signal of another one before it gives up [ns]. A file system or a
 * debugger may delay a rank. */
static constexpr unsigned long long PATIENCE_NS = 3600ull * 1000 * 1000 * 1000;

#endif
