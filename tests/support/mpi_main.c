/* Starts and ends a unit test that runs on several ranks, and joins what they found. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "mpi_main.h"
#include "io/share.h"
#include "kernels/base/device.h"

static void too_late(int signal_number)
{
    static const char text[] = "mpi_main: time limit reached, a rank probably waits for one that gave up\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(124);
}

static void silence_others(int rank)
{
    if (rank == 0) return;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    cmocka_set_message_output(CM_OUTPUT_TAP); /* which keeps its failures off stderr, too */
}

/* Ranks of this test program share its node. */
static void select_device(int rank)
{
    char text[256];
    if (device_select(rank, text, sizeof text) == KOL_OK) return;
    status_print(rank);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int mpi_main(int *argc, char ***argv, const char *group, const struct CMUnitTest *test, size_t tests)
{
    int rank, failed, worst;
    signal(SIGALRM, too_late);
    alarm(MPI_MAIN_SECONDS);
    io_before_mpi();
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    silence_others(rank);
    select_device(rank);
    failed = _cmocka_run_group_tests(group, test, tests, NULL, NULL);
    MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst != 0;
}

void check_all(int holds, const char *text, const char *file, int line)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int mine = holds ? ranks : rank, first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks) return;
    if (rank == 0) print_error("%s:%d: on rank %d not so: %s\n", file, line, first, text);
    _fail(file, line);
}

void check_all_below(double value, double bound, const char *text, const char *file, int line)
{
    double mine = isnan(value) ? INFINITY : value, largest;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && !(largest <= bound))
        print_error("%s:%d: %.17g is not <= %.17g (NaN counts as infinite)\n", file, line, largest, bound);
    check_all(largest <= bound, text, file, line);
}
