/* The emulator's stand-in for kernels/cuda/hardware.cuh. */
#ifndef KOL_CUDA_HARDWARE_CUH
#define KOL_CUDA_HARDWARE_CUH

#include <cuda_runtime.h>

/* emulator_copy: begins an asynchronous copy of this thread. The target holds NaN until the copy is done.
 * emulator_copies_commit: closes a group of copies. emulator_copies_wait: does the copies of all closed
 * groups but the last `groups`. */
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

static inline float reciprocal(float d)
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

/* A thread that calls this waits for another thread, perhaps one of the same processor. So the others get a
 * turn. */
static inline unsigned load_acquire_system(const unsigned *from)
{
    const unsigned v = __atomic_load_n(from, __ATOMIC_ACQUIRE);
    emulator_yield();
    return v;
}

/* emulator_turn: returns the number of blocks of the grid that began before the block that runs, whatever
 * EMULATOR_ORDER is. */
int emulator_turn(void);

static inline int block_in_turn(void)
{
    return emulator_turn();
}

unsigned long long nanoseconds(void);

#endif
