/* Provides the memory of the emulated GPUs: each allocation is an anonymous file, so that another process
 * of the node can open it, between pages that nobody may touch. New memory holds NaN. */
#include "emulator.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <string>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(place, bytes)   ((void)(place), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(place, bytes) ((void)(place), (void)(bytes))
#endif

enum { PAGE = 4096, POISON = 0xff };
static const size_t MIB = 1024 * 1024, DEFAULT_MIB = 8192;

struct allocation {
    size_t bytes;
    char *mapped;
    size_t mapped_bytes;
    int fd;
    bool opened; /* another process's */
};
static std::map<char *, allocation> device, pinned;
static size_t used, most;

static size_t total_bytes(void)
{
    const char *const text = getenv("EMULATED_MEMORY");
    return (text == NULL || *text == '\0' ? DEFAULT_MIB : strtoull(text, NULL, 10)) * MIB;
}

/* When the program ends, it writes the largest amount of memory that it had at one time to the file that
 * EMULATOR_MEMORY_MARK names, one line for each process. */
static void tell_most(void)
{
    FILE *const file = fopen(getenv("EMULATOR_MEMORY_MARK"), "a");
    if (file == NULL) return;
    fprintf(file, "%zu\n", most);
    fclose(file);
}

static void note_most(void)
{
    if (most == 0 && getenv("EMULATOR_MEMORY_MARK") != NULL) atexit(tell_most);
    if (used > most) most = used;
}

