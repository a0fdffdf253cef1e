/* Computes the residual of a level and restricts it to the next coarser one. */
#include "level_open.cuh"
#include "level_gather.cuh"

/* The residual is added up where it is formed, and never stored. In y, the row above comes from the half warp
 * above; in z, values come from the planes before; in x, from the quad itself. The sums are formed in y
 * first, then in z, then in x, as in the CPU build. This is possible if coarse cells are regular pairs, if
 * quads, pairs of rows and the planes of a thread block begin with the first cell of a coarse one, and if
 * interpolation is constant in x and y. */

/* halves: which directions are coarsened. */
struct halves {
    bool x, y, z;
};

/* gathered: the sum of a quad for coarse plane K, over the fine planes from its first one up to the present
 * one. last: values of the fine plane before. */
struct gathered {
    struct quad sum, last;
};

__device__ __forceinline__ void gathered_add(struct quad &sum, level_real weight, const struct quad &row)
{
#pragma unroll
    for (int m = 0; m < QUAD; ++m) sum.v[m] += weight * row.v[m];
}

/* rows_over_y: adds the row above, if y is coarsened. All lanes of the warp must call it. */
__device__ __forceinline__ struct quad rows_over_y(const struct quad &q, struct halves h, bool pair)
{
    struct quad row;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) {
        const level_real above = __shfl_down_sync(0xffffffffu, q.v[m], FRAME_LANES);
        row.v[m] = 0 + q.v[m];
        if (h.y && pair) row.v[m] += above;
    }
    return row;
}

/* descend_store: stores a quad's coarse cells in coarse plane K. Sums begin with 0, as in the CPU build. */
template <bool FAST>
__device__ __forceinline__ void descend_store(const struct patch &p, struct halves h, struct box cb, int nx,
                                              const struct quad &sum, int plane, level_real *r_coarse)
{
    level_real *const to = r_coarse + at(cb, h.x ? p.i / 2 : p.i, h.y ? p.j / 2 : p.j, plane);
    struct quad q;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) q.v[m] = 0 + sum.v[m];
    if (h.x) {
        q.v[0] = FAST || p.n > 1 ? q.v[0] + sum.v[1] : q.v[0];
        q.v[1] = FAST || p.n > 3 ? q.v[2] + sum.v[3] : q.v[2];
    }
    const int first = h.x ? p.i / 2 : p.i, cells = h.x ? QUAD / 2 : QUAD;
    if (FAST && h.x) {
        const struct two pair = {{q.v[0], q.v[1]}};
        *(struct two *)to = pair;
    } else if (FAST) {
        *(struct quad *)to = q;
    } else {
#pragma unroll
        for (int m = 0; m < QUAD; ++m)
            if (m < cells && first + m < nx) to[m] = q.v[m];
    }
}

/* descend_weigh: adds the contribution of fine plane k to the coarse planes. A plane contributes to the
 * coarse plane that contains it. With linear transfers, the first fine plane of a coarse plane also
 * contributes to the coarse plane below, and the last one to the coarse plane above. Constant transfers have
 * weights 1 and begin with even planes. */
template <bool LINEAR, class STORE>
__device__ __forceinline__ void descend_weigh(struct level_transfer z, bool halved, int z0, int z1, int nz,
                                              int k, const struct quad &row, struct gathered &g, STORE store)
{
    if constexpr (!LINEAR) {
        const bool first = !halved || k % 2 == 0, last = !halved || k % 2 != 0 || k == nz - 1;
        if (first) g.sum = {};
#pragma unroll
        for (int m = 0; m < QUAD; ++m) g.sum.v[m] += row.v[m];
        if (last) store(g.sum, halved ? k / 2 : k);
    } else {
        const bool inside = k >= z0 && k < z1, first = z.parent[k] != z.parent[k - 1];
        if (first && k > z0) {
            if (z.low[k] != 0) gathered_add(g.sum, z.low[k], row);
            store(g.sum, z.parent[k - 1]);
        }
        if (first && inside) {
            g.sum = {};
            if (z.high[k - 1] != 0) gathered_add(g.sum, z.high[k - 1], g.last);
        }
        if (inside) gathered_add(g.sum, point_level_own(z, k), row);
        g.last = row;
    }
}

/* moved_apart: stores the values of the cells that move, of the first n of a quad, and puts 0 there. */
template <enum kind KIND>
__device__ __forceinline__ void moved_apart(const struct opens<KIND> &open, int n, level_real *to,
                                            struct quad &q)
{
#pragma unroll
    for (int m = 0; m < QUAD; ++m) {
        if (moved_of<KIND>(open.cell(m)) < 0) continue;
        if (m < n) to[m] = q.v[m];
        q.v[m] = 0;
    }
}

/* The fine planes of a coarse cell are visited in order. If interpolation in z is linear, a coarse cell also
 * needs the fine plane below its first one and the fine plane above its last one. So the march then begins
 * and ends one plane further out. */
