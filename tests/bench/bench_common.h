/* What the benchmarks share: a run without files, timing, the bandwidth of this machine. */
#ifndef KOL_BENCH_COMMON_H
#define KOL_BENCH_COMMON_H

#include <stdlib.h>
#include "../../inputs/namelist.h"
#include "../../kernels/base/device.h"
#include "../../kernels/update.h"
#include "../../solver/run.h"

/* bench_create: Taylor-Green flow at Re 1600 on n^3 cells, fields allocated; settings as after --set. */
static inline kol_status bench_create(int n, const char *const *set, int sets, struct run *run)
{
    char text[256];
    snprintf(text, sizeof text, "&run steps_max=1000000 /\n&grid n=%d,%d,%d /\n&fluid reynolds=1600 /\n", n,
             n, n);
    TRY(comm_create(&run->comm));
    TRY(input_read("bench", text, strlen(text), set, sets, run->comm.size, &run->in, &run->source));
    return run_create(run);
}

static inline void bench_destroy(struct run *run)
{
    run_destroy(run);
    comm_destroy(&run->comm);
}

/* bench_now: seconds, when every rank has finished what it launched. */
static inline kol_status bench_now(const struct comm *c, double *seconds)
{
    TRY(device_wait());
    MPI_TRY(MPI_Barrier(c->mpi));
    *seconds = MPI_Wtime();
    return KOL_OK;
}

/* bench_triad: a = b + f c over three arrays of the run, the best of ten, all ranks at once: GB/s with 3 values a cell
 * counted, as STREAM counts. The CPU build runs the plain loop; the CUDA build the solver's own pointwise kernel with two
 * inputs more, 4 values a cell. */
static inline kol_status bench_triad(struct run *run, double *gb_per_second)
{
    real *a[4] = {NULL, NULL, NULL, NULL};
    double best = 1e30;
    const struct box b = run->grid.box;
    const int cpu = strcmp(device_backend(), "cpu") == 0;
    for (int i = 0; i < 4; ++i) {
        TRY(pool_hold(run->pool, "triad", &a[i]));
        TRY(mem_fill_real(a[i], b.size, (real)(0.5 + i)));
    }
    for (int i = 0; i < 10; ++i) {
        double t0 = 0, t1 = 0;
        TRY(bench_now(&run->comm, &t0));
        if (cpu) {
            real *KOL_RESTRICT to = a[0];
            const real *KOL_RESTRICT from = a[1], *KOL_RESTRICT other = a[2];
            const real factor = (real)(1.5 + i);
            for (ptrdiff_t n = 0; n < b.size; ++n) to[n] = from[n] + factor * other[n];
        } else {
            TRY(update_extrapolate(b, (real)1.5, a[0], (real)0.5, a[1], 0, NULL, a[2], a[3]));
        }
        TRY(bench_now(&run->comm, &t1));
        if (t1 - t0 < best) best = t1 - t0;
    }
    const double cells = (double)run->in.grid.n[0] * run->in.grid.n[1] * run->in.grid.n[2];
    const double values = cpu ? 3.0 * (double)b.size * run->comm.size : 4.0 * cells;
    *gb_per_second = values * sizeof(real) / best * 1e-9;
    for (int i = 0; i < 4; ++i) TRY(pool_drop(run->pool, &a[i]));
    return KOL_OK;
}

/* bench_main: MPI around a benchmark; fault: message and code. */
static inline int bench_main(int argc, char **argv, kol_status (*body)(void))
{
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    const kol_status st = body();
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (st != KOL_OK) {
        status_print(rank);
        MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
    }
    MPI_Finalize();
    return 0;
}

#endif
