/* Adds up one sample along the homogeneous direction, at every place of the cross-section. */
#include "../point/line_average.h"
#include "check.cuh"
#include "queue.cuh"

/* Each thread belongs to a column in a row along x and sums along the homogeneous direction. If that
 * direction is x itself, KOL_LANES neighbouring threads share a place, like the lanes of the CPU build. The
 * file is compiled without contraction, so the bits are the same as in the CPU build. */
enum {
    ROW_THREADS = 64,
    LINE_THREADS = 128,
    LINES = LINE_THREADS / KOL_LANES,
    FOLD_THREADS = 128,
    SLOTS =
        (LINE_SUM_COUNT + KOL_LANES - 1) / KOL_LANES * KOL_LANES, /* a whole number of sums for each lane */
    LANE_SUMS = SLOTS / KOL_LANES,
    FOLD_MOST = 1 << 30
};

int line_average_places(struct box b, int direction)
{
    return plane_average_cells(b, direction) + 1;
}

ptrdiff_t line_average_scratch(struct box, struct blocks, int)
{
    return 0;
}

/* across_kernel: y or z is homogeneous. Each thread adds up one reduction block at its own place. */
template <int ALONG>
static __global__ void __launch_bounds__(ROW_THREADS)
    across_kernel(struct box b, struct metrics m, struct blocks bl, const struct line_average_values q,
                  struct line_average_rows rows, double *part)
{
    const struct line_average_frame d = line_average_frame_make(b, ALONG);
    const int *const start = ALONG == Y ? bl.y : bl.z;
    const int i = (int)(blockIdx.x * ROW_THREADS + threadIdx.x), j = rows.lo + (int)blockIdx.y,
              block = (int)blockIdx.z, places = b.nx + 1;
    if (i >= places) return;
    const struct plane_average_spacings x = plane_average_spacings_make(m, X, i),
                                        y = plane_average_spacings_make(m, d.b, j);
    const int in_a = i < b.nx, in_b = j < plane_average_cells(b, d.b);
    double sum[LINE_SUM_COUNT];
#pragma unroll
    for (int n = 0; n < LINE_SUM_COUNT; ++n) sum[n] = 0;
    ptrdiff_t o = b.start + i + j * d.sb + start[block] * d.ss;
#pragma unroll 1
    for (int s = start[block]; s < start[block + 1]; ++s, o += d.ss) {
        double t[LINE_SUM_COUNT];
        point_line_average(q, d, o, plane_average_spacings_make(m, ALONG, s), x, y, in_a, in_b, t, 1);
#pragma unroll
        for (int n = 0; n < LINE_SUM_COUNT; ++n) sum[n] += t[n];
    }
#pragma unroll
    for (int n = 0; n < LINE_SUM_COUNT; ++n)
        part[(((ptrdiff_t)block * LINE_SUM_COUNT + n) * (rows.hi - rows.lo) + (j - rows.lo)) * places + i] =
            sum[n];
}

/* fold_lanes: adds up the sums of the KOL_LANES threads of a place. The number of lanes is halved in each
 * round, as in the CPU build. In each round a lane gives its partner the half of the sums that it will not
 * keep. At the end lane l has sum l LANE_SUMS and the sums that follow it. */
__device__ __forceinline__ void fold_lanes(double (&sum)[SLOTS], int lane)
{
    int count = SLOTS;
#pragma unroll
    for (int half = KOL_LANES / 2; half > 0; half /= 2) {
        const bool upper = lane & half;
        count /= 2;
#pragma unroll
        for (int n = 0; n < SLOTS / 2; ++n) {
            if (n >= count) break;
            const double give = upper ? sum[n] : sum[n + count], keep = upper ? sum[n + count] : sum[n];
            sum[n] = keep + __shfl_xor_sync(0xffffffffu, give, half);
        }
    }
}

/* along_kernel: x is homogeneous. Threads beyond the last place repeat its work and write nothing, because
 * all lanes of a warp are needed to add up. */
