/* Selects the GPU of this rank, and provides its two queues of work and marks in them. */
#include "../base/device.h"
#include "../base/turns.h"
#include "check.cuh"
#include "queue.cuh"

#include <stdio.h>
#include <stdlib.h>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#else /* ranges are for profilers alone */
static int nvtxRangePushA(const char *)
{
    return 0;
}

static int nvtxRangePop(void)
{
    return 0;
}
#endif

/* This state belongs to the file: launches everywhere go to the queue in use, as CUDA's own calls go to the
 * GPU in use. Before device_select both streams are NULL, the default stream. */
static struct queues {
    cudaStream_t stream[2]; /* by enum device_queue */
    cudaEvent_t reached[2]; /* the place in the other queue that this one waits for */
    enum device_queue in_use;
    int range_open;
} queues_of[TURNS_MOST]; /* by seats */

static struct queues *queues(void)
{
    return &queues_of[turns_seat()];
}

cudaStream_t queue_stream(void)
{
    return queues()->stream[queues()->in_use];
}

/* Other runs may ask for the one that waits, so a fault is left to its own call. */
static int stream_over(void *stream)
{
    const cudaError_t error = cudaStreamQuery((cudaStream_t)stream);
    (void)cudaGetLastError(); /* "not ready" is no fault */
    return error != cudaErrorNotReady;
}

static int event_over(void *event)
{
    const cudaError_t error = cudaEventQuery((cudaEvent_t)event);
    (void)cudaGetLastError();
    return error != cudaErrorNotReady;
}

kol_status queue_wait(cudaStream_t stream)
{
    turns_wait(stream_over, stream);
    CUDA_TRY(cudaStreamSynchronize(stream));
    return KOL_OK;
}

/* CUDA writes version 13.2 as 13020. */
static int version_major(int version)
{
    return version / 1000;
}

static int version_minor(int version)
{
    return version % 1000 / 10;
}

const char *device_backend(void)
{
    return "cuda";
}

int device_is_gpu(void)
{
    return 1;
}

/* device_probe: a kernel that is never launched. CUDA is asked about it to find out whether this build has
 * code for the GPU. */
static __global__ void device_probe(void)
{
}

static kol_status count_gpus(int *count)
{
    int driver = 0, runtime = 0;
    CUDA_TRY(cudaDriverGetVersion(&driver));
    CUDA_TRY(cudaRuntimeGetVersion(&runtime));
    if (driver == 0) RAISE(KOL_ERR_CUDA, "no NVIDIA driver on this node: use the build with BACKEND=cpu");
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaErrorInsufficientDriver) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_CUDA, "the NVIDIA driver knows CUDA up to %d.%d, this build wants %d.%d",
              version_major(driver), version_minor(driver), version_major(runtime), version_minor(runtime));
    }
    if (error == cudaErrorNoDevice || (error == cudaSuccess && *count == 0)) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_CUDA, "no GPU on this node, or CUDA_VISIBLE_DEVICES hides it");
    }
    CUDA_TRY_OF("cudaGetDeviceCount", error);
    return KOL_OK;
}

/* The streams are non-blocking, so nothing waits for the default stream. Halo cells have priority: a sweep
 * over the inner cells, which fills the GPU, must not delay a message. */
static kol_status create_queues(void)
{
    int least = 0, greatest = 0;
    if (queues()->stream[QUEUE_COMPUTE] != NULL) return KOL_OK;
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int q = 0; q < 2; ++q) {
        CUDA_TRY(cudaEventCreateWithFlags(&queues()->reached[q], cudaEventDisableTiming));
        CUDA_TRY(cudaStreamCreateWithPriority(&queues()->stream[q], cudaStreamNonBlocking,
                                              q == QUEUE_TRANSFER ? greatest : least));
    }
    return KOL_OK;
}

kol_status device_select(int local_rank, char *text, size_t size)
{
    int count = 0, driver = 0, runtime = 0;
    if (turns_count() > 1) /* the streams of different runs must not wait for each other */
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    TRY(count_gpus(&count));
    const int id = local_rank % count;
    CUDA_TRY(cudaSetDevice(id));
    struct cudaDeviceProp gpu;
    CUDA_TRY(cudaGetDeviceProperties(&gpu, id));
    CUDA_TRY(cudaDriverGetVersion(&driver));
    CUDA_TRY(cudaRuntimeGetVersion(&runtime));
    struct cudaFuncAttributes code;
    const cudaError_t error = cudaFuncGetAttributes(&code, device_probe);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_CUDA, "GPU %d, %s of compute capability %d.%d, cannot run this build: %s", id, gpu.name,
              gpu.major, gpu.minor, cudaGetErrorString(error));
    }
    snprintf(text, size, "%s, %.1f GiB, driver %d.%d, CUDA %d.%d", gpu.name,
             (double)gpu.totalGlobalMem / 1073741824.0, version_major(driver), version_minor(driver),
             version_major(runtime), version_minor(runtime));
    return create_queues();
}

/* Returns 0 without a driver; device_select tells why. */
int device_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

void device_use(enum device_queue queue)
{
    queues()->in_use = queue;
}

kol_status device_after(enum device_queue later, enum device_queue earlier)
{
    if (queues()->stream[later] == queues()->stream[earlier]) return KOL_OK;
    /* the wait uses the event as it is now; it may be recorded again before the queue gets there */
    CUDA_TRY(cudaEventRecord(queues()->reached[later], queues()->stream[earlier]));
    CUDA_TRY(cudaStreamWaitEvent(queues()->stream[later], queues()->reached[later], 0));
    return KOL_OK;
}

kol_status device_wait(void)
{
    for (int q = 0; q < 2; ++q) TRY(queue_wait(queues()->stream[q]));
    return KOL_OK;
}

struct device_mark {
    cudaEvent_t event;
};

kol_status device_mark_create(int timing, struct device_mark **out)
{
    *out = (struct device_mark *)calloc(1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a mark");
    CUDA_TRY(cudaEventCreateWithFlags(&(*out)->event, timing ? cudaEventDefault : cudaEventDisableTiming));
    return KOL_OK;
}

void device_mark_destroy(struct device_mark **m)
{
    if (*m == NULL) return;
    if ((*m)->event != NULL) (void)cudaEventDestroy((*m)->event);
    free(*m);
    *m = NULL;
}

kol_status device_mark_record(struct device_mark *m)
{
    CUDA_TRY(cudaEventRecord(m->event, queue_stream()));
    return KOL_OK;
}

kol_status device_mark_wait(struct device_mark *m)
{
    turns_wait(event_over, m->event);
    CUDA_TRY(cudaEventSynchronize(m->event));
    return KOL_OK;
}

kol_status device_after_mark(enum device_queue later, const struct device_mark *m)
{
    CUDA_TRY(cudaStreamWaitEvent(queues()->stream[later], m->event, 0));
    return KOL_OK;
}

kol_status device_mark_seconds(const struct device_mark *from, const struct device_mark *to, double *seconds)
{
    float milliseconds = 0;
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, from->event, to->event));
    *seconds = 1e-3 * (double)milliseconds;
    return KOL_OK;
}

void device_range(const char *name)
{
    if (turns_count() > 1) return; /* ranges of a thread can't overlap */
    if (queues()->range_open) nvtxRangePop();
    queues()->range_open = name[0] != '\0';
    if (queues()->range_open) nvtxRangePushA(name);
}
