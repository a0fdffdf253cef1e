/* Copies fields between kernel memory and the packed host memory that io/ reads and writes, in slabs of
 * planes. */
#ifndef KOL_CHECKPOINT_HOST_COPY_H
#define KOL_CHECKPOINT_HOST_COPY_H

#include "io/view.h"
#include "kernels/base/device.h"
#include "state/flow_fields.h"

/* Size of a slab, with all components [bytes]. It is larger if a single plane needs more. */
#define HOST_COPY_SLAB_BYTES ((size_t)1 << 26)

/* host_copy: host memory for the files that are written from a list of kernel arrays. There are two ways:
 *
 *   ahead = 1   each array is copied when it is appended to the list; from then on the solver may change it
 *   ahead = 0   each array is copied in slabs when it is written. While one slab is packed and written, the
 *               next one is copied from kernel memory.
 *
 * domain is borrowed; only what no step changes is read in it. */
struct host_copy {
    const struct domain *domain;
    int ahead;
    char obstacle[512];           /* why ahead is 0 although 1 was asked for */
    int slots;                    /* number of arrays in `field` */
    real *field[FLOW_ROWS];       /* ahead = 1: copies with the layout of kernel memory */
    real *slab[2];                /* ahead = 0 */
    struct device_mark *there[2]; /* the copy to a slab is complete */
    ptrdiff_t slab_values;        /* size of a slab and of `packed` */
    real *packed;                 /* own cells of a slab, as io/ reads and writes them */
    double *distance[3]; /* of centres at faces 0 .. n of this rank; NULL if no fields are written [L] */
    int listed;          /* number of arrays in the list */
    const real *array[FLOW_ROWS];
    struct host_copy_way {      /* the view that is being read or written */
        int n, components;      /* its first array in the list; number of arrays */
        int first[2], count[2]; /* planes that slab 0, 1 holds or is about to hold; count = 0: none */
        int turn;               /* the slab to be used next */
        real *into;             /* the kernel array that it is read into */
    } way;
};
/* host_copy_create: allocates the host memory.
 *
 *   ahead   whether copies are asked for. They are made only if all ranks have the memory for them;
 *           s->ahead says whether this is so.
 *   slab    HOST_COPY_SLAB_BYTES; tests use less [bytes]
 *   beside  other host memory that the rank needs for a while; copies leave room for it [bytes]
 *
 * If memory is only counted, copies are counted if they are asked for. Collective, unless memory is only
 * counted. */
kol_status host_copy_create(struct memory *memory, const struct domain *domain, int ahead, size_t slab,
                            size_t beside, struct host_copy *s);
/* host_copy_destroy: frees what is inside. */
void host_copy_destroy(struct host_copy *s);

/* host_copy_list: appends a kernel array to the list. The caller empties the list by s->listed = 0. */
kol_status host_copy_list(struct host_copy *s, const real *array);
/* host_copy_listed: waits until the copies of all arrays are complete. */
kol_status host_copy_listed(const struct host_copy *s);

/* Views for io/. The first two have no data yet: they describe this rank's part of the grid.
 *
 *   host_copy_view               any variable
 *   host_copy_field              a field of state/flow_fields.h, as checkpoints have it
 *
 * The next four take such a view and add the data, which pass in slabs. Only one of them can be in use at a
 * time.
 *
 *   host_copy_from               write the own cells of array n of the list
 *   host_copy_centre_velocity    write u, v, w at cell centres, as the mean of the two faces; 3 values a cell
 *   host_copy_centre_vorticity   write the vorticity at cell centres, as the mean of the four edges; 3 values
 *                                a cell
 *   host_copy_into               read the own cells of a kernel array. Its halo becomes NaN.
 *
 * For velocity and vorticity at centres, the first three arrays of the list must be the velocity, with its
 * halo filled, edges included. */
struct io_view host_copy_view(const struct domain *domain, const char *name, const char *long_name,
                              const char *unit, enum io_location location, int ncomp);
struct io_view host_copy_field(const struct domain *domain, enum flow_field_number f);
struct io_view host_copy_from(struct host_copy *s, int n, struct io_view view);
struct io_view host_copy_centre_velocity(struct host_copy *s, struct io_view view);
struct io_view host_copy_centre_vorticity(struct host_copy *s, struct io_view view);
struct io_view host_copy_into(struct host_copy *s, real *array, struct io_view view);
/* host_copy_store: sets the own cells of a kernel array from packed doubles. Its halo becomes NaN. */
kol_status host_copy_store(struct host_copy *s, const double *value, real *array);

#endif
