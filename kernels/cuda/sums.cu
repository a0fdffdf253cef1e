/* Adds up what a summing kernel left, piece by piece and block by block, and hands the sums to conjugate
 * gradients. */
#include "../sums.h"
#include "cg.cuh"
#include "check.cuh"
#include "hardware.cuh"
#include "queue.cuh"
#include "reduce.cuh"

#include <limits.h>

enum { BLOCKS_THREADS = 256, TOTAL_THREADS = 1024 };
enum { PIECES_AT_ONCE = 4 }; /* loads under way for each block */
/* Bytes of shared memory that a kernel may have without a request, less its fixed arrays. */
enum { TOTAL_FREE_SHARED = 40 * 1024 };

enum { CG_WORDS = sizeof(struct cg_memory) / sizeof(int) };
static_assert(CG_WORDS <= (int)PIECE_WARP, "one warp reads the state");
static_assert(KOL_PARTS <= (int)PIECE_WARP, "one warp stores the values");

ptrdiff_t sums_pieces(struct blocks bl)
{
    return pieces_count(bl, pieces_make(bl));
}

/* pair: sum n and maximum n, which are formed together so that their loads wait together. Both are numbers
 * among the quantities; they are equal if there is only one. */
struct pair {
    int sum, most;
    bool has_sum, has_most;
};

HD int pairs(int sums, int maxima)
{
    return sums > maxima ? sums : maxima;
}

HD struct pair pair_make(int n, int sums, int maxima)
{
    struct pair a;
    a.has_sum = n < sums;
    a.has_most = n < maxima;
    a.sum = a.has_sum ? n : sums + n;
    a.most = a.has_most ? sums + n : n;
    return a;
}

/* block_pair: both quantities of a block, added over its pieces in order, x before y. */
__device__ __forceinline__ void block_pair(struct blocks bl, struct pieces p, struct pair a, int block,
                                           double *sum, double *most)
{
    const ptrdiff_t blocks = blocks_count(bl), count = pieces_count(bl, p);
    const double *const s = bl.pieces + a.sum * count + block, *const m = bl.pieces + a.most * count + block;
    const int pieces = p.nx * p.ny;
    *sum = *most = 0;
    for (int q = 0; q < pieces; q += PIECES_AT_ONCE) {
        double v[PIECES_AT_ONCE], w[PIECES_AT_ONCE];
#pragma unroll
        for (int u = 0; u < PIECES_AT_ONCE; ++u) {
            v[u] = q + u < pieces ? s[(q + u) * blocks] : 0;
            w[u] = q + u < pieces ? m[(q + u) * blocks] : 0;
        }
#pragma unroll
        for (int u = 0; u < PIECES_AT_ONCE; ++u) {
            *sum += v[u];
            *most = sum_larger(w[u], *most);
        }
    }
}

static __global__ void __launch_bounds__(BLOCKS_THREADS)
    blocks_kernel(struct blocks bl, struct pieces p, int sums, int maxima)
{
    const int block = (int)(blockIdx.x * blockDim.x + threadIdx.x), blocks = (int)blocks_count(bl);
    const struct pair a = pair_make((int)blockIdx.y, sums, maxima);
    double sum, most;
    if (block >= blocks) return;
    block_pair(bl, p, a, block, &sum, &most);
    if (a.has_sum) bl.part[a.sum * blocks + block] = sum;
    if (a.has_most) bl.part[a.most * blocks + block] = most;
}

kol_status sums_blocks(struct blocks bl, int sums, int maxima)
{
    const dim3 grid((unsigned)((blocks_count(bl) + BLOCKS_THREADS - 1) / BLOCKS_THREADS),
                    (unsigned)pairs(sums, maxima));
    blocks_kernel<<<grid, BLOCKS_THREADS, 0, queue_stream()>>>(bl, pieces_make(bl), sums, maxima);
    CUDA_LAUNCHED("sums_blocks");
    return KOL_OK;
}

