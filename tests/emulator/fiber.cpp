/* Switches one processor between stacks. */
#include "fiber.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
static const size_t STACK_BYTES = 256 * 1024; /* red zones make frames long */
#else
static const size_t STACK_BYTES = 64 * 1024;
#endif

enum { LINE = 64, STEP = 5 * LINE, PAGE = 4096 };

#ifdef __x86_64__

/* Saves the stack and those registers that a call must not change. swapcontext is not used, because it
 * would call the system to save the signal mask. */
typedef void *place;
extern "C" void emulator_switch(place *from, place to);
__asm__(".text\n"
        ".type emulator_switch, @function\n"
        "emulator_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size emulator_switch, . - emulator_switch\n");

static void place_make(place *p, char *low, char *top, void (*main)(void))
{
    enum { SAVED = 6 }; /* registers */
    (void)low;
    void **at = (void **)((size_t)top & ~(size_t)15);
    *--at = NULL; /* where main would return to; the stack is as a call leaves it */
    *--at = (void *)main;
    for (int n = 0; n < SAVED; ++n) *--at = NULL;
    *p = at;
}

static void place_switch(place *from, place *to)
{
    emulator_switch(from, *to);
}

#else

#include <ucontext.h>
typedef ucontext_t place;

static void place_make(place *p, char *low, char *top, void (*main)(void))
{
    getcontext(p);
    p->uc_stack.ss_sp = low;
    p->uc_stack.ss_size = (size_t)(top - low);
    p->uc_link = NULL;
    makecontext(p, main, 0);
}

static void place_switch(place *from, place *to)
{
    swapcontext(from, to);
}

#endif

struct fiber {
    place at;
    char *low, *top;
    void (*main)(void);
};

static place outside;
static struct fiber *inside;

/* The sanitizer is told of every switch. outside_low, outside_bytes: the stack of the thread that called
 * fiber_enter. */
#ifdef __SANITIZE_ADDRESS__
static const void *outside_low;
static size_t outside_bytes;
static bool from_outside;

static void arrived(void *fake)
{
    const void *low = NULL;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake, &low, &bytes);
    if (!from_outside) return;
    outside_low = low;
    outside_bytes = bytes;
    from_outside = false;
}

static void switch_places(place *from, place *to, const void *low, size_t bytes)
{
    void *fake = NULL;
    __sanitizer_start_switch_fiber(&fake, low, bytes);
    place_switch(from, to);
    arrived(fake);
}
#else
static bool from_outside;

static void arrived(void *)
{
}

static void switch_places(place *from, place *to, const void *, size_t)
{
    place_switch(from, to);
}
static const void *const outside_low = NULL;
static const size_t outside_bytes = 0;
#endif

static void first(void)
{
    arrived(NULL);
    inside->main();
    abort(); /* main has returned */
}

void fiber_restart(struct fiber *f)
{
#ifdef __SANITIZE_ADDRESS__
    ASAN_UNPOISON_MEMORY_REGION(f->low, (size_t)(f->top - f->low));
#endif
    place_make(&f->at, f->low, f->top, first);
}

struct fiber *fiber_create(int number, void (*main)(void))
{
    struct fiber *f = (struct fiber *)calloc(1, sizeof *f);
    void *memory = mmap(NULL, STACK_BYTES + PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f == NULL || memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE) != 0) {
        perror("emulator: no memory for the stack of a thread");
        abort();
    }
    f->low = (char *)memory + PAGE;
    f->top = f->low + STACK_BYTES - number * STEP % PAGE;
    f->main = main;
    fiber_restart(f);
    return f;
}

void fiber_enter(struct fiber *f)
{
    inside = f;
    from_outside = true;
    switch_places(&outside, &f->at, f->low, (size_t)(f->top - f->low));
}

void fiber_switch(struct fiber *f)
{
    struct fiber *const me = inside;
    inside = f;
    switch_places(&me->at, &f->at, f->low, (size_t)(f->top - f->low));
}

void fiber_leave(void)
{
    switch_places(&inside->at, &outside, outside_low, outside_bytes);
}
