/* Each kernel by itself: ms, ns per cell, the bytes it must move (from its header), GB/s and the share of the triad of the
 * same run. usage: bench_kernels */
#include <stdio.h>
#include <string.h>
#include "bench_common.h"

#include "../../kernels/laplace.h"
#include "../../kernels/momentum.h"
#include "../../solver/init.h"

enum { REPEATS = 8, ARRAYS = 8 };

/* The arrays of one kernel call: velocity, and work arrays from the pool. */
struct bench {
    struct run *run;
    real *a[ARRAYS];
    real *planes;
};
typedef kol_status (*kernel)(struct bench *b);

static kol_status momentum(struct bench *b)
{
    const struct run *r = b->run;
    return momentum_rhs(r->grid.box, r->grid.m, range_all(r->grid.box), (real)1e-3, r->vel[X], r->vel[Y],
                        r->vel[Z], b->a[0], b->a[1], b->a[2]);
}
static kol_status predict(struct bench *b)
{
    const struct run *r = b->run;
    return update_predict(r->grid.box, r->grid.m, r->vel, &b->a[0], NULL, (real)0.1, 0, (real)0.1, b->a[6],
                          &b->a[3]);
}
static kol_status divergence(struct bench *b)
{
    const struct run *r = b->run;
    return project_divergence(r->grid.box, r->grid.m, reduction_blocks(r->reduction), (real)0.1, r->vel[X],
                              r->vel[Y], r->vel[Z], b->a[0]);
}
static kol_status correct(struct bench *b)
{
    const struct run *r = b->run;
    return project_correct(r->grid.box, r->grid.m, (real)0, b->a[6], r->vel[X], r->vel[Y], r->vel[Z]);
}
static kol_status monitor(struct bench *b)
{
    const struct run *r = b->run;
    return project_monitor(r->grid.box, r->grid.m, reduction_blocks(r->reduction), r->vel[X], r->vel[Y],
                           r->vel[Z]);
}
static kol_status direction(struct bench *b)
{
    const struct run *r = b->run;
    return laplace_direction(r->grid.box, grid_stencil(&r->grid, LOC_CCC, 0, 1),
                             reduction_blocks(r->reduction), (real)0.5, b->a[6], b->a[7], b->a[5]);
}
static kol_status update(struct bench *b)
{
    const struct run *r = b->run;
    const struct poly1 p = {1, (real)0.9};
    return laplace_update(r->grid.box, grid_stencil(&r->grid, LOC_CCC, 0, 1), reduction_blocks(r->reduction),
                          (real)1e-3, b->a[7], b->a[5], p, b->a[0], b->a[1], b->a[2], b->planes);
}
static kol_status chebyshev(struct bench *b)
{
    const struct run *r = b->run;
    return laplace_chebyshev(r->grid.box, grid_stencil(&r->grid, LOC_CCC, 0, 1),
                             reduction_blocks(r->reduction), (real)0.4, (real)0.9, 1, b->a[1], b->a[6],
                             b->a[2], b->a[3]);
}
static kol_status halo_velocity(struct bench *b)
{
    return halo_fill(b->run->halo, b->run->vel, 3, HALO_EDGES);
}

static const struct {
    const char *name;
    kernel call;
    double values; /* read and written a cell */
} KERNEL[] = {{"momentum_rhs", momentum, 6},         {"update_predict", predict, 10},
              {"project_divergence", divergence, 4}, {"project_correct", correct, 7},
              {"project_monitor", monitor, 3},       {"laplace_direction", direction, 4},
              {"laplace_update", update, 7},         {"laplace_chebyshev", chebyshev, 4},
              {"halo_velocity", halo_velocity, 0}};

static kol_status bench_kernel(struct bench *b, int k, int n, double triad)
{
    double best = 1e30, t0 = 0, t1 = 0;
    for (int i = 0; i <= REPEATS; ++i) {
        TRY(bench_now(&b->run->comm, &t0));
        TRY(KERNEL[k].call(b));
        TRY(bench_now(&b->run->comm, &t1));
        if (i > 0 && t1 - t0 < best) best = t1 - t0;
    }
    const double cells = (double)n * n * n, rate = KERNEL[k].values * sizeof(real) * cells / best * 1e-9;
    if (b->run->comm.rank == 0) {
        printf("PERF %s %s %s n=%d ranks=%d: %.3f ms, %.3f ns/cell, %.0f B/cell, %.1f GB/s = %.0f %% of "
               "triad %.1f GB/s\n",
               KERNEL[k].name, device_backend(), KOL_REAL_NAME, n, b->run->comm.size, best * 1e3,
               best / cells * 1e9, KERNEL[k].values * sizeof(real), rate, 100 * rate / triad, triad);
        fflush(stdout);
    }
    return KOL_OK;
}

static kol_status bench_size(int n)
{
    struct run run = {.comm = {.mpi = MPI_COMM_NULL}};
    struct bench b = {.run = &run};
    double triad = 0;
    TRY(bench_create(n, NULL, 0, &run));
    TRY(bench_triad(&run, &triad));
    TRY(init_flow(&run));
    for (int i = 0; i < ARRAYS; ++i) {
        TRY(pool_hold(run.pool, "bench", &b.a[i]));
        TRY(mem_fill_real(b.a[i], run.grid.box.size, (real)1));
    }
    TRY(mem_kernel_alloc((size_t)laplace_plane_scratch(run.grid.box) * sizeof(real), (void **)&b.planes));
    TRY(halo_velocity(&b));
    for (int k = 0; k < (int)(sizeof KERNEL / sizeof *KERNEL); ++k) TRY(bench_kernel(&b, k, n, triad));
    mem_kernel_free(b.planes);
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
