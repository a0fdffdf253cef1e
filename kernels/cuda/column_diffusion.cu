/* Diffuses in z by the trapezoidal rule: makes and solves the tridiagonal systems of all columns. */
#include "../column_diffusion.h"
#include "../point/column_diffusion.h"
#include "check.cuh"
#include "queue.cuh"
#include "shapes.cuh"

/* A thread block has COLUMN_Y rows of COLUMN_X columns, or as many in another shape; HELD_Y rows if it holds
 * upper levels in shared memory (held_kernel). */
enum { COLUMN_X = 32, COLUMN_Y = 4, HELD_Y = 2, COLUMN_GRID_MOST = 65535, COLUMN_DEPTH = 8 };
enum { SHARED_OF_BLOCK = 1024 }; /* bytes of shared memory that the GPU keeps for itself in each block */

/* line: what a thread works on; pointers to its column's level 0, which is row `offset` of the systems. */
struct line {
    const double *low, *high, *inverse;
    const real *base, *before;
    real *vel, *old;
    double weight, history;
    ptrdiff_t sz;
    int first, n; /* rows first .. n-1 of this box */
};

__device__ __forceinline__ struct line line_make(const struct box &b, const struct columns &c, int offset,
                                                 int d, const struct column_fields &f, ptrdiff_t o)
{
    const double *of = (d == Z ? c.face : c.centre) + offset;
    const struct line l = {of,
                           of + c.n,
                           of + 2 * (ptrdiff_t)c.n,
                           f.base[d] != NULL ? f.base[d] + o : NULL,
                           f.base[d] != NULL ? f.before[d] + o : NULL,
                           f.vel[d] + o,
                           c.history != 0 ? f.old[d] + o : NULL,
                           c.weight,
                           c.history,
                           b.sz,
                           d == Z && offset == 0 ? 1 : 0,
                           b.nz};
    return l;
}

/* known: what L is applied to on the right-hand side: nothing, one array (base is before), or two. */
enum known { NOTHING, ONE, TWO };

/* column_known: the value to which L is applied on the right-hand side. */
template <enum known KNOWN> __device__ __forceinline__ double column_known(const struct line &l, int k)
{
    if (KNOWN == NOTHING) return 0;
    const real base = l.base[k * l.sz];
    return point_column_known(base, l.weight, KNOWN == ONE ? base : l.before[k * l.sz]);
}

/* Forms the right-hand sides, upwards, and gives them to row(k, source). COLUMN_DEPTH rows are loaded
 * together, before the recurrence needs the first of them. */
template <enum known KNOWN, bool KEPT, class Row>
__device__ __forceinline__ void column_sweep(const struct line &l, Row row)
{
    double q_below = column_known<KNOWN>(l, l.first - 1), q = column_known<KNOWN>(l, l.first);
    real u[COLUMN_DEPTH], base[COLUMN_DEPTH], before[COLUMN_DEPTH];
#pragma unroll 1
    for (int from = l.first; from < l.n; from += COLUMN_DEPTH) {
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from + d;
            if (k >= l.n) continue;
            u[d] = l.vel[k * l.sz];
            if (KNOWN != NOTHING) base[d] = l.base[(k + 1) * l.sz];
            if (KNOWN != NOTHING) before[d] = KNOWN == ONE ? base[d] : l.before[(k + 1) * l.sz];
        }
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from + d;
            if (k >= l.n) continue;
            const double q_above = KNOWN == NOTHING ? 0 : point_column_known(base[d], l.weight, before[d]);
            const double flux =
                KNOWN == NOTHING ? 0 : point_column_flux(q_below, q, q_above, l.low[k], l.high[k]);
            if (KEPT) l.old[k * l.sz] = (real)(l.old[k * l.sz] - l.history * flux);
            row(k, u[d] + flux);
            q_below = q;
            q = q_above;
        }
    }
}

/* rows: what COLUMN_DEPTH rows need; base is that of the row above. */
template <enum known KNOWN> struct rows {
    real u[COLUMN_DEPTH], base[KNOWN == NOTHING ? 1 : COLUMN_DEPTH];
};

template <enum known KNOWN>
__device__ __forceinline__ void rows_load(const struct line &l, int from, struct rows<KNOWN> &r)
{
#pragma unroll
    for (int d = 0; d < COLUMN_DEPTH; ++d) {
        const int k = from + d;
        if (k >= l.n) continue;
        r.u[d] = l.vel[k * l.sz];
        if (KNOWN != NOTHING) r.base[KNOWN == NOTHING ? 0 : d] = l.base[(k + 1) * l.sz];
    }
}

