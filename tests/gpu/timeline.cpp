/* A timeline of a CUDA program: every kernel, copy and fill with its start and end on the GPU, by CUPTI,
 * which comes with the CUDA toolkit. The driver loads this library into a program that names it in
 * CUDA_INJECTION64_PATH; timeline.py builds it, runs programs under it and reads what it writes. Environment:
 * KOLMO_TIMELINE=PREFIX: each process writes PREFIX.RANK.PID.tsv, RANK that of mpirun, 0 without. Lines:
 * start ns, end ns, device, stream, bytes (of copies and fills), thread blocks (of kernels), name, between
 * tabs; the first names them, the last is "# end" with the number of lines between, and tells of records that
 * are missing. A fault is told on stderr, and the program goes on without a timeline. */
#include <cupti.h>
#include <cxxabi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <unordered_map>

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
#else /* CUDA 12; what is read here lies at the same places in both */
typedef CUpti_ActivityKernel9 kernel_record;
#endif
#if CUPTI_API_VERSION >= 26 /* CUDA 12.8 */
typedef CUpti_ActivityMemcpy6 copy_record;
#else
typedef CUpti_ActivityMemcpy5 copy_record;
#endif
typedef CUpti_ActivityMemcpyPtoP4 peer_record;
typedef CUpti_ActivityMemset4 fill_record;

enum { BUFFER_BYTES = 8 << 20, BUFFER_ALIGN = 8, PATH_BYTES = 4096 };

/* State by design: CUPTI hands nothing of ours to its callbacks. They come from threads of its own. */
static struct {
    std::mutex lock;
    FILE *file;
    char path[PATH_BYTES];
    long long lines, missing;
    std::unordered_map<std::string, std::string> names; /* mangled to readable */
} timeline;

static bool done(CUptiResult result, const char *call)
{
    if (result == CUPTI_SUCCESS) return true;
    const char *text = NULL;
    if (cuptiGetResultString(result, &text) != CUPTI_SUCCESS || text == NULL) text = "no such result";
    fprintf(stderr, "timeline: %s: %s (%d)\n", call, text, (int)result);
    return false;
}
#define DONE(call) done(call, #call)

static const char *readable(const char *name)
{
    if (name == NULL) return "?";
    std::string &text = timeline.names[name];
    if (!text.empty()) return text.c_str();
    int status = 0;
    char *const plain = abi::__cxa_demangle(name, NULL, NULL, &status);
    text = status == 0 && plain != NULL ? plain : name;
    free(plain);
    return text.c_str();
}

template <class record>
static void line(const record *r, unsigned long long bytes, long long blocks, const char *name)
{
    if (r->start == 0 || r->end < r->start) { /* CUPTI had no memory for the time */
        ++timeline.missing;
        return;
    }
    ++timeline.lines;
    fprintf(timeline.file, "%llu\t%llu\t%u\t%u\t%llu\t%lld\t%s\n", (unsigned long long)r->start,
            (unsigned long long)r->end, (unsigned)r->deviceId, (unsigned)r->streamId, bytes, blocks, name);
}

static void write_record(const CUpti_Activity *a)
{
    if (a->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || a->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
        const kernel_record *const r = (const kernel_record *)a;
        line(r, 0, (long long)r->gridX * r->gridY * r->gridZ, readable(r->name));
    } else if (a->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const copy_record *const r = (const copy_record *)a;
        line(r, r->bytes, 0, "copy");
    } else if (a->kind == CUPTI_ACTIVITY_KIND_MEMCPY2) {
        const peer_record *const r = (const peer_record *)a;
        line(r, r->bytes, 0, "copy between GPUs");
    } else if (a->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const fill_record *const r = (const fill_record *)a;
        line(r, r->bytes, 0, "fill");
    }
}

static void CUPTIAPI wanted(uint8_t **buffer, size_t *size, size_t *most)
{
    void *memory = NULL;
    *most = 0; /* as many records as fit */
    *size = posix_memalign(&memory, BUFFER_ALIGN, BUFFER_BYTES) == 0 ? (size_t)BUFFER_BYTES : 0;
    *buffer = *size > 0 ? (uint8_t *)memory : NULL;
}

static void CUPTIAPI filled(CUcontext context, uint32_t stream, uint8_t *buffer, size_t, size_t valid)
{
    const std::lock_guard<std::mutex> held(timeline.lock);
    CUpti_Activity *record = NULL;
    size_t dropped = 0;
    CUptiResult result = CUPTI_ERROR_MAX_LIMIT_REACHED;
    while (timeline.file != NULL && valid > 0 &&
           (result = cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
        write_record(record);
    if (result != CUPTI_ERROR_MAX_LIMIT_REACHED && !done(result, "cuptiActivityGetNextRecord"))
        ++timeline.missing;
    if (DONE(cuptiActivityGetNumDroppedRecords(context, stream, &dropped)))
        timeline.missing += (long long)dropped;
    free(buffer);
}

static void finish(void)
{
    const bool all = DONE(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    const std::lock_guard<std::mutex> held(timeline.lock);
    if (timeline.file == NULL) return;
    if (all) fprintf(timeline.file, "# end\t%lld\tmissing\t%lld\n", timeline.lines, timeline.missing);
    const bool failed = ferror(timeline.file) != 0;
    if (fclose(timeline.file) != 0 || failed) fprintf(stderr, "timeline: can't write %s\n", timeline.path);
    timeline.file = NULL;
}

static bool file_open(void)
{
    const char *const prefix = getenv("KOLMO_TIMELINE"), *const rank = getenv("OMPI_COMM_WORLD_RANK");
    if (prefix == NULL || *prefix == '\0') {
        fprintf(stderr, "timeline: KOLMO_TIMELINE names no file\n");
        return false;
    }
    const int n = snprintf(timeline.path, sizeof timeline.path, "%s.%s.%ld.tsv", prefix,
                           rank != NULL ? rank : "0", (long)getpid());
    if (n < 0 || (size_t)n >= sizeof timeline.path || (timeline.file = fopen(timeline.path, "w")) == NULL) {
        fprintf(stderr, "timeline: can't write %s\n", timeline.path);
        return false;
    }
    fprintf(timeline.file, "start\tend\tdevice\tstream\tbytes\tblocks\tname\n");
    return true;
}

/* What the driver calls when the program first asks for it; 1: done. */
extern "C" __attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
    static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                               CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                               CUPTI_ACTIVITY_KIND_MEMSET};
    if (timeline.file != NULL || !file_open()) return 1;
    if (!DONE(cuptiActivityRegisterCallbacks(wanted, filled))) return 1;
    for (const CUpti_ActivityKind kind : kinds)
        if (!DONE(cuptiActivityEnable(kind))) return 1;
    if (atexit(finish) != 0)
        fprintf(stderr, "timeline: atexit failed: %s will be cut short\n", timeline.path);
    return 1;
}
