#include "level.cuh"
#include "reduce.cuh"
#include "scalars.cuh"

/* The arrays of level_leave. */
struct leaving {
    const level_real *r_level, *z, *z_prev;
    const real *r;
    real *z_out;
};

/* The tiles are those of the sums (reduce.cuh), in the shape of laplace_chebyshev. */
template <bool PREVIOUS, bool STEP>
static __global__ void __launch_bounds__(PIECES_MOST *PIECE_THREADS, 2)
    leave_kernel(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                 const __grid_constant__ struct march m, unsigned around, const struct cg_state *cg,
                 double volume, double factor, level_real momentum, level_real step, struct leaving f)
{
    if (cg_ended(cg)) return;
    const struct tile t = tile_of(bl, m);
    const double unscale = factor / point_level_scale(cg, volume);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const struct level_column c = point_level_column(s, i, j);
    const struct level_links l = level_links(lb, s, around, i, j);
    ptrdiff_t o = at(b, i, j, t.z0), ol = at(lb, i, j, t.z0);
    level_real here = t.own ? f.z[ol] : 0, below = here, above = here;
    if (STEP && t.own) {
        below = f.z[ol + level_below(lb, s, around, t.z0)];
        above = f.z[ol + level_above(lb, s, around, t.z0)];
    }
    sum_march<1, 0>(bl, m, t, [&](int k, double *part) {
        if (!t.own) return;
        const bool more = k + 1 < t.z1;
        level_real above_next = 0, correction = 0;
        if (more) above_next = STEP ? __ldg(f.z + ol + lb.sz + level_above(lb, s, around, k + 1)) : 0;
        const level_real before = PREVIOUS ? __ldg(f.z_prev + ol) : here;
        const real rc = __ldg(f.r + o);
        if (STEP) {
            const struct level_plane h = point_level_plane(s, k);
            const level_real rest = __ldg(f.r_level + ol) - level_apply(c, h, l, f.z, ol, below, here, above);
            correction = rest * point_level_inverse(c, h);
        }
        const real value =
            (real)(unscale * (double)point_level_chebyshev(here, before, momentum, step, correction));
        f.z_out[o] = value;
        part[0] += (double)value * rc;
        o += b.sz;
        ol += lb.sz;
        below = here;
        here = STEP ? above : more ? __ldg(f.z + ol) : 0;
        above = above_next;
    });
}

kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real momentum, level_real step, const level_real *r_level, const level_real *z,
                       const level_real *z_prev, const real *r, real *z_out)
{
    const struct march m = march_make(bl, TUNE_CHEBYSHEV);
    const struct leaving f = {r_level, z, z_prev, r, z_out};
    if (!level_whole(cells)) return KOL_OK;
    const auto kernel = momentum != 0 ? step != 0 ? leave_kernel<true, true> : leave_kernel<true, false>
                        : step != 0 ? leave_kernel<false, true>
                                      : leave_kernel<false, false>;
    kernel<<<m.grid, (unsigned)(m.side * PIECE_THREADS), 0, queue_stream()>>>(
        b, lb, s, bl, m, cells.around, cg, volume, factor, momentum, step, f);
    CUDA_LAUNCHED("level_leave");
    return KOL_OK;
}
