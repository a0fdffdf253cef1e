/* The levels of the multigrid preconditioner and the sweeps on them. docs/numerics/multigrid.md.
 *
 * A level is a grid of its own. In each direction it either has the cells of the level above or is coarsened
 * by two. Its values are single precision in every build (`level_real`); it preconditions an iteration in
 * double precision. All arrays are in kernel memory. Halo layers are needed as named below, except beyond
 * faces in cells.around. */
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

/* level_word: how open the six faces of a coarse cell are, in a box with bodies. Face f has LEVEL_FACE_BITS
 * bits from bit f * LEVEL_FACE_BITS on; LEVEL_FACE_WHOLE stands for an open face, 0 for a closed one. A word
 * has the size of a value, so that halos and gathers move words as they move values. The two bits above those
 * of the faces are the mark of level_mark(). */
#ifdef KOLMO_LEVEL_DOUBLE
typedef unsigned long long level_word;
enum { LEVEL_FACE_BITS = 10, LEVEL_FACE_WHOLE = 1008 };
#else
typedef unsigned level_word;
enum { LEVEL_FACE_BITS = 5, LEVEL_FACE_WHOLE = 28 };
#endif

/* level_stencil: the operator of a level at cell centres, like struct stencil with shift 0 and scale 1:
 *
 *     (A z)_i = sum over six faces of area * g * (z_i - z_neighbour)
 *
 *   w   cell widths, valid for -2 .. n+1
 *   g   inverse distance of centres i-1 and i, at index i, valid for -1 .. n+1; 0 where no flux passes: at
 *       walls, and in a direction of one cell
 *
 * With bodies, each term is multiplied by the weight of its face, between 0 and 1:
 *
 *   open    of the first level: the bits of struct grid with the marks of level_mark(), indexed like an array
 *           of the level; weights 0 and 1
 *   faces   of coarser levels: the words of level_coarsen() with marks
 *
 * Both are NULL without bodies, else one of them is. A cell whose weights are all 0 is dead: 1/D counts as 0
 * there. Beyond the own cells they need one halo layer, or cells.around.
 *
 * Index 0 is the first own cell. Memory goes on to n+2. Nothing is read beyond a face where g is 0. The
 * caller chooses the unit of length for the widths, so that products stay far from the ends of the exponent.
 */
struct level_stencil {
    const level_real *wx, *wy, *wz;
    const level_real *gx, *gy, *gz;
    int uniform_x; /* whether all wx are the same number, and so are all gx */
    int uniform;   /* whether this is so in all three directions */
    const unsigned char *open;
    const level_word *faces;
};

/* level_transfer: one direction of the transfer between a level (fine, own cells 0 .. n-1) and the next one
 * (coarse).
 *
 *   parent      parent[i]: the coarse cell that contains fine cell i; valid for i = -2 .. n+1; never
 *               decreasing
 *   low, high   low[i], high[i]: weights of coarse cells parent[i] - 1 and parent[i] + 1 in the value
 *               interpolated at i. The weight of the parent is 1 - low - high. Valid for -2 .. n+1.
 *   first       first[I]: the first fine cell of coarse cell I, I = 0 .. nc; first[nc] ends the last one
 *
 * At most one of low[i] and high[i] is not 0. low[i] can be not 0 at the first fine cell of a parent, and
 * high[i] at the last one. If both are always 0, interpolation is piecewise constant. Weights are 0 towards
 * cells beyond a wall, and at cells beyond a wall. Values of weight 0 are not used.
 *
 * A coarse cell has one or two fine cells. The first fine cell of the own coarse cells is first[0] >= 0. The
 * last one is at most n, which lies one cell beyond the own ones. If the direction is not coarsened,
 * parent[i] = i, first[I] = I and both weights are 0.
 *
 * Coarse indices count from the first coarse cell of this rank. `shift` is the place of this cell in the
 * coarse array. It is not 0 if the coarse array holds the whole grid and this rank's part does not begin at
 * its lower end. */
struct level_transfer {
    const int *parent, *first;
    const level_real *low, *high;
};
/* linear[d]: whether direction d has a weight that is not 0. regular[d]: whether its coarse cells are the
 * fine cells, or else all pairs 2I and 2I + 1 of the complete grid, with a single cell at the end if their
 * number is odd. */
struct level_transfers {
    struct level_transfer x, y, z;
    int linear[3], regular[3];
};

/* level_correction: a correction that was computed on the next coarser level. It has to be interpolated.
 *
 *   e         array of `box`, with one halo layer at faces, edges and corners
 *   shift     coarse cell (I, J, K) of the transfers lies at (I, J, K) + shift
 *   around    bits as in cells.around, for the coarse array: coarse indices beyond its box are read on the
 *             opposite side
 *   aligned   whether this rank's first cell is the first one of its coarse cell, in every coarsened
 *             direction */
