/* Forms the new search direction of conjugate gradients and its product with the operator. */
#include "laplace_direction.cuh"

/* With two columns a thread the number of registers is not limited; it is 106 in double precision. A limit of
 * 64, which allows more thread blocks on a multiprocessor, made it slower by 13 % and more. */
template <int COLUMNS, bool MASKED>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    direction_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                     const __grid_constant__ struct layout plain,
                     const __grid_constant__ struct layout paired, struct cells cells,
                     const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const real beta = cg_beta(cg);
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    struct open_ahead<MASKED, COLUMNS> faces;
    faces.start(s.open, b.sz, at(b, c.i, c.j, c.z0), columns);
    const auto add = [&](int q, ptrdiff_t o, struct level level, struct star v, const real *, double *part) {
        const real a = star_apply(pillar[q], level, s.shift, star_close<MASKED>(v, faces.take(q, o)));
        d_new[o] = v.c;
        part[0] += (double)a * v.c;
    };
    if (beta == 0) {
        const real *const array[] = {z};
        sweep_star<1, 0>(b, s, bl, m, plain, cells, c, columns, array, add, [](double *) {});
    } else {
        direction_march<1, 0>(b, s, bl, m, paired, cells, c, beta, z, d, besides<0>{},
                              pairs_make<COLUMNS>(b, bl, m, c, cells), add, [](double *) {});
    }
}

template <int COLUMNS>
static kol_status direction_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                   struct cells cells, const struct cg_state *cg, const real *z,
                                   const real *d, real *d_new)
{
    const struct layout plain = star_layout<COLUMNS>(bl, m, 1), paired = direction_layout<COLUMNS, 0>(bl, m);
    const auto kernel = s.open != NULL ? direction_kernel<COLUMNS, true> : direction_kernel<COLUMNS, false>;
    return sweep_launch("laplace_direction", kernel, m.grid, m.side * PIECE_THREADS,
                        d == NULL || plain.end > paired.end ? plain.end : paired.end, b, s, bl, m, plain,
                        paired, cells, cg, z, d, d_new);
}

kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    const struct march m = march_make(bl, d == NULL ? TUNE_FIRST : TUNE_DIRECTION, cells);
    return m.wide == 1 ? direction_launch<1>(b, s, bl, m, cells, cg, z, d, d_new)
                       : direction_launch<2>(b, s, bl, m, cells, cg, z, d, d_new);
}

/* The halo consists of slabs, `layers` layers beyond each face; with two layers also of beams, the first
 * layer along the twelve edges. */
enum { HALO_SLABS = FACES, HALO_BEAMS = 12, HALO_PARTS = HALO_SLABS + HALO_BEAMS, HALO_THREADS = 256 };
struct halo_parts {
    int n;
    struct range part[HALO_PARTS];
};

/* beyond: sets a part of a range: `layers` layers beyond one side (-1, 1) of the box in direction d, or its
 * own extent (0). */
static void beyond(struct range *r, int d, int n, int side, int layers)
{
    r->lo[d] = side < 0 ? -layers : side > 0 ? n : 0;
    r->hi[d] = side < 0 ? 0 : side > 0 ? n + layers : n;
}

/* Parts beyond faces that are read on the opposite side are left out. */
static struct halo_parts halo_parts_make(struct box b, struct cells cells, int layers)
{
    struct halo_parts h;
    h.n = 0;
    for (int place = 0; place < 27; ++place) {
        const int side[3] = {place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1};
        const int outside = (side[X] != 0) + (side[Y] != 0) + (side[Z] != 0);
        int around = 0;
        for (int d = X; d <= Z; ++d) around |= side[d] != 0 && (cells.around >> (2 * d) & 1) != 0;
        if (around || (outside != 1 && !(outside == 2 && layers == 2))) continue;
        struct range *const r = &h.part[h.n++];
        beyond(r, X, b.nx, side[X], outside == 1 ? layers : 1);
        beyond(r, Y, b.ny, side[Y], outside == 1 ? layers : 1);
        beyond(r, Z, b.nz, side[Z], outside == 1 ? layers : 1);
    }
    return h;
}

HD int range_cells(struct range r)
{
    return (r.hi[X] - r.lo[X]) * (r.hi[Y] - r.lo[Y]) * (r.hi[Z] - r.lo[Z]);
}

/* x runs over the cells of the largest part, y over the parts. */
static __global__ void __launch_bounds__(HALO_THREADS)
    direction_halo_kernel(struct box b, const __grid_constant__ struct halo_parts h,
                          const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    const struct range r = h.part[blockIdx.y];
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= range_cells(r) || cg_ended(cg)) return;
    const real beta = cg_beta(cg);
    const int ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], row = n / ex;
    const ptrdiff_t o = at(b, r.lo[X] + n % ex, r.lo[Y] + row % ey, r.lo[Z] + row / ey);
    d_new[o] = beta == 0 ? z[o] : combine(beta, z[o], d[o]);
}

kol_status laplace_direction_halo(struct box b, struct cells cells, int layers, const struct cg_state *cg,
                                  const real *z, const real *d, real *d_new)
{
    const struct halo_parts h = halo_parts_make(b, cells, layers);
    if (h.n == 0) return KOL_OK;
    int most = 0;
    for (int n = 0; n < h.n; ++n) most = range_cells(h.part[n]) > most ? range_cells(h.part[n]) : most;
    const dim3 grid((unsigned)((most + HALO_THREADS - 1) / HALO_THREADS), (unsigned)h.n);
    direction_halo_kernel<<<grid, HALO_THREADS, 0, queue_stream()>>>(b, h, cg, z, d, d_new);
    CUDA_LAUNCHED("laplace_direction_halo");
    return KOL_OK;
}
