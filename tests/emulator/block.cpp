/* Grids: thread blocks one after another, their threads as fibers that run until they have to wait. */
#include "emulator.h"
#include "fiber.h"
#include "include/hardware.cuh"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(place, bytes)   ((void)(place), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(place, bytes) ((void)(place), (void)(bytes))
#endif

enum { POISON = 0xff, BEYOND = 0xa5 };

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
alignas(128) unsigned char emulator_dynamic[EMULATOR_SHARED_MOST + EMULATOR_SHARED_BEYOND];

enum state : unsigned char { READY, AT_BARRIER, AT_WARP, ENDED };

/* group: the lanes of a warp that exchange values, which are those of one mask. It holds the values of two
 * rounds, because a lane may have begun the next round while others still read. */
struct group {
    unsigned mask, arrived, given[2];
    unsigned round;
    const char *what;
    unsigned long long value[2][EMULATOR_LANES];
};

struct thread {
    uint3 index;
    struct fiber *fiber; /* NULL before it begins */
    const char *file;    /* the barrier that it waits at */
    int line;
    int warp, group; /* whose values it waits for */
};

struct variable {
    void *place;
    size_t bytes;
};

/* The grid in work: one at a time in a process. */
static struct {
    const struct emulator_kernel *kernel;
    const char *name, *in_full;
    int block;                            /* blocks that came before the one in work */
    int threads, running, ended, waiting; /* ended, waiting: of the block in work, at its barrier */
    int votes, result, barriers;
    bool trapped, stuck;
    int order[ORDER_MOST_THREADS], turn; /* in which they run; the place in it of the one that runs */
    enum state state[ORDER_MOST_THREADS];
    struct thread thread[ORDER_MOST_THREADS];
    unsigned alive[ORDER_MOST_THREADS / EMULATOR_LANES];
    std::vector<struct group> groups[ORDER_MOST_THREADS / EMULATOR_LANES];
    std::vector<variable> shared;
    size_t shared_bytes;
    std::vector<struct fiber *> spare, all;
} grid;

const char *kernel_in_full(void)
{
    return grid.in_full;
}

int emulator_turn(void)
{
    return grid.block;
}

int thread_number(void)
{
    return grid.running;
}

unsigned emulator_lane(void)
{
    return (unsigned)grid.running % EMULATOR_LANES;
}

static void say_where(FILE *out)
{
    const uint3 t = threadIdx, b = blockIdx;
    fprintf(out, "emulator: kernel %s, thread block (%u, %u, %u), thread (%u, %u, %u): ", grid.name, b.x, b.y,
            b.z, t.x, t.y, t.z);
}

