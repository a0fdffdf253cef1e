/* Surface data of bodies: surface_<step>.h5 every output.surface_interval steps, and surface_average.h5 with
 * every checkpoint and at the end. docs/output.md. */
#ifndef KOL_OUTPUT_SURFACE_RECORD_H
#define KOL_OUTPUT_SURFACE_RECORD_H

#include "io/view.h"
#include "state/flow.h"

struct surface_record;
/* surface_record_create: prepares the files. *out stays NULL if the input asks for no surface data.
 * Collective. */
kol_status surface_record_create(struct flow *flow, struct surface_record **out);
void surface_record_destroy(struct surface_record **r);

/* surface_record_due: returns whether the step that has just ended has a file. r may be NULL. */
int surface_record_due(const struct surface_record *r);
/* surface_record_step: writes it. surface_record_average: writes the averages, if a step has been added since
 * they were written last, and keeps their state for the checkpoint. r may be NULL. No other thread may write
 * HDF5 files meanwhile. Collective. */
kol_status surface_record_step(struct surface_record *r, const struct io_axis axis[3],
                               const struct io_text *text, int texts);
kol_status surface_record_average(struct surface_record *r, const struct io_axis axis[3],
                                  const struct io_text *text, int texts);

#endif
