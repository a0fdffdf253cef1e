/* Ends a cycle: takes the last smoothing step and returns to the precision of the iteration. */
#include "cg.cuh"
#include "level_pairs.cuh"

/* The arrays of level_leave. */
struct leaving {
    const level_real *r_level, *z;
    const real *r;
    real *z_out;
};

/* leave_plane: what a thread reads for a plane: r, and z of the plane above. */
struct leave_plane {
    static constexpr bool MASKED = false;
    levels2 r_level, above;
    struct pair<real> r;
};
/* with bodies also the bits of the faces */
struct leave_plane_open : leave_plane {
    static constexpr bool MASKED = true;
    struct pair<unsigned char> open;
};
template <bool MASKED> struct leave_planes {
    typedef struct leave_plane type;
};
template <> struct leave_planes<true> {
    typedef struct leave_plane_open type;
};

/* leave_march: the march of a thread through planes z0 .. z1 - 1. o, ol: where its columns begin in plane 0
 * of the fields and of the level's arrays. top: where z of plane z1 is read. */
struct leave_march {
    int z0, z1;
    offset o, ol, top;
};

template <bool FAST, class PLANE>
__device__ __forceinline__ PLANE leave_load(struct box b, struct box lb, const struct columns2 &c,
                                            const struct leave_march &w, const struct leaving &f,
                                            const unsigned char *open, int k)
{
    const offset place = w.ol + (offset)k * (offset)lb.sz;
    PLANE p;
    p.above = pair_load<FAST>(c, f.z + (offset)(k + 1 < w.z1 ? place + (offset)lb.sz : w.top));
    p.r_level = pair_load<FAST>(c, f.r_level + place);
    p.r = pair_load<FAST>(c, f.r + (offset)(w.o + (offset)k * (offset)b.sz));
    if constexpr (PLANE::MASKED) p.open = pair_load<FAST>(c, open + place);
    return p;
}

/* leave_smooth: takes the step for column m of the thread. a: metrics of its columns, or of all columns. */
template <bool FAST>
__device__ __forceinline__ level_real leave_smooth(const struct columns2 &c, const struct level_column &a,
                                                   struct level_plane h, level_real inverse, level_real step,
                                                   int m, const struct leave_plane &p, const levels2 &below,
                                                   const levels2 &here, const struct pairs_sides &beside)
{
    const bool at_end = FAST ? m == PAIRS_COLUMNS - 1 : m == c.n - 1 || m == PAIRS_COLUMNS - 1;
    const level_real west = m == 0 ? beside.xl : here.v[m == 0 ? 0 : m - 1];
    const level_real east = at_end ? beside.xh : here.v[m == PAIRS_COLUMNS - 1 ? m : m + 1];
    const level_real rest = p.r_level.v[m] - point_level_apply(a, h, here.v[m], west, east, beside.yl.v[m],
                                                               beside.yh.v[m], below.v[m], p.above.v[m]);
    return point_level_smooth(here.v[m], step, rest * inverse);
}

