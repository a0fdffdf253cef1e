/* Fields between kernel memory and the packed host arrays that io/ reads and writes. */
#ifndef KOL_STAGING_H
#define KOL_STAGING_H

#include "../io/view.h"
#include "run.h"

/* staging: host memory for one field with its halo, and for one packed array of up to 3 values a cell. */
struct staging {
    real *field[3]; /* whole arrays as in kernel memory */
    void *packed;
};
kol_status staging_create(const struct run *run, struct staging *s);
void staging_destroy(struct staging *s);
/* staging_view: a view of this rank's part with data = s->packed. */
struct io_view staging_view(const struct run *run, const struct staging *s, const char *name,
                            const char *long_name, const char *unit, enum io_location location, int ncomp);
/* staging_pack: own cells of a kernel array into the packed array; staging_unpack: back, the halo NaN. */
kol_status staging_pack(const struct run *run, struct staging *s, const real *array);
kol_status staging_unpack(const struct run *run, struct staging *s, real *array);
/* staging_centre_velocity: u, v, w at cell centres by the mean of the two faces; staging_centre_vorticity: the vorticity
 * vector by the mean of the four edges. Both need the velocity's halo, edges too. Packed, 3 values a cell. */
kol_status staging_centre_velocity(const struct run *run, struct staging *s);
kol_status staging_centre_vorticity(const struct run *run, struct staging *s);

#endif
