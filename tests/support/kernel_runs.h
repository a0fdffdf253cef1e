/* Runs the kernels of kernels/tune.h on a part of a case with random inputs. So two runs can be compared
 * bit by bit: one call against two calls, two launch shapes, or two divisions into parts. */
#ifndef KOL_TESTS_KERNEL_RUNS_H
#define KOL_TESTS_KERNEL_RUNS_H

#include "kernels/tune.h"
#include "kernel_case.h"

enum { RUN_INPUTS = 10, RUN_OUTPUTS = 6, RUN_CASES = 6, RUN_VARIANTS = 2 };

/* Grids with wide blocks in one direction, and grids with narrow blocks of several widths. */
extern const struct case_input run_cases[RUN_CASES];

/* run_inputs: makes the arrays that the kernels read, on the whole grid. case_free(.., RUN_INPUTS) frees
 * them. */
void run_inputs(const struct ref_grid *g, double *inputs[RUN_INPUTS]);

/* made: the results of a kernel in host memory. These are copies of the whole arrays that it wrote, and one
 * value for each block and each sum or maximum. Values that were not written are NaN. If the kernel changes
 * its arrays in place, they are what they were before. */
struct made {
    ptrdiff_t size; /* of an array */
    int arrays, quantities;
    ptrdiff_t values; /* in part */
    real *array[RUN_OUTPUTS];
    double *part;
};

/* Run kernel k.
 *
 *   run_whole   in one call
 *   run_split   in two calls: CELLS_INNER while the halo beyond `remote` is still NaN, then CELLS_RIM when
 *               it is filled
 *   run_inner   in one call with CELLS_INNER, where no face is remote
 *
 * variant: 0 or 1; it selects a branch of the kernel, such as the degree of a polynomial. run_can_split:
 * returns whether the kernel has an argument of type struct cells. For other kernels all three do the
 * same. */
void run_whole(struct part *p, enum tune_kernel k, int variant, double *const *inputs, struct made *out);
void run_split(struct part *p, enum tune_kernel k, int variant, double *const *inputs, unsigned remote,
               struct made *out);
void run_inner(struct part *p, enum tune_kernel k, int variant, double *const *inputs, struct made *out);
int run_can_split(enum tune_kernel k);
/* made_same: returns whether all bits are the same. made_nan: returns the number of NaNs in own cells and
 * sums. made_free: frees the memory. made_same and made_free also accept a struct of zeros. */
int made_same(const struct made *a, const struct made *b);
int made_nan(const struct part *p, const struct made *m);
void made_free(struct made *m);

#endif
