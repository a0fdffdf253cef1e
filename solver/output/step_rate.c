/* Keeps and finds the time that a step takes on this machine. */
#include "step_rate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "inputs/schemes.h"
#include "inputs/table.h"
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/stream_copy.h"
#include "math/rk3_scheme.h"

/* Bytes that a step moves per cell, in values: rough means of the steps that docs/performance has measured.
 */
static const double VALUES_DIRECT = 150, VALUES_ITERATED = 250, IMPLICIT_FACTOR = 2.8;

/* Up to this ratio of the cells of a rank, a cell takes about the same time. In smaller grids it takes
 * longer, since calls and messages count, and in those that fit into a cache shorter. */
static const double SIMILAR = 4;
static const char ROUGH[] =
    ", which had far more or fewer cells, so this is rough; a run of 20 steps of this "
    "grid tells more";
_Static_assert(STEP_RATE_STEPS == 20, "in the words above");

/* Memory bandwidth of GPUs by a part of their name [bytes/s]: what a triad reaches, 0.85 of the data sheets'.
 */
static const struct {
    const char *name;
    double bandwidth;
} GPUS[] = {{"H200", 4.1e12}, {"GH200", 3.4e12}, {"H100 PCIe", 1.7e12}, {"H100", 2.85e12},
            {"A100", 1.5e12}, {"V100", 0.77e12}, {"L40", 0.73e12},      {"A30", 0.79e12}};

static void clean(char *text)
{
    for (; *text != '\0'; ++text)
        if (*text == '|' || *text == '\n') *text = ' ';
}

/* The word of the namelist that stands for a value. */
static const char *word_of(const char *group, const char *name, int value)
{
    int count = 0;
    const struct variable *table = input_table(&count);
    return table[table_name(table, count, group, name)].names[value];
}

/* Fills in what determines the speed of a step: machine, build, method, ranks and cells. */
static void describe(const struct domain *domain, struct rate *r)
{
    const struct input *in = domain->in;
    memset(r, 0, sizeof *r);
    if (gethostname(r->host, sizeof r->host - 1) != 0) strcpy(r->host, "unknown");
    snprintf(r->device, sizeof r->device, "%.100s", domain->device);
    snprintf(r->build, sizeof r->build, "%s %s", device_backend(), KOL_REAL_NAME);
    snprintf(r->method, sizeof r->method, "%s %s %s%s", rk3_scheme(in->time.scheme)->name,
             word_of("time", "diffusion", in->time.diffusion),
             word_of("pressure", "preconditioner", in->pressure.preconditioner),
             method_is_exact(in) ? " exact" : "");
    clean(r->host);
    clean(r->device);
    r->ranks = domain->comm.size;
    for (int d = 0; d < 3; ++d) r->n[d] = in->grid.n[d];
}

static double cells_of(const int n[3])
{
    return (double)n[0] * n[1] * n[2];
}

void step_rate_keep(const struct domain *domain, double seconds)
{
    char path[DISK_PATH];
    struct rate r;
    struct tm day;
    const time_t now = time(NULL);
    describe(domain, &r);
    r.seconds = seconds;
    if (gmtime_r(&now, &day) == NULL || strftime(r.day, 16, "%Y-%m-%d", &day) == 0) return;
    if (rate_file_path(path) == KOL_OK && path[0] != '\0' && rate_file_keep(path, &r) == KOL_OK) return;
    status_clear();
}

/* Bytes that a step moves per cell, roughly. */
static double bytes_of_cell(const struct input *in)
{
    const double values = in->pressure.preconditioner == PRECOND_DIRECT ? VALUES_DIRECT : VALUES_ITERATED;
    return (double)sizeof(real) * values * (diffusion_is_implicit(in) ? IMPLICIT_FACTOR : 1);
}

