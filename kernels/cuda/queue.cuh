/* The CUDA stream of the queue in use (../base/device.h), for launches. */
#ifndef KOL_CUDA_QUEUE_CUH
#define KOL_CUDA_QUEUE_CUH

cudaStream_t queue_stream(void);

/* PATIENCE_NS: how long a GPU waits for a signal of another one before it gives up [ns]. A file system or a
 * debugger may delay a rank. */
static constexpr unsigned long long PATIENCE_NS = 3600ull * 1000 * 1000 * 1000;

#endif