/* The same for few warps and at most one array: while the recurrence works on COLUMN_DEPTH rows, the next
 * ones are being loaded. */
template <enum known KNOWN, class Row>
__device__ __forceinline__ void column_sweep_ahead(const struct line &l, Row row)
{
    double q_below = column_known<KNOWN>(l, l.first - 1), q = column_known<KNOWN>(l, l.first);
    struct rows<KNOWN> now, next;
    rows_load(l, l.first, next);
#pragma unroll 1
    for (int from = l.first; from < l.n; from += COLUMN_DEPTH) {
        now = next;
        rows_load(l, from + COLUMN_DEPTH, next);
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from + d;
            if (k >= l.n) continue;
            const real base = KNOWN == NOTHING ? 0 : now.base[KNOWN == NOTHING ? 0 : d];
            const double q_above = point_column_known(base, l.weight, base);
            row(k, KNOWN == NOTHING ? now.u[d]
                                    : now.u[d] + point_column_flux(q_below, q, q_above, l.low[k], l.high[k]));
            q_below = q;
            q = q_above;
        }
    }
}

/* Substitutes downwards in rows n-1 .. first, from x to `to`, and returns the unknown of row first. V: the
 * type of the values; the levels of x and of `to` are `levels` and `apart` apart. Results are rounded to
 * `real` before they are stored, whatever V is. */
template <class V>
__device__ __forceinline__ double column_sweep_down(const double *high, const double *inverse, int first,
                                                    int n, const V *x, ptrdiff_t levels, V *to,
                                                    ptrdiff_t apart, double above)
{
    V u[COLUMN_DEPTH];
#pragma unroll 1
    for (int from = n - 1; from >= first; from -= COLUMN_DEPTH) {
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d)
            if (from - d >= first) u[d] = x[(from - d) * levels];
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from - d;
            if (k < first) continue;
            above = point_column_down(u[d], high[k], inverse[k], above);
            to[k * apart] = (real)above;
        }
    }
    return above;
}

/* Each thread takes one column of component blockIdx.z. Columns lie side by side in x. */
template <enum known KNOWN>
static __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    column_kernel(struct box b, const __grid_constant__ struct columns c,
                  const __grid_constant__ struct column_fields f)
{
    const int d = (int)blockIdx.z, i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= b.nx) return;
    for (int j = (int)(blockIdx.y * blockDim.y + threadIdx.y); j < b.ny; j += (int)(gridDim.y * blockDim.y)) {
        const struct line l = line_make(b, c, 0, d, f, at(b, i, j, 0));
        double below = c.end[d][0];
        column_sweep<KNOWN, false>(l, [&](int k, double source) {
            below = point_column_up(source, l.low[k], l.inverse[k], below);
            l.vel[k * l.sz] = (real)below;
        });
        column_sweep_down(l.high, l.inverse, l.first, l.n, (const real *)l.vel, l.sz, l.vel, l.sz,
                          c.end[d][1]);
    }
}

extern __shared__ real column_held[];

/* The same, but what elimination leaves in the uppermost `held` levels waits in shared memory until
 * substitution comes back to them: one read and one write less. So few columns are at work at a time that the
 * levels below them may still be in the cache. */
template <enum known KNOWN>
static __global__ void __launch_bounds__(COLUMN_X *HELD_Y)
    held_kernel(struct box b, const __grid_constant__ struct columns c,
                const __grid_constant__ struct column_fields f, int held)
{
    const int d = (int)blockIdx.z, i = (int)(blockIdx.x * COLUMN_X + threadIdx.x);
    real *const mine = column_held + threadIdx.y * COLUMN_X + threadIdx.x;
    if (i >= b.nx) return;
    for (int j = (int)(blockIdx.y * HELD_Y + threadIdx.y); j < b.ny; j += (int)(gridDim.y * HELD_Y)) {
        const struct line l = line_make(b, c, 0, d, f, at(b, i, j, 0));
        const int split = l.n - held > l.first ? l.n - held : l.first;
        double below = c.end[d][0];
        column_sweep_ahead<KNOWN>(l, [&](int k, double source) {
            below = point_column_up(source, l.low[k], l.inverse[k], below);
            if (k < split) l.vel[k * l.sz] = (real)below;
            else mine[(k - split) * (COLUMN_X * HELD_Y)] = (real)below;
        });
        const double above =
            column_sweep_down(l.high + split, l.inverse + split, 0, l.n - split, (const real *)mine,
                              COLUMN_X * HELD_Y, l.vel + split * l.sz, l.sz, c.end[d][1]);
        column_sweep_down(l.high, l.inverse, l.first, split, (const real *)l.vel, l.sz, l.vel, l.sz, above);
    }
}

