/* Makes, starts, watches and reads the scalars of a conjugate-gradient iteration. */
#include "../cg.h"
#include "../base/mem.h"
#include "../base/turns.h"
#include "cg.cuh"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"

#include <limits.h>
#include <sched.h>

void cg_destroy(struct cg_scalars *cg)
{
    mem_kernel_free(cg->state);
    if (cg->watch != NULL) (void)cudaFreeHost(cg->watch);
    cg->state = NULL;
    cg->watch = NULL;
}

kol_status cg_create(struct cg_scalars *out)
{
    const struct cg_state none = {};
    kol_status st = KOL_OK;
    void *state = NULL, *watch = NULL;
    out->state = NULL;
    out->watch = NULL;
    TRY(mem_kernel_alloc(sizeof(struct cg_memory), &state));
    out->state = (struct cg_state *)state;
    const cudaError_t error = cudaHostAlloc(&watch, sizeof(struct cg_watch), cudaHostAllocMapped);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        st = status_raise(KOL_ERR_CUDA, __FILE__, __LINE__,
                          "cudaHostAlloc: no host memory that kernels can write to: %s (%s)",
                          cudaGetErrorString(error), cudaGetErrorName(error));
        goto failed;
    }
    out->watch = (struct cg_watch *)watch;
    TRY_OR(failed, cg_start(*out, none));
    return KOL_OK;
failed:
    cg_destroy(out);
    return st;
}

static __global__ void __launch_bounds__(PIECE_WARP)
    start_kernel(struct cg_memory *memory, const __grid_constant__ struct cg_state values)
{
    if (threadIdx.x != 0) return;
    memory->state = values;
    memory->steps = 0;
    memory->ended = INT_MAX;
}

kol_status cg_start(struct cg_scalars cg, struct cg_state values)
{
    cg.watch->steps = 0;
    cg.watch->ended = INT_MAX;
    cg.watch->outcome = CG_RUNNING;
    start_kernel<<<1, PIECE_WARP, 0, queue_stream()>>>((struct cg_memory *)cg.state, values);
    CUDA_LAUNCHED("cg_start");
    return KOL_OK;
}

/* still_working: returns KOL_OK while the queue has work. */
static kol_status still_working(struct cg_scalars cg, int steps)
{
    const cudaError_t error = cudaStreamQuery(queue_stream());
    (void)cudaGetLastError(); /* "not ready" is no fault */
    if (error != cudaSuccess && error != cudaErrorNotReady)
        RAISE(KOL_ERR_CUDA, "an iteration of conjugate gradients: %s (%s)", cudaGetErrorString(error),
              cudaGetErrorName(error));
    if (error == cudaSuccess && cg.watch->steps < steps)
        RAISE(KOL_ERR_INTERNAL, "conjugate gradients: step %d of %d was never given out", cg.watch->steps + 1,
              steps);
    return KOL_OK;
}

/* pending: steps that a run waits for, while others go on. */
struct pending {
    struct cg_watch *watch;
    int steps;
    cudaStream_t stream;
};

static int steps_over(void *what)
{
    const struct pending *p = (const struct pending *)what;
    if (p->watch->steps >= p->steps) return 1;
    const cudaError_t error = cudaStreamQuery(p->stream);
    (void)cudaGetLastError(); /* a fault is left to still_working() */
    return error != cudaErrorNotReady;
}

/* The host looks at its own memory. Now and then it asks whether the GPU still works, so that a fault ends
 * the wait. */
kol_status cg_wait(struct cg_scalars cg, int steps, int *ended)
{
    enum { LOOKS = 1 << 14 };
    struct pending others = {cg.watch, steps, queue_stream()};
    turns_wait(steps_over, &others);
    for (int look = 1; cg.watch->steps < steps; ++look) {
        if (look < LOOKS) continue;
        TRY(still_working(cg, steps));
        sched_yield(); /* ranks may share a core */
        look = 0;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    *ended = cg.watch->ended <= steps;
    return KOL_OK;
}

kol_status cg_read(struct cg_scalars cg, struct cg_state *out)
{
    CUDA_TRY(cudaMemcpyAsync(out, cg.state, sizeof *out, cudaMemcpyDeviceToHost, queue_stream()));
    return queue_wait(queue_stream());
}
