/* Lets ranks that wait sleep: sched_yield() in another form, which the Makefile has the tests preload.
 *
 * A rank of Open MPI that waits for a message looks for it again and again, and yields in between
 * (mpi_yield_when_idle). Linux gives a rank that only yields its share of a core all the same, half of the
 * time where two of them share one. Asleep it costs a wake-up for each look, some 10 us. So each sleep is a
 * quarter of the wait so far, and a wait is at most that much longer: sleeps that do not grow took twice the
 * processor time and the time of the clock where eight ranks share two cores, shorter ones still more.  */
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

enum { SHORTEST = 50000, LONGEST = 1000000, AT_WORK = 10000 }; /* ns; AT_WORK: who took it had not waited */

static long clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

int sched_yield(void)
{
    static _Thread_local int exact;
    static _Thread_local long began, woken;
    const long now = clock_now();
    if (!exact) /* else Linux adds 50 us to each sleep */
        exact = prctl(PR_SET_TIMERSLACK, 1000) == 0;
    if (now - woken > AT_WORK) began = now;
    long ns = (now - began) / 4;
    ns = ns < SHORTEST ? SHORTEST : ns > LONGEST ? LONGEST : ns;
    const struct timespec nap = {0, ns};
    const int rc = nanosleep(&nap, NULL);
    woken = clock_now();
    return rc;
}
