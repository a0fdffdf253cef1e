/* Agrees with all ranks on a fault, and waits for messages. */
#include "shared_faults.h"

#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* How long a rank with a fault waits for the others [s]. They may be in a call that this rank has left by its
 * fault: if one rank can't write, H5Fflush of HDF5 1.10 leaves the others in MPI_File_sync for ever. */
static const double PATIENCE = 10;

/* Between two looks at a request [ns]. */
static const long MOMENT = 50000;

/* Below this limit of a file's size [bytes], Open MPI is told not to share its own data by files. */
static const rlim_t SHARED_FILES = 64 << 20;

/* Chooses Open MPI's component for shared file pointers before MPI starts. In MPI_File_open Open MPI lets
 * each of these components look at the file, although our files have no such pointers. Two of them do harm:
 * `lockedfile` writes the path into a buffer of 256 bytes (4.1.4), and `sm` takes a semaphore that a killed
 * run leaves locked. With `individual` alone MPI-IO uses no shared pointers, because this component only
 * serves files that are opened for writing alone. At least one component must be named.
 *
 * PMIx, by which Open MPI starts, shares data in files of some MiB, and MPI_Init fails if ulimit -f allows
 * less. `hash` keeps these data in memory. Other MPIs do not know either variable. */
void io_before_mpi(void)
{
    struct rlimit size;
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of ulimit -f then fails with EFBIG */
    setenv("OMPI_MCA_sharedfp", "individual", 0);
    if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_max < SHARED_FILES)
        setenv("PMIX_MCA_gds", "hash", 0);
}

static _Thread_local int gentle;

void io_wait_gently(int gently)
{
    gentle = gently;
}

static void sleep_a_moment(void)
{
    const struct timespec moment = {0, MOMENT};
    nanosleep(&moment, NULL);
}

static int wait_for(MPI_Request *request)
{
    int done = 0;
    if (!gentle) return MPI_Wait(request, MPI_STATUS_IGNORE);
    for (;;) {
        const int rc = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (rc != MPI_SUCCESS || done) return rc;
        sleep_a_moment();
    }
}

kol_status io_mpi(int rc, const char *file, int line, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    if (rc == MPI_SUCCESS) return KOL_OK;
    MPI_Error_string(rc, text, &n);
    return status_raise(KOL_ERR_MPI, file, line, "%s failed: %s", call, text);
}

/* Prints the message and ends all ranks. This is necessary if the others don't arrive, because every function
 * on the way back to main may call them. */
static void end_alone(MPI_Comm comm, kol_status st, int rank)
{
    status_print(rank);
    fprintf(stderr, "  on %s\n", status_place());
    fprintf(stderr, "  the other ranks are held up in the call that failed here: the run ends at once; files "
                    "that were complete stay\n");
    fflush(stderr);
    MPI_Abort(comm, status_exit_code(st));
}

/* What a rank tells, and what it hears. If a wait fails, the operation may still be under way, and its result
 * may be written later. So it is not written to the stack, where other values would lie by then. */
struct verdict {
    int status, rank;
};
struct verdicts {
    struct verdict mine, worst;
};
static struct verdicts *verdicts_next(void)
{
    enum { ROOM = 16 }; /* more than there are threads and waits that failed */
    static struct verdicts verdicts[ROOM];
    static atomic_uint turn;
    return &verdicts[atomic_fetch_add(&turn, 1) % ROOM];
}

/* Finds the worst status of all ranks. A rank with a fault waits no longer than PATIENCE. */
static kol_status gather_worst(MPI_Comm comm, kol_status st, const struct verdict *mine,
                               struct verdict *worst, int rank)
{
    MPI_Request request;
    int done = 0;
    IO_MPI_TRY(MPI_Iallreduce(mine, worst, 1, MPI_2INT, MPI_MAXLOC, comm, &request));
    if (st == KOL_OK)
        return io_mpi(wait_for(&request), __FILE__, __LINE__, "MPI_Wait or MPI_Test of MPI_Iallreduce");
    const double until = MPI_Wtime() + PATIENCE;
    while (!done) {
        IO_MPI_TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (!done && MPI_Wtime() > until) end_alone(comm, st, rank);
        if (!done) sleep_a_moment();
    }
    return KOL_OK;
}