void kernel_fault(const char *format, ...)
{
    va_list list;
    say_where(stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    fflush(stderr);
    abort();
}

/* Where a kernel was when it touched memory that is not there. */
static void on_fault(int signal)
{
    if (grid.kernel != NULL) {
        say_where(stderr);
        fprintf(stderr, "%s\n", strsignal(signal));
    }
    ::signal(signal, SIG_DFL);
    raise(signal);
}

static void catch_faults(void)
{
#ifndef __SANITIZE_ADDRESS__
    static char stack[64 * 1024];
    static bool done;
    if (done) return;
    done = true;
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    struct sigaction action = {};
    action.sa_handler = on_fault;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;
    if (sigaltstack(&other, NULL) != 0) return;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#else
    (void)on_fault;
#endif
}

void emulator_enter(const char *kernel, const char *in_full, unsigned most)
{
    grid.name = kernel;
    grid.in_full = in_full;
    if (most != 0 && (unsigned)grid.threads > most)
        kernel_fault("%d threads a block, launch bounds allow %u", grid.threads, most);
}

/* Shared memory. */

bool shared_holds(const void *place, size_t bytes)
{
    const unsigned char *const p = (const unsigned char *)place;
    if (p >= emulator_dynamic && p + bytes <= emulator_dynamic + grid.kernel->shared) return true;
    for (const variable &v : grid.shared)
        if (p >= (unsigned char *)v.place && p + bytes <= (unsigned char *)v.place + v.bytes) return true;
    return false;
}

void emulator_shared(void *place, size_t bytes)
{
    for (const variable &v : grid.shared)
        if (v.place == place) return;
    grid.shared.push_back({place, bytes});
    grid.shared_bytes += bytes;
    memset(place, POISON, bytes);
    if (grid.shared_bytes > EMULATOR_SHARED_FREE)
        kernel_fault("%zu bytes of shared variables, at most %d", grid.shared_bytes, EMULATOR_SHARED_FREE);
    const size_t most =
        function_asked_shared(grid.kernel->function) ? EMULATOR_SHARED_MOST : EMULATOR_SHARED_FREE;
    if (grid.kernel->shared + grid.shared_bytes > most)
        kernel_fault("%zu bytes of shared memory, at most %zu", grid.kernel->shared + grid.shared_bytes,
                     most);
}

static void shared_begin(void)
{
    const size_t bytes = grid.kernel->shared;
    grid.shared.clear();
    grid.shared_bytes = 0;
    ASAN_UNPOISON_MEMORY_REGION(emulator_dynamic, sizeof emulator_dynamic);
    memset(emulator_dynamic, POISON, bytes);
    memset(emulator_dynamic + bytes, BEYOND, EMULATOR_SHARED_BEYOND);
    ASAN_POISON_MEMORY_REGION(emulator_dynamic + bytes, sizeof emulator_dynamic - bytes);
}

static void shared_end(void)
{
    const size_t bytes = grid.kernel->shared;
    ASAN_UNPOISON_MEMORY_REGION(emulator_dynamic, sizeof emulator_dynamic);
    for (size_t n = bytes; n < bytes + EMULATOR_SHARED_BEYOND; ++n)
        if (emulator_dynamic[n] != BEYOND)
            kernel_fault("wrote to byte %zu of its %zu bytes of dynamic shared memory", n, bytes);
}

/* Waits. */

static struct fiber *thread_fiber(int n);

/* thread_next: the fiber of the next one that can go on, NULL if there is none. */
static struct fiber *thread_next(void)
{
    for (int looked = 0; looked < 2 * grid.threads;
         ++looked) { /* the rest of this turn and all of the next */
        if (++grid.turn == grid.threads) {
            grid.turn = 0;
            if (order_changes()) order_of_threads(grid.threads, grid.order);
        }
        const int n = grid.order[grid.turn];
        if (grid.state[n] == READY) return thread_fiber(n);
    }
    return NULL;
}

/* The thread that runs can't go on: another one does, if any can. */
static void leave(enum state state)
{
    struct fiber *const mine = grid.thread[grid.running].fiber;
    grid.state[grid.running] = state;
    struct fiber *const next = thread_next();
    grid.stuck = next == NULL;
    if (grid.stuck) fiber_leave();
    if (next != mine) fiber_switch(next);
}

void emulator_trap(void)
{
    grid.trapped = true;
    for (;;) fiber_leave();
}

void emulator_yield(void)
{
    enum { OFTEN = 16 };
    static int calls;
    leave(READY);
    if (++calls % OFTEN == 0) sched_yield(); /* another process may be the one that is waited for */
}

static void barrier_check(const struct thread &me)
{
    if (grid.ended > 0)
        kernel_fault("waits at the barrier of %s:%d, %d threads of its block have ended", me.file, me.line,
                     grid.ended);
    for (int n = 0; n < grid.threads && grid.waiting > 0; ++n) {
        const struct thread &other = grid.thread[n];
        if (grid.state[n] != AT_BARRIER) continue;
        if (other.line == me.line && (other.file == me.file || strcmp(other.file, me.file) == 0)) return;
        kernel_fault("waits at the barrier of %s:%d, others wait at that of %s:%d", me.file, me.line,
                     other.file, other.line);
    }
}

/* The last to arrive lets the others go. */
static int barrier(const char *file, int line, int vote)
{
    struct thread &me = grid.thread[grid.running];
    me.file = file;
    me.line = line;
    barrier_check(me);
    grid.votes += vote;
    if (++grid.waiting < grid.threads) {
        leave(AT_BARRIER);
        return grid.result;
    }
    memset(grid.state, READY, sizeof grid.state[0] * (size_t)grid.threads);
    grid.result = grid.votes;
    grid.votes = grid.waiting = 0;
    return grid.result;
}

void emulator_barrier(const char *file, int line)
{
    (void)barrier(file, line, 0);
}

int emulator_vote(const char *file, int line, int predicate)
{
    return barrier(file, line, predicate);
}

static int group_of(int warp, unsigned mask)
{
    std::vector<struct group> &list = grid.groups[warp];
    for (size_t n = 0; n < list.size(); ++n)
        if (list[n].mask == mask) return (int)n;
    list.emplace_back();
    list.back().mask = mask;
    return (int)list.size() - 1;
}

static void group_complete(int warp, int number)
{
    struct group &g = grid.groups[warp][(size_t)number];
    const int first = warp * EMULATOR_LANES;
    g.given[g.round & 1] = g.arrived;
    g.arrived = 0;
    ++g.round;
    for (int n = first; n < first + EMULATOR_LANES && n < grid.threads; ++n) {
        if (grid.state[n] == AT_WARP && grid.thread[n].group == number) grid.state[n] = READY;
    }
}

/* Whoever of the mask has not ended takes part. */
static bool group_is_complete(int warp, const struct group &g)
{
    return g.arrived != 0 && g.arrived == (g.mask & grid.alive[warp]);
}

const unsigned long long *emulator_exchange(unsigned mask, const char *what, unsigned long long value,
                                            unsigned *given)
{
    struct thread &me = grid.thread[grid.running];
    const unsigned lane = emulator_lane();
    const int warp = grid.running / EMULATOR_LANES, number = group_of(warp, mask);
    struct group *g = &grid.groups[warp][(size_t)number];
    if (!(mask >> lane & 1)) kernel_fault("%s: the mask %08x lacks its own lane %u", what, mask, lane);
    if (g->arrived == 0) g->what = what;
    if (g->what != what && strcmp(g->what, what) != 0)
        kernel_fault("%s, where other lanes of the mask are at %s", what, g->what);
    const unsigned round = g->round;
    g->value[round & 1][lane] = value;
    g->arrived |= 1u << lane;
    if (group_is_complete(warp, *g)) {
        group_complete(warp, number);
    } else {
        me.warp = warp;
        me.group = number;
        leave(AT_WARP);
        g = &grid.groups[warp][(size_t)number];
    }
    *given = g->given[round & 1];
    return g->value[round & 1];
}

/* Threads. */

static void thread_end(void)
{
    const int n = grid.running, warp = n / EMULATOR_LANES;
    struct thread &me = grid.thread[n];
    if (grid.waiting > 0) {
        for (int other = 0; other < grid.threads; ++other) {
            const struct thread &t = grid.thread[other];
            if (grid.state[other] == AT_BARRIER)
                kernel_fault("ends while %d others wait at the barrier of %s:%d", grid.waiting, t.file,
                             t.line);
        }
    }
    grid.state[n] = ENDED;
    ++grid.ended;
    grid.alive[warp] &= ~(1u << n % EMULATOR_LANES);
    for (size_t g = 0; g < grid.groups[warp].size(); ++g)
        if (group_is_complete(warp, grid.groups[warp][g])) group_complete(warp, (int)g);
    grid.spare.push_back(me.fiber);
}

/* A thread that begins takes the stack of one that has ended, at best this one's. */
static void fiber_main(void)
{
    for (;;) {
        struct fiber *const mine = grid.thread[grid.running].fiber;
        grid.kernel->body();
        thread_end();
        struct fiber *const next = grid.ended < grid.threads ? thread_next() : NULL;
        grid.stuck = next == NULL;
        if (grid.stuck) fiber_leave();
        else if (next != mine) fiber_switch(next);
    }
}

/* thread_fiber: thread n is the next to run; the fiber that it runs on. */
static struct fiber *thread_fiber(int n)
{
    struct thread &t = grid.thread[n];
    if (t.fiber == NULL) {
        if (grid.spare.empty()) {
            grid.spare.push_back(fiber_create((int)grid.all.size(), fiber_main));
            grid.all.push_back(grid.spare.back());
        }
        t.fiber = grid.spare.back();
        grid.spare.pop_back();
        copies_reset(n);
    }
    grid.running = n;
    threadIdx = t.index;
    return t.fiber;
}

/* What every thread waits for when none can go on. */
static void report_stuck(void)
{
    for (int n = 0; n < grid.threads; ++n) {
        const struct thread &t = grid.thread[n];
        if (grid.state[n] != AT_WARP) continue;
        const struct group &g = grid.groups[t.warp][(size_t)t.group];
        threadIdx = t.index;
        kernel_fault("%s of the lanes %08x: only %08x came, and nobody can go on", g.what, g.mask, g.arrived);
    }
    kernel_fault("nobody can go on");
}

static void block_begin(void)
{
    grid.ended = grid.waiting = grid.votes = 0;
    for (int n = 0; n < grid.threads; ++n) {
        grid.state[n] = READY;
        grid.thread[n].fiber = NULL;
    }
    for (int w = 0; w * EMULATOR_LANES < grid.threads; ++w) {
        const int left = grid.threads - w * EMULATOR_LANES;
        grid.alive[w] = left < EMULATOR_LANES ? (1u << left) - 1 : 0xffffffffu;
        grid.groups[w].clear();
    }
    shared_begin();
}

static void block_run(void)
{
    block_begin();
    order_of_threads(grid.threads, grid.order);
    grid.turn = 0;
    fiber_enter(thread_fiber(grid.order[0]));
    if (grid.trapped) return;
    if (grid.ended < grid.threads) report_stuck();
    shared_end();
}

/* After a trap its threads are lost. */
static void fibers_renew(void)
{
    grid.spare = grid.all;
    for (struct fiber *f : grid.all) fiber_restart(f);
    ASAN_UNPOISON_MEMORY_REGION(emulator_dynamic, sizeof emulator_dynamic);
}

static void threads_number(dim3 block)
{
    int n = 0;
    for (unsigned z = 0; z < block.z; ++z)
        for (unsigned y = 0; y < block.y; ++y)
            for (unsigned x = 0; x < block.x; ++x) grid.thread[n++].index = {x, y, z};
}

bool kernel_run(const struct emulator_kernel &kernel)
{
    const size_t blocks = (size_t)kernel.grid.x * kernel.grid.y * kernel.grid.z;
    catch_faults();
    grid.kernel = &kernel;
    grid.threads = (int)(kernel.block.x * kernel.block.y * kernel.block.z);
    grid.trapped = false;
    blockDim = kernel.block;
    gridDim = kernel.grid;
    threads_number(kernel.block);
    order_next_grid(blocks);
    for (size_t turn = 0; turn < blocks && !grid.trapped; ++turn) {
        const size_t n = order_of_block(turn, blocks);
        grid.block = (int)turn;
        blockIdx.x = (unsigned)(n % gridDim.x);
        blockIdx.y = (unsigned)(n / gridDim.x % gridDim.y);
        blockIdx.z = (unsigned)(n / gridDim.x / gridDim.y);
        block_run();
    }
    if (grid.trapped) fibers_renew();
    grid.kernel = NULL;
    return !grid.trapped;
}