template <bool FAST, bool LINEAR, enum kind KIND>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_RESIDENT)
    descend_kernel(struct box b, struct level_stencil s, unsigned around, int planes, struct level_transfer z,
                   struct halves halved, struct box cb, int nx, const level_real *r, const level_real *from,
                   level_real *moved, level_real *r_coarse)
{
    const struct seat a = seat_make(b, s, around);
    const int z0 = (int)blockIdx.z * planes, z1 = min(z0 + planes, b.nz);
    const int begin = LINEAR && z.high[z0 - 1] != 0 ? z0 - 1 : z0,
              end = LINEAR && z.low[z1] != 0 ? z1 + 1 : z1;
    const struct level_columns<FAST> c = level_columns_make<FAST>(b, s, a.p);
    const bool stores = a.own && !(halved.y && (a.p.j & 1)), pair = a.p.j + 1 < b.ny;
    const struct plain<FAST> f = {
        b, around, from
    };
    const auto load = [&](int k) { return patch_load<FAST>(a.p, r, frame_plane(b, around, k)); };
    struct quads_ahead<FAST &&!LINEAR ? 2 : 1> ahead = {
    };
    struct quad rest;
    if (!a.ring) ahead.start(begin, end, load);
    struct gathered g = {};
    const auto store = [&](const struct quad &sum, int plane) {
        if (stores) descend_store<FAST>(a.p, halved, cb, nx, sum, plane, r_coarse);
    };
    struct opens_ahead<FAST, KIND> open = {
    };
    frame_sweep<FAST, FAST ? 2 : 1>(
        s, begin, end, a, f,
        [&](int k) {
            rest = ahead.next(k, end, load);
            open.fetch(a.p, s, b, around, k, end);
        },
        [&](int k, struct level_plane h, const struct beside &n) {
            struct quad q;
            if constexpr (KIND == PLAIN) {
                q = quad_residual(c, h, n, rest);
            } else {
                q = quad_residual_open<false>(c, h, n, rest, open.now);
                if (open.now.moves())
                    moved_apart<KIND>(open.now, a.own ? a.p.n : 0,
                                      moved + (offset)(a.p.o + (offset)k * (offset)b.sz), q);
            }
            const struct quad row = rows_over_y(q, halved, pair);
            descend_weigh<LINEAR>(z, halved.z, z0, z1, b.nz, k, row, g, store);
        });
    if (LINEAR && end == z1 && !a.ring) store(g.sum, z.parent[z1 - 1]);
}

template <bool LINEAR, enum kind KIND>
static kol_status launch(struct box b, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n[3], struct box cb, const level_real *r, const level_real *z,
                         level_real *moved, level_real *r_coarse)
{
    const struct halves halved = {n[X] != b.nx, n[Y] != b.ny, n[Z] != b.nz};
    const int planes = frame_planes(b, FRAME_RESIDENT);
    const auto kernel = frame_fast(b, s, cells.around) ? descend_kernel<true, LINEAR, KIND>
                                                       : descend_kernel<false, LINEAR, KIND>;
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(
        b, s, cells.around, planes, t.z, halved, cb, n[X], r, z, moved, r_coarse);
    CUDA_LAUNCHED("level_descend");
    return KOL_OK;
}

static bool regular(const struct level_transfers &t)
{
    return t.regular[X] && t.regular[Y] && t.regular[Z];
}

kol_status level_descend(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, const level_real *r, const level_real *z,
                         level_real *q, level_real *r_coarse)
{
    if (!level_compute_all(cells)) return KOL_OK;
    if (t.linear[X] || t.linear[Y] || !regular(t)) {
        TRY(level_residual(lb, s, cells, r, z, q));
        return level_restrict(lb, cells, t, n_coarse, cb, q, r_coarse);
    }
    if (t.linear[Z]) return launch<true, PLAIN>(lb, s, cells, t, n_coarse, cb, r, z, NULL, r_coarse);
    return launch<false, PLAIN>(lb, s, cells, t, n_coarse, cb, r, z, NULL, r_coarse);
}

kol_status level_descend_open(struct box lb, struct level_stencil s, struct cells cells,
                              struct level_transfers t, const int n_coarse[3], struct box cb,
                              const level_real *r, const level_real *z, level_real *q, level_real *r_coarse)
{
    if (!level_compute_all(cells) || n_coarse[X] <= 0 || n_coarse[Y] <= 0 || n_coarse[Z] <= 0) return KOL_OK;
    if (!regular(t)) {
        TRY(level_residual(lb, s, cells, r, z, q));
        return gather_launch<GATHER_OWN>("level_descend_open", lb, s, cells, t, n_coarse, cb, q, r_coarse);
    }
    if (level_kind(s) == WORDS) return launch<false, WORDS>(lb, s, cells, t, n_coarse, cb, r, z, q, r_coarse);
    return launch<false, BITS>(lb, s, cells, t, n_coarse, cb, r, z, q, r_coarse);
}