kol_status io_share(MPI_Comm comm, kol_status st)
{
    struct verdicts *const all = verdicts_next();
    struct verdict mine = {(int)st, 0};
    char text[STATUS_SHARED] = "";
    int ranks = 1, all_ranks = 1;
    IO_MPI_TRY(MPI_Comm_rank(comm, &mine.rank));
    IO_MPI_TRY(MPI_Comm_size(comm, &ranks));
    /* The rank that left by its own fault has met the others in another call of this function. On the way
     * back it comes to fewer or more of them than they do. */
    if (st == KOL_ERR_MPI && ranks > 1 && status_agreed()) return st;
    all->mine = mine;
    TRY(gather_worst(comm, st, &all->mine, &all->worst, mine.rank));
    const struct verdict worst = all->worst;
    if (worst.status == KOL_OK) return KOL_OK;
    status_with_place(st, text, sizeof text);
    IO_MPI_TRY(MPI_Bcast(text, STATUS_SHARED, MPI_CHAR, worst.rank, comm));
    if (mine.rank != worst.rank) { /* the same fault on all ranks, even if a lesser one was recorded */
        status_clear();
        status_raise((kol_status)worst.status, __FILE__, __LINE__, "rank %d: %s", worst.rank, text);
    }
    /* a file that this rank has open alone tells the others nothing */
    IO_MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &all_ranks));
    status_set_agreed(ranks > 1 || all_ranks == 1);
    return (kol_status)worst.status;
}

/* --- calls that may never return --- */

struct io_guard {
    MPI_Comm comm;
    int rank, alone; /* alone: the other ranks do not know the fault */
    struct status_record fault;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int over;
};

static void *guard(void *guarded)
{
    struct io_guard *g = guarded;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)PATIENCE;
    pthread_mutex_lock(&g->lock);
    while (!g->over)
        if (pthread_cond_timedwait(&g->ended, &g->lock, &until) != 0) break;
    const int over = g->over;
    pthread_mutex_unlock(&g->lock);
    if (over) return NULL;
    status_give(&g->fault); /* this thread has none of its own */
    if (g->alone) end_alone(g->comm, g->fault.st, g->rank);
    status_print(0);
    if (g->fault.st == KOL_ERR_MPI && strstr(g->fault.message, "\n  on rank ") == NULL)
        fprintf(stderr, "  on %s\n", status_place());
    fprintf(stderr, "  after it the file can't be closed by all ranks: the run ends at once; files that were "
                    "complete stay\n");
    fflush(stderr);
    MPI_Abort(g->comm, status_exit_code(g->fault.st == KOL_OK ? KOL_ERR_IO : g->fault.st));
    return NULL;
}

struct io_guard *io_guard_begin(MPI_Comm comm)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int alone = status_message()[0] != '\0' && !status_agreed(); /* who knows of it must tell it */
    struct io_guard *g = (rank == 0 || alone) && ranks > 1 ? calloc(1, sizeof *g) : NULL;
    if (!g) return NULL;
    g->comm = comm;
    g->rank = rank;
    g->alone = alone;
    status_take(&g->fault);
    status_give(&g->fault);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->ended, NULL);
    if (pthread_create(&g->thread, NULL, guard, g) == 0) return g;
    free(g);
    return NULL;
}

void io_guard_end(struct io_guard *g)
{
    if (!g) return;
    pthread_mutex_lock(&g->lock);
    g->over = 1;
    pthread_cond_signal(&g->ended);
    pthread_mutex_unlock(&g->lock);
    pthread_join(g->thread, NULL);
    pthread_cond_destroy(&g->ended);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static int exit_unsafe; /* it concerns the whole process, because HDF5 has one exit handler */

int io_exit_unsafe(void)
{
    return exit_unsafe;
}

void io_set_exit_unsafe(void)
{
    exit_unsafe = 1;
}
