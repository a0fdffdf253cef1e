/* ranks: 1 2 */
/* Tests the thread that writes files. Jobs run on a thread or in the call, and their faults come back with
 * their messages and with whether all ranks know of them. Catches a job that is lost or runs twice, a fault
 * that is forgotten or reported with another message, a status that is carried from one job into the next,
 * and a call that does not wait. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include "solver/output/writer_thread.h"
#include "tests/support/mpi_main.h"

static struct comm comm;
static struct writer *writer;

/* What a job does, and what it has seen. */
struct job {
    atomic_int go; /* it waits for this */
    int fault, agreed, ran;
    pthread_t thread;
};

static kol_status work(void *context)
{
    struct job *j = context;
    const struct timespec moment = {0, 1000000};
    while (!atomic_load(&j->go)) nanosleep(&moment, NULL);
    ++j->ran;
    j->thread = pthread_self();
    if (!j->fault) return KOL_OK;
    const kol_status st = status_raise(KOL_ERR_IO, __FILE__, __LINE__, "job %d failed", j->fault);
    status_set_agreed(j->agreed);
    return st;
}

static int setup(void **state)
{
    (void)state;
    status_clear();
    return comm_create(&comm) != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    writer_destroy(&writer);
    comm_destroy(&comm);
    status_clear();
    return writer != NULL;
}

static void create(int threaded)
{
    CHECK_ALL(writer_create(&comm, threaded, &writer) == KOL_OK);
    /* where this MPI lets no thread call it, the reason is told */
    CHECK_ALL(writer_threaded(writer) || !threaded || strlen(writer_obstacle(writer)) > 0);
    CHECK_ALL(writer_comm(writer)->size == comm.size && writer_comm(writer)->mpi != comm.mpi);
}

static void check_jobs(int behind)
{
    double seconds = -1;
    for (int n = 0; n < 3; ++n) {
        struct job j = {.go = 1};
        CHECK_ALL(!writer_busy(writer) && !writer_done(writer));
        writer_start(writer, behind, work, &j);
        CHECK_ALL(writer_busy(writer));
        CHECK_ALL(writer_collect(writer, &seconds) == KOL_OK && seconds >= 0 && j.ran == 1);
        CHECK_ALL(pthread_equal(j.thread, pthread_self()) == !(behind && writer_threaded(writer)));
    }
    /* nothing to collect */
    CHECK_ALL(writer_collect(writer, &seconds) == KOL_OK && seconds == 0);
}

static void test_in_the_call(void **state)
{
    (void)state;
    create(0);
    CHECK_ALL(!writer_threaded(writer) && strcmp(writer_obstacle(writer), "") == 0);
    check_jobs(1);
    check_jobs(0);
}

static void test_on_a_thread(void **state)
{
    (void)state;
    create(1);
    check_jobs(1);
    check_jobs(0);
    if (!writer_threaded(writer)) return;
    /* the caller goes on while the job waits for it */
    struct job j = {.go = 0};
    writer_start(writer, 1, work, &j);
    CHECK_ALL(writer_busy(writer) && !writer_done(writer));
    atomic_store(&j.go, 1);
    CHECK_ALL(writer_collect(writer, NULL) == KOL_OK && j.ran == 1);
    CHECK_ALL(!writer_busy(writer) && !writer_done(writer));
}

static void check_faults(int behind)
{
    for (int agreed = 0; agreed < 2; ++agreed) {
        struct job bad = {.go = 1, .fault = 3 + agreed, .agreed = agreed}, good = {.go = 1};
        writer_start(writer, behind, work, &bad);
        CHECK_ALL(writer_collect(writer, NULL) == KOL_ERR_IO);
        CHECK_ALL(strstr(status_message(), agreed ? "job 4 failed" : "job 3 failed") != NULL);
        CHECK_ALL(!status_agreed() == !agreed);
        status_clear();
        writer_start(writer, behind, work, &good);
        CHECK_ALL(writer_collect(writer, NULL) == KOL_OK && good.ran == 1);
        CHECK_ALL(strcmp(status_message(), "") == 0);
    }
}

static void test_faults(void **state)
{
    (void)state;
    create(1);
    check_faults(1);
    check_faults(0);
}

static void test_end_waits(void **state)
{
    (void)state;
    create(1);
    struct job j = {.go = 1};
    writer_start(writer, 1, work, &j);
    writer_destroy(&writer);
    CHECK_ALL(writer == NULL && j.ran == 1);
    writer_destroy(&writer);
    CHECK_ALL(writer_collect(NULL, NULL) == KOL_OK);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(test_in_the_call), CASE(test_on_a_thread), CASE(test_faults),
                                       CASE(test_end_waits)};
    return MPI_MAIN(argc, argv, "writer thread", tests);
}
