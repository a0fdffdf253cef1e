/* The kernels of kernels/tune.h, each run on a part of a case with random inputs, so that two runs can be
 * held against each other bit for bit: whole and in two calls, in another launch shape, in other parts. */
#ifndef KOL_TESTS_KERNEL_RUNS_H
#define KOL_TESTS_KERNEL_RUNS_H

#include "kernels/tune.h"
#include "kernel_case.h"

enum { RUN_INPUTS = 10, RUN_OUTPUTS = 6, RUN_CASES = 6, RUN_VARIANTS = 2 };

/* Grids with wide blocks in one direction each, and with narrow ones of several widths. */
extern const struct case_input run_cases[RUN_CASES];

/* run_inputs: what the kernels read, global; free with case_free(.., RUN_INPUTS). */
void run_inputs(const struct ref_grid *g, double *inputs[RUN_INPUTS]);

/* made: copies of the whole arrays that a kernel wrote, in host memory, and one value for each sum or maximum
 * and block. What is not written is NaN, or what it was before where the kernel changes its arrays in place.
 */
struct made {
    ptrdiff_t size; /* of an array */
    int arrays, quantities;
    ptrdiff_t values; /* in part */
    real *array[RUN_OUTPUTS];
    double *part;
};

/* run_whole: kernel k in one call. run_split: as CELLS_INNER with the halo beyond `remote` still NaN, then
 * CELLS_RIM with all of it. run_inner: CELLS_INNER with nothing remote. variant: 0 or 1, which branch of the
 * kernel (old direction or none, degree of the polynomial, ...). run_can_split: whether the kernel takes
 * cells; the others ignore them. */
void run_whole(struct part *p, enum tune_kernel k, int variant, double *const *inputs, struct made *out);
void run_split(struct part *p, enum tune_kernel k, int variant, double *const *inputs, unsigned remote,
               struct made *out);
void run_inner(struct part *p, enum tune_kernel k, int variant, double *const *inputs, struct made *out);
int run_can_split(enum tune_kernel k);
/* made_same: every bit; made_nan: NaNs among own cells and sums. made_free: both take what is zeroed. */
int made_same(const struct made *a, const struct made *b);
int made_nan(const struct part *p, const struct made *m);
void made_free(struct made *m);

#endif
