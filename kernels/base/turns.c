/* Switches one thread between the stacks of several runs. */
#include "turns.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/* Bytes of a stack. Pages that are never touched take no memory. */
static const size_t STACK_BYTES = (size_t)16 << 20;
enum { PAGE = 65536 }; /* at least one page of any system */

struct turn {
    ucontext_t at;
    char *memory; /* a page that must not be touched, and the stack */
    int begun, ended;
    int (*over)(void *what); /* what the run waits for; NULL: nothing */
    void *what;
    long meetings; /* calls of turns_meet() */
    struct status_record fault;
    char place[STATUS_PLACE]; /* see status_use() */
};

/* The state of the process. It belongs to the file, because whoever waits gives the turn away, and because
 * whoever keeps something for each seat asks for the seat. */
static struct {
    int count, seat, held;
    struct turn *of; /* by seats */
    void (*work)(int seat, void *context);
    void *context;
    ucontext_t outside;
    const void *outside_low; /* the stack of the caller of turns_run */
    size_t outside_bytes;
} turns = {.count = 1};

int turns_seat(void)
{
    return turns.seat;
}

int turns_count(void)
{
    return turns.count;
}

static void stack_of(const struct turn *t, const void **low, size_t *bytes)
{
    *low = t->memory + PAGE;
    *bytes = STACK_BYTES;
}

/* Switches stacks. The sanitizer is told of every switch. ends: whether the stack that is left is done
 * with. */
static void switch_stacks(ucontext_t *from, ucontext_t *to, const void *low, size_t bytes, int ends)
{
#ifdef __SANITIZE_ADDRESS__
    void *fake = NULL;
    __sanitizer_start_switch_fiber(ends ? NULL : &fake, low, bytes);
    swapcontext(from, to);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#else
    (void)low;
    (void)bytes;
    (void)ends;
    swapcontext(from, to);
#endif
}

/* Finds the next run that can go on, the one with the turn last. Returns -1 if all have ended. */
static int next_seat(void)
{
    for (;;) {
        int left = 0;
        for (int n = 1; n <= turns.count; ++n) {
            const int seat = (turns.seat + n) % turns.count;
            struct turn *t = &turns.of[seat];
            if (t->ended) continue;
            left = 1;
            if (t->over == NULL || t->over(t->what)) return seat;
        }
        if (!left) return -1;
        sched_yield(); /* processes may share a core */
    }
}

/* Gives the turn from the stack `from` to `seat`. */
static void give(ucontext_t *from, int seat, int ends)
{
    struct turn *to = &turns.of[seat];
    const void *low;
    size_t bytes;
    turns.seat = seat;
    status_use(&to->fault, to->place);
    stack_of(to, &low, &bytes);
    switch_stacks(from, &to->at, low, bytes, ends);
}

/* The first function on the stack of a run. It never returns. */
static void begin(void)
{
    const int seat = turns.seat;
    struct turn *me = &turns.of[seat];
#ifdef __SANITIZE_ADDRESS__
    const void *low = NULL;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(NULL, &low, &bytes);
    if (seat == 0) { /* the first run comes from outside */
        turns.outside_low = low;
        turns.outside_bytes = bytes;
    }
#endif
    turns.work(seat, turns.context);
    me->ended = 1;
    const int next = next_seat();
    if (next >= 0) give(&me->at, next, 1);
    else switch_stacks(&me->at, &turns.outside, turns.outside_low, turns.outside_bytes, 1);
    abort(); /* nobody gives the turn to a run that has ended */
}

static void drop(struct turn *of, int count)
{
    for (int n = 0; n < count; ++n)
        if (of[n].memory != NULL) munmap(of[n].memory, PAGE + STACK_BYTES);
    free(of);
}

static kol_status make_stack(struct turn *t)
{
    void *const memory = mmap(NULL, PAGE + STACK_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) RAISE(KOL_ERR_MEMORY, "no memory for the stacks of runs that share a process");
    t->memory = memory;
    if (mprotect(memory, PAGE, PROT_NONE) != 0 || getcontext(&t->at) != 0)
        RAISE(KOL_ERR_INTERNAL, "a stack of a run can't be set up");
    t->at.uc_stack.ss_sp = t->memory + PAGE;
    t->at.uc_stack.ss_size = STACK_BYTES;
    t->at.uc_link = NULL;
    makecontext(&t->at, begin, 0);
    return KOL_OK;
}

kol_status turns_run(int count, void (*work)(int seat, void *context), void *context)
{
    struct turn *const of = calloc((size_t)count, sizeof *of);
    if (of == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d runs in one process", count);
    for (int n = 0; n < count; ++n) {
        const kol_status st = make_stack(&of[n]);
        if (st == KOL_OK) continue;
        drop(of, count);
        return st;
    }
    turns.of = of;
    turns.count = count;
    turns.work = work;
    turns.context = context;
    give(&turns.outside, 0, 0); /* until all have ended */
    turns.count = 1;
    turns.seat = 0;
    turns.of = NULL;
    status_use(NULL, NULL);
    drop(of, count);
    return KOL_OK;
}

void turns_wait(int (*over)(void *what), void *what)
{
    if (turns.count == 1 || turns.held) return;
    struct turn *me = &turns.of[turns.seat];
    me->over = over;
    me->what = what;
    const int next = next_seat();
    if (next != turns.seat) give(&me->at, next, 0);
    me->over = NULL;
}

void turns_hold(int on)
{
    turns.held = on;
}

/* Whether the others have met the run whose turn `what` is. */
static int all_met(void *what)
{
    const struct turn *me = what;
    for (int n = 0; n < turns.count; ++n)
        if (!turns.of[n].ended && turns.of[n].meetings < me->meetings) return 0;
    return 1;
}

void turns_meet(void)
{
    if (turns.count == 1) return;
    struct turn *me = &turns.of[turns.seat];
    ++me->meetings;
    turns_wait(all_met, me);
}
