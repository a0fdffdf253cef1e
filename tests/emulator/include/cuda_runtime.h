/* CUDA C++ for the emulator: what the translated kernels (translate.py) and their launches need. A call or
 * type that is not here is not emulated, and its user does not compile. tests/emulator/README.md. */
#ifndef KOL_EMULATOR_CUDA_RUNTIME_H
#define KOL_EMULATOR_CUDA_RUNTIME_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>

#define __host__
#define __device__
#define __global__
#define __constant__     static
#define __forceinline__  inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz)
    {
    }
};

#define EMULATOR_VECTORS(type, name)                                                                         \
    struct alignas(2 * sizeof(type)) name##2                                                                 \
    {                                                                                                        \
        type x, y;                                                                                           \
    };                                                                                                       \
    struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4                                    \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    static inline name##2 make_##name##2(type x, type y)                                                     \
    {                                                                                                        \
        return {x, y};                                                                                       \
    }                                                                                                        \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                                     \
    {                                                                                                        \
        return {x, y, z, w};                                                                                 \
    }
EMULATOR_VECTORS(int, int)
EMULATOR_VECTORS(unsigned, uint)
EMULATOR_VECTORS(float, float)
EMULATOR_VECTORS(double, double)

/* Indices of the thread that runs, and the shape of its launch. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
enum { warpSize = 32 };

/* emulator_enter: is called at the start of every kernel; translate.py inserts the call. in_full: the name
 * of the kernel with all its template arguments. most: the number of threads in its __launch_bounds__, 0 if
 * it has none.
 *
 * emulator_shared: is called after every __shared__ variable. It fills the variable with invalid values
 * when the first thread of a thread block reaches it. */
enum { EMULATOR_SHARED_MOST = 227 * 1024, EMULATOR_SHARED_FREE = 48 * 1024, EMULATOR_SHARED_BEYOND = 4096 };
extern "C" unsigned char emulator_dynamic[EMULATOR_SHARED_MOST + EMULATOR_SHARED_BEYOND];
void emulator_enter(const char *kernel, const char *in_full, unsigned most);
void emulator_shared(void *variable, size_t bytes);

/* Functions in which a thread waits for others.
 *
 * emulator_exchange: every lane of `mask` gives a value and gets the values of all lanes. The result is
 * valid until the next call. emulator_yield: lets other threads run; it is for loops that wait for them. */
void emulator_barrier(const char *file, int line);
const unsigned long long *emulator_exchange(unsigned mask, const char *what, unsigned long long value,
                                            unsigned *given);
void emulator_yield(void);
[[noreturn]] void emulator_trap(void);
unsigned emulator_lane(void);

#define __syncthreads()      emulator_barrier(__FILE__, __LINE__)
#define __threadfence()      __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __threadfence_block  __threadfence
#define __threadfence_system __threadfence
#define __trap               emulator_trap

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    unsigned given;
    (void)emulator_exchange(mask, "__syncwarp", 0, &given);
}

enum { EMULATOR_LANES = 32 };

/* Returns the value that lane `from` gave. If there is no such lane, the result is NaN. */
template <class T> static inline T emulator_shuffle(unsigned mask, const char *what, T value, unsigned from)
{
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a shuffle moves 4 or 8 bytes");
    unsigned long long word = 0;
    unsigned given;
    T got;
    memcpy(&word, &value, sizeof value);
    const unsigned long long *const all = emulator_exchange(mask, what, word, &given);
    word = given >> from & 1 ? all[from] : ~0ull;
    memcpy(&got, &word, sizeof got);
    return got;
}

inline float __uint_as_float(unsigned bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T> T __shfl_sync(unsigned mask, T v, int from, int width = warpSize)
{
    const unsigned lane = emulator_lane(), start = lane & ~(unsigned)(width - 1);
    return emulator_shuffle(mask, "__shfl_sync", v, start + ((unsigned)from & (unsigned)(width - 1)));
}

template <class T> T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = warpSize)
{
    const unsigned lane = emulator_lane(), end = (lane & ~(unsigned)(width - 1)) + (unsigned)width;
    return emulator_shuffle(mask, "__shfl_down_sync", v, lane + by < end ? lane + by : lane);
}

template <class T> T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = warpSize)
{
    const unsigned lane = emulator_lane(), start = lane & ~(unsigned)(width - 1);
    return emulator_shuffle(mask, "__shfl_up_sync", v, lane >= start + by ? lane - by : lane);
}

template <class T> T __shfl_xor_sync(unsigned mask, T v, int with, int width = warpSize)
{
    const unsigned lane = emulator_lane(), end = (lane & ~(unsigned)(width - 1)) + (unsigned)width;
    const unsigned from = lane ^ (unsigned)with;
    return emulator_shuffle(mask, "__shfl_xor_sync", v, from < end ? from : lane);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned given, votes = 0;
    const unsigned long long *const all = emulator_exchange(mask, "a vote", predicate != 0, &given);
    for (unsigned lane = 0; lane < EMULATOR_LANES; ++lane)
        if (given >> lane & 1 && all[lane]) votes |= 1u << lane;
    return votes;
}

static inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}

static inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}

/* Votes of a whole thread block. */
int emulator_vote(const char *file, int line, int predicate);
#define __syncthreads_count(predicate) emulator_vote(__FILE__, __LINE__, (predicate) != 0)
#define __syncthreads_or(predicate)    (emulator_vote(__FILE__, __LINE__, (predicate) != 0) > 0)
#define __syncthreads_and(predicate)   (emulator_vote(__FILE__, __LINE__, (predicate) == 0) == 0)

/* Loads and stores of any cache policy. */
#define EMULATOR_LOAD(name)                                                                                  \
    template <class T> static inline T name(const T *from)                                                   \
    {                                                                                                        \
        return *from;                                                                                        \
    }
#define EMULATOR_STORE(name)                                                                                 \
    template <class T> static inline void name(T *to, T value)                                               \
    {                                                                                                        \
        *to = value;                                                                                         \
    }
EMULATOR_LOAD(__ldg)
EMULATOR_LOAD(__ldca)
EMULATOR_LOAD(__ldcg)
EMULATOR_LOAD(__ldcs)
EMULATOR_LOAD(__ldcv)
EMULATOR_LOAD(__ldlu)
EMULATOR_STORE(__stcg)
EMULATOR_STORE(__stcs)
EMULATOR_STORE(__stwb)
EMULATOR_STORE(__stwt)

/* Other processes may be at the same place. */
template <class T> static inline T atomicAdd(T *at, T by)
{
    static_assert(std::is_integral_v<T>, "sums of floating-point numbers have no order here: refused");
    return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
}

template <class T> static inline T atomicExch(T *at, T value)
{
    return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}

template <class T> static inline T atomicCAS(T *at, T expected, T value)
{
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

static inline unsigned atomicInc(unsigned *at, unsigned last)
{
    unsigned old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(at, &old, old >= last ? 0 : old + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}

template <class T> static inline T atomicMax(T *at, T value)
{
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < value &&
           !__atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}

#define EMULATOR_MIN_MAX(type)                                                                               \
    static inline type min(type a, type b)                                                                   \
    {                                                                                                        \
        return a < b ? a : b;                                                                                \
    }                                                                                                        \
    static inline type max(type a, type b)                                                                   \
    {                                                                                                        \
        return a > b ? a : b;                                                                                \
    }
EMULATOR_MIN_MAX(int)
EMULATOR_MIN_MAX(unsigned)
EMULATOR_MIN_MAX(long)
EMULATOR_MIN_MAX(long long)
EMULATOR_MIN_MAX(unsigned long)
EMULATOR_MIN_MAX(unsigned long long)

static inline float min(float a, float b)
{
    return fminf(a, b);
}

static inline float max(float a, float b)
{
    return fmaxf(a, b);
}

static inline double min(double a, double b)
{
    return fmin(a, b);
}

static inline double max(double a, double b)
{
    return fmax(a, b);
}

static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}

static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}

static inline int __clz(int v)
{
    return v == 0 ? 32 : __builtin_clz((unsigned)v);
}

static inline double rsqrt(double v)
{
    return 1 / sqrt(v);
}

static inline float rsqrtf(float v)
{
    return 1 / sqrtf(v);
}

#include "emulator_host.h"

/* emulator_launch: replaces kernel<<<grid, block, shared, stream>>>(...) in the code that translate.py
 * writes. It is a call with the arguments of the kernel, which are kept by value until the kernel runs. */
struct emulator_kernel {
    const void *function;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    std::function<void()> body; /* one thread */
};
void emulator_give(const struct emulator_kernel &kernel);

template <class... Wanted> struct emulator_call {
    void (*kernel)(Wanted...);
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    void operator()(Wanted... given) const
    {
        void (*const call)(Wanted...) = kernel;
        const auto values = std::make_shared<std::tuple<std::decay_t<Wanted>...>>(given...);
        emulator_give({(const void *)call, grid, block, shared, stream, [=] { std::apply(call, *values); }});
    }
};

template <class... Wanted>
static inline emulator_call<Wanted...> emulator_launch(void (*kernel)(Wanted...), dim3 grid, dim3 block,
                                                       size_t shared = 0, cudaStream_t stream = NULL)
{
    return {kernel, grid, block, shared, stream};
}

/* emulator_launch_deduced: does the same for a template whose arguments follow from those of the call. It
 * cannot ask for more shared memory. */
template <class Kernel> struct emulator_deduced_call {
    Kernel kernel;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    template <class... Given> void operator()(Given... given) const
    {
        const Kernel call = kernel;
        emulator_give({NULL, grid, block, shared, stream, [=] { call(given...); }});
    }
};

template <class Kernel>
static inline emulator_deduced_call<Kernel>
emulator_launch_deduced(Kernel kernel, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = NULL)
{
    return {kernel, grid, block, shared, stream};
}

#endif