template <bool FAST, bool MASKED>
static __global__ void __launch_bounds__(PAIRS_PIECES *PAIRS_THREADS, 2)
    leave_kernel(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                 const __grid_constant__ struct march m, int across, unsigned around,
                 const struct cg_state *cg, double volume, double factor, level_real step,
                 const __grid_constant__ struct leaving f)
{
    if (cg_ended(cg)) return;
    const double unscale = factor / point_level_scale(cg, volume);
    const struct columns2 c = columns2_make<FAST>(bl, m, across, lb, s, around);
    struct level_column a[FAST ? 1 : PAIRS_COLUMNS];
#pragma unroll
    for (int n = 0; n < (FAST ? 1 : PAIRS_COLUMNS); ++n)
        a[n] = point_level_column(s, min(c.i + n, lb.nx - 1), c.j);
    int bz = (int)blockIdx.z * m.layers, top = bl.z[bz + 1];
    struct leave_march w = {bl.z[bz], bl.z[min(bz + m.layers, bl.nz)], (offset)at(b, c.i, c.j, 0),
                            (offset)at(lb, c.i, c.j, 0), 0};
    const offset lowest = w.ol + (offset)w.z0 * (offset)lb.sz;
    w.top = w.ol + (offset)(w.z1 - 1) * (offset)lb.sz + (offset)level_above(lb, s, around, w.z1 - 1);
    levels2 here = pair_load<FAST>(c, f.z + lowest);
    levels2 below = pair_load<FAST>(c, f.z + (offset)(lowest + (offset)level_below(lb, s, around, w.z0)));
    typedef typename leave_planes<MASKED>::type plane;
    plane next[PAIRS_AHEAD];
#pragma unroll
    for (int n = 0; n < PAIRS_AHEAD; ++n)
        next[n] = leave_load<FAST, plane>(b, lb, c, w, f, s.open, min(w.z0 + n, w.z1 - 1));
    struct pairs_sides sides_next = pairs_sides<FAST>(c, f.z + lowest);
    double part[PAIRS_COLUMNS] = {};
#pragma unroll 1
    for (int k = w.z0; k < w.z1; ++k) {
        const plane now = next[0];
        const struct pairs_sides sides = sides_next;
#pragma unroll
        for (int n = 1; n < PAIRS_AHEAD; ++n) next[n - 1] = next[n];
        if (k + PAIRS_AHEAD < w.z1)
            next[PAIRS_AHEAD - 1] = leave_load<FAST, plane>(b, lb, c, w, f, s.open, k + PAIRS_AHEAD);
        if (k + 1 < w.z1)
            sides_next = pairs_sides<FAST>(c, f.z + (offset)(w.ol + (offset)(k + 1) * (offset)lb.sz));
        if (FAST || c.n > 0) {
            const struct level_plane h = point_level_plane(s, k);
            struct pair<real> out;
            level_real inverse = point_level_inverse(a[0], h);
#pragma unroll
            for (int n = 0; n < PAIRS_COLUMNS; ++n) {
                const struct level_column &column = a[FAST ? 0 : n];
                if constexpr (MASKED) {
                    const struct level_open open = point_level_open_bits(now.open.v[n]);
                    const struct level_column own = point_level_column_open(column, open);
                    const struct level_plane height = point_level_plane_open(h, open);
                    const level_real smooth =
                        leave_smooth<FAST>(c, own, height, point_level_inverse_open(own, height), step, n,
                                           now, below, here, sides);
                    out.v[n] = now.open.v[n] != 0 ? (real)(unscale * (double)smooth) : 0;
                } else {
                    if (!FAST && n > 0) inverse = point_level_inverse(column, h);
                    out.v[n] = (real)(unscale * (double)leave_smooth<FAST>(c, column, h, inverse, step, n,
                                                                           now, below, here, sides));
                }
                if (FAST || n < c.n) part[n] += (double)out.v[n] * now.r.v[n];
            }
            pair_store<FAST>(c, f.z_out + (offset)(w.o + (offset)k * (offset)b.sz), out);
        }
        below = here;
        here = now.above;
        if (k + 1 < top) continue;
        pairs_fold<FAST>(bl, m, across, bz, part);
#pragma unroll
        for (int n = 0; n < PAIRS_COLUMNS; ++n) part[n] = 0;
        if (++bz < bl.nz) top = bl.z[bz + 1];
    }
}

kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real step, const level_real *r_level, const level_real *z, const real *r,
                       real *z_out)
{
    const struct march m = march_make(bl, TUNE_CHEBYSHEV);
    const struct leaving f = {r_level, z, r, z_out};
    if (s.faces != NULL) RAISE(KOL_ERR_INTERNAL, "level_leave: the first level has no words");
    if (!level_compute_all(cells)) return KOL_OK;
    const bool fast = pairs_fast(lb, s, bl, m);
    const auto kernel = s.open != NULL ? (fast ? leave_kernel<true, true> : leave_kernel<false, true>)
                                       : (fast ? leave_kernel<true, false> : leave_kernel<false, false>);
    const int across = fast ? pairs_across(bl, m) : 1, side = fast ? 1 : m.side;
    kernel<<<pairs_grid(bl, m, across, side), (unsigned)(across * side * PAIRS_THREADS), 0, queue_stream()>>>(
        b, lb, s, bl, m, across, cells.around, cg, volume, factor, step, f);
    CUDA_LAUNCHED("level_leave");
    return KOL_OK;
}