template <enum known KNOWN, bool KEPT>
static __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    source_kernel(struct box b, const __grid_constant__ struct columns c, int offset, int d,
                  const __grid_constant__ struct column_fields f, double *source)
{
    const int i = (int)(blockIdx.x * COLUMN_X + threadIdx.x);
    const ptrdiff_t levels = (ptrdiff_t)b.nx * b.ny;
    if (i >= b.nx) return;
    for (int j = (int)(blockIdx.y * COLUMN_Y + threadIdx.y); j < b.ny; j += (int)(gridDim.y * COLUMN_Y)) {
        const struct line l = line_make(b, c, offset, d, f, at(b, i, j, 0));
        double *const to = source + (ptrdiff_t)j * b.nx + i;
        if (l.first > 0) to[0] = 0;
        column_sweep<KNOWN, KEPT>(l, [&](int k, double value) { to[k * levels] = value; });
    }
}

static __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    eliminate_kernel(const __grid_constant__ struct columns c, int d, ptrdiff_t many, double *x)
{
    const ptrdiff_t column = (ptrdiff_t)blockIdx.x * (COLUMN_X * COLUMN_Y) + threadIdx.x;
    if (column >= many) return;
    const double *const low = d == Z ? c.face : c.centre, *const high = low + c.n,
                        *const inverse = high + c.n;
    const int first = d == Z ? 1 : 0;
    double *const v = x + column;
    double below = c.end[d][0], s[COLUMN_DEPTH];
#pragma unroll 1
    for (int from = first; from < c.n; from += COLUMN_DEPTH) {
#pragma unroll
        for (int n = 0; n < COLUMN_DEPTH; ++n)
            if (from + n < c.n) s[n] = v[(from + n) * many];
#pragma unroll
        for (int n = 0; n < COLUMN_DEPTH; ++n) {
            const int k = from + n;
            if (k >= c.n) continue;
            below = point_column_up(s[n], low[k], inverse[k], below);
            v[k * many] = (real)below;
        }
    }
    column_sweep_down(high, inverse, first, c.n, (const double *)v, many, v, many, c.end[d][1]);
}

static __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    open_kernel(struct box b, const __grid_constant__ struct columns c, int side, double part_u,
                double part_v, double part_w, const real *plane, real *u, real *v, real *w)
{
    const int i = (int)(blockIdx.x * COLUMN_X + threadIdx.x);
    const double part[3] = {part_u, part_v, part_w};
    real *const vel[3] = {u, v, w};
    if (i >= b.nx) return;
    for (int j = (int)(blockIdx.y * COLUMN_Y + threadIdx.y); j < b.ny; j += (int)(gridDim.y * COLUMN_Y))
        point_column_open(b, c, side, part, plane, i, j, vel);
}

static __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    given_kernel(struct box b, const __grid_constant__ struct columns c, int side, const real *plane,
                 real *field)
{
    const int i = (int)(blockIdx.x * COLUMN_X + threadIdx.x);
    if (i >= b.nx) return;
    for (int j = (int)(blockIdx.y * COLUMN_Y + threadIdx.y); j < b.ny; j += (int)(gridDim.y * COLUMN_Y))
        point_column_given(b, c, side, plane, i, j, field);
}

static dim3 blocks_of(struct box b, int columns, int rows, unsigned components)
{
    const int deep = (b.ny + rows - 1) / rows;
    return dim3((unsigned)((b.nx + columns - 1) / columns),
                (unsigned)(deep < COLUMN_GRID_MOST ? deep : COLUMN_GRID_MOST), components);
}

static dim3 column_grid(struct box b, int rows_of_block, unsigned components)
{
    return blocks_of(b, COLUMN_X, rows_of_block, components);
}