/* The bandwidth of a triad over 96 MiB on each rank, on all ranks at once [bytes/s]. */
static kol_status measure_bandwidth(const struct domain *domain, double *bandwidth)
{
    enum { BYTES = 32 << 20, TIMES = 5 };
    const ptrdiff_t n = BYTES / (ptrdiff_t)sizeof(real);
    real *a = NULL, *b = NULL, *c = NULL;
    double best = 0, sum = 0;
    kol_status st = KOL_OK;
    TRY_OR(done, mem_kernel_alloc(BYTES, (void **)&a));
    TRY_OR(done, mem_kernel_alloc(BYTES, (void **)&b));
    TRY_OR(done, mem_kernel_alloc(BYTES, (void **)&c));
    TRY_OR(done, mem_fill_real(b, n, 1));
    TRY_OR(done, mem_fill_real(c, n, 2));
    for (int i = 0; i < TIMES; ++i) {
        const double start = MPI_Wtime();
        TRY_OR(done, stream_triad(n, (real)0.5, b, c, a));
        const double rate = 3.0 * BYTES / (MPI_Wtime() - start + 1e-9);
        best = rate > best ? rate : best;
    }
done:
    mem_kernel_free(a);
    mem_kernel_free(b);
    mem_kernel_free(c);
    TRY(comm_agree(&domain->comm, st));
    MPI_TRY(MPI_Allreduce(&best, &sum, 1, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    *bandwidth = sum;
    return KOL_OK;
}

/* Estimates the time of a step from the memory bandwidth, if no earlier run has measured it. */
static kol_status by_bandwidth(const struct domain *domain, double *seconds, char by[STEP_RATE_WORDS])
{
    const double bytes = bytes_of_cell(domain->in) * cells_of(domain->in->grid.n);
    double bandwidth = 0;
    if (!device_is_gpu()) {
        TRY(measure_bandwidth(domain, &bandwidth));
        *seconds = bytes / bandwidth;
        snprintf(by, STEP_RATE_WORDS,
                 "by the memory bandwidth measured now, %.3g GB/s, within a factor of 3; a run of %d "
                 "steps here "
                 "tells more",
                 bandwidth * 1e-9, STEP_RATE_STEPS);
        return KOL_OK;
    }
    for (size_t i = 0; i < sizeof GPUS / sizeof GPUS[0] && bandwidth == 0; ++i)
        if (strstr(domain->device, GPUS[i].name) != NULL) bandwidth = GPUS[i].bandwidth * domain->comm.size;
    if (bandwidth == 0) return KOL_OK;
    *seconds = bytes / bandwidth;
    snprintf(by, STEP_RATE_WORDS,
             "by the bandwidth of such a GPU (%.40s), within a factor of 3; a run of %d steps here "
             "tells more",
             domain->device, STEP_RATE_STEPS);
    return KOL_OK;
}

/* Estimates the time of a step from the last run like this one. On rank 0 only. */
static int by_last_run(const struct domain *domain, double *seconds, char by[STEP_RATE_WORDS])
{
    char path[DISK_PATH];
    struct rate mine, last;
    int found = 0;
    describe(domain, &mine);
    last = mine;
    if (rate_file_path(path) != KOL_OK || (path[0] != '\0' && rate_file_find(path, &last, &found) != KOL_OK))
        status_clear();
    if (!found) return 0;
    const double larger = cells_of(mine.n) / mine.ranks / (cells_of(last.n) / last.ranks);
    *seconds = last.seconds * larger;
    snprintf(
        by, STEP_RATE_WORDS,
        "by the last run on %.60s with this build and method, %s: %d x %d x %d cells on %d rank%s (%.40s)%s",
        strcmp(last.host, mine.host) == 0 ? "this machine" : last.host, last.day, last.n[0], last.n[1],
        last.n[2], last.ranks, last.ranks > 1 ? "s" : "", last.device,
        larger > SIMILAR || larger < 1 / SIMILAR ? ROUGH : "");
    return 1;
}

kol_status step_rate_find(struct domain *domain, double *seconds, char by[STEP_RATE_WORDS])
{
    int found = 0;
    *seconds = 0;
    by[0] = '\0';
    if (device_select(domain->comm.seat, domain->device, sizeof domain->device) != KOL_OK) {
        status_clear(); /* no GPU here: the check is for another machine */
        domain->device[0] = '\0';
    }
    if (domain->comm.rank == 0) found = by_last_run(domain, seconds, by);
    MPI_TRY(MPI_Bcast(&found, 1, MPI_INT, 0, domain->comm.mpi));
    return found ? KOL_OK : by_bandwidth(domain, seconds, by);
}
