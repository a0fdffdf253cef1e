/* Probes: velocity and pressure at fixed points, with a record in probes.nc every probes.interval steps. Each
 * value is interpolated linearly, one direction after the other, from the nearest points of its own array.
 * Next to a wall the velocity of the wall is used. Only these points are copied from kernel memory.
 * docs/output.md. */
#ifndef KOL_OUTPUT_PROBES_H
#define KOL_OUTPUT_PROBES_H

#include "io/view.h"
#include "step/step.h"

struct probes;
/* probes_check: reads the file of positions and checks it. Collective. */
kol_status probes_check(struct step *step, struct flow *flow);
/* probes_create: prepares the probes. *out stays NULL if the input asks for none. KOL_ERR_INPUT names the
 * line if the file of positions is wrong. If memory is only counted, the file is not read, and its probes are
 * missing in the count. Collective. */
kol_status probes_create(struct step *step, struct flow *flow, struct probes **out);
/* probes_destroy: takes NULL. Records that have not been written are lost. */
void probes_destroy(struct probes **p);

/* probes_step: takes a record if probes.interval asks for one after this step.
 *
 *   start   set at the start of the run. In this case a record is always taken, unless the run continues an
 *           earlier file, which has this record already.
 *   file    out: the status of writing to probes.nc. Only rank 0 knows of a fault.
 *
 * The halo of the velocity must be up to date. If p is NULL, nothing is done. Collective. */
kol_status probes_step(struct probes *p, int start, kol_status *file);

/* The next four calls are for rank 0, at a time when no other thread uses NetCDF. If p is NULL, they do
 * nothing.
 *
 *   probes_name    store the arguments of series_open(); text is borrowed
 *   probes_open    open the file before the first record; later calls do nothing
 *   probes_flush   write the records to the file, as series_flush() does
 *   probes_close   write the records and close the file, as series_close() does */
void probes_name(struct probes *p, long long keep_through, const struct io_text *text, int texts);
kol_status probes_open(struct probes *p);
kol_status probes_flush(struct probes *p);
kol_status probes_close(struct probes *p);

#endif
