/* Probes: velocity and pressure at fixed points, a record in probes.nc every probes.interval steps. Each
 * value is interpolated linearly, direction after direction, from the points of its own array around the
 * probe; next to a wall from the wall's velocity. Only those points leave kernel memory. docs/output.md. */
#ifndef KOL_OUTPUT_PROBES_H
#define KOL_OUTPUT_PROBES_H

#include "io/view.h"
#include "step/step.h"

struct probes;
/* probes_wanted: whether the inputs ask for any. probes_check: reads the file of positions and judges it.
 * probes_create: *out NULL where there are none; KOL_ERR_INPUT, with the line, where the file is wrong. Where
 * memory is only counted a file is not read, and its probes come on top. Collective. probes_destroy takes
 * NULL, and drops records that are not written. */
int probes_wanted(const struct input *in);
kol_status probes_check(struct step *step, struct flow *flow);
kol_status probes_create(struct step *step, struct flow *flow, struct probes **out);
void probes_destroy(struct probes **p);

/* probes_step: a record after this step, where one is due; start: at the start, in any case, but where an
 * earlier file goes on, which has it. The halo of the velocity is up to date. A fault of the file, on rank 0
 * alone, is in *file. p NULL: nothing. Collective. */
kol_status probes_step(struct probes *p, int start, kol_status *file);

/* Rank 0, where NetCDF is free; p NULL: nothing. probes_name: directory and what series_open() is given;
 * borrowed. probes_open: opens the file before the first record; again: nothing. probes_flush, probes_close:
 * as of a series. */
void probes_name(struct probes *p, long long keep_through, const struct io_text *text, int texts);
kol_status probes_open(struct probes *p);
kol_status probes_flush(struct probes *p);
kol_status probes_close(struct probes *p);

#endif
