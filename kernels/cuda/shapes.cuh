/* The launch shapes of ../tune.h, as numbers. */
#ifndef KOL_CUDA_SHAPES_CUH
#define KOL_CUDA_SHAPES_CUH

#include "../tune.h"

/* shape: the launch shape of a kernel, as three numbers. For a kernel that sums:
 *
 *   x   pieces side by side in x; for laplace_steps() the largest number of steps of a sweep; for others
 *       unused
 *   y   pieces of a reduction block (reduce.cuh) that a thread block takes side by side in y
 *   z   layers of reduction blocks that a thread block goes through
 *
 * For another kernel x and y are the columns of its tile, and z is the number of planes that a thread block
 * goes through; for column_solve() it is the number of warps on a multiprocessor that hold levels in shared
 * memory, 0 if none does. */
struct shape {
    int x, y, z;
};

/* shape_chosen: returns the shape of the next launch of a kernel. */
struct shape shape_chosen(enum tune_kernel k);

#endif
