/* What the tests of kernels and solver modules share: small periodic cases that are cut into parts, and
 * copies between the reference's flat global arrays and kernel memory.
 *
 * A part is a rank. Either it is a rank of a real communicator, or all parts are computed one after another
 * in a single process without MPI, which is possible because kernels know nothing of messages. All memory
 * starts as NaN, and halo cells are filled only if a test asks for it. So a kernel that reads more than its
 * contract allows gives NaN. Kernel memory may be that of a GPU: only mem_to_host and mem_to_kernel reach it.
 * If there is not enough memory, the program ends. */
#ifndef KOL_TESTS_KERNEL_CASE_H
#define KOL_TESTS_KERNEL_CASE_H

#include "kernels/tune.h"
#include "solver/state/grid.h"
#include "solver/parallel/reduction.h"
#include "../reference/reference.h"

enum { CASE_PARTS = 8, PART_ARRAYS = 40, CASES = 6, CASE_UNIFORM = 0, CASE_STRETCHED = 1 };

struct case_input {
    const char *name;
    int n[3], stretching[3]; /* enum stretching_name */
    double factor[3];
};
extern const struct case_input case_inputs[CASES];
extern const double CASE_LENGTH[3], CASE_ORIGIN[3];

/* part: one rank's share of a case. */
struct part {
    struct comm comm;
    struct decomp d;
    struct grid g;
    struct reduction *reduction;
    real *array[PART_ARRAYS];
    int arrays;
};
/* region: cells of a part and of its halo.
 *
 *   NOWHERE             no cells
 *   OWN                 the own cells
 *   OWN_LOW, OWN_HIGH   also one layer beyond the three low or high faces
 *   OWN_FACES           also one layer beyond all six faces
 *   OWN_EDGES           also the cells along the twelve edges
 *   OWN_DEEP            also a second layer beyond the faces */
enum region { NOWHERE, OWN, OWN_LOW, OWN_HIGH, OWN_FACES, OWN_EDGES, OWN_DEEP };

/* case_settings: returns the input of a case. case_box: returns the input of a box with n cells, lengths,
 * stretching and its factor in each direction, whose two faces of a direction are of the kind `boundary`.
 * case_reference: makes the grid of the case for the reference.
 *
 * part_create: makes a part for rank c.rank. It needs no MPI: c may name more ranks than there are
 * processes. The part must stay at its address. */
struct input case_settings(const struct case_input *in);
struct input case_box(const int n[3], const double length[3], const int stretching[3], const double factor[3],
                      const int boundary[3]);
void case_reference(const struct case_input *in, struct ref_grid *g);
kol_status part_create(const struct case_input *in, struct comm c, const int layout[3], struct part *p);
void part_destroy(struct part *p);

/* Arrays of a part. `global` is a flat array of the whole grid.
 *
 *   part_release   frees the arrays that the part has so far
 *   part_array     returns an array of NaN, which the part frees
 *   part_filled    returns an array in which every value is `value`
 *   part_from      returns an array with the values of `global` in the cells of the region, and NaN
 *                  elsewhere
 *   part_put       writes the same values to an array that exists
 *   part_hidden    returns a copy that has NaN in all halo cells beyond the faces in `remote` (struct
 *                  cells)
 *   part_get       copies the own cells to their places in `global`
 *   part_gather    does the same for an array in host memory */
void part_release(struct part *p);
real *part_array(struct part *p);
real *part_filled(struct part *p, double value);
real *part_from(struct part *p, enum region region, const double *global);
void part_put(struct part *p, enum region region, const double *global, real *array);
real *part_hidden(struct part *p, unsigned remote, const real *array);
void part_get(struct part *p, const real *array, double *global);
void part_gather(const struct part *p, const real *host, double *global);
/* part_error: returns the largest |array - global| in the region, or NaN if the array has a NaN there. */
double part_error(struct part *p, enum region region, const real *array, const double *global);
/* part_copy: returns a copy of the whole array in host memory. part_changed: returns the number of values
 * outside the region whose bits differ from `before`. It frees `before`. */
real *part_copy(const struct part *p, const real *array);
int part_changed(const struct part *p, enum region region, real *before, const real *array);
/* part_sums: combines the results of the last kernel with out[]: sums are added, and of maxima the larger
 * one is kept. part_blocks: returns one value for each quantity and block, as in blocks.part. The caller
 * frees them. */
void part_sums(const struct part *p, int sums, int maxima, double *out);
double *part_blocks(const struct part *p, int sums, int maxima);
/* part_place_blocks: puts the same values to their places among the blocks of the whole grid, one
 * quantity after the other. part_some_blocks: returns the part's blocks, but in one direction only
 * first .. last - 1. */
void part_place_blocks(const struct part *p, int sums, int maxima, double *out);
struct blocks part_some_blocks(const struct part *p, int direction, int first, int last);
/* part_block_cells: finds the first cell of block q of a part, and the end of its cells, as local indices. */
void part_block_cells(const struct part *p, int q, int lo[3], int hi[3]);

/* kernel_case: all parts of a case in this process. */
struct kernel_case {
    char name[80];
    const struct case_input *in;
    struct ref_grid ref;
    ptrdiff_t count; /* cells of the whole grid */
    int size;
    struct part part[CASE_PARTS];
};
void case_open(const struct case_input *in, const int layout[3], struct kernel_case *c);
void case_close(struct kernel_case *c);
/* case_each: calls f for every case, divided into parts in each of several ways that its blocks allow. */
void case_each(void (*f)(struct kernel_case *));
/* case_each_shape: divides a case into 1, 2 and 8 parts, and calls f in each launch shape of the kernel.
 * case_blocks: returns the number of blocks of the whole grid. */
void case_each_shape(const struct case_input *in, enum tune_kernel kernel,
                     void (*f)(struct kernel_case *, int shape, void *data), void *data);
ptrdiff_t case_blocks(const struct kernel_case *c);
/* case_kernel_copy: copies 0 or more bytes from the host to new kernel memory, which the caller frees. */
void *case_kernel_copy(const void *host, size_t bytes);
/* case_random: returns a field of random numbers in [-1, 1] that `real` holds exactly. The caller frees it.
 * case_free: frees n fields. */
double *case_random(const struct ref_grid *g, unsigned seed);
/* case_solenoidal: computes a velocity without divergence, as the circulation of a random potential on the
 * edges. */
void case_solenoidal(const struct ref_grid *g, unsigned seed, double *vel[3]);
void case_free(double **fields, int n);
double case_dot(ptrdiff_t n, const double *x, const double *y);
/* case_worst: returns the largest |found - right| over size of n values; where size is 0, the difference
 * itself counts. It is NaN if a value is. */
double case_worst(ptrdiff_t n, const double *found, const double *right, const double *size);
/* case_cancelling: returns a field with values over 12 orders of magnitude, in pairs that nearly cancel. */
double *case_cancelling(const struct ref_grid *g);
/* case_volume: returns ref_volume of value n of a flat array. */
double case_volume(const struct ref_grid *g, enum ref_location location, ptrdiff_t n);

/* CASE_BELOW: asserts value <= bound, and prints the name of the case if it fails. CASE_TRUE: does the same
 * for a condition. */
#define CASE_BELOW(c, value, bound)                                                                          \
    case_check((c)->name, (value), (bound), #value " <= " #bound, __FILE__, __LINE__)
#define CASE_TRUE(c, condition) case_check((c)->name, !(condition), 0, #condition, __FILE__, __LINE__)
void case_check(const char *name, double value, double bound, const char *text, const char *file, int line);

#endif
