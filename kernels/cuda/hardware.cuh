/* Instructions that CUDA C++ has no name for. All the assembly of the CUDA kernels is here; tests/emulator
 * has its own version of this file. */
#ifndef KOL_CUDA_HARDWARE_CUH
#define KOL_CUDA_HARDWARE_CUH

/* copy_async: copies BYTES (4, 8 or 16) to shared memory, in the group that copy_async_commit closes. Both
 * addresses are multiples of BYTES. What the L2 cache lacks comes from memory in lines of 128 bytes.
 * copy_async_wait: waits until this thread's copies have arrived, except those of the last GROUPS groups. */
template <int BYTES> static __device__ __forceinline__ void copy_async(void *to, const void *from)
{
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(BYTES)
                 : "memory");
}

static __device__ __forceinline__ void copy_async_commit(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int GROUPS> static __device__ __forceinline__ void copy_async_wait(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}

/* reciprocal: 1 / d with an error of one or two in the last bit, without a branch. d and 1 / d must be
 * normal numbers. */
static __device__ __forceinline__ double reciprocal(double d)
{
    double v;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(v) : "d"(d)); /* 20 bits */
    const double e = fma(-d, v, 1.0);
    return fma(v, fma(e, e, e), v); /* three times as many: v (1 + e + e^2) */
}

/* The same in single precision. */
static __device__ __forceinline__ float reciprocal(float d)
{
    float v;
    asm("rcp.approx.f32 %0, %1;" : "=f"(v) : "f"(d));
    return v;
}

/* Counters and flags in the memory of any GPU. What was written before a release is visible after the
 * acquire. */
static __device__ __forceinline__ void fence_system(void)
{
    asm volatile("fence.acq_rel.sys;" ::: "memory");
}

static __device__ __forceinline__ void store_relaxed_system(unsigned *to, unsigned v)
{
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
}

static __device__ __forceinline__ void store_release_system(unsigned *to, unsigned v)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
}

static __device__ __forceinline__ unsigned load_acquire_system(const unsigned *from)
{
    unsigned v;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}

/* block_in_turn: returns the number of this thread block, for kernels whose last blocks wait for what the
 * first blocks of another GPU write. If thread blocks run one after another, they have to come in this
 * order. */
static __device__ __forceinline__ int block_in_turn(void)
{
    return (int)blockIdx.x;
}

/* nanoseconds: returns the time of the GPU's clock. */
static __device__ __forceinline__ unsigned long long nanoseconds(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

#endif
