/* The types that every folder shares: the working precision, the shape of a field with its halo, the 1-D
 * metrics of the staggered grid, and the blocks that keep sums the same on any number of ranks. This is the
 * only header that asks whether a CUDA compiler reads it. */
#ifndef KOL_BASE_TYPES_H
#define KOL_BASE_TYPES_H

#include <stddef.h>

#ifdef __CUDACC__
#define HD           __host__ __device__ __forceinline__ static
#define KOL_RESTRICT __restrict__
#else
#define HD           static inline
#define KOL_RESTRICT restrict
#endif

#ifdef __cplusplus
#define KOL_BEGIN_C extern "C" {
#define KOL_END_C   }
#else
#define KOL_BEGIN_C
#define KOL_END_C
#endif

#ifdef KOLMO_FLOAT
typedef float real;
#define KOL_REAL_NAME                   "float"
#define KOL_EPSILON                     1.1920929e-7 /* spacing of real numbers at 1 */
#define KOL_CHOOSE(in_double, in_float) (in_float)
#else
typedef double real;
#define KOL_REAL_NAME                   "double"
#define KOL_EPSILON                     2.220446049250313e-16
#define KOL_CHOOSE(in_double, in_float) (in_double)
#endif

enum { X = 0, Y = 1, Z = 2 };
enum {
    KOL_HALO = 2
}; /* halo layers of every field: one for an operator, two for a sweep that applies two operators */
enum { KOL_ALIGN_BYTES = 64 }; /* alignment of the first interior value of each row */

/* box: the shape of a field in memory. Interior cells have indices 0 .. n-1 in each direction, halo cells
 * -h .. -1 and n .. n+h-1. x is fastest. Rows are padded so that cell i = 0 of each row is aligned to
 * KOL_ALIGN_BYTES. */
struct box {
    int nx, ny, nz;
    int h;           /* halo layers */
    ptrdiff_t sy;    /* values between rows (j, j+1) */
    ptrdiff_t sz;    /* values between planes (k, k+1) */
    ptrdiff_t start; /* index of (0, 0, 0) */
    ptrdiff_t size;  /* values in the whole array, halo and padding included */
};

HD ptrdiff_t at(struct box b, int i, int j, int k)
{
    return b.start + i + j * b.sy + k * b.sz;
}

/* box_make_aligned: makes a box in which cell i = 0 of each row lies at a multiple of `a` values. */
HD struct box box_make_aligned(int nx, int ny, int nz, int h, ptrdiff_t a)
{
    const ptrdiff_t lead = (h + a - 1) / a * a;
    struct box b;
    b.nx = nx;
    b.ny = ny;
    b.nz = nz;
    b.h = h;
    b.sy = (lead + nx + h + a - 1) / a * a;
    b.sz = b.sy * (ny + 2 * h);
    b.start = lead + h * b.sy + h * b.sz;
    b.size = b.sz * (nz + 2 * h);
    return b;
}

HD struct box box_make(int nx, int ny, int nz, int h)
{
    return box_make_aligned(nx, ny, nz, h, (ptrdiff_t)(KOL_ALIGN_BYTES / sizeof(real)));
}

/* range: cells lo <= index < hi of a box, in local indices. */
struct range {
    int lo[3], hi[3];
};

HD struct range range_all(struct box b)
{
    struct range r;
    r.lo[0] = r.lo[1] = r.lo[2] = 0;
    r.hi[0] = b.nx;
    r.hi[1] = b.ny;
    r.hi[2] = b.nz;
    return r;
}

/* cells: which own cells a call computes, so that a sweep can begin while halo cells are still being
 * exchanged.
 *
 *   which CELLS_ALL     all own cells
 *   which CELLS_INNER   cells that the kernel chooses, none of which reads a halo cell that is still to
 *                       arrive
 *   which CELLS_RIM     all the others
 *   remote              bit f is set if the halo beyond face f = 2 * direction + side has not arrived yet.
 *                       If remote is 0, all cells are inner cells.
 *   around              bit f is set if the neighbours beyond face f are this rank's own cells on the
 *                       opposite side, in a periodic direction that is not divided between ranks. Kernels
 *                       that support it, see laplace_around(), read these cells; the halo beyond f may then
 *                       hold anything. Other kernels read the halo.
 *
 * The result of a cell, and every partial sum, has the same bits in all these cases. */
