/* Averages of one sample over the one homogeneous direction (kernels/line_average.h), over all ranks: the
 * same bits on any layout. */
#ifndef KOL_STATISTICS_SECTION_SUMS_H
#define KOL_STATISTICS_SECTION_SUMS_H

#include "kernels/section_average.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

struct section_sums;
/* Values of kernel memory that partial sums may take: the section is worked on in strips of rows that fit. */
enum { SECTION_SUMS_ROOM = 1 << 23 };
/* section_sums_create: `along`: the homogeneous direction; room: values of kernel memory for partial sums, as
 * SECTION_SUMS_ROOM; a strip has one row at least. c, d and the arrays in bl are borrowed.
 * section_sums_destroy takes NULL. */
kol_status section_sums_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                               struct box b, struct blocks bl, int along, ptrdiff_t room,
                               struct section_sums **out);
void section_sums_destroy(struct section_sums **s);

/* section_sums_place: places of the section's whole grid for sum q: wide along a, high along b.
 * section_sums_first: index of the first value of sum q in a mean of n_g cells; of LINE_SUM_COUNT: how many
 * there are in all. */
struct section_sums_place {
    int wide, high;
};
struct section_sums_place section_sums_place(const int n_g[3], int along, int q);
ptrdiff_t section_sums_first(const int n_g[3], int along, int q);
/* section_sums_shape: the section of a mean of n_g cells. */
struct section_average_shape section_sums_shape(const int n_g[3], int along);

/* section_sums_sample: means over the homogeneous direction: of sum q at the place (i, j),
 * mean[section_sums_first(q) + j wide + i]: kernel memory of rank 0, NULL on the others. Collective: sums go
 * from rank to rank along the homogeneous direction, then to rank 0. Arrays as line_average_sums asks. */
kol_status section_sums_sample(struct section_sums *s, const struct grid *g, real *const vel[3],
                               const real *pressure, double *mean);

#endif
