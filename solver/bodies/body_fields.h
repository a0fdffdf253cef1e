/* The bodies as fields over the cells, for files: the share of the solid and a level set. */
#ifndef KOL_BODIES_BODY_FIELDS_H
#define KOL_BODIES_BODY_FIELDS_H

#include "body_geometry.h"
#include "io/view.h"
#include "parallel/memory.h"

/* body_fields: both fields in own cells, x fastest, in host memory.
 *
 *   share   share of the cell that is solid, 0 to 1 (body_measure_cells())
 *   level   positive in the fluid, 0 on the surface; no larger than the distance from it [L]
 *   known   whether they have been computed
 *   removed   bodies_removed() at the time for which they were computed */
struct body_fields {
    const struct domain *domain;
    const struct body_geometry *geometry;
    float *share, *level;
    int known, removed;
};

/* body_fields_create: allocates or counts the memory. geometry and domain are borrowed. body_fields_destroy:
 * frees it, also of a zeroed struct. */
kol_status body_fields_create(struct memory *memory, const struct domain *domain,
                              const struct body_geometry *geometry, struct body_fields *f);
void body_fields_destroy(struct body_fields *f);
/* body_fields_compute: computes the fields for the places of the bodies at time t. If no body travels, it
 * computes them only in the first call, and again after bodies have vanished. geometry: the bodies that are
 * there now; NULL if none are left. body_fields_views: describes the fields for io/. */
void body_fields_compute(struct body_fields *f, const struct body_geometry *geometry, double t);
void body_fields_views(struct body_fields *f, struct io_view *share, struct io_view *level);

#endif
