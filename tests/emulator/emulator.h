/* Between the parts of the emulator. */
#ifndef KOL_EMULATOR_H
#define KOL_EMULATOR_H

#include <cuda_runtime.h>

/* order: how threads of a thread block take turns, and blocks of a grid;
 * EMULATOR_ORDER=forward|reverse|random:SEED. Several permutations of the same numbers are drawn one after
 * another. order_check: ends the program where the variable is wrong. */
enum { ORDER_MOST_THREADS = 1024 };
void order_check(void);
void order_of_threads(int count, int *order);
bool order_changes(void); /* from turn to turn */
size_t order_of_block(size_t turn, size_t count);
void order_next_grid(size_t count);

/* kernel_run: the whole grid; false: it ended in a trap. kernel_in_full: name of the last one, with what its
 * templates were given. */
bool kernel_run(const struct emulator_kernel &kernel);
const char *kernel_in_full(void);

/* timeline_note: work of a stream that has just ended, where EMULATOR_TIMELINE asks for it; start:
 * timeline_now before it [ns]. */
unsigned long long timeline_now(void);
void timeline_note(unsigned long long start, cudaStream_t stream, size_t bytes, size_t blocks,
                   const char *name);

/* function_asked_shared: whether a kernel may have more shared memory than every kernel. */
bool function_asked_shared(const void *function);

/* kernel_fault: an error in a kernel that no status can tell: says where and aborts. */
[[noreturn]] void kernel_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* copies: those of the thread that runs. copies_reset: thread n has none. */
void copies_reset(int thread);
/* shared_holds: whether a place is in the shared memory of the thread block. thread_number: of the thread
 * that runs. */
bool shared_holds(const void *place, size_t bytes);
int thread_number(void);

/* host_raise: keep an error for cudaGetLastError; returns it. host_sticky: of a kernel that ended in a fault;
 * every later call returns it. streams_finish: until all streams are empty. stream_finish: one. */
cudaError_t host_raise(cudaError_t error);
cudaError_t host_sticky(void);
void streams_finish(void);
void stream_finish(cudaStream_t stream);
void stream_give(cudaStream_t stream, std::function<void()> work);
/* host_fails: whether this call of the runtime is the one that EMULATOR_FAIL=call:number:rank names;
 * EMULATOR_FAIL_MARK is a file that is made then. With "count" for the call none fails, and the file gets a
 * line "call number" for each kind at the end. */
bool host_fails(const char *call);
/* memory_info: bytes that are free on the GPU in use, and all of them. */
void memory_info(size_t *available, size_t *total);
/* gpu_in_use: of cudaSetDevice. gpu_count: of EMULATED_GPUS. */
int gpu_in_use(void);
int gpu_count(void);

#endif
