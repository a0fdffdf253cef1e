/* The grids of the multigrid preconditioner and the sweeps on them. A level is a grid of its own, each
 * direction either that of the level above or coarsened by two; values are single precision whatever the
 * build (`level_real`), the preconditioner of a double-precision iteration. docs/numerics/multigrid.md. All
 * arrays in kernel memory; halo layers as named, or cells.around. */
#ifndef KOL_LEVEL_H
#define KOL_LEVEL_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* level_real: LEVEL=double of the Makefile makes it double, to show what single precision costs
 * (docs/numerics/multigrid.md). */
#ifdef KOLMO_LEVEL_DOUBLE
typedef double level_real;
#else
typedef float level_real;
#endif

/* level_stencil: the operator of a level at cell centres, as struct stencil with shift 0, scale 1:
 *     (A z)_i = sum over six faces of area * g * (z_i - z_neighbour)
 * w: cell widths; g: inverse distance of centres i-1 and i, at index i, 0 where no flux passes (walls, a
 * direction of one cell). Widths of w valid for -1 .. n, g for -1 .. n+1 (index 0 is the first own cell);
 * memory goes on to n+2. Nothing is read beyond a face where g is 0. Widths are in units of a length that the
 * caller chose, so that products stay far from the ends of the exponent. */
struct level_stencil {
    const level_real *wx, *wy, *wz;
    const level_real *gx, *gy, *gz;
    int uniform_x; /* all wx are the same number, and all gx */
};

/* level_transfer: one direction of the passage between a level (fine, own cells 0 .. n-1) and the next
 * (coarse). parent[i]     coarse cell that fine cell i is part of; valid for i = -2 .. n+1; never decreasing
 *   low, high[i]  weights of coarse cells parent[i] - 1 and parent[i] + 1 in the value interpolated at i;
 * parent's own weight is 1 - low - high. At most one of the two is not 0: low at the first fine cell of its
 * parent, high at the last. Both 0: piecewise constant. Valid for -2 .. n+1; 0 towards cells beyond a wall
 * and at cells beyond it first[I]      first fine cell of coarse cell I, I = 0 .. nc (first[nc] ends the last
 * one); a coarse cell has one or two fine cells, and fine cells of own coarse cells reach from first[0] >= 0
 * to at most n (one beyond the own ones) Where the direction is not coarsened parent[i] = i, first[I] = I,
 * both weights 0. Values of weight 0 are not used. Coarse indices count from this rank's first coarse cell;
 * its place in the coarse array is `shift`, not 0 where that array holds the whole grid and this rank's part
 * begins inside it. */
struct level_transfer {
    const int *parent, *first;
    const level_real *low, *high;
};
/* linear[d]: not all weights of direction d are 0. */
struct level_transfers {
    struct level_transfer x, y, z;
    int linear[3];
};

/* level_correction: what the next level found, to be interpolated: e: array of `box`; coarse cell (I, J, K)
 * of the transfers lies at (I, J, K) + shift; one halo layer, faces, edges and corners. around: bits as
 * cells.around, for the coarse array: coarse indices beyond its box are read on the other side. paired: in
 * every coarsened direction this rank's first cell is the first of its coarse cell. */
struct level_correction {
    struct level_transfers t;
    struct box box;
    int shift[3], paired;
    unsigned around;
    const level_real *e;
};
/* level_late: whether sweeps can add a correction to what they read, in place of level_prolong: `late` below,
 * NULL: none. Where they can't it has to be NULL. The bits are the same. Where transfers are linear and not
 * paired, e would be needed beyond its halo: late has to be NULL there, too. */
int level_late(void);

/* level_enter: r_level = scale r at the own cells, with scale = power of two such that max|r| is about 1:
 * 2^-e for cg->most * volume = m 2^e, 0.5 <= m < 1, volume the mean cell volume, so that single precision
 * neither overflows nor underflows. 1 where cg = NULL, or most is 0 or not finite. b, lb: boxes of both
 * arrays (other paddings, the same cells). Per cell: 1 read, 1 write. */
kol_status level_enter(struct box b, struct box lb, const struct cg_state *cg, double volume, const real *r,
                       level_real *r_level);

