/* Measures the time that NCCL takes for the smallest exchange of a halo: one face of 512 x 512 cells each
 * way between two GPUs of a node. It also measures the exchange of two faces, as in a periodic row of two
 * ranks. The times are compared with the lines "512 x 512" of kolmo-bench; Kolmo itself does not use NCCL.
 * tests/gpu/run.sh builds the program and starts it with mpirun -n 2 nccl_face. The values that arrive are
 * checked. The exit code is 0 if all is well, or if there are fewer than two GPUs, and 1 if there is a
 * fault. */
#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 512 * 512, FACES_MOST = 2, WARM_UP = 200, BATCHES = 15, REPEATS = 200, RANKS = 2 };

static void fail(const char *call, const char *why)
{
    fprintf(stderr, "FAILED: %s: %s\n", call, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

#define CUDA(call)                                                                                           \
    do {                                                                                                     \
        const cudaError_t e_ = (call);                                                                       \
        if (e_ != cudaSuccess) fail(#call, cudaGetErrorString(e_));                                          \
    } while (0)
#define NCCL(call)                                                                                           \
    do {                                                                                                     \
        const ncclResult_t e_ = (call);                                                                      \
        if (e_ != ncclSuccess) fail(#call, ncclGetErrorString(e_));                                          \
    } while (0)

struct faces {
    ncclComm_t comm;
    cudaStream_t stream;
    int other;
    double *out[FACES_MOST], *in[FACES_MOST];
};

/* One exchange of `count` faces each way. */
static void exchange(const struct faces *f, int count)
{
    NCCL(ncclGroupStart());
    for (int n = 0; n < count; ++n) {
        NCCL(ncclSend(f->out[n], CELLS, ncclDouble, f->other, f->comm, f->stream));
        NCCL(ncclRecv(f->in[n], CELLS, ncclDouble, f->other, f->comm, f->stream));
    }
    NCCL(ncclGroupEnd());
}

static double value(int rank, int face, int cell)
{
    return 1000.0 * rank + 100.0 * face + cell % 97;
}

static void faces_open(int rank, struct faces *f)
{
    static double host[CELLS];
    ncclUniqueId id;
    f->other = 1 - rank;
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamCreateWithFlags(&f->stream, cudaStreamNonBlocking));
    for (int n = 0; n < FACES_MOST; ++n) {
        for (int c = 0; c < CELLS; ++c) host[c] = value(rank, n, c);
        CUDA(cudaMalloc((void **)&f->out[n], sizeof host));
        CUDA(cudaMalloc((void **)&f->in[n], sizeof host));
        CUDA(cudaMemcpy(f->out[n], host, sizeof host, cudaMemcpyHostToDevice));
        CUDA(cudaMemset(f->in[n], 0xff, sizeof host));
    }
    if (rank == 0) NCCL(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    NCCL(ncclCommInitRank(&f->comm, RANKS, id, rank));
}

static void faces_close(struct faces *f)
{
    NCCL(ncclCommDestroy(f->comm));
    for (int n = 0; n < FACES_MOST; ++n) {
        CUDA(cudaFree(f->out[n]));
        CUDA(cudaFree(f->in[n]));
    }
    CUDA(cudaStreamDestroy(f->stream));
}

/* Values that did not arrive, on all ranks. */
static int wrong(const struct faces *f, int count)
{
    static double host[CELLS];
    int bad = 0, all = 0;
    for (int n = 0; n < count; ++n) {
        CUDA(cudaMemcpy(host, f->in[n], sizeof host, cudaMemcpyDeviceToHost));
        for (int c = 0; c < CELLS; ++c) bad += host[c] != value(f->other, n, c);
    }
    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of an exchange on the slower rank, in batches given out without waiting, as kolmo-bench does. */
static int measure(const struct faces *f, int rank, int count)
{
    double seconds[BATCHES];
    for (int n = 0; n < WARM_UP; ++n) exchange(f, count);
    for (int batch = 0; batch < BATCHES; ++batch) {
        CUDA(cudaStreamSynchronize(f->stream));
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        for (int n = 0; n < REPEATS; ++n) exchange(f, count);
        CUDA(cudaStreamSynchronize(f->stream));
        const double mine = (MPI_Wtime() - start) / REPEATS;
        MPI_Allreduce(&mine, &seconds[batch], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(seconds, BATCHES, sizeof *seconds, compare);
    const int bad = wrong(f, count);
    if (rank == 0) {
        printf("PERF nccl, %d of 512 x 512 each way: median %.1f us, best %.1f us\n", count,
               seconds[BATCHES / 2] * 1e6, seconds[0] * 1e6);
        if (bad > 0) printf("FAILED: %d values did not arrive\n", bad);
    }
    return bad == 0;
}

int main(int argc, char **argv)
{
    int rank, size, gpus = 0, version = 0, good = 0;
    struct faces f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (cudaGetDeviceCount(&gpus) != cudaSuccess) gpus = 0;
    if (size != RANKS || gpus < RANKS) {
        if (rank == 0) printf("left out: %d ranks and %d GPUs, two of each are wanted\n", size, gpus);
        if (rank == 0) printf("0 passed, 0 failed\n");
        MPI_Finalize();
        return 0;
    }
    NCCL(ncclGetVersion(&version));
    faces_open(rank, &f);
    if (rank == 0) printf("NCCL %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
    for (int count = 1; count <= FACES_MOST; ++count) good += measure(&f, rank, count);
    faces_close(&f);
    if (rank == 0) printf("%d passed, %d failed\n", good, FACES_MOST - good);
    MPI_Finalize();
    return good == FACES_MOST ? 0 : 1;
}