enum cells_which { CELLS_ALL, CELLS_INNER, CELLS_RIM };
struct cells {
    enum cells_which which;
    unsigned remote, around;
};
enum { FACE_X_LOW, FACE_X_HIGH, FACE_Y_LOW, FACE_Y_HIGH, FACE_Z_LOW, FACE_Z_HIGH, FACES };

HD struct cells cells_all(void)
{
    struct cells c;
    c.which = CELLS_ALL;
    c.remote = c.around = 0;
    return c;
}

/* metrics: spacings [L] and their inverses [1/L] of this rank's cells.
 *
 *   _c   cell width, between faces i and i+1
 *   _f   distance between centres i-1 and i, at face i
 *   _e   the part of _f that lies in the fluid, which is half of it on a wall
 *
 * Beyond walls the spacings are mirrored. They are valid for indices -h-1 .. n+h; index 0 is the first own
 * cell. The arrays are in kernel memory and belong to the grid. */
struct metrics {
    const real *dx_c, *dx_f, *dxi_c, *dxi_f;
    const real *dy_c, *dy_f, *dyi_c, *dyi_f;
    const real *dz_c, *dz_f, *dzi_c, *dzi_f;
    const real *dx_e, *dy_e, *dz_e;
};

/* blocks: this rank's part of the fixed blocks into which the global grid is divided for sums.
 *
 * The starts of blocks are local indices: x[0] = 0 .. x[nx] = box.nx, likewise y and z. A kernel that sums
 * forms one partial sum for each block, or for each fixed piece of a block. The order of its additions
 * depends on the block alone. No block is divided between ranks, so partial sums have the same bits on any
 * number of ranks.
 *
 * sums.h first turns what a kernel left into one value for each block. The value of sum n in block (bx, by,
 * bz) is part[((n*nz + bz)*ny + by)*nx + bx]. Then sums.h adds up these values over the grid. Arrays are in
 * kernel memory. */
struct blocks {
    int nx, ny, nz;
    int widest[3]; /* cells of the widest block of the whole grid in each direction, the same on all ranks */
    const int *x, *y, *z;
    double *part;   /* (sums + maxima of one kernel call) * nx*ny*nz, at most KOL_PARTS of them */
    double *pieces; /* sums_pieces() values, which kernels of the CUDA build leave for sums.h */
    double *lanes;  /* scratch of the CPU build: KOL_PARTS * nx*ny*KOL_LANES */
    double *rows;   /* scratch of the CPU build: KOL_PARTS rows of box.nx values */
};
enum { KOL_PARTS = 12, KOL_LANES = 8 };

HD ptrdiff_t blocks_count(struct blocks bl)
{
    return (ptrdiff_t)bl.nx * bl.ny * bl.nz;
}

/* stencil: the symmetric 7-point operator at one location of the staggered grid,
 *
 *     (A x)_i = shift V x_i + scale sum over six faces of area / distance * (x_i - x_neighbour)
 *
 *   w           width of the volume round the point; V = wx wy wz
 *   g           inverse distance of points i-1 and i, at index i
 *   shift       factor of V x. With shift = 0, scale = 1 and the widths of ccc, A is the Laplacian of the
 *               pressure times minus the volume
 *   scale       factor of the sum over the faces
 *   uniform_x   whether wx and gx hold one value each; then all coefficients are constant along a row
 *   held        bit f is set if x is 0 beyond face f of the box. Whoever fills the halo sets these zeros;
 *               laplace_steps() takes them from this mask and does not read the halo there.
 *   open        bits of the faces of each cell in a box with bodies (struct grid): a closed face adds nothing
 *               to the sum. NULL: all faces are open */
struct stencil {
    const real *wx, *wy, *wz;
    const real *gx, *gy, *gz;
    real shift, scale;
    int uniform_x;
    unsigned held;
    const unsigned char *open;
};

#endif
