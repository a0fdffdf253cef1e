/* Lets ranks that wait sleep: sched_yield() in another form, which the Makefile has the tests preload.
 *
 * A rank of Open MPI that waits for a message looks for it again and again, and yields in between
 * (mpi_yield_when_idle). Linux gives a rank that only yields its share of a core all the same, half of the
 * time where two of them share one. Asleep it costs a wake-up for each look, about 4 us. Longer sleeps saved
 * nothing, shorter ones took ten times the time of the system.  */
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

int sched_yield(void)
{
    static _Thread_local int exact;
    const struct timespec nap = {0, 20000};
    if (!exact) /* else Linux adds 50 us to each sleep */
        exact = prctl(PR_SET_TIMERSLACK, 1000) == 0;
    return nanosleep(&nap, NULL);
}