/* level_start: z = c0 y + c1 (1 - A/D) y, y = r / D: the first two degrees of a Chebyshev polynomial from
 * zero. c1 != 0: r with one halo layer, faces. z is not r. Per cell: 1 read, 1 write. */
kol_status level_start(struct box lb, struct level_stencil s, struct cells cells, level_real c0,
                       level_real c1, const level_real *r, level_real *z);

/* level_begin: level_enter and level_start in one, where no neighbour of an own cell is another rank's; c1 !=
 * 0. The halo of r is not read. Per cell: 1 read, 2 writes. */
kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z);

/* level_smooth: z_next = z + step (r - A z) / D. z: one halo layer, faces. late: P e, to be added to z
 * before. z_next is not z. Per cell: 2 reads, 1 write, and the coarse array. */
kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *late,
                        level_real *z_next);

/* level_residual: q = r - A z. z: one halo layer, faces. q is neither r nor z. Per cell: 2 reads, 1 write. */
kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q);

/* level_restrict: r_coarse[I] = sum over fine cells i of P[i, I] q[i], P the interpolation of level_prolong,
 * product of the three directions' weights: the transpose, so that the cycle stays symmetric. Order of
 * addition: y innermost, then z, then x, ascending. n_coarse   own coarse cells in each direction lb, q fine
 * level; two halo layers, faces, edges and corners (those beyond cells.around are read on the other side) cb
 * box of r_coarse, written at own cells 0 .. n_coarse-1 (no shift) Per fine cell: 1 read; per coarse cell: 1
 * write. */
kol_status level_restrict(struct box lb, struct cells cells, struct level_transfers t, const int n_coarse[3],
                          struct box cb, const level_real *q, level_real *r_coarse);

/* level_descend: level_residual and level_restrict of it. For transfers that read no halo of q but that which
 * level_wrap fills: those of whole grids, and constant ones between ranks that begin with the first cell of a
 * coarse one. q: scratch, neither r nor z; what it holds is lost. z: one halo layer, faces. Per fine cell: 2
 * reads; per coarse cell: 1 write. */
kol_status level_descend(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, const level_real *r, const level_real *z,
                         level_real *q, level_real *r_coarse);

/* level_prolong: z += P e. Per cell: 1 read, 1 write, and the coarse array. */
kol_status level_prolong(struct box lb, const struct level_correction *c, level_real *z);

/* level_leave: the end of a cycle: the last smoothing step of the finest level, formed in single precision as
 * level_smooth does, times a number of double precision, into a field of the iteration, z_out = unscale * (z
 * + step (r_level - A z) / D) ;   sum: r z_out unscale = factor / scale of level_enter. The sum is taken with
 * sums.h, over bl, from the double values of r. z: one halo layer, faces. Nothing where cg->outcome says that
 * the iteration has ended. Per cell: 3 reads, 1 write. */
kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real step, const level_real *r_level, const level_real *z, const real *r,
                       real *z_out);

/* level_dense: e = inverse r for the coarsest grid, n <= LEVEL_DENSE_MOST cells packed in the order x, y, z
 * of box cb: inverse is n x n, row after row. The order of addition depends on n alone. e is not r.
 * KOL_ERR_INTERNAL where n is larger. Per call: n^2 reads. */
enum { LEVEL_DENSE_MOST = 1024 };
kol_status level_dense(struct box cb, const level_real *inverse, const level_real *r, level_real *e);

/* level_wrap: the first halo layer, faces, edges and corners, from own cells on the other side; 1 cell or
 * more a direction. Nothing where level_around(). */
kol_status level_wrap(struct box lb, level_real *a);

/* level_box: box of n cells a direction with h halo layers. Rows begin at multiples of LEVEL_ALIGN values, as
 * many as those of a field in double precision: two arrays of a level take the place of one. */
enum { LEVEL_ALIGN = KOL_ALIGN_BYTES / 8 };
HD struct box level_box(int nx, int ny, int nz, int h)
{
    return box_make_aligned(nx, ny, nz, h, LEVEL_ALIGN);
}
/* level_around: whether the kernels above know cells.around; where they don't it has to be 0. */
int level_around(void);
/* level_fill: n values. */
kol_status level_fill(level_real *a, ptrdiff_t n, level_real value);

KOL_END_C

#endif
