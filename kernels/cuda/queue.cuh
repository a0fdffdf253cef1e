/* The queue in use (../base/device.h) as kernels launch into it. */
#ifndef KOL_CUDA_QUEUE_CUH
#define KOL_CUDA_QUEUE_CUH

cudaStream_t queue_stream(void);

/* How long a GPU waits for word from another before it gives up [ns]: a rank may be held up by a file system
 * or a debugger. */
static constexpr unsigned long long PATIENCE_NS = 3600ull * 1000 * 1000 * 1000;

#endif
