/* Means of one sample over the one homogeneous direction (kernels/line_average.h), computed over all ranks.
 * The bits are the same on any layout of ranks. */
#ifndef KOL_STATISTICS_SECTION_SUMS_H
#define KOL_STATISTICS_SECTION_SUMS_H

#include "kernels/section_sample.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

struct section_sums;
/* The usual limit on partial sums, in doubles of kernel memory. The cross-section is processed in strips of
 * rows whose partial sums fit in it. */
enum { SECTION_SUMS_ROOM = 1 << 23 };
/* section_sums_create: prepares the sums over a direction.
 *
 *   along   the homogeneous direction
 *   room    limit on the partial sums, in doubles of kernel memory; usually SECTION_SUMS_ROOM. A strip has at
 *           least one row, even if that needs more.
 *
 * c, d and the arrays in bl are borrowed. */
kol_status section_sums_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                               struct box b, struct blocks bl, int along, ptrdiff_t room,
                               struct section_sums **out);
/* section_sums_destroy: frees the object; NULL is allowed. */
void section_sums_destroy(struct section_sums **s);

/* section_sums_place: returns the number of values that sum q has over the cross-section of the grid:
 * `wide` along a, and `high` along b. */
struct section_sums_place {
    int wide, high;
};
struct section_sums_place section_sums_place(const int n_g[3], int along, int q);
/* section_sums_first: returns the place of the first value of sum q in a sample of a grid of n_g cells. For q
 * = LINE_SUM_COUNT it is the number of values of a sample. */
ptrdiff_t section_sums_first(const int n_g[3], int along, int q);
/* section_sums_shape: returns the shape of the cross-section of a grid of n_g cells. */
struct section_sample_shape section_sums_shape(const int n_g[3], int along);

/* section_sums_sample: computes the means over the homogeneous direction. The mean of sum q at place (i, j)
 * is
 *
 *     mean[section_sums_first(q) + j wide + i]
 *
 * mean is in kernel memory of rank 0; it is NULL on the other ranks. The velocity and the pressure are as
 * line_average_sums() needs them. Collective: sums are sent from rank to rank along the homogeneous
 * direction, then to rank 0. */
kol_status section_sums_sample(struct section_sums *s, const struct grid *g, real *const vel[3],
                               const real *pressure, double *mean);

#endif