struct level_correction {
    struct level_transfers t;
    struct box box;
    int shift[3], aligned;
    unsigned around;
    const level_real *e;
};
/* level_smooth_corrects: returns whether level_smooth can add a correction to the values that it reads, so
 * that level_prolong is not needed. The bits are the same. If it cannot, `correction` below must be NULL. If
 * cells are not aligned, it must also be NULL with linear transfers and with bodies, because e would be
 * needed beyond its halo. */
int level_smooth_corrects(void);

/* level_enter: computes r_level = scale r at the own cells. The scale is a power of two that brings max|r| to
 * about 1, so that single precision neither overflows nor underflows. It is 2^-e, where cg->most * volume = m
 * 2^e with 0.5 <= m < 1, and volume is the mean cell volume. The scale is 1 if cg is NULL, or if cg->most is
 * 0 or not finite. b and lb are the boxes of the two arrays. They have the same cells and different paddings.
 * Per cell: 1 read, 1 write. */
kol_status level_enter(struct box b, struct box lb, const struct cg_state *cg, double volume, const real *r,
                       level_real *r_level);

/* level_start: computes z = c0 y + c1 (1 - A/D) y with y = r / D. These are the first two degrees of a
 * Chebyshev polynomial that starts from 0. If c1 is not 0, r needs one halo layer at the faces. z must not be
 * r. Per cell: 1 read, 1 write. */
kol_status level_start(struct box lb, struct level_stencil s, struct cells cells, level_real c0,
                       level_real c1, const level_real *r, level_real *z);

/* level_begin: does level_enter and level_start in one sweep. It may only be called if no neighbour of an own
 * cell belongs to another rank, and if c1 is not 0. The halo of r is not read. Per cell: 1 read, 2 writes. */
kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z);

/* level_smooth: computes z_next = z + step (r - A z) / D. z needs one halo layer at the faces. If correction
 * is not NULL, P e is first added to z, where P is the interpolation of level_restrict. z_next must not be z.
 * On the first level of a box with bodies z_next is 0 in dead cells.
 * Per cell: 2 reads, 1 write. With a correction it also reads the coarse array. */
kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *correction,
                        level_real *z_next);

/* level_residual: computes q = r - A z. z needs one halo layer at the faces. q must be neither r nor z. Per
 * cell: 2 reads, 1 write. */
kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q);

/* level_restrict: computes r_coarse[I] = sum over fine cells i of P[i, I] q[i]. P is the interpolation of
 * level_prolong; its weights are products of the weights of the three directions. Restriction is the
 * transpose of interpolation, so that the cycle stays symmetric.
 *
 *   n_coarse   own coarse cells in each direction
 *   lb, q      fine level; two halo layers, faces, edges and corners; those beyond cells.around are read on
 *              the opposite side
 *   cb         box of r_coarse, which is written at the own cells 0 .. n_coarse-1, without shift
 *
 * Additions are ordered: y innermost, then z, then x, each ascending. Per fine cell: 1 read. Per coarse cell:
 * 1 write. */
kol_status level_restrict(struct box lb, struct cells cells, struct level_transfers t, const int n_coarse[3],
                          struct box cb, const level_real *q, level_real *r_coarse);

/* level_descend: does level_residual, and then level_restrict of the result. Of the halo of q, the transfers
 * may only read the cells that level_wrap fills. This is so for transfers of whole grids. It is also so for
 * constant transfers between ranks if each rank begins with the first cell of a coarse cell.
 *
 *   q   scratch, which is overwritten; neither r nor z
 *   z   one halo layer at the faces
 *
 * Per fine cell: 2 reads. Per coarse cell: 1 write. */
kol_status level_descend(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, const level_real *r, const level_real *z,
                         level_real *q, level_real *r_coarse);

/* level_prolong: adds P e to z. Per cell: 1 read, 1 write. It also reads the coarse array. */
kol_status level_prolong(struct box lb, const struct level_correction *c, level_real *z);

/* level_leave: ends a cycle. It takes the last smoothing step of the finest level in single precision, as
 * level_smooth does. Then it multiplies the result by a double-precision number,
 *
 *     z_out = unscale * (z + step (r_level - A z) / D),    unscale = factor / scale of level_enter
 *
 * z_out is a field of the iteration. With bodies it is 0 in dead cells. z needs one halo layer at the faces.
 * The kernel leaves the sum of r z_out over bl, for sums.h; the sum is formed from the double-precision
 * values of r. If cg->outcome says that the iteration has ended, nothing is done. Per cell: 3 reads, 1 write.
 * */
kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real step, const level_real *r_level, const level_real *z, const real *r,
                       real *z_out);

/* In a box with bodies, a fine cell usually belongs to the coarse cell that contains it. There is one
 * exception: if the face between the two cells of a pair is closed, the upper one belongs to the coarse cell
 * above. It is said to move. The correction of a fine cell is the value of its coarse cell. Restriction adds
 * up the fine cells of a coarse cell in this order: those that it contains and that do not move (y innermost,
 * then z, then x); then those that move here from below in x, in y and in z.
 *
 * level_mark: copies the weights of a level and marks each cell that moves. The mark is 0, or 1 + the
 * direction. It takes bits 6 and 7 of a byte, or the two bits of a word above those of the faces.
 *
 *   s             has the weights without marks, in `open` or in `faces`. They need two halo layers, faces,
 *                 edges and corners, or cells.around
 *   open, faces   out: the copies; the one that s does not have is NULL. They have marks in the own cells and
 *                 in one halo layer, faces, edges and corners */
kol_status level_mark(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                      unsigned char *open, level_word *faces);
/* level_restrict_open, level_prolong_open: do the work of level_restrict and level_prolong in a box with
 * bodies.
 *
 * level_descend_open: computes the residual and restricts it, but leaves out the cells that move. It writes
 * their residuals to q; the other values of q have no meaning. level_restrict_moved: adds the cells that
 * move.
 *
 *   q       as in level_restrict, but with one halo layer, or cells.around; level_descend_open needs none
 *   cells   its bits `around` refer to q and the weights; in level_descend_open they refer to z */
kol_status level_restrict_open(struct box lb, struct level_stencil s, struct cells cells,
                               struct level_transfers t, const int n_coarse[3], struct box cb,
                               const level_real *q, level_real *r_coarse);
kol_status level_prolong_open(struct box lb, struct level_stencil s, const struct level_correction *c,
                              level_real *z);
kol_status level_descend_open(struct box lb, struct level_stencil s, struct cells cells,
                              struct level_transfers t, const int n_coarse[3], struct box cb,
                              const level_real *r, const level_real *z, level_real *q, level_real *r_coarse);
kol_status level_restrict_moved(struct box lb, struct level_stencil s, struct cells cells,
                                struct level_transfers t, const int n_coarse[3], struct box cb,
                                const level_real *q, level_real *r_coarse);

/* level_coarsen: computes the words of the next coarser level from the weights of this one. The weight of a
 * coarse face is the mean of the fine faces between cells that belong to its two cells, by their areas,
 * rounded to a number of LEVEL_FACE_WHOLE parts. It is not rounded to 0 unless all of them are closed. Both
 * cells beside a face get the same weight. Faces inside a coarse cell are left out. There are no marks yet.
 *
 *   s          of this level, with open or faces and their marks
 *   n_coarse   own coarse cells in each direction
 *   cb         box of `coarse`, which is written at the own cells 0 .. n_coarse-1, without shift */
kol_status level_coarsen(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, level_word *coarse);

/* level_dense: computes e = inverse r on the coarsest grid. The n cells are counted in the order x, y, z of
 * box cb. inverse is an n x n matrix, row after row. The order of additions depends on n alone. e must not be
 * r. Returns KOL_ERR_INTERNAL if n is above LEVEL_DENSE_MOST. Per call: n^2 reads. */
enum { LEVEL_DENSE_MOST = 1024 };
kol_status level_dense(struct box cb, const level_real *inverse, const level_real *r, level_real *e);

/* level_wrap: copies own cells of the opposite side into the first halo layer, at faces, edges and corners.
 * Each direction may have a single cell. If level_around() is not 0, it does nothing. */
kol_status level_wrap(struct box lb, level_real *a);

/* level_box: returns a box of nx x ny x nz cells with h halo layers. Rows begin at multiples of LEVEL_ALIGN
 * values. This is as many values as in a double-precision field, so two arrays of a level fit in the memory
 * of one field. */
enum { LEVEL_ALIGN = KOL_ALIGN_BYTES / 8 };
HD struct box level_box(int nx, int ny, int nz, int h)
{
    return box_make_aligned(nx, ny, nz, h, LEVEL_ALIGN);
}
/* level_around: returns whether the kernels above support cells.around. If they do not, cells.around must be
 * 0. */
int level_around(void);
/* level_fill: sets n values to `value`. */
kol_status level_fill(level_real *a, ptrdiff_t n, level_real value);

KOL_END_C

#endif