static enum known known_of(const struct column_fields &f)
{
    if (f.base[X] == NULL) return NOTHING;
    return f.base[X] == f.before[X] ? ONE : TWO;
}

/* Number of levels that a block of held_kernel holds if `warps` warps share a multiprocessor. */
static int levels_held(int n, int warps)
{
    const size_t blocks = (size_t)(warps / HELD_Y), level = COLUMN_X * HELD_Y * sizeof(real),
                 most = shared_most() == SIZE_MAX ? 0 : shared_most() + SHARED_OF_BLOCK,
                 own = most / blocks > SHARED_OF_BLOCK ? most / blocks - SHARED_OF_BLOCK : 0;
    return own / level < (size_t)n ? (int)(own / level) : n;
}

static kol_status solve_held(struct box b, const struct columns &c, const struct column_fields &f, int held)
{
    const size_t bytes = (size_t)held * COLUMN_X * HELD_Y * sizeof(real);
    const auto kernel = known_of(f) == NOTHING ? held_kernel<NOTHING> : held_kernel<ONE>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    kernel<<<column_grid(b, HELD_Y, 3), dim3(COLUMN_X, HELD_Y), bytes, queue_stream()>>>(b, c, f, held);
    CUDA_LAUNCHED("column_solve");
    return KOL_OK;
}

kol_status column_solve(struct box b, struct columns c, struct column_fields f)
{
    const struct shape shape = shape_chosen(TUNE_COLUMN);
    if (known_of(f) == TWO || c.history != 0)
        RAISE(KOL_ERR_INTERNAL, "column_solve: L acts on one array at most, and nothing is kept");
    if (shape.z > 0) return solve_held(b, c, f, levels_held(b.nz, shape.z));
    if (shape.x * shape.y > COLUMN_X * COLUMN_Y)
        RAISE(KOL_ERR_INTERNAL, "column_solve: no launch has %d x %d columns", shape.x, shape.y);
    const auto kernel = known_of(f) == NOTHING ? column_kernel<NOTHING> : column_kernel<ONE>;
    kernel<<<blocks_of(b, shape.x, shape.y, 3), dim3((unsigned)shape.x, (unsigned)shape.y), 0,
             queue_stream()>>>(b, c, f);
    CUDA_LAUNCHED("column_solve");
    return KOL_OK;
}

kol_status column_open(struct box b, struct columns c, int side, const double part[3], const real *plane,
                       real *const vel[3])
{
    open_kernel<<<column_grid(b, COLUMN_Y, 1), dim3(COLUMN_X, COLUMN_Y), 0, queue_stream()>>>(
        b, c, side, part[X], part[Y], part[Z], plane, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("column_open");
    return KOL_OK;
}

kol_status column_given(struct box b, struct columns c, int side, const real *plane, real *field)
{
    given_kernel<<<column_grid(b, COLUMN_Y, 1), dim3(COLUMN_X, COLUMN_Y), 0, queue_stream()>>>(b, c, side,
                                                                                               plane, field);
    CUDA_LAUNCHED("column_given");
    return KOL_OK;
}

kol_status column_source(struct box b, struct columns c, int offset, int d, struct column_fields f,
                         double *source)
{
    const dim3 threads(COLUMN_X, COLUMN_Y), grid = column_grid(b, COLUMN_Y, 1);
    const enum known known = known_of(f);
    const bool kept = c.history != 0;
    if (known == NOTHING && kept) RAISE(KOL_ERR_INTERNAL, "column_source: nothing to take from `old`");
    const auto kernel = known == NOTHING ? source_kernel<NOTHING, false>
                        : known == ONE   ? (kept ? source_kernel<ONE, true> : source_kernel<ONE, false>)
                                         : (kept ? source_kernel<TWO, true> : source_kernel<TWO, false>);
    kernel<<<grid, threads, 0, queue_stream()>>>(b, c, offset, d, f, source);
    CUDA_LAUNCHED("column_source");
    return KOL_OK;
}

kol_status column_eliminate(struct columns c, int d, ptrdiff_t many, double *x)
{
    const int threads = COLUMN_X * COLUMN_Y;
    if (many == 0) return KOL_OK;
    eliminate_kernel<<<(unsigned)((many + threads - 1) / threads), threads, 0, queue_stream()>>>(c, d, many,
                                                                                                 x);
    CUDA_LAUNCHED("column_eliminate");
    return KOL_OK;
}
