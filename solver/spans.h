/* Averages of one sample over the one homogeneous direction (kernels/span.h), over all ranks: the same bits on any layout. */
#ifndef KOL_SPANS_H
#define KOL_SPANS_H

#include "../kernels/section.h"
#include "decomp.h"
#include "grid.h"

struct spans;
/* Values of kernel memory that partial sums may take: the section is worked on in strips of rows that fit. */
enum { SPANS_ROOM = 1 << 23 };
/* spans_create: `along`: the homogeneous direction; room: values of kernel memory for partial sums, as SPANS_ROOM; a strip has one row at
 * least. c, d and the arrays in bl are borrowed. spans_destroy takes NULL. spans_bytes_wanted: kernel memory that it will take. */
kol_status spans_create(const struct comm *c, const struct decomp *d, struct box b, struct blocks bl,
                        int along, ptrdiff_t room, struct spans **out);
void spans_destroy(struct spans **s);
double spans_bytes_wanted(const struct decomp *d, struct box b, struct blocks bl, int along, ptrdiff_t room);

/* spans_place: places of the section's whole grid for sum q: wide along a, high along b. spans_first: index of the first value of sum q in a
 * mean of n_g cells; of SPAN_COUNT: how many there are in all. */
struct spans_place {
    int wide, high;
};
struct spans_place spans_place(const int n_g[3], int along, int q);
ptrdiff_t spans_first(const int n_g[3], int along, int q);
/* spans_shape: the section of a mean of n_g cells. */
struct section_shape spans_shape(const int n_g[3], int along);

/* spans_sample: means over the homogeneous direction: of sum q at the place (i, j), mean[spans_first(q) + j wide + i]: kernel memory of rank 0,
 * NULL on the others. Collective: sums go from rank to rank along the homogeneous direction, then to rank 0. Arrays as span_sums asks. */
kol_status spans_sample(struct spans *s, const struct grid *g, real *const vel[3], const real *pressure,
                        double *mean);

#endif
