/* Redistributes a field over the ranks in slabs. Each rank gets all points of some planes, so that it has
 * complete grid lines along x and y, and afterwards along z. Spectra and structure functions need such lines.
 * The spacings may vary, and the directions need not be periodic. The planes are divided into groups, which
 * depend on the grid alone. A group is never divided between ranks, so sums over groups do not depend on the
 * number of ranks. */
#ifndef KOL_STATISTICS_BOX_SLABS_H
#define KOL_STATISTICS_BOX_SLABS_H

#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

/* The three kinds of slabs, which hold doubles. The last index is the fastest.
 *
 *   kind           lines along   order in memory   planes of a rank
 *   BOX_SLABS_X    x             [z][y][x]         normal to z
 *   BOX_SLABS_Y    y             [z][x][y]         normal to z
 *   BOX_SLABS_Z    z             [x][y][z]         normal to x */
enum { BOX_SLABS_X, BOX_SLABS_Y, BOX_SLABS_Z, BOX_SLABS_KINDS };
/* The most groups of planes of a grid. If there are more ranks than groups, the additional ranks have no
 * planes. */
enum { BOX_SLABS_GROUPS = 128 };
/* box_slab: the planes and groups of this rank.
 *
 *   first, planes          the first plane and the number of planes of this rank
 *   planes_g               number of planes of the grid
 *   first_group, groups    the first group and the number of groups of this rank
 *   groups_g               number of groups of the grid
 *   start                  group g of this rank, g = 0 .. groups - 1, is planes start[g] <= p < start[g + 1],
 *                          counted from plane `first`; host memory, borrowed */
struct box_slab {
    int first, planes, planes_g;
    int first_group, groups, groups_g;
    const int *start;
};

struct box_slabs;
/* box_slabs_create: prepares the slabs of a grid.
 *
 *   transport   halo_transport(). If it is NULL, nothing can be redistributed or transformed: only
 *               box_slabs_of() and box_slabs_values() may be called.
 *
 * c is borrowed; d and g are only used during the call. Returns KOL_ERR_INPUT if two ranks would exchange too
 * many values. Collective. */
kol_status box_slabs_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                            const struct grid *g, const char *transport, struct box_slabs **out);
/* box_slabs_destroy: frees the object; NULL is allowed. Collective. */
void box_slabs_destroy(struct box_slabs **s);
/* box_slabs_values: returns the number of doubles of an array that can hold slabs of any kind. */
ptrdiff_t box_slabs_values(const struct box_slabs *s);
/* box_slabs_of: returns the planes and groups of this rank in slabs of this kind. */
struct box_slab box_slabs_of(const struct box_slabs *s, int kind);
/* box_slabs_groups: returns the number of groups of a grid with n planes. */
int box_slabs_groups(int n);

/* The next four calls are collective and work in the queue in use. work[0] holds the values, and work[1] is
 * scratch. Both are arrays of box_slabs_values() doubles in kernel memory, and a call may exchange the two
 * pointers. Before box_slabs_begin() is called again, work[0] must have been read and box_slabs_end() called.
 *
 *   box_slabs_begin       copies the own cells of a field to lines along x
 *   box_slabs_next        reorders lines of `kind` to those of the next kind
 *   box_slabs_end         ends the use of the field that box_slabs_begin() started
 *   box_slabs_spectrum    does all of these steps, with a real Fourier transform of the lines of each kind
 *                         (kernels/fft.h). The result is the Fourier coefficients of the field, [x][y][z]. */
kol_status box_slabs_begin(struct box_slabs *s, const real *field, double *work[2]);
kol_status box_slabs_next(struct box_slabs *s, int kind, double *work[2]);
kol_status box_slabs_end(struct box_slabs *s);
kol_status box_slabs_spectrum(struct box_slabs *s, const real *field, double *work[2]);

#endif