/* Between two pages without access. */
static cudaError_t map_file(struct allocation *a, int fd, size_t bytes)
{
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    a->bytes = bytes;
    a->fd = fd;
    a->mapped_bytes = whole + 2 * PAGE;
    void *const outer =
        mmap(NULL, a->mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (outer == MAP_FAILED) return cudaErrorMemoryAllocation;
    a->mapped = (char *)outer;
    if (mmap(a->mapped + PAGE, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
        munmap(outer, a->mapped_bytes);
        return cudaErrorMemoryAllocation;
    }
    ASAN_POISON_MEMORY_REGION(a->mapped + PAGE + bytes, whole - bytes);
    return cudaSuccess;
}

static void unmap(const struct allocation &a)
{
    ASAN_UNPOISON_MEMORY_REGION(a.mapped, a.mapped_bytes);
    munmap(a.mapped, a.mapped_bytes);
    close(a.fd);
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    if (host_fails("cudaMalloc")) return host_raise(cudaErrorLaunchFailure);
    struct allocation a = {};
    *out = NULL;
    if (host_sticky() != cudaSuccess) return host_sticky();
    if (bytes == 0) return cudaSuccess;
    if (bytes > total_bytes() || used > total_bytes() - bytes) return host_raise(cudaErrorMemoryAllocation);
    const int fd = memfd_create("emulated GPU", MFD_CLOEXEC);
    if (fd < 0) return host_raise(cudaErrorMemoryAllocation);
    if (ftruncate(fd, (off_t)((bytes + PAGE - 1) / PAGE * PAGE)) != 0 ||
        map_file(&a, fd, bytes) != cudaSuccess) {
        close(fd);
        return host_raise(cudaErrorMemoryAllocation);
    }
    char *const place = a.mapped + PAGE;
    memset(place, POISON, bytes);
    device[place] = a;
    used += bytes;
    note_most();
    *out = place;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    if (memory == NULL) return host_sticky();
    streams_finish();
    const auto found = device.find((char *)memory);
    if (found == device.end() || found->second.opened) return host_raise(cudaErrorInvalidValue);
    used -= found->second.bytes;
    unmap(found->second);
    device.erase(found);
    return host_sticky();
}

void memory_info(size_t *available, size_t *total)
{
    *total = total_bytes();
    *available = *total - used;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    if (host_fails("cudaMemGetInfo")) return host_raise(cudaErrorLaunchFailure);
    memory_info(available, total);
    return host_sticky();
}

static cudaError_t host_alloc(void **out, size_t bytes)
{
    enum { ALIGN = 256 };
    if (host_sticky() != cudaSuccess) return host_sticky();
    if (posix_memalign(out, ALIGN, bytes) != 0) return host_raise(cudaErrorMemoryAllocation);
    memset(*out, POISON, bytes);
    pinned[(char *)*out].bytes = bytes;
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned)
{
    if (host_fails("cudaHostAlloc")) return host_raise(cudaErrorLaunchFailure);
    return host_alloc(out, bytes);
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    if (host_fails("cudaMallocHost")) return host_raise(cudaErrorLaunchFailure);
    return host_alloc(out, bytes);
}

cudaError_t cudaFreeHost(void *memory)
{
    if (memory == NULL) return host_sticky();
    streams_finish();
    if (pinned.erase((char *)memory) == 0) return host_raise(cudaErrorInvalidValue);
    free(memory);
    return host_sticky();
}

/* Whether all bytes lie in one of the allocations. */
static bool holds(const std::map<char *, allocation> &list, const void *place, size_t bytes)
{
    auto next = list.upper_bound((char *)place);
    if (next == list.begin()) return false;
    --next;
    return (char *)place + bytes <= next->first + next->second.bytes;
}

static bool kind_fits(const void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const bool to_device = holds(device, to, bytes), from_device = holds(device, from, bytes);
    switch (kind) {
    case cudaMemcpyHostToHost:
        return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
        return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
        return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
        return to_device && from_device;
    case cudaMemcpyDefault:
        return true;
    }
    return false;
}

/* Of memory that isn't page-locked the runtime takes a copy before it returns, and to such memory it copies
 * before it returns. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (host_fails("cudaMemcpyAsync")) return host_raise(cudaErrorLaunchFailure);
    if (host_sticky() != cudaSuccess) return host_sticky();
    if (bytes == 0) return cudaSuccess;
    if (!kind_fits(to, from, bytes, kind)) return host_raise(cudaErrorInvalidValue);
    const bool from_pageable = !holds(device, from, bytes) && !holds(pinned, from, bytes);
    const auto kept = std::make_shared<std::string>((const char *)from, from_pageable ? bytes : 0);
    stream_give(stream, [=] {
        const unsigned long long start = timeline_now();
        memmove(to, from_pageable ? kept->data() : from, bytes);
        timeline_note(start, stream, bytes, 0, "copy");
    });
    if (!holds(device, to, bytes) && !holds(pinned, to, bytes)) stream_finish(stream);
    return host_sticky();
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, NULL);
    stream_finish(NULL);
    return error;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    if (host_fails("cudaMemsetAsync")) return host_raise(cudaErrorLaunchFailure);
    if (!holds(device, to, bytes) && !holds(pinned, to, bytes)) return host_raise(cudaErrorInvalidValue);
    stream_give(stream, [=] { memset(to, value, bytes); });
    return host_sticky();
}

/* Memory of other processes. */

struct ticket {
    long process;
    int fd;
    size_t bytes;
};
static_assert(sizeof(ticket) <= sizeof(cudaIpcMemHandle_t), "a handle has 64 bytes");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    if (host_fails("cudaIpcGetMemHandle")) return host_raise(cudaErrorLaunchFailure);
    const auto found = device.find((char *)memory);
    if (found == device.end() || found->second.opened) return host_raise(cudaErrorInvalidValue);
    const struct ticket t = {getpid(), found->second.fd, found->second.bytes};
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &t, sizeof t);
    return host_sticky();
}

cudaError_t cudaIpcOpenMemHandle(void **out, cudaIpcMemHandle_t handle, unsigned)
{
    if (host_fails("cudaIpcOpenMemHandle")) return host_raise(cudaErrorLaunchFailure);
    struct ticket t;
    struct allocation a = {};
    char path[64];
    *out = NULL;
    memcpy(&t, &handle, sizeof t);
    if (t.process == getpid())
        return host_raise(cudaErrorDeviceUninitialized); /* CUDA refuses its own memory, too */
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", t.process, t.fd);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return host_raise(cudaErrorInvalidValue);
    const cudaError_t error = map_file(&a, fd, t.bytes);
    if (error != cudaSuccess) {
        close(fd);
        return host_raise(error);
    }
    a.opened = true;
    *out = a.mapped + PAGE;
    device[(char *)*out] = a;
    return host_sticky();
}

cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    streams_finish();
    const auto found = device.find((char *)memory);
    if (found == device.end() || !found->second.opened) return host_raise(cudaErrorInvalidValue);
    unmap(found->second);
    device.erase(found);
    return host_sticky();
}
