/* A field cut into slabs of whole planes, so that each rank has whole lines along x and y, then along z: for what needs lines, as spectra
 * do. Uniform or not; periodic directions are the caller's matter. Planes lie in groups that the grid alone sets, and ranks have whole groups, so
 * that sums by group don't depend on the ranks. */
#ifndef KOL_SLABS_H
#define KOL_SLABS_H

#include "comm.h"
#include "decomp.h"
#include "grid.h"

/* The slabs: lines along x, [z][y][x], those of y, [z][x][y], planes of z in both; lines along z, [x][y][z], planes of x. Values of double,
 * the last index fastest. */
enum { SLAB_X, SLAB_Y, SLAB_Z, SLAB_KINDS };
/* Groups of planes of the grid at most. More ranks than that have nothing to do here. */
enum { SLAB_GROUPS = 128 };
/* slab: of this rank. groups are first_group .. first_group + groups - 1 of groups_g; group g of the rank's is planes start[g] <= p <
 * start[g + 1], counted from first; host memory, borrowed. */
struct slab {
    int first, planes, planes_g; /* of the rank, of the grid */
    int first_group, groups, groups_g;
    const int *start;
};

struct slabs;
/* slabs_create: transport: halo_transport(); NULL: nothing is to be moved or transformed, slabs_of() alone is asked. c is borrowed, d and g only during the call. KOL_ERR_INPUT
 * where two ranks would exchange too many values. Collective. slabs_destroy takes NULL; collective. */
kol_status slabs_create(const struct comm *c, const struct decomp *d, const struct grid *g,
                        const char *transport, struct slabs **out);
void slabs_destroy(struct slabs **s);
/* slabs_values: doubles of an array that holds any of the slabs. slabs_bytes: kernel memory that slabs_create takes on this rank. Neither is
 * collective. */
kol_status slabs_values(const struct comm *c, const struct decomp *d, const struct grid *g,
                        ptrdiff_t *values);
kol_status slabs_bytes(const struct comm *c, const struct decomp *d, const struct grid *g,
                       const char *transport, double *bytes);
struct slab slabs_of(const struct slabs *s, int kind);
/* slabs_group_start: first plane of group g of the grid's n planes. slabs_groups: how many there are. */
int slabs_groups(int n);
int slabs_group_start(int n, int g);

/* slabs_begin: the field's own cells in lines along x, in work[0]. slabs_next: from the lines of `kind` to those of the next, work[0] to
 * work[0]; both arrays, of slabs_values() doubles in kernel memory, change places. slabs_transform: the lines of `kind` into real Fourier
 * coefficients (kernels/fft.h), likewise. Between two slabs_begin comes slabs_end, when all is read. Collective; in the queue in use. */
kol_status slabs_begin(struct slabs *s, const real *field, double *work[2]);
kol_status slabs_next(struct slabs *s, int kind, double *work[2]);
kol_status slabs_transform(struct slabs *s, int kind, double *work[2]);
kol_status slabs_end(struct slabs *s);
/* slabs_spectrum: all of it: coefficients of the field, [x][y][z], in work[0]. */
kol_status slabs_spectrum(struct slabs *s, const real *field, double *work[2]);

#endif
