/* Stands for the CUDA runtime in the emulator: GPUs, errors, streams, events, launches. */
#include "emulator.h"
#include "hardware.cuh"

#include <stdio.h>
#include <time.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

enum { VERSION = 13000, MAJOR = 9, MOST_GPUS = 64, MOST_GRID = 65535 };

static cudaError_t last, sticky;

cudaError_t host_raise(cudaError_t error)
{
    if (error != cudaSuccess) last = error;
    return error;
}

cudaError_t host_sticky(void)
{
    return sticky;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = sticky != cudaSuccess ? sticky : last;
    last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return sticky != cudaSuccess ? sticky : last;
}

/* Faults that are asked for. */

static struct {
    bool ready, mine, count;
    long number;
    char call[48];
} fault;
static std::map<std::string, long> calls;

static FILE *fault_mark(void)
{
    const char *const name = getenv("EMULATOR_FAIL_MARK");
    return name == NULL ? NULL : fopen(name, "w");
}

static void list_calls(void)
{
    FILE *const f = fault_mark();
    for (const auto &c : calls)
        if (f != NULL) fprintf(f, "%s %ld\n", c.first.c_str(), c.second);
    if (f != NULL) fclose(f);
}

static void read_fault(void)
{
    const char *const text = getenv("EMULATOR_FAIL"), *const rank = getenv("OMPI_COMM_WORLD_RANK");
    int wanted = 0;
    fault.ready = true;
    if (text == NULL || sscanf(text, "%47[^:]:%ld:%d", fault.call, &fault.number, &wanted) != 3) return;
    fault.mine = wanted == (rank == NULL ? 0 : atoi(rank));
    fault.count = strcmp(fault.call, "count") == 0;
    if (fault.mine && fault.count) atexit(list_calls);
}

bool host_fails(const char *call)
{
    if (!fault.ready) read_fault();
    if (!fault.mine) return false;
    const long n = ++calls[call];
    if (fault.count || n != fault.number || strcmp(fault.call, call) != 0) return false;
    FILE *const f = fault_mark();
    if (f != NULL) fclose(f);
    return true;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} ERRORS[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"}};

const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &e : ERRORS)
        if (e.error == error) return e.text;
    return "unknown error";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &e : ERRORS)
        if (e.error == error) return e.name;
    return "cudaErrorUnknown";
}

/* GPUs. */

static int gpu;

int gpu_count(void)
{
    const char *const text = getenv("EMULATED_GPUS");
    const int count = text == NULL || *text == '\0' ? 1 : atoi(text);
    return count < 0 ? 0 : count > MOST_GPUS ? MOST_GPUS : count;
}

