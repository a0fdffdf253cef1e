/* Runs the writing of files on a thread of its own. */
#include "writer_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "io/shared_faults.h"

enum { MESSAGE = 16384 };

struct writer {
    struct comm comm;
    int threaded, busy;
    const char *obstacle;
    int on_thread; /* this job */
    pthread_t thread;
    kol_status (*job)(void *);
    void *context;
    atomic_int done;
    /* results of the job, which are read when the thread has ended */
    kol_status st;
    int agreed;
    double seconds;
    char message[MESSAGE];
};

kol_status writer_create(const struct comm *c, int threaded, struct writer **out)
{
    int level = MPI_THREAD_SINGLE;
    struct writer *w = calloc(1, sizeof *w);
    *out = w;
    if (w != NULL) w->comm.mpi = MPI_COMM_NULL; /* writer_destroy may be called before it exists */
    TRY(comm_agree(c, w != NULL ? KOL_OK
                                : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                               "no memory for the writer of files")));
    w->comm = *c;
    w->comm.mpi = MPI_COMM_NULL;
    w->obstacle = "";
    MPI_TRY(MPI_Comm_dup(c->mpi, &w->comm.mpi));
    MPI_TRY(MPI_Comm_set_errhandler(w->comm.mpi, MPI_ERRORS_RETURN));
    MPI_TRY(MPI_Query_thread(&level));
    int able = level == MPI_THREAD_MULTIPLE;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &able, 1, MPI_INT, MPI_MIN, c->mpi));
    w->threaded = threaded && able;
    if (threaded && !w->threaded) w->obstacle = "this MPI does not allow calls from several threads";
    return KOL_OK;
}

void writer_destroy(struct writer **writer)
{
    struct writer *w = *writer;
    *writer = NULL;
    if (w == NULL) return;
    writer_collect(w, NULL);
    if (w->comm.mpi != MPI_COMM_NULL) MPI_Comm_free(&w->comm.mpi);
    free(w);
}

int writer_threaded(const struct writer *w)
{
    return w->threaded;
}

const char *writer_obstacle(const struct writer *w)
{
    return w->obstacle;
}

const struct comm *writer_comm(const struct writer *w)
{
    return &w->comm;
}

static void *work(void *context)
{
    struct writer *w = context;
    const double started = MPI_Wtime();
    io_wait_gently(w->on_thread);
    w->st = w->job(w->context);
    io_wait_gently(0);
    w->seconds = MPI_Wtime() - started;
    w->agreed = status_agreed();
    snprintf(w->message, sizeof w->message, "%s", status_message());
    atomic_store(&w->done, 1);
    return NULL;
}

void writer_start(struct writer *w, int behind, kol_status (*job)(void *), void *context)
{
    sigset_t all, old;
    w->job = job;
    w->context = context;
    w->busy = 1;
    atomic_store(&w->done, 0);
    sigfillset(&all); /* the main thread handles the signals */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    w->on_thread = w->threaded && behind;
    const int fault = w->on_thread ? pthread_create(&w->thread, NULL, work, w) : 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (fault != 0) { /* this rank writes itself; the threads of other ranks go on */
        w->on_thread = 0;
        w->obstacle = "no thread could be started";
    }
    if (!w->on_thread) work(w);
}

int writer_busy(const struct writer *w)
{
    return w->busy;
}

int writer_done(const struct writer *w)
{
    return w->busy && atomic_load(&w->done);
}

kol_status writer_collect(struct writer *w, double *seconds)
{
    if (seconds != NULL) *seconds = 0;
    if (w == NULL || !w->busy) return KOL_OK;
    if (w->on_thread) pthread_join(w->thread, NULL);
    w->busy = 0;
    if (seconds != NULL) *seconds = w->seconds;
    if (w->st == KOL_OK || !w->on_thread) return w->st;
    status_raise(w->st, __FILE__, __LINE__, "%s", w->message);
    status_set_agreed(w->agreed);
    return w->st;
}
