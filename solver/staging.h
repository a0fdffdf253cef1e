/* Fields between kernel memory and the packed host memory that io/ reads and writes, in slabs of planes. */
#ifndef KOL_STAGING_H
#define KOL_STAGING_H

#include "../io/view.h"
#include "../kernels/base/device.h"
#include "run.h"

enum { STAGING_MOST = 9 }; /* fields of a checkpoint: velocity, three pressures, a potential */

/* bytes of a slab, of all components together, where the planes are not larger */
#define STAGING_SLAB_BYTES ((size_t)1 << 26)

/* staging: host memory for files. They are written from a list of arrays. ahead: all of the list are copied when they are
 * listed, and the solver may change them; else each passes in slabs when it is written: while one is packed and written the next
 * comes from kernel memory. */
struct staging {
    const struct run *run; /* borrowed; of it only what no step changes is read */
    int ahead;
    char obstacle[512];        /* why not, where it was asked for */
    int slots;                 /* host arrays as in kernel memory, in field */
    real *field[STAGING_MOST]; /* where ahead */
    real *slab[2];             /* where not */
    struct device_mark *there[2];
    ptrdiff_t slab_values;
    real *packed;
    double *distance[3]; /* of centres at faces 0 .. n of this rank; NULL where no fields are written [L] */
    int listed;
    const real *array[STAGING_MOST];
    struct staging_way { /* of the view under way */
        int n, components;
        int first[2], count[2]; /* planes that slab 0, 1 holds, or will; count 0: none */
        int turn;
        real *into;
    } way;
};
/* staging_bytes: host memory that a run with these inputs takes for files: that of staging_create, and what comes beside it for a while
 * (restart_host_bytes). staging_create: ahead: where all ranks have the
 * memory; s->ahead tells whether. slab: STAGING_SLAB_BYTES; smaller in tests. Collective. */
double staging_bytes(const struct input *in, const struct decomp *d, struct box b, int ahead);
kol_status staging_create(const struct run *run, int ahead, size_t slab, struct staging *s);
void staging_destroy(struct staging *s);

/* staging_list: a kernel array joins the list; number n is the n-th since the list was emptied (s->listed = 0). staging_listed: returns when
 * the copies are there. */
kol_status staging_list(struct staging *s, const real *array);
kol_status staging_listed(const struct staging *s);

/* staging_view: a view of this rank's part without data. The other views are of such a one, and pass in slabs; one is under way
 * at a time. staging_from: own cells of array n of the list. staging_centre_velocity: u, v, w at cell centres by the mean of the two
 * faces; staging_centre_vorticity: the vorticity vector by the mean of the four edges; both of 3 values a cell; the first three arrays of the
 * list are the velocity, its halo filled, edges too. staging_into: own cells of a kernel array; its halo becomes NaN. */
struct io_view staging_view(const struct run *run, const char *name, const char *long_name, const char *unit,
                            enum io_location location, int ncomp);
struct io_view staging_from(struct staging *s, int n, struct io_view view);
struct io_view staging_centre_velocity(struct staging *s, struct io_view view);
struct io_view staging_centre_vorticity(struct staging *s, struct io_view view);
struct io_view staging_into(struct staging *s, real *array, struct io_view view);
/* staging_store: own cells of a kernel array from packed doubles; its halo becomes NaN. */
kol_status staging_store(struct staging *s, const double *value, real *array);

#endif