/* extent: sizes of the grid of blocks that is added up. */
struct extent {
    int nx, ny, nz;
};

/* Size of the shared memory of add_up, in values: the blocks in rows, the sums of rows, the sums of planes.
 * Rows have an odd length, so that they lie in different banks. */
HD int add_up_values(struct extent e)
{
    return e.ny * e.nz * (e.nx | 1) + e.nz * (e.ny | 1) + e.nz;
}

/* sum_in_order: the sum of n values, in the order of solver/parallel/reduction.c. */
__device__ __forceinline__ double sum_in_order(const double *v, int n)
{
    double s = v[0];
#pragma unroll 4
    for (int i = 1; i < n; ++i) s += v[i];
    return s;
}

/* largest: the largest value of all threads of the thread block. Thread 0 gets it. */
__device__ __forceinline__ double largest(double v)
{
    __shared__ double of_warp[TOTAL_THREADS / PIECE_WARP];
    const int lane = (int)threadIdx.x % PIECE_WARP, warp = (int)threadIdx.x / PIECE_WARP;
    for (int half = PIECE_WARP / 2; half > 0; half /= 2)
        v = sum_larger(__shfl_down_sync(0xffffffffu, v, (unsigned)half), v);
    if (lane == 0) of_warp[warp] = v;
    __syncthreads();
    if (warp != 0) return v;
    v = of_warp[lane];
    for (int half = PIECE_WARP / 2; half > 0; half /= 2)
        v = sum_larger(__shfl_down_sync(0xffffffffu, v, (unsigned)half), v);
    return v;
}

/* add_up: adds up over all blocks. values(pair, block, sum, most) gives those of one block. Thread 0 gets
 * value[], the sums and then the maxima. Thread blocks take the pairs by turns. */
template <class Values>
__device__ __forceinline__ void add_up(struct extent e, int sums, int maxima, double *value, Values values)
{
    extern __shared__ double add_up_shared[];
    double *const rows = add_up_shared, *const row_sums = rows + e.ny * e.nz * (e.nx | 1),
                  *const plane_sums = row_sums + e.nz * (e.ny | 1);
    const int t = (int)threadIdx.x, blocks = e.nx * e.ny * e.nz;
    for (int n = (int)blockIdx.x; n < pairs(sums, maxima); n += (int)gridDim.x) {
        const struct pair a = pair_make(n, sums, maxima);
        double most = 0;
        for (int block = t; block < blocks; block += TOTAL_THREADS) {
            double v, w;
            values(a, block, &v, &w);
            rows[block / e.nx * (e.nx | 1) + block % e.nx] = v;
            most = sum_larger(w, most);
        }
        __syncthreads();
        for (int r = t; r < e.ny * e.nz; r += TOTAL_THREADS)
            row_sums[r / e.ny * (e.ny | 1) + r % e.ny] = sum_in_order(rows + r * (e.nx | 1), e.nx);
        if (a.has_most) most = largest(most);
        __syncthreads();
        for (int k = t; k < e.nz; k += TOTAL_THREADS)
            plane_sums[k] = sum_in_order(row_sums + k * (e.ny | 1), e.ny);
        __syncthreads();
        if (t == 0 && a.has_sum) value[a.sum] = sum_in_order(plane_sums, e.nz);
        if (t == 0 && a.has_most) value[a.most] = most;
    }
}

__device__ __forceinline__ bool is_counted(enum cg_step step)
{
    return step != CG_NONE && step != CG_DIRECTION;
}

/* advance: advances the iteration; one thread calls it. The watch learns of the end at the next step that it
 * counts, so the answer of cg_wait does not depend on when it looks. */
