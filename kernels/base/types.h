/* The types that every folder shares: the working precision, the shape of a field with its halo, the 1-D
 * metrics of the staggered grid, and the blocks that keep sums the same on any number of ranks.
 * This is the only header that asks whether a CUDA compiler reads it. */
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
}; /* halo layers of every field: one for the operators, two where a fused sweep applies two */
enum { KOL_ALIGN_BYTES = 64 }; /* first interior value of each row is so aligned */

/* box: shape of a field in memory. Interior 0 .. n-1 in each direction, halo -h .. -1 and n .. n+h-1;
 * x fastest. Rows are padded so that cell i = 0 of each row is aligned to KOL_ALIGN_BYTES. */
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

/* box_make_aligned: cell i = 0 of each row at a multiple of `a` values. */
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

/* cells: which own cells a call computes, so that a sweep can begin while halo cells still travel. remote:
 * bit f set where the halo beyond face f = 2 * direction + side is still on its way. CELLS_INNER: any cells
 * the kernel chooses that read no such halo cell; CELLS_RIM: all the others; where remote is 0 everything is
 * inner. What a cell gets, and every partial sum, is the same bits either way. around: bit f set where the
 * cells beyond face f are this rank's own on the other side: kernels that know it (laplace_around()) read
 * them there, and the halo beyond f may hold anything; the others read the halo. */
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

/* metrics: spacings [L] and their inverses [1/L] of this rank's cells. _c: cell width, between faces i and
 * i+1; _f: distance between centres i-1 and i, at face i; _e: the part of _f that lies in the fluid, half of
 * it on a wall. Beyond walls spacings are mirrored. Valid for indices -h-1 .. n+h (the pointers are moved so
 * that index 0 is the first own cell). In kernel memory; the grid owns the arrays. */
struct metrics {
    const real *dx_c, *dx_f, *dxi_c, *dxi_f;
    const real *dy_c, *dy_f, *dyi_c, *dyi_f;
    const real *dz_c, *dz_f, *dzi_c, *dzi_f;
    const real *dx_e, *dy_e, *dz_e;
};

/* blocks: the fixed blocks of the global grid over which sums are staged, those of this rank. Block starts in
 * local indices, x[0] = 0 .. x[nx] = box.nx. A kernel that sums forms one partial sum for each block, or for
 * fixed pieces of each block, in an order that depends on the block alone; blocks never straddle ranks, so
 * the partial sums are the same bits on any number of ranks. sums.h turns what a kernel left into partial n
 * of block (bx, by, bz), part[((n*nz + bz)*ny + by)*nx + bx], and into sums over the grid. Arrays in kernel
 * memory. */
struct blocks {
    int nx, ny, nz;
    int widest[3]; /* cells of the widest block of the whole grid, each direction: the same on all ranks */
    const int *x, *y, *z;
    double *part;   /* (sums + maxima of one kernel call) * nx*ny*nz, at most KOL_PARTS of them */
    double *pieces; /* sums_pieces() values: what kernels of the CUDA build leave for sums.h */
    double *lanes;  /* scratch of the CPU build: KOL_PARTS * nx*ny*KOL_LANES */
    double *rows;   /* scratch of the CPU build: KOL_PARTS rows of box.nx values */
};
enum { KOL_PARTS = 12, KOL_LANES = 8 };

HD ptrdiff_t blocks_count(struct blocks bl)
{
    return (ptrdiff_t)bl.nx * bl.ny * bl.nz;
}

/* stencil: the symmetric 7-point operator at one location of the staggered grid,
 *     (A x)_i = shift V x_i + scale sum over six faces of area / distance * (x_i - x_neighbour).
 * w: width of the volume round the point; g: inverse distance of points i-1 and i, at index i. V = wx wy wz.
 * shift = 0, scale = 1 at ccc is minus the volume-weighted Laplacian of the pressure. uniform_x: wx and gx
 * hold one value each, so that everything but the data is constant along a row. held: bit f set where x is 0
 * beyond face f of the box: whoever fills the halo sets it so; laplace_steps() looks at it instead of the
 * halo. */
struct stencil {
    const real *wx, *wy, *wz;
    const real *gx, *gy, *gz;
    real shift, scale;
    int uniform_x;
    unsigned held;
};

#endif
