/* The queue in use (../base/device.h) as kernels launch into it. */
#ifndef KOL_CUDA_QUEUE_CUH
#define KOL_CUDA_QUEUE_CUH

cudaStream_t queue_stream(void);

#endif