__device__ __forceinline__ void advance(struct cg_memory *a, enum cg_step step, const double *value,
                                        struct cg_watch *watch)
{
    cg_advance(&a->state, step, value);
    if (!is_counted(step)) return;
    ++a->steps;
    if (a->ended == INT_MAX && a->state.outcome != CG_RUNNING) {
        a->ended = a->steps;
        watch->outcome = a->state.outcome;
        watch->ended = a->ended;
        __threadfence_system();
    }
    watch->steps = a->steps;
}

/* state_word: loads the state, one word in each thread of the first warp. It is called before the sums are
 * formed, so that the state has arrived afterwards. */
__device__ __forceinline__ int state_word(enum cg_step step, struct cg_scalars cg)
{
    return step != CG_NONE && threadIdx.x < CG_WORDS ? ((const int *)cg.state)[threadIdx.x] : 0;
}

/* conclude: stores the values that this thread block has formed, and gives them to the iteration; the first
 * warp calls it. */
__device__ __forceinline__ void conclude(const double *value, int sums, int maxima, double *result, int word,
                                         enum cg_step step, struct cg_scalars cg)
{
    __shared__ struct cg_memory a;
    const int t = (int)threadIdx.x, pair = t < sums ? t : t - sums;
    if (t >= PIECE_WARP) return;
    if (t < CG_WORDS) ((int *)&a)[t] = word;
    __syncwarp(); /* thread 0 has written value[] */
    if (t < sums + maxima && pair % (int)gridDim.x == (int)blockIdx.x) result[t] = value[t];
    if (t == 0 && step != CG_NONE) advance(&a, step, value, cg.watch);
    __syncwarp();
    if (step != CG_NONE && t < CG_WORDS) ((int *)cg.state)[t] = ((const int *)&a)[t];
}

static __global__ void __launch_bounds__(TOTAL_THREADS)
    total_kernel(struct blocks bl, struct pieces p, int sums, int maxima, double *result, enum cg_step step,
                 struct cg_scalars cg)
{
    __shared__ double value[KOL_PARTS];
    const int word = state_word(step, cg);
    const struct extent e = {bl.nx, bl.ny, bl.nz};
    const int blocks = e.nx * e.ny * e.nz;
    add_up(e, sums, maxima, value, [&](struct pair a, int block, double *sum, double *most) {
        block_pair(bl, p, a, block, sum, most);
        if (a.has_sum) bl.part[a.sum * blocks + block] = *sum;
        if (a.has_most) bl.part[a.most * blocks + block] = *most;
    });
    conclude(value, sums, maxima, result, word, step, cg);
}

/* shared_asked: requests the shared memory of add_up for a kernel. */
template <class... Wanted>
static kol_status shared_asked(void (*kernel)(Wanted...), struct extent e, size_t *bytes)
{
    *bytes = (size_t)add_up_values(e) * sizeof(double);
    if (*bytes > TOTAL_FREE_SHARED)
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)*bytes));
    return KOL_OK;
}

kol_status sums_total(struct blocks bl, int sums, int maxima, double *result, enum cg_step step,
                      struct cg_scalars cg)
{
    const struct extent e = {bl.nx, bl.ny, bl.nz};
    size_t bytes = 0;
    TRY(shared_asked(total_kernel, e, &bytes));
    /* an iteration needs all values together */
    const unsigned grid = step == CG_NONE ? (unsigned)pairs(sums, maxima) : 1;
    total_kernel<<<grid, TOTAL_THREADS, bytes, queue_stream()>>>(bl, pieces_make(bl), sums, maxima, result,
                                                                 step, cg);
    CUDA_LAUNCHED("sums_total");
    return KOL_OK;
}

/* wait_for: waits until *counter has reached `round`, also if the counter overflows. If a rank never comes,
 * the kernel ends with a fault. */
__device__ __forceinline__ void wait_for(const unsigned *counter, unsigned round)
{
    const unsigned long long start = nanoseconds();
    while ((int)(load_acquire_system(counter) - round) < 0)
        if (nanoseconds() - start > PATIENCE_NS) __trap();
}