int gpu_in_use(void)
{
    return gpu;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (host_fails("cudaGetDeviceCount")) return host_raise(cudaErrorLaunchFailure);
    *count = gpu_count();
    return host_raise(*count > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int *out)
{
    *out = gpu;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int wanted)
{
    if (host_fails("cudaSetDevice")) return host_raise(cudaErrorLaunchFailure);
    if (wanted < 0 || wanted >= gpu_count()) return host_raise(cudaErrorInvalidDevice);
    gpu = wanted;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int which)
{
    if (host_fails("cudaGetDeviceProperties")) return host_raise(cudaErrorLaunchFailure);
    size_t available = 0;
    if (which < 0 || which >= gpu_count()) return host_raise(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    strcpy(p->name, "emulated");
    memset(p->uuid.bytes, 'e', sizeof p->uuid.bytes);
    p->uuid.bytes[0] = (char)which;
    p->sharedMemPerBlock = EMULATOR_SHARED_FREE;
    p->sharedMemPerBlockOptin = EMULATOR_SHARED_MOST;
    p->major = MAJOR;
    memory_info(&available, &p->totalGlobalMem);
    return host_sticky();
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int gpu)
{
    enum { MULTIPROCESSORS = 16 };
    if (host_fails("cudaDeviceGetAttribute")) return host_raise(cudaErrorLaunchFailure);
    if (gpu < 0 || gpu >= gpu_count()) return host_raise(cudaErrorInvalidDevice);
    if (which != cudaDevAttrMultiProcessorCount && which != cudaDevAttrMaxSharedMemoryPerBlockOptin)
        return host_raise(cudaErrorInvalidValue);
    *value = which == cudaDevAttrMultiProcessorCount ? (int)MULTIPROCESSORS : (int)EMULATOR_SHARED_MOST;
    return host_sticky();
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int one, int other)
{
    const int count = gpu_count();
    if (one < 0 || one >= count || other < 0 || other >= count) return host_raise(cudaErrorInvalidDevice);
    *can = one != other;
    return cudaSuccess;
}

/* Streams. */

typedef std::vector<std::function<void()>> works;

struct emulator_graph {
    works work;
};

struct emulator_stream {
    bool first = false; /* made with a higher priority than others */
    std::deque<std::function<void()>> work;
    struct emulator_graph *recorded = NULL; /* what it is given goes there; NULL: it is done */
    bool broken = false;                    /* a wait, which can't be recorded */
};

struct emulator_event {
    unsigned flags;
    struct emulator_stream *stream; /* where it was recorded last */
    unsigned long long given, done; /* times it was recorded, and of those that the stream has come by */
    double seconds;
};

static struct emulator_stream none; /* the default stream */
static std::vector<struct emulator_stream *> streams = {&none};

enum when { IMMEDIATE, LATE, PRIORITY };

static enum when when(void)
{
    static int answer = -1;
    if (answer < 0) {
        static const char *const names[] = {"immediate", "late", "priority"};
        const char *const text = getenv("EMULATOR_STREAMS");
        for (int n = IMMEDIATE; n <= PRIORITY; ++n)
            if (text != NULL && strcmp(text, names[n]) == 0) answer = n;
        if (text == NULL || *text == '\0') answer = IMMEDIATE;
        if (answer < 0) {
            fprintf(stderr, "emulator: EMULATOR_STREAMS=%s: immediate, late or priority\n", text);
            exit(2);
        }
    }
    return (enum when)answer;
}

static struct emulator_stream *stream_of(cudaStream_t stream)
{
    return stream != NULL ? stream : &none;
}

/* One piece of work; it may in turn wait for work of other streams. */
static bool stream_step(struct emulator_stream *s)
{
    if (s->work.empty()) return false;
    const std::function<void()> work = std::move(s->work.front());
    s->work.pop_front();
    if (sticky == cudaSuccess) work();
    return true;
}

/* Is called whenever the host waits for a stream or queries one. With EMULATOR_STREAMS=priority, streams of
 * high priority then do all their work, and the others lag behind as far as events allow. */
static void streams_first(void)
{
    for (struct emulator_stream *s : streams) {
        while (when() == PRIORITY && s->first && stream_step(s)) {
        }
    }
}

void stream_finish(cudaStream_t stream)
{
    streams_first();
    while (stream_step(stream_of(stream))) {
    }
}

void streams_finish(void)
{
    for (struct emulator_stream *s : streams) stream_finish(s);
}

void stream_give(cudaStream_t stream, std::function<void()> work)
{
    struct emulator_stream *const s = stream_of(stream);
    if (s->recorded != NULL) {
        s->recorded->work.push_back(std::move(work));
        return;
    }
    s->work.push_back(std::move(work));
    if (when() == IMMEDIATE) stream_finish(stream);
}

/* Whether a call that waits comes while a stream is recorded: then the recording is lost. */
static bool breaks_recording(void)
{
    bool breaks = false;
    for (struct emulator_stream *s : streams) {
        if (s->recorded == NULL) continue;
        s->broken = breaks = true;
    }
    return breaks;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode)
{
    if (host_fails("cudaStreamBeginCapture")) return host_raise(cudaErrorLaunchFailure);
    if (stream == NULL || stream->recorded != NULL) return host_raise(cudaErrorStreamCaptureUnsupported);
    stream->recorded = new emulator_graph;
    stream->broken = false;
    return sticky;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out)
{
    *out = stream->recorded;
    stream->recorded = NULL;
    if (*out == NULL || (!stream->broken && !host_fails("cudaStreamEndCapture")))
        return *out == NULL ? host_raise(cudaErrorInvalidValue) : sticky;
    delete *out;
    *out = NULL;
    return host_raise(cudaErrorStreamCaptureInvalidated);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long)
{
    if (host_fails("cudaGraphInstantiate")) return host_raise(cudaErrorLaunchFailure);
    *out = new emulator_graph(*graph);
    return sticky;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return sticky;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    streams_finish(); /* work that is part of it */
    delete graph;
    return sticky;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
{
    if (host_fails("cudaGraphLaunch")) return host_raise(cudaErrorLaunchFailure);
    for (const std::function<void()> &work : graph->work) stream_give(stream, work);
    return sticky;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -1;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned, int priority)
{
    if (host_fails("cudaStreamCreateWithPriority")) return host_raise(cudaErrorLaunchFailure);
    *out = new emulator_stream;
    (*out)->first = priority < 0;
    streams.push_back(*out);
    return sticky;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    stream_finish(stream);
    for (size_t n = 1; n < streams.size(); ++n)
        if (streams[n] == stream) streams.erase(streams.begin() + (ptrdiff_t)n--);
    delete stream;
    return sticky;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (host_fails("cudaStreamSynchronize")) return host_raise(cudaErrorLaunchFailure);
    if (breaks_recording()) return host_raise(cudaErrorStreamCaptureUnsupported);
    stream_finish(stream);
    return sticky;
}

cudaError_t cudaDeviceSynchronize(void)
{
    if (host_fails("cudaDeviceSynchronize")) return host_raise(cudaErrorLaunchFailure);
    if (breaks_recording()) return host_raise(cudaErrorStreamCaptureUnsupported);
    streams_finish();
    return sticky;
}

/* Asking is a chance to work: a host that only asks gets on. */
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    streams_first();
    (void)stream_step(stream_of(stream));
    if (sticky != cudaSuccess) return sticky;
    return host_raise(stream_of(stream)->work.empty() ? cudaSuccess : cudaErrorNotReady);
}

/* Events. */

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

unsigned long long nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

static void event_finish(struct emulator_event *e, struct emulator_stream *s, unsigned long long time)
{
    while (e->done < time && stream_step(s)) {
    }
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    if (host_fails("cudaEventCreateWithFlags")) return host_raise(cudaErrorLaunchFailure);
    *out = new emulator_event();
    (*out)->flags = flags;
    return sticky;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (event == NULL) return host_raise(cudaErrorInvalidResourceHandle);
    streams_finish(); /* work that names it */
    delete event;
    return sticky;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (host_fails("cudaEventRecord")) return host_raise(cudaErrorLaunchFailure);
    event->stream = stream_of(stream);
    const unsigned long long time = ++event->given;
    stream_give(stream, [=] {
        event->done = time;
        event->seconds = clock_seconds();
    });
    return sticky;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    if (host_fails("cudaStreamWaitEvent")) return host_raise(cudaErrorLaunchFailure);
    struct emulator_stream *const earlier = event->stream;
    const unsigned long long time = event->given;
    if (earlier != NULL) stream_give(stream, [=] { event_finish(event, earlier, time); });
    return sticky;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (host_fails("cudaEventSynchronize")) return host_raise(cudaErrorLaunchFailure);
    streams_first();
    if (event->stream != NULL) event_finish(event, event->stream, event->given);
    return sticky;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    streams_first();
    if (event->stream != NULL && event->done < event->given) (void)stream_step(event->stream);
    if (sticky != cudaSuccess) return sticky;
    return host_raise(event->done == event->given ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    if ((from->flags | to->flags) & cudaEventDisableTiming || from->given == 0 || to->given == 0)
        return host_raise(cudaErrorInvalidResourceHandle);
    if (from->done < from->given || to->done < to->given) return host_raise(cudaErrorNotReady);
    *milliseconds = (float)(1e3 * (to->seconds - from->seconds));
    return sticky;
}

/* Launches. */

static std::map<const void *, int> shared_asked;

bool function_asked_shared(const void *function)
{
    return shared_asked.count(function) != 0;
}

cudaError_t emulator_func_attributes(struct cudaFuncAttributes *out, const void *function)
{
    out->maxDynamicSharedSizeBytes =
        function_asked_shared(function) ? shared_asked[function] : EMULATOR_SHARED_FREE;
    out->maxThreadsPerBlock = ORDER_MOST_THREADS;
    return sticky;
}

cudaError_t emulator_func_set(const void *function, enum cudaFuncAttribute attribute, int value)
{
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 || value > EMULATOR_SHARED_MOST)
        return host_raise(cudaErrorInvalidValue);
    shared_asked[function] = value;
    return sticky;
}

static cudaError_t launch_check(const struct emulator_kernel &k)
{
    const dim3 g = k.grid, b = k.block;
    const size_t threads = (size_t)b.x * b.y * b.z;
    const size_t most =
        function_asked_shared(k.function) ? (size_t)shared_asked[k.function] : (size_t)EMULATOR_SHARED_FREE;
    if (threads == 0 || threads > ORDER_MOST_THREADS || b.z > 64) return cudaErrorInvalidConfiguration;
    if (g.x == 0 || g.x > 0x7fffffffu || g.y == 0 || g.y > MOST_GRID || g.z == 0 || g.z > MOST_GRID)
        return cudaErrorInvalidConfiguration;
    return k.shared <= most ? cudaSuccess : cudaErrorInvalidValue;
}

void emulator_give(const struct emulator_kernel &kernel)
{
    order_check();
    const cudaError_t error = host_fails("launch") ? cudaErrorLaunchFailure : launch_check(kernel);
    if (host_raise(error) != cudaSuccess) return;
    stream_give(kernel.stream, [kernel] {
        const unsigned long long start = timeline_now();
        if (!kernel_run(kernel)) sticky = cudaErrorLaunchFailure;
        timeline_note(start, kernel.stream, 0, (size_t)kernel.grid.x * kernel.grid.y * kernel.grid.z,
                      kernel_in_full());
    });
}

/* Takes the place of the function of MPI. MPI can read the memory of an emulated GPU like any other memory,
 * so a test may pretend that this MPI accepts GPU memory. */
extern "C" int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void)
{
    return getenv("EMULATOR_CUDA_AWARE") != NULL;
}