static __global__ void __launch_bounds__(LINE_THREADS)
    along_kernel(struct box b, struct metrics m, struct blocks bl, const struct line_average_values q,
                 struct line_average_rows rows, double *part)
{
    const struct line_average_frame d = line_average_frame_make(b, X);
    const int lane = (int)threadIdx.x % KOL_LANES, places = b.ny + 1;
    const int wanted = (int)(blockIdx.x * LINES + threadIdx.x / KOL_LANES),
              j = wanted < places ? wanted : places - 1;
    const int k = rows.lo + (int)blockIdx.y, block = (int)blockIdx.z;
    const struct plane_average_spacings y = plane_average_spacings_make(m, Y, j),
                                        z = plane_average_spacings_make(m, Z, k);
    double sum[SLOTS];
#pragma unroll
    for (int n = 0; n < SLOTS; ++n) sum[n] = 0;
#pragma unroll 1
    for (int i = bl.x[block] + lane; i < bl.x[block + 1]; i += KOL_LANES) {
        double t[LINE_SUM_COUNT];
        point_line_average(q, d, at(b, i, j, k), plane_average_spacings_make(m, X, i), y, z, j < b.ny,
                           k < b.nz, t, 1);
#pragma unroll
        for (int n = 0; n < LINE_SUM_COUNT; ++n) sum[n] += t[n];
    }
    fold_lanes(sum, lane);
    if (wanted >= places) return;
#pragma unroll
    for (int n = 0; n < LANE_SUMS; ++n) {
        const int which = lane * LANE_SUMS + n;
        if (which >= LINE_SUM_COUNT) break;
        part[(((ptrdiff_t)block * LINE_SUM_COUNT + which) * (rows.hi - rows.lo) + (k - rows.lo)) * places +
             j] = sum[n];
    }
}

kol_status line_average_sums(struct box b, struct metrics m, struct blocks bl, int along,
                             struct line_average_rows rows, real *const vel[3], const real *p, double *part,
                             double *scratch)
{
    const struct line_average_frame d = line_average_frame_make(b, along);
    const struct line_average_values q = {vel[d.s], vel[d.a], vel[d.b], p};
    const unsigned height = (unsigned)(rows.hi - rows.lo), places = (unsigned)line_average_places(b, d.a);
    (void)scratch;
    if (along == X) {
        along_kernel<<<dim3((places + LINES - 1) / LINES, height, (unsigned)bl.nx), LINE_THREADS, 0,
                       queue_stream()>>>(b, m, bl, q, rows, part);
    } else {
        auto kernel = along == Y ? across_kernel<Y> : across_kernel<Z>;
        kernel<<<dim3((places + ROW_THREADS - 1) / ROW_THREADS, height,
                      (unsigned)(along == Y ? bl.ny : bl.nz)),
                 ROW_THREADS, 0, queue_stream()>>>(b, m, bl, q, rows, part);
    }
    CUDA_LAUNCHED("span_sums");
    return KOL_OK;
}

static __global__ void __launch_bounds__(FOLD_THREADS)
    fold_kernel(ptrdiff_t values, int blocks, int onto, const double *part, double *sums)
{
    const ptrdiff_t v = (ptrdiff_t)blockIdx.x * FOLD_THREADS + threadIdx.x;
    if (v >= values) return;
    double all = onto ? sums[v] : part[v];
    for (int n = onto ? 0 : 1; n < blocks; ++n) all += part[n * values + v];
    sums[v] = all;
}

kol_status line_average_fold(ptrdiff_t values, int blocks, int onto, const double *part, double *sums)
{
    if (values > FOLD_MOST) RAISE(KOL_ERR_INTERNAL, "span_fold: no launch takes %td sums at a time", values);
    fold_kernel<<<(unsigned)((values + FOLD_THREADS - 1) / FOLD_THREADS), FOLD_THREADS, 0, queue_stream()>>>(
        values, blocks, onto, part, sums);
    CUDA_LAUNCHED("span_fold");
    return KOL_OK;
}
