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
/* region: cells of a part and of its halo. NOWHERE: none. OWN_LOW and OWN_HIGH: own cells and one layer
 * beyond the three low or high faces; OWN_FACES: beyond all six; OWN_EDGES: and along the twelve edges;
 * OWN_DEEP: and a second layer at the faces. */
enum region { NOWHERE, OWN, OWN_LOW, OWN_HIGH, OWN_FACES, OWN_EDGES, OWN_DEEP };

/* case_settings: the namelist's values of a case. case_reference: its grid for the judges. part_create: c may
 * name more ranks than there are; it needs no MPI. It must not move afterwards. */
struct input case_settings(const struct case_input *in);
void case_reference(const struct case_input *in, struct ref_grid *g);
kol_status part_create(const struct case_input *in, struct comm c, const int layout[3], struct part *p);
void part_destroy(struct part *p);

/* part_release: free the part's arrays so far. part_array: an array of NaN that the part frees. part_filled:
 * of one value. part_from: own cells and halo cells of the region from a global array, NaN elsewhere;
 * part_put: the same into an array that exists. part_hidden: a copy with NaN in all halo cells beyond the
 * faces of the set `remote` (struct cells). part_get: own cells into their places of a global array;
 * part_gather: those of a copy in host memory. */
void part_release(struct part *p);
real *part_array(struct part *p);
real *part_filled(struct part *p, double value);
real *part_from(struct part *p, enum region region, const double *global);
void part_put(struct part *p, enum region region, const double *global, real *array);
real *part_hidden(struct part *p, unsigned remote, const real *array);
void part_get(struct part *p, const real *array, double *global);
void part_gather(const struct part *p, const real *host, double *global);
/* part_error: largest |array - global| over the region; NaN where the array has one. */
double part_error(struct part *p, enum region region, const real *array, const double *global);
/* part_copy: the whole array in host memory. part_changed: values outside the region that have other bits
 * than in `before`, which it frees. */
real *part_copy(const struct part *p, const real *array);
int part_changed(const struct part *p, enum region region, real *before, const real *array);
/* part_sums: add what the last kernel left to out[]: sums are added, maxima taken. part_blocks: one value for
 * each quantity and block, as in blocks.part; free() it. */
void part_sums(const struct part *p, int sums, int maxima, double *out);
double *part_blocks(const struct part *p, int sums, int maxima);

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
/* case_each: f on every case, each cut in several ways that its blocks allow. */
void case_each(void (*f)(struct kernel_case *));
/* case_random: a field of random numbers in [-1, 1], exact in `real`; free() it. case_free: n fields. */
double *case_random(const struct ref_grid *g, unsigned seed);
/* case_solenoidal: three components without divergence: the circulation of a random edge potential. */
void case_solenoidal(const struct ref_grid *g, unsigned seed, double *vel[3]);
void case_free(double **fields, int n);
double case_dot(ptrdiff_t n, const double *x, const double *y);
/* case_volume: ref_volume of value n of a flat array. */
double case_volume(const struct ref_grid *g, enum ref_location location, ptrdiff_t n);

/* CASE_BELOW: value <= bound, with the case's name where it isn't. CASE_TRUE: likewise. */
#define CASE_BELOW(c, value, bound)                                                                          \
    case_check((c)->name, (value), (bound), #value " <= " #bound, __FILE__, __LINE__)
#define CASE_TRUE(c, condition) case_check((c)->name, !(condition), 0, #condition, __FILE__, __LINE__)
void case_check(const char *name, double value, double bound, const char *text, const char *file, int line);

#endif
