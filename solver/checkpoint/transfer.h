/* Brings fields from the grid of a file to this rank's cells of this run's grid, by interpolation along one
 * direction after the other. docs/numerics/regrid.md. */
#ifndef KOL_CHECKPOINT_TRANSFER_H
#define KOL_CHECKPOINT_TRANSFER_H

#include "math/interpolate_line.h"
#include "parallel/remap_host.h"
#include "state/domain.h"

/* transfer: how one field gets from the file's grid to the grid of this run. */
struct transfer {
    const struct domain *domain; /* borrowed */
    int from[3], to[3];          /* cells */
    double *face[3];             /* of the file's grid */
    /* maps along the direction of a velocity component, and along the other directions */
    struct interpolate_line points[3], averages[3];
};

/* transfer_read: reads this rank's planes of an array of the file as doubles into `value`, which has room for
 * them. what: which array; source: the file. */
typedef kol_status (*transfer_read)(void *source, const void *what, struct piece planes, double *value);

/* transfer_maps: makes the maps, once from[] and face[] are known. centred: whether velocities of the file
 * lie at centres instead of lower faces. transfer_free: free the maps and face[]; a zeroed struct is allowed.
 */
kol_status transfer_maps(struct transfer *t, int centred);
void transfer_free(struct transfer *t);

/* transfer_arrays: takes the two arrays of doubles in which a field is interpolated; the caller frees them.
 * If memory is only counted, they are counted. transfer_count: count all host memory of a transfer from as
 * many cells as this run has. */
kol_status transfer_arrays(struct memory *memory, const struct transfer *t, double **a, double **b);
kol_status transfer_count(struct memory *memory, const struct domain *domain);

/* transfer_field: bring a field to this rank's own cells, packed in b. normal: the direction of a velocity
 * component; -1 for cells. a, b: arrays of transfer_arrays(). The bits are the same on any number of ranks.
 * Collective. */
kol_status transfer_field(const struct transfer *t, transfer_read read, void *source, const void *what,
                          int normal, double *a, double *b);

/* transfer_map: the map of a field along a direction. */
const struct interpolate_line *transfer_map(const struct transfer *t, int direction, int normal);

#endif