/* send_values: copies own block values to their places in the grid of blocks of every rank, and then tells
 * these ranks. */
__device__ __forceinline__ void send_values(struct blocks bl, struct pieces p, int sums, int maxima,
                                            const struct sums_team &team, unsigned round, ptrdiff_t slot)
{
    const int t = (int)threadIdx.x, count = (int)blocks_count(bl);
    const ptrdiff_t grid = (ptrdiff_t)team.global[X] * team.global[Y] * team.global[Z];
    for (int n = 0; n < pairs(sums, maxima); ++n) {
        const struct pair a = pair_make(n, sums, maxima);
        for (int block = t; block < count; block += TOTAL_THREADS) {
            const int row = block / bl.nx, i = team.first[X] + block % bl.nx, j = team.first[Y] + row % bl.ny,
                      k = team.first[Z] + row / bl.ny;
            const ptrdiff_t place = slot + ((ptrdiff_t)k * team.global[Y] + j) * team.global[X] + i;
            double sum, most;
            block_pair(bl, p, a, block, &sum, &most);
            for (int r = 0; r < team.ranks; ++r) {
                if (a.has_sum) team.all[r][a.sum * grid + place] = sum;
                if (a.has_most) team.all[r][a.most * grid + place] = most;
            }
        }
    }
    __threadfence_system();
    __syncthreads();
    if (t < team.ranks) store_release_system(team.arrived[t] + team.rank, round);
}

/* A rank writes to a slot again two rounds later. By then it has seen every rank arrive at the round in
 * between, so these have finished with the slot. */
static __global__ void __launch_bounds__(TOTAL_THREADS)
    share_kernel(struct blocks bl, struct pieces p, int sums, int maxima,
                 const __grid_constant__ struct sums_team team, unsigned round, double *result,
                 enum cg_step step, struct cg_scalars cg)
{
    __shared__ double value[KOL_PARTS];
    const int word = state_word(step, cg), t = (int)threadIdx.x;
    const struct extent e = {team.global[X], team.global[Y], team.global[Z]};
    const int grid = e.nx * e.ny * e.nz;
    const ptrdiff_t slot = (ptrdiff_t)(round & 1) * KOL_PARTS * grid;
    send_values(bl, p, sums, maxima, team, round, slot);
    if (t < team.ranks) wait_for(team.arrived[team.rank] + t, round);
    __syncthreads();
    const double *const own = team.all[team.rank] + slot;
    add_up(e, sums, maxima, value, [&](struct pair a, int block, double *sum, double *most) {
        *sum = __ldcg(own + (ptrdiff_t)a.sum * grid + block);
        *most = __ldcg(own + (ptrdiff_t)a.most * grid + block);
    });
    conclude(value, sums, maxima, result, word, step, cg);
}

kol_status sums_share(struct blocks bl, int sums, int maxima, const struct sums_team *team, unsigned round,
                      double *result, enum cg_step step, struct cg_scalars cg)
{
    const struct extent e = {team->global[X], team->global[Y], team->global[Z]};
    size_t bytes = 0;
    TRY(shared_asked(share_kernel, e, &bytes));
    share_kernel<<<1, TOTAL_THREADS, bytes, queue_stream()>>>(bl, pieces_make(bl), sums, maxima, *team, round,
                                                              result, step, cg);
    CUDA_LAUNCHED("sums_share");
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECE_WARP)
    apply_kernel(const double *result, enum cg_step step, struct cg_scalars cg)
{
    if (threadIdx.x == 0) advance((struct cg_memory *)cg.state, step, result, cg.watch);
}

kol_status sums_apply(const double *result, enum cg_step step, struct cg_scalars cg)
{
    if (step == CG_NONE) return KOL_OK;
    apply_kernel<<<1, PIECE_WARP, 0, queue_stream()>>>(result, step, cg);
    CUDA_LAUNCHED("sums_apply");
    return KOL_OK;
}
