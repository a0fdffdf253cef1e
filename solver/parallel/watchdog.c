/* Runs the thread that ends a run without progress and keeps the lock of its directory alive. */
#include "watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "kernels/base/turns.h"

/* A rank is taken to be stopped if its thread shows no sign of life for this time [s]. */
static const double STOPPED_SECONDS = 2;
/* Time between the message and the end, in which the other hosts print theirs [s]. */
static const double LAST_WORDS_SECONDS = 2;
static const long LOOK_NANOSECONDS = 200000000;

/* slot: what a rank shows to the other ranks of its host, in shared memory. All ranks go through the same
 * phases, so the one with the fewest ticks is behind. */
struct slot {
    atomic_ulong ticks, alive;
    atomic_llong step;
    _Atomic(int) rank;
    char phase[32]; /* may be read while it changes, since it is only for a message */
};

/* This state belongs to the file, like that of the log: progress is reported from everywhere, and there is
 * only one process to end. */
static struct {
    int running, user[TURNS_MOST]; /* user: by seats, whether the run has started it */
    _Atomic(double) limit;         /* the least of theirs; 0: none */
    pthread_t thread;
    pthread_mutex_t mutex;            /* of lock and quit */
    pthread_cond_t ended;             /* quit has become true */
    struct runlock *lock[TURNS_MOST]; /* by seats */
    int quit;
    struct slot *mine, *all; /* of this host's ranks */
    int count;
    MPI_Win window;
    char host[128];
} dog = {.mutex = PTHREAD_MUTEX_INITIALIZER, .window = MPI_WIN_NULL};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_for(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

void watchdog_phase(const char *phase)
{
    if (dog.mine == NULL) return;
    if (phase != NULL && phase[0] != '\0') snprintf(dog.mine->phase, sizeof dog.mine->phase, "%s", phase);
    atomic_fetch_add(&dog.mine->ticks, 1);
}

void watchdog_step(long long step)
{
    if (dog.mine == NULL) return;
    atomic_store(&dog.mine->step, step);
    watchdog_phase(NULL);
}

void watchdog_guard(struct runlock *lock)
{
    pthread_mutex_lock(&dog.mutex);
    dog.lock[turns_seat()] = lock;
    pthread_mutex_unlock(&dog.mutex);
}

/* --- the thread --- */

static void describe(const char *what, struct slot *s)
{
    fprintf(stderr, "kolmo: rank %d on host %s %s, last seen in phase '%.31s' of step %lld\n",
            atomic_load(&s->rank), dog.host, what, s->phase, atomic_load(&s->step));
}

/* Prints which ranks are stopped or behind. before: the ranks' `alive` some time ago. Only the first rank of
 * a host that runs prints. */
static void report(const unsigned long *before)
{
    unsigned long least = (unsigned long)-1, most = 0;
    struct slot *speaker = NULL;
    int stopped = 0;
    for (int n = 0; n < dog.count; ++n) {
        const unsigned long ticks = atomic_load(&dog.all[n].ticks);
        const int runs = &dog.all[n] == dog.mine || atomic_load(&dog.all[n].alive) != before[n];
        if (runs && speaker == NULL) speaker = &dog.all[n];
        stopped += !runs;
        least = ticks < least ? ticks : least;
        most = ticks > most ? ticks : most;
    }
    if (speaker != dog.mine) return;
    fprintf(stderr, "kolmo: no progress for %g s (run.watchdog): the run ends; checkpoints are unchanged\n",
            atomic_load(&dog.limit));
    for (int n = 0; n < dog.count; ++n) {
        struct slot *s = &dog.all[n];
        const int runs = s == dog.mine || atomic_load(&s->alive) != before[n];
        if (!runs) describe("does not run (stopped, or its process has gone)", s);
        else if (stopped == 0 && least < most && atomic_load(&s->ticks) == least)
            describe("is behind the others", s);
    }
    if (stopped == 0 && least == most) describe("stands still, like all ranks of this host", dog.mine);
}

static void end_run(void)
{
    unsigned long *before = calloc((size_t)dog.count, sizeof *before);
    for (int n = 0; n < dog.count && before != NULL; ++n) before[n] = atomic_load(&dog.all[n].alive);
    const double until = seconds_now() + STOPPED_SECONDS;
    while (seconds_now() < until) {
        atomic_fetch_add(&dog.mine->alive, 1);
        pause_for(1e-9 * (double)LOOK_NANOSECONDS);
    }
    if (before != NULL) report(before);
    fflush(stderr);
    const double end = seconds_now() + LAST_WORDS_SECONDS;
    while (seconds_now() < end) {
        atomic_fetch_add(&dog.mine->alive, 1);
        pause_for(1e-9 * (double)LOOK_NANOSECONDS);
    }
    _exit(status_exit_code(KOL_ERR_INTERNAL)); /* no exit handlers, because the main thread may be anywhere */
}

static void tend_lock(double now, double *beat)
{
    pthread_mutex_lock(&dog.mutex);
    if (now - *beat >= RUN_LOCK_BEAT) {
        for (int n = 0; n < TURNS_MOST; ++n)
            if (dog.lock[n] != NULL) run_lock_beat(dog.lock[n]);
        *beat = now;
    }
    pthread_mutex_unlock(&dog.mutex);
}

/* Waits until the next look, or until the thread is to end. It returns whether it is to end. */
static int wait_to_look(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&dog.mutex);
    while (!dog.quit && pthread_cond_timedwait(&dog.ended, &dog.mutex, &until) == 0) {
    }
    const int quit = dog.quit;
    pthread_mutex_unlock(&dog.mutex);
    return quit;
}

