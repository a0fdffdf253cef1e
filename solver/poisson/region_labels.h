/* The cells of the connected regions of fluid other than the main one, in lists (state/regions.h). */
#ifndef KOL_POISSON_REGION_LABELS_H
#define KOL_POISSON_REGION_LABELS_H

#include "state/domain.h"

/* region_labels: in host memory. Region 0 is the main one; the others are counted by their first cells in the
 * grid.
 *
 *   count          number of regions
 *   segments       the lists of struct region_list for this rank, without region 0: first, region, cell,
 *                  cell_volume
 *   block          block[n]: the reduction block of segment n, counted over the whole grid, x first */
struct region_labels {
    int count, segments, *first, *region, *block;
    ptrdiff_t *cell;
    real *cell_volume;
};

/* region_labels_make: finds the regions of the live cells of domain->grid.open. KOL_ERR_INPUT if there is
 * none. The caller destroys *out also after an error. Collective. */
kol_status region_labels_make(const struct domain *domain, struct region_labels *out);
void region_labels_destroy(struct region_labels *l);

#endif
