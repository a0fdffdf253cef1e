/* The launch shapes of ../tune.h. */
#ifndef KOL_CUDA_SHAPES_CUH
#define KOL_CUDA_SHAPES_CUH

#include "../tune.h"

/* shape: of a kernel that sums: y, pieces of a reduction block (reduce.cuh) that a thread block takes side by
 * side in y; z, layers of reduction blocks it marches through; x, pieces side by side in x, of
 * laplace_steps() the most steps of a sweep, of others nothing. Of the others: x, y: columns of its tile, z:
 * planes it marches through. */
struct shape {
    int x, y, z;
};

/* shape_chosen: the one that the next launch of a kernel takes. */
struct shape shape_chosen(enum tune_kernel k);

#endif
