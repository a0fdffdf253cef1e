/* Instructions that CUDA C++ has no name for: all the assembly of the CUDA kernels. tests/emulator has a
 * version of its own. */
#ifndef KOL_CUDA_HARDWARE_CUH
#define KOL_CUDA_HARDWARE_CUH

/* copy_async: BYTES (4, 8 or 16) to shared memory, in the group that copy_async_commit closes; both addresses
 * are multiples of BYTES. What the L2 cache lacks comes from memory in lines of 128 bytes. copy_async_wait:
 * until this thread's copies have arrived, all but those of the last GROUPS groups. */
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

/* reciprocal: 1 / d to an error or two in the last bit, without a branch; d normal, as is 1 / d. */
static __device__ __forceinline__ double reciprocal(double d)
{
    double v;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(v) : "d"(d)); /* 20 bits */
    const double e = fma(-d, v, 1.0);
    return fma(v, fma(e, e, e), v); /* three times as many: v (1 + e + e^2) */
}

/* Counters and flags in any GPU's memory: what was written before the release is seen after the acquire. */
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

/* block_in_turn: the number of this thread block, for kernels of which the last ones wait for what the first
 * ones of another GPU write: where thread blocks run one after another they have to come in that order. */
static __device__ __forceinline__ int block_in_turn(void)
{
    return (int)blockIdx.x;
}

/* nanoseconds: on the GPU's clock. */
static __device__ __forceinline__ unsigned long long nanoseconds(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

#endif