static void *watch(void *unused)
{
    double beat = seconds_now(), changed = beat;
    unsigned long seen = 0;
    (void)unused;
    for (;;) {
        const double now = seconds_now();
        const unsigned long ticks = atomic_load(&dog.mine->ticks);
        atomic_fetch_add(&dog.mine->alive, 1);
        if (ticks != seen) changed = now;
        seen = ticks;
        tend_lock(now, &beat);
        const int steps = atomic_load(&dog.mine->step) > 0; /* the initial flow may take long */
        const double limit = atomic_load(&dog.limit);
        if (limit > 0 && steps && now - changed > limit) end_run();
        if (wait_to_look()) return NULL;
    }
}

/* --- start and end --- */

/* Creates slots of all ranks of this host in shared memory; if that is not possible, of this rank alone. */
static kol_status share_slots(const struct comm *c)
{
    MPI_Comm node;
    void *mine = NULL, *first = NULL;
    MPI_TRY(MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
    int count = 1, unit;
    MPI_Aint bytes;
    MPI_TRY(MPI_Comm_size(node, &count));
    kol_status shared = KOL_OK;
    if (count > 1) {
        const int rc = MPI_Win_allocate_shared((MPI_Aint)sizeof(struct slot), 1, MPI_INFO_NULL, node, &mine,
                                               &dog.window);
        if (rc != MPI_SUCCESS) shared = comm_raise(rc, __FILE__, __LINE__, "MPI_Win_allocate_shared");
        else MPI_Win_set_errhandler(dog.window, MPI_ERRORS_RETURN);
    }
    shared = comm_agree(c, shared); /* a rank that fails alone must not leave the others waiting */
    status_clear();
    if (count > 1 && shared == KOL_OK &&
        MPI_Win_shared_query(dog.window, 0, &bytes, &unit, &first) == MPI_SUCCESS) {
        dog.all = first;
        dog.mine = mine;
        dog.count =
            (int)(dog.mine - dog.all) == c->node_rank ? count : 1; /* one after another, as MPI places them */
    }
    if (dog.mine == NULL) dog.mine = calloc(1, sizeof *dog.mine);
    if (dog.mine == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the watchdog");
    if (dog.count != count) {
        dog.all = dog.mine;
        dog.count = 1;
    }
    memset(dog.mine, 0, sizeof *dog.mine);
    strcpy(dog.mine->phase, "start");
    atomic_store(&dog.mine->rank, c->rank);
    MPI_TRY(MPI_Barrier(node));
    MPI_TRY(MPI_Comm_free(&node));
    return KOL_OK;
}

kol_status watchdog_start(const struct comm *c, double seconds)
{
    sigset_t all, old;
    pthread_condattr_t attributes;
    const double limit = dog.running ? atomic_load(&dog.limit) : 0;
    atomic_store(&dog.limit, limit > 0 && (seconds <= 0 || limit < seconds) ? limit : seconds);
    dog.user[turns_seat()] = 1;
    if (dog.running) return KOL_OK; /* another run of this process has started it */
    dog.quit = 0;
    TRY(share_slots(c));
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* the time of day may be changed */
    pthread_cond_init(&dog.ended, &attributes);
    pthread_condattr_destroy(&attributes);
    if (gethostname(dog.host, sizeof dog.host - 1) != 0) strcpy(dog.host, "unknown");
    sigfillset(&all); /* the main thread handles the signals */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int fault = pthread_create(&dog.thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (fault != 0) RAISE(KOL_ERR_INTERNAL, "the watchdog's thread can't be started: %s", strerror(fault));
    dog.running = 1;
    return KOL_OK;
}

kol_status watchdog_stop(void)
{
    dog.user[turns_seat()] = 0;
    if (!dog.running) return KOL_OK;
    for (int n = 0; n < TURNS_MOST; ++n)
        if (dog.user[n]) return KOL_OK;
    pthread_mutex_lock(&dog.mutex);
    dog.quit = 1;
    pthread_cond_signal(&dog.ended);
    pthread_mutex_unlock(&dog.mutex);
    pthread_join(dog.thread, NULL);
    pthread_cond_destroy(&dog.ended);
    if (dog.window == MPI_WIN_NULL) free(dog.mine);
    dog.mine = dog.all = NULL;
    dog.running = 0;
    if (dog.window != MPI_WIN_NULL) MPI_TRY(MPI_Win_free(&dog.window));
    return KOL_OK;
}
