/* The emulator's stand-in for kernels/cuda/hardware.cuh. */
#ifndef KOL_CUDA_HARDWARE_CUH
#define KOL_CUDA_HARDWARE_CUH

#include <cuda_runtime.h>

/* emulator_copy: asynchronous, of this thread. The place holds NaN until emulator_copies_wait(groups) lets
 * the copy be done: all groups closed by emulator_copies_commit but the last `groups`. */
void emulator_copy(void *to, const void *from, size_t bytes);
void emulator_copies_commit(void);
void emulator_copies_wait(int groups);

template <int BYTES> static inline void copy_async(void *to, const void *from)
{
    emulator_copy(to, from, BYTES);
}

static inline void copy_async_commit(void)
{
    emulator_copies_commit();
}

template <int GROUPS> static inline void copy_async_wait(void)
{
    emulator_copies_wait(GROUPS);
}

static inline double reciprocal(double d)
{
    return 1 / d;
}

static inline void fence_system(void)
{
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

static inline void store_relaxed_system(unsigned *to, unsigned v)
{
    __atomic_store_n(to, v, __ATOMIC_RELAXED);
}

static inline void store_release_system(unsigned *to, unsigned v)
{
    __atomic_store_n(to, v, __ATOMIC_RELEASE);
}

/* Who loads so waits for somebody, perhaps on this processor. */
static inline unsigned load_acquire_system(const unsigned *from)
{
    const unsigned v = __atomic_load_n(from, __ATOMIC_ACQUIRE);
    emulator_yield();
    return v;
}

/* emulator_turn: how many blocks of the grid have begun before the one in work, whatever EMULATOR_ORDER says.
 */
int emulator_turn(void);

static inline int block_in_turn(void)
{
    return emulator_turn();
}

unsigned long long nanoseconds(void);

#endif
