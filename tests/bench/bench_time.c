/* Times work with marks round batches of repetitions, measures the bandwidth, and fills arrays with random
 * numbers. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/stream_copy.h"

enum { BATCHES = 7, BATCHES_QUICK = 3, REPEATS_MOST = 1000 };
/* Length of a batch, and of the copies that bring the clocks up before anything is timed [s]. */
static const double BATCH_SECONDS = 0.01, WARM_UP_SECONDS = 0.3;
/* Bytes of each array of the bandwidth lines: far more than the caches hold. */
static const double STREAM_BYTES_GPU = 512.0 * 1024 * 1024, STREAM_BYTES_CPU = 128.0 * 1024 * 1024;

int bench_wanted(const struct bench *b, const char *name)
{
    for (const char *from = b->options->only, *end;; from = end + 1) {
        char part[BENCH_TEXT];
        end = from + strcspn(from, "|");
        snprintf(part, sizeof part, "%.*s", (int)(end - from), from);
        if (strstr(name, part) != NULL) return 1;
        if (*end == '\0') return 0;
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare);
}

kol_status bench_now(const struct comm *c, double *seconds)
{
    TRY(device_wait());
    MPI_TRY(MPI_Barrier(c->mpi));
    *seconds = MPI_Wtime();
    return KOL_OK;
}

/* One batch: seconds of the slowest rank. */
static kol_status batch(struct bench *b, bench_work work, int repeats, double *seconds)
{
    if (b->comm.size > 1) {
        TRY(device_wait());
        MPI_TRY(MPI_Barrier(b->comm.mpi));
    }
    TRY(device_mark_record(b->from));
    for (int i = 0; i < repeats; ++i) TRY(work(b));
    TRY(device_mark_record(b->to));
    TRY(device_mark_wait(b->to));
    TRY(device_mark_seconds(b->from, b->to, seconds));
    if (b->comm.size > 1) MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, b->comm.mpi));
    return KOL_OK;
}

kol_status bench_measure(struct bench *b, bench_work work, struct bench_time *out)
{
    const int batches = b->options->quick ? BATCHES_QUICK : BATCHES;
    double seconds[BATCHES], once = 0;
    TRY(batch(b, work, 1, &once)); /* the first call may load code */
    TRY(batch(b, work, 1, &once));
    const double wanted = once > 0 ? BATCH_SECONDS / once : REPEATS_MOST;
    const int repeats = wanted > REPEATS_MOST ? REPEATS_MOST : wanted > 1 ? (int)wanted : 1;
    for (int i = 0; i < batches; ++i) {
        TRY(batch(b, work, repeats, &seconds[i]));
        seconds[i] /= repeats;
    }
    bench_sort(seconds, batches);
    *out = (struct bench_time){.median = seconds[batches / 2], .best = seconds[0]};
    return KOL_OK;
}

static ptrdiff_t stream_values(const struct bench *b)
{
    return (ptrdiff_t)(b->bandwidth.array / (double)sizeof(real));
}

static kol_status work_copy(struct bench *b)
{
    return stream_copy(stream_values(b), b->a[0], b->a[1]);
}

static kol_status work_triad(struct bench *b)
{
    return stream_triad(stream_values(b), (real)0.5, b->a[1], b->a[2], b->a[0]);
}

kol_status bench_measure_bandwidth(struct bench *b)
{
    struct bench_bandwidth *w = &b->bandwidth;
    w->array = strcmp(device_backend(), "cpu") == 0 ? STREAM_BYTES_CPU : STREAM_BYTES_GPU;
    for (int i = 0; i < 3; ++i) {
        TRY(mem_kernel_alloc((size_t)w->array, (void **)&b->a[i]));
        TRY(mem_fill_real(b->a[i], stream_values(b), (real)(0.5 + i)));
    }
    for (const double start = MPI_Wtime(); MPI_Wtime() - start < WARM_UP_SECONDS;) {
        TRY(work_copy(b));
        TRY(device_wait());
    }
    TRY(bench_measure(b, work_copy, &w->copy));
    TRY(bench_measure(b, work_triad, &w->triad));
    w->copy_rate = 2 * w->array / w->copy.median;
    w->triad_rate = 3 * w->array / w->triad.median;
    for (int i = 0; i < 3; ++i) {
        mem_kernel_free(b->a[i]);
        b->a[i] = NULL;
    }
    return KOL_OK;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014), made a number in [-1, 1). */
static real random_value(unsigned long long n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
    return (real)((double)((n ^ (n >> 31)) >> 40) / 8388608.0 - 1);
}

kol_status bench_random(const struct box box, real *array)
{
    real *plane = NULL;
    kol_status st = KOL_OK;
    TRY(mem_host_alloc((size_t)box.sz * sizeof(real), (void **)&plane));
    for (ptrdiff_t first = 0; first < box.size; first += box.sz) {
        for (ptrdiff_t i = 0; i < box.sz; ++i) plane[i] = random_value((unsigned long long)(first + i));
        TRY_OR(done, mem_to_kernel(array + first, plane, (size_t)box.sz * sizeof(real)));
    }
done:
    mem_host_free(plane);
    return st;
}

enum { FLOW_ARRAYS = 4 }; /* velocity and pressure, which a run holds */

/* The number of work arrays from the run's pool; the others are spare. */
static int from_pool(const struct bench *b)
{
    const int left = pool_count(b->domain->pool) - FLOW_ARRAYS;
    return left < BENCH_ARRAYS ? left : BENCH_ARRAYS;
}

kol_status bench_empty(struct bench *b)
{
    for (int i = 0; i < BENCH_ARRAYS; ++i)
        TRY(pool_drop(i < from_pool(b) ? b->domain->pool : b->spare, &b->a[i]));
    pool_destroy(&b->spare);
    return KOL_OK;
}

kol_status bench_fill(struct bench *b)
{
    real *const *vel = b->flow->vel;
    const ptrdiff_t size = b->domain->grid.box.size;
    TRY(bench_random(b->domain->grid.box, vel[X]));
    TRY(stream_copy(size, vel[X], vel[Y]));
    TRY(stream_copy(size, vel[X], vel[Z]));
    TRY(stream_copy(size, vel[X], b->flow->pressure.p));
    const int own = from_pool(b);
    if (own < BENCH_ARRAYS && b->spare == NULL)
        TRY(pool_create(NULL, b->domain->grid.box, BENCH_ARRAYS - own, &b->spare));
    for (int i = 0; i < BENCH_ARRAYS; ++i) {
        if (b->a[i] == NULL) TRY(pool_hold(i < own ? b->domain->pool : b->spare, "bench", &b->a[i]));
        TRY(stream_copy(size, vel[X], b->a[i]));
    }
    return device_wait();
}
