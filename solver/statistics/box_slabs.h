/* A field cut into slabs of whole planes, so that each rank has whole lines along x and y, then along z: for
 * what needs lines, as spectra do. Uniform or not; periodic directions are the caller's matter. Planes lie in
 * groups that the grid alone sets, and ranks have whole groups, so that sums by group don't depend on the
 * ranks. */
#ifndef KOL_STATISTICS_BOX_SLABS_H
#define KOL_STATISTICS_BOX_SLABS_H

#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

/* The slabs: lines along x, [z][y][x], those of y, [z][x][y], planes of z in both; lines along z, [x][y][z],
 * planes of x. Values of double, the last index fastest. */
enum { BOX_SLABS_X, BOX_SLABS_Y, BOX_SLABS_Z, BOX_SLABS_KINDS };
/* Groups of planes of the grid at most. More ranks than that have nothing to do here. */
enum { BOX_SLABS_GROUPS = 128 };
/* slab: of this rank. groups are first_group .. first_group + groups - 1 of groups_g; group g of the rank's
 * is planes start[g] <= p < start[g + 1], counted from first; host memory, borrowed. */
struct box_slab {
    int first, planes, planes_g; /* of the rank, of the grid */
    int first_group, groups, groups_g;
    const int *start;
};

struct box_slabs;
/* box_slabs_create: transport: halo_transport(); NULL: nothing is to be moved or transformed, box_slabs_of()
 * alone is asked. c is borrowed, d and g only during the call. KOL_ERR_INPUT where two ranks would exchange
 * too many values. Collective. box_slabs_destroy takes NULL; collective. */
kol_status box_slabs_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                            const struct grid *g, const char *transport, struct box_slabs **out);
void box_slabs_destroy(struct box_slabs **s);
/* box_slabs_values: doubles of an array that holds any of the slabs. */
ptrdiff_t box_slabs_values(const struct box_slabs *s);
struct box_slab box_slabs_of(const struct box_slabs *s, int kind);
/* box_slabs_group_start: first plane of group g of the grid's n planes. box_slabs_groups: how many there are.
 */
int box_slabs_groups(int n);
int box_slabs_group_start(int n, int g);

/* box_slabs_begin: the field's own cells in lines along x, in work[0]. box_slabs_next: from the lines of
 * `kind` to those of the next, work[0] to work[0]; both arrays, of box_slabs_values() doubles in kernel
 * memory, change places. box_slabs_transform: the lines of `kind` into real Fourier coefficients
 * (kernels/fft.h), likewise. Between two box_slabs_begin comes box_slabs_end, when all is read. Collective;
 * in the queue in use. */
kol_status box_slabs_begin(struct box_slabs *s, const real *field, double *work[2]);
kol_status box_slabs_next(struct box_slabs *s, int kind, double *work[2]);
kol_status box_slabs_transform(struct box_slabs *s, int kind, double *work[2]);
kol_status box_slabs_end(struct box_slabs *s);
/* box_slabs_spectrum: all of it: coefficients of the field, [x][y][z], in work[0]. */
kol_status box_slabs_spectrum(struct box_slabs *s, const real *field, double *work[2]);

#endif
