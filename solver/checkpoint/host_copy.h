/* Fields between kernel memory and the packed host memory that io/ reads and writes, in slabs of planes. */
#ifndef KOL_CHECKPOINT_HOST_COPY_H
#define KOL_CHECKPOINT_HOST_COPY_H

#include "io/view.h"
#include "kernels/base/device.h"
#include "state/field.h"

/* bytes of a slab, of all components together, where the planes are not larger */
#define HOST_COPY_SLAB_BYTES ((size_t)1 << 26)

/* staging: host memory for files. They are written from a list of arrays. ahead: all of the list are copied
 * when they are listed, and the solver may change them; else each passes in slabs when it is written: while
 * one is packed and written the next comes from kernel memory. */
struct host_copy {
    const struct domain *domain;
    /* borrowed; of it only what no step changes is read */
    int ahead;
    char obstacle[512];     /* why not, where it was asked for */
    int slots;              /* host arrays as in kernel memory, in field */
    real *field[FLOW_ROWS]; /* where ahead */
    real *slab[2];          /* where not */
    struct device_mark *there[2];
    ptrdiff_t slab_values;
    real *packed;
    double *distance[3]; /* of centres at faces 0 .. n of this rank; NULL where no fields are written [L] */
    int listed;
    const real *array[FLOW_ROWS];
    struct host_copy_way { /* of the view under way */
        int n, components;
        int first[2], count[2]; /* planes that slab 0, 1 holds, or will; count 0: none */
        int turn;
        real *into;
    } way;
};
/* host_copy_create: ahead: where all ranks have the memory; s->ahead tells whether. slab:
 * HOST_COPY_SLAB_BYTES; smaller in tests. Where memory is only counted it is with copies if ahead, and with
 * what comes beside it for a while (restart_host_bytes). Collective where memory is taken. */
kol_status host_copy_create(struct memory *memory, const struct domain *domain, int ahead, size_t slab,
                            struct host_copy *s);
void host_copy_destroy(struct host_copy *s);

/* host_copy_list: a kernel array joins the list; number n is the n-th since the list was emptied (s->listed =
 * 0). host_copy_listed: returns when the copies are there. */
kol_status host_copy_list(struct host_copy *s, const real *array);
kol_status host_copy_listed(const struct host_copy *s);

/* host_copy_view: a view of this rank's part without data. host_copy_field: the same of a field of the list
 * of state/field.h, as checkpoints have it. The other views are of such a one, and pass in slabs; one is
 * under way at a time. host_copy_from: own cells of array n of the list. host_copy_centre_velocity: u, v, w
 * at cell centres by the mean of the two faces; host_copy_centre_vorticity: the vorticity vector by the mean
 * of the four edges; both of 3 values a cell; the first three arrays of the list are the velocity, its halo
 * filled, edges too. host_copy_into: own cells of a kernel array; its halo becomes NaN. */
struct io_view host_copy_view(const struct domain *domain, const char *name, const char *long_name,
                              const char *unit, enum io_location location, int ncomp);
struct io_view host_copy_field(const struct domain *domain, enum flow_field_number f);
struct io_view host_copy_from(struct host_copy *s, int n, struct io_view view);
struct io_view host_copy_centre_velocity(struct host_copy *s, struct io_view view);
struct io_view host_copy_centre_vorticity(struct host_copy *s, struct io_view view);
struct io_view host_copy_into(struct host_copy *s, real *array, struct io_view view);
/* host_copy_store: own cells of a kernel array from packed doubles; its halo becomes NaN. */
kol_status host_copy_store(struct host_copy *s, const double *value, real *array);

#endif
