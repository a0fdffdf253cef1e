/* Copies boxes of values between layouts in memory, and raises flags that tell other GPUs of it. */
#include "../transpose.h"
#include "check.cuh"
#include "hardware.cuh"
#include "queue.cuh"

/* If source and target have different fastest axes, tiles in shared memory turn both the loads and the stores
 * into runs of TILE values. Otherwise values are copied directly. Loads bypass the first-level cache, because
 * this cache does not know what other GPUs write. */
enum { TILE = 32, ROWS = 8, PLAIN_X = 64, PLAIN_Y = 4, GRID_MOST = 65535 };

/* plane: n[2] planes of n[0] x n[1] values. Axes are in the order of the launch. */
struct plane {
    int n[3];
    ptrdiff_t from[3], to[3];
};

/* Axis 0 is the fastest of both. */
template <class From, class To>
static __global__ void __launch_bounds__(PLAIN_X *PLAIN_Y)
    plain_kernel(struct plane s, const From *from, To *to)
{
    const int i = (int)(blockIdx.x * PLAIN_X + threadIdx.x);
    if (i >= s.n[0]) return;
    for (int k = (int)blockIdx.z; k < s.n[2]; k += (int)gridDim.z)
        for (int j = (int)(blockIdx.y * PLAIN_Y + threadIdx.y); j < s.n[1]; j += (int)gridDim.y * PLAIN_Y)
            to[i * s.to[0] + j * s.to[1] + k * s.to[2]] =
                (To)__ldcg(from + i * s.from[0] + j * s.from[1] + k * s.from[2]);
}

/* Axis 0 is the fastest of the source, axis 1 that of the target. */
template <class From, class To>
static __global__ void __launch_bounds__(TILE *ROWS) tile_kernel(struct plane s, const From *from, To *to)
{
    __shared__ double tile[TILE][TILE + 1]; /* the odd row length puts columns into different banks */
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, i0 = (int)blockIdx.x * TILE;
    for (int k = (int)blockIdx.z; k < s.n[2]; k += (int)gridDim.z) {
        for (int j0 = (int)blockIdx.y * TILE; j0 < s.n[1]; j0 += (int)gridDim.y * TILE) {
            for (int r = y; r < TILE; r += ROWS)
                if (i0 + x < s.n[0] && j0 + r < s.n[1])
                    tile[r][x] =
                        (double)__ldcg(from + (i0 + x) * s.from[0] + (j0 + r) * s.from[1] + k * s.from[2]);
            __syncthreads();
            for (int r = y; r < TILE; r += ROWS)
                if (i0 + r < s.n[0] && j0 + x < s.n[1])
                    to[(i0 + r) * s.to[0] + (j0 + x) * s.to[1] + k * s.to[2]] = (To)tile[x][r];
            __syncthreads();
        }
    }
}

static int fastest(const ptrdiff_t stride[3], const int n[3])
{
    int best = 0;
    for (int d = 1; d < 3; ++d)
        if (n[best] <= 1 || (n[d] > 1 && stride[d] < stride[best])) best = d;
    return best;
}

static unsigned pieces(int n, int size)
{
    const int count = (n + size - 1) / size;
    return (unsigned)(count < GRID_MOST ? count : GRID_MOST);
}

template <class From, class To>
static kol_status copy(const char *name, struct strided s, const From *from, To *to)
{
    if (s.n[0] <= 0 || s.n[1] <= 0 || s.n[2] <= 0) return KOL_OK;
    const int first = fastest(s.from, s.n), last = fastest(s.to, s.n);
    const int second = last != first ? last
                       : first == 0  ? 1
                                     : 0,
              axis[3] = {first, second, 3 - first - second};
    struct plane p;
    for (int a = 0; a < 3; ++a) {
        p.n[a] = s.n[axis[a]];
        p.from[a] = s.from[axis[a]];
        p.to[a] = s.to[axis[a]];
    }
    if (first == last) {
        const dim3 grid((unsigned)((p.n[0] + PLAIN_X - 1) / PLAIN_X), pieces(p.n[1], PLAIN_Y),
                        pieces(p.n[2], 1));
        plain_kernel<From, To><<<grid, dim3(PLAIN_X, PLAIN_Y), 0, queue_stream()>>>(p, from, to);
    } else {
        const dim3 grid((unsigned)((p.n[0] + TILE - 1) / TILE), pieces(p.n[1], TILE), pieces(p.n[2], 1));
        tile_kernel<From, To><<<grid, dim3(TILE, ROWS), 0, queue_stream()>>>(p, from, to);
    }
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

kol_status transpose_values(struct strided s, const double *from, double *to)
{
    return copy("transpose_values", s, from, to);
}

kol_status transpose_from_field(struct strided s, const real *from, double *to)
{
    return copy("transpose_from_field", s, from, to);
}

kol_status transpose_to_field(struct strided s, const double *from, real *to)
{
    return copy("transpose_to_field", s, from, to);
}

/* Each thread raises one flag. The kernels before this one in the stream are finished when it begins. Its
 * fence and its release make what they wrote visible to the other GPU. */
static __global__ void __launch_bounds__(TRANSPOSE_FLAGS)
    raise_kernel(const __grid_constant__ struct transpose_flags f, unsigned round)
{
    if ((int)threadIdx.x >= f.n) return;
    __threadfence_system();
    store_release_system(f.flag[threadIdx.x], round);
}

static __global__ void __launch_bounds__(TRANSPOSE_FLAGS)
    await_kernel(const __grid_constant__ struct transpose_flags f, unsigned round)
{
    if ((int)threadIdx.x >= f.n) return;
    const unsigned *flag = f.flag[threadIdx.x];
    const unsigned long long start = nanoseconds();
    for (;;) {
        if ((int)(load_acquire_system(flag) - round) >= 0) return; /* rounds may run over */
        if (nanoseconds() - start > PATIENCE_NS) __trap();
    }
}

static kol_status check_flags(const struct transpose_flags *f)
{
    if (f->n < 0 || f->n > TRANSPOSE_FLAGS) RAISE(KOL_ERR_INTERNAL, "%d flags", f->n);
    return KOL_OK;
}

kol_status transpose_raise(const struct transpose_flags *f, unsigned round)
{
    TRY(check_flags(f));
    if (f->n == 0) return KOL_OK;
    raise_kernel<<<1, TRANSPOSE_FLAGS, 0, queue_stream()>>>(*f, round);
    CUDA_LAUNCHED("transpose_raise");
    return KOL_OK;
}

kol_status transpose_await(const struct transpose_flags *f, unsigned round)
{
    TRY(check_flags(f));
    if (f->n == 0) return KOL_OK;
    await_kernel<<<1, TRANSPOSE_FLAGS, 0, queue_stream()>>>(*f, round);
    CUDA_LAUNCHED("transpose_await");
    return KOL_OK;
}
