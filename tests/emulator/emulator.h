/* What the parts of the emulator share. */
#ifndef KOL_EMULATOR_H
#define KOL_EMULATOR_H

#include <cuda_runtime.h>

/* order: the order in which the threads of a thread block take turns, and the blocks of a grid.
 * EMULATOR_ORDER=forward|reverse|random:SEED sets it. With random, the same numbers are put into one new
 * order after another. order_check: ends the program if the variable is wrong. */
enum { ORDER_MOST_THREADS = 1024 };
void order_check(void);
void order_of_threads(int count, int *order);
bool order_changes(void); /* from turn to turn */
size_t order_of_block(size_t turn, size_t count);
void order_next_grid(size_t count);

/* kernel_run: runs the whole grid of a kernel. Returns false if the kernel ended in a trap. kernel_in_full:
 * returns the name of the last kernel, with its template arguments. */
bool kernel_run(const struct emulator_kernel &kernel);
const char *kernel_in_full(void);

/* timeline_note: records work of a stream that has just ended, if EMULATOR_TIMELINE asks for it. start: the
 * result of timeline_now() before this work [ns]. */
unsigned long long timeline_now(void);
void timeline_note(unsigned long long start, cudaStream_t stream, size_t bytes, size_t blocks,
                   const char *name);

/* function_asked_shared: returns whether the program has asked for more shared memory for this kernel than
 * every kernel has. */
bool function_asked_shared(const void *function);

/* kernel_fault: is called for an error in a kernel that no status can report. It says where the error is,
 * and aborts. */
[[noreturn]] void kernel_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The asynchronous copies of the thread that runs. copies_reset: removes all copies of a thread. */
void copies_reset(int thread);
/* shared_holds: returns whether a place is in the shared memory of the thread block. thread_number: returns
 * the number of the thread that runs. */
bool shared_holds(const void *place, size_t bytes);
int thread_number(void);

/* host_raise: keeps an error for cudaGetLastError, and returns it. host_sticky: returns the error of a
 * kernel that ended in a fault; every later call of the runtime returns this error. streams_finish: does
 * the work of all streams. stream_finish: does the work of one stream. */
cudaError_t host_raise(cudaError_t error);
cudaError_t host_sticky(void);
void streams_finish(void);
void stream_finish(cudaStream_t stream);
void stream_give(cudaStream_t stream, std::function<void()> work);
/* host_fails: returns whether this call of the runtime is the one that has to fail.
 * EMULATOR_FAIL=call:number:rank names this call, and EMULATOR_FAIL_MARK names a file that is written when
 * it fails. If `call` is "count", no call fails; at the end the file gets a line "call number" for each
 * function. */
bool host_fails(const char *call);
/* memory_info: computes the number of bytes that are free on the GPU in use, and of all its bytes. */
void memory_info(size_t *available, size_t *total);
/* gpu_in_use: returns the number given to cudaSetDevice. gpu_count: returns the number given by
 * EMULATED_GPUS. */
int gpu_in_use(void);
int gpu_count(void);

#endif
