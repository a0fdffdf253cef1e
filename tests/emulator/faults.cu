/* Kernels with one fault each, that the emulator has to find, and what they look like without: faults.py runs
 * them by name. */
#include "include/hardware.cuh"

#include <stdio.h>
#include <string.h>

enum { THREADS = 96, WARP = 32, FAR = 1 << 20 };

/* Which fault, 0: none. */
enum fault {
    NONE,
    BARRIER_MISSING,
    BARRIERS_DIFFER,
    ENDS_EARLY,
    WAIT_MISSING,
    WAIT_SHORT,
    LANE_MISSING,
    BEYOND_SHARED,
    BEYOND_MEMORY,
    TRAP,
    TOO_MANY,
    EVENT_MISSING,
    FAULTS
};
static const char *const NAME[FAULTS] = {
    "none",         "barrier-missing", "barriers-differ", "ends-early", "wait-missing", "wait-short",
    "lane-missing", "beyond-shared",   "beyond-memory",   "trap",       "too-many",     "event-missing"};

/* from[] through shared memory, asynchronously and in two groups, to the next thread. */
static __global__ void __launch_bounds__(THREADS)
    turn_kernel(enum fault fault, const double *from, double *to)
{
    extern __shared__ double ring[];
    const int t = (int)threadIdx.x;
    copy_async<sizeof(double)>(ring + t, from + t);
    copy_async_commit();
    copy_async_commit();
    if (fault == WAIT_SHORT) copy_async_wait<2>();
    else if (fault != WAIT_MISSING) copy_async_wait<1>();
    if (fault == ENDS_EARLY && t == 5) return;
    if (fault == BARRIERS_DIFFER && t == 5) __syncthreads();
    else if (fault != BARRIER_MISSING) __syncthreads();
    to[t] = ring[(t + 1) % THREADS];
    if (fault == BEYOND_SHARED) ring[THREADS] = 0;
    if (fault == BEYOND_MEMORY) to[FAR] = 0;
    if (fault == TRAP && t == 5) __trap();
}

/* The sum of a warp. */
static __global__ void __launch_bounds__(THREADS) sum_kernel(enum fault fault, double *a)
{
    const int t = (int)threadIdx.x;
    double v = a[t];
    for (int half = WARP / 2; half > 0; half /= 2) {
        if (fault == LANE_MISSING && t == 5) break;
        v += __shfl_down_sync(0xffffffffu, v, (unsigned)half);
    }
    __syncthreads();
    a[t] = v;
}

static int failed(cudaError_t error)
{
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}

/* Both kernels, each in a stream of its own: the sums wait for the turn. */
static int run(enum fault fault, double *h, double *from, double *to)
{
    cudaStream_t one, other;
    cudaEvent_t turned;
    const unsigned threads = fault == TOO_MANY ? THREADS + WARP : THREADS;
    if (failed(cudaStreamCreateWithPriority(&one, cudaStreamNonBlocking, 0)) ||
        failed(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, 0)) ||
        failed(cudaEventCreateWithFlags(&turned, cudaEventDisableTiming)))
        return 1;
    if (failed(cudaMemcpyAsync(from, h, THREADS * sizeof *h, cudaMemcpyHostToDevice, one))) return 1;
    turn_kernel<<<1, threads, THREADS * sizeof *h, one>>>(fault, from, to);
    if (failed(cudaGetLastError()) || failed(cudaEventRecord(turned, one))) return 1;
    if (fault != EVENT_MISSING && failed(cudaStreamWaitEvent(other, turned, 0))) return 1;
    sum_kernel<<<1, THREADS, 0, other>>>(fault, to);
    if (failed(cudaGetLastError())) return 1;
    return failed(cudaMemcpyAsync(h, to, THREADS * sizeof *h, cudaMemcpyDeviceToHost, other)) ||
           failed(cudaStreamSynchronize(other));
}

int main(int argc, char **argv)
{
    double h[THREADS];
    void *from = NULL, *to = NULL;
    for (int fault = 0; argc == 2 && fault < FAULTS; ++fault) {
        if (strcmp(argv[1], NAME[fault]) != 0) continue;
        for (int n = 0; n < THREADS; ++n) h[n] = n;
        if (failed(cudaMalloc(&from, sizeof h)) || failed(cudaMalloc(&to, sizeof h))) return 1;
        if (run((enum fault)fault, h, (double *)from, (double *)to)) return 1;
        printf("%g %g %g\n", h[0], h[WARP], h[2 * WARP]);
        return 0;
    }
    for (int fault = 0; fault < FAULTS; ++fault) printf("%s%c", NAME[fault], fault + 1 < FAULTS ? ' ' : '\n');
    return 2;
}
