/* Fields between kernel memory and the packed host arrays that io/ reads and writes. */
#ifndef KOL_STAGING_H
#define KOL_STAGING_H

#include "../io/view.h"
#include "run.h"

enum { STAGING_MOST = 9 }; /* fields of a checkpoint: velocity, three pressures, a potential */

/* staging: host memory for whole arrays as in kernel memory, and for one packed array of 1 or 3 values a cell. Files are
 * written from a list of arrays: ahead: all of the list are copied when they are listed, and the solver may change them; else
 * each when it is packed. */
struct staging {
    int ahead;
    int slots; /* host arrays, in field */
    real *field[STAGING_MOST];
    void *packed;
    int listed;
    const real *array[STAGING_MOST];
};
/* staging_arrays: host arrays of the size of a field that a run with these inputs takes, packed ones included. staging_create: ahead: where all
 * ranks have the memory; s->ahead tells whether. Collective. */
int staging_arrays(const struct input *in, int ahead);
kol_status staging_create(const struct run *run, int ahead, struct staging *s);
void staging_destroy(struct staging *s);
/* staging_view: a view of this rank's part with data = s->packed. */
struct io_view staging_view(const struct run *run, const struct staging *s, const char *name,
                            const char *long_name, const char *unit, enum io_location location, int ncomp);
/* staging_list: a kernel array joins the list; number n is the n-th since the list was emptied (s->listed = 0). staging_listed: returns when
 * the copies are there. */
kol_status staging_list(const struct run *run, struct staging *s, const real *array);
kol_status staging_listed(const struct staging *s);
/* staging_pack: own cells of array n of the list into the packed array; staging_unpack: back, the halo NaN. */
kol_status staging_pack(const struct run *run, struct staging *s, int n);
kol_status staging_unpack(const struct run *run, struct staging *s, real *array);
/* staging_centre_velocity: u, v, w at cell centres by the mean of the two faces; staging_centre_vorticity: the vorticity
 * vector by the mean of the four edges. The first three arrays of the list are the velocity, its halo filled, edges too. Packed, 3
 * values a cell. */
kol_status staging_centre_velocity(const struct run *run, struct staging *s);
kol_status staging_centre_vorticity(const struct run *run, struct staging *s);

#endif
