/* Whole time steps of the Taylor-Green vortex: ns per cell and step, pressure iterations, and the bytes that the step's
 * kernels must move, as GB/s beside the triad of the same run. usage: bench_step (ranks as given to mpirun). */
#include <stdio.h>
#include <string.h>
#include "bench_common.h"

#include "../../solver/control.h"
#include "../../solver/init.h"
#include "../../solver/rk3.h"

enum { WARM_UP = 4, TIMED = 6 };

/* Values a cell that one step must move, from the kernels' headers: three stages of momentum 6, predict 10, divergence 4,
 * guess 4, two residuals 3 each, first polynomial 2, correct 7, pressure 3; a monitor 3; and for each iteration
 * direction 4, update 7, Chebyshev 4 for each degree beyond the first (once too at a stage's start, not after its last
 * iteration). */
static double values_per_step(int degree, int iterations)
{
    return 3 * (6 + 10 + 4 + 4 + 6 + 2 + 7 + 3) + 3 + iterations * (4 + 7 + 4.0 * (degree - 1));
}

static kol_status step(struct run *run)
{
    TRY(control_dt(run));
    TRY(rk3_step(run));
    return control_monitor(run);
}

static kol_status bench_size(int n)
{
    struct run run = {.comm = {.mpi = MPI_COMM_NULL}};
    double triad = 0, t0 = 0, t1 = 0, best = 1e30, sum = 0, bytes = 0;
    int iterations = 0;
    TRY(bench_create(n, NULL, 0, &run));
    TRY(bench_triad(&run, &triad));
    TRY(init_flow(&run));
    TRY(control_monitor(&run));
    for (int i = 0; i < WARM_UP + TIMED; ++i) {
        TRY(bench_now(&run.comm, &t0));
        TRY(step(&run));
        TRY(bench_now(&run.comm, &t1));
        if (i < WARM_UP) continue;
        if (t1 - t0 < best) best = t1 - t0;
        sum += t1 - t0;
        bytes += values_per_step(run.in.pressure.degree, run.pressure.iterations) * (double)sizeof(real);
        iterations += run.pressure.iterations;
    }
    const double cells = (double)n * n * n;
    if (run.comm.rank == 0) {
        printf("PERF step %s %s n=%d ranks=%d: %.1f ns/cell/step (best %.1f), %.1f pressure iterations, %.1f "
               "GB/s = %.0f %% of "
               "triad %.1f GB/s\n",
               device_backend(), KOL_REAL_NAME, n, run.comm.size, sum / TIMED / cells * 1e9,
               best / cells * 1e9, (double)iterations / TIMED, bytes * cells / sum * 1e-9,
               100 * bytes * cells / sum * 1e-9 / triad, triad);
        fflush(stdout);
    }
    bench_destroy(&run);
    return KOL_OK;
}

static kol_status body(void)
{
    const int cpu = strcmp(device_backend(), "cpu") == 0;
    const int sizes[2][3] = {{128, 256, 512}, {64, 128, 192}};
    for (int i = 0; i < 3; ++i) TRY(bench_size(sizes[cpu][i]));
    return KOL_OK;
}

int main(int argc, char **argv)
{
    return bench_main(argc, argv, body);
}
