/* Records the turbulence in a periodic box in history.nc, at the intervals of &history. The file has a time
 * dimension of its own. docs/output.md. */
#ifndef KOL_OUTPUT_HISTORY_H
#define KOL_OUTPUT_HISTORY_H

#include "io/view.h"
#include "state/flow.h"

#define HISTORY_FILE "history.nc"
struct history;
/* history_create: prepares the records. *out stays NULL if the input asks for none. Collective. */
kol_status history_create(const struct flow *flow, struct history **out);
/* history_destroy: takes NULL. Records that have not been written are lost. */
void history_destroy(struct history **h);
/* history_count: takes the arrays of a record from a pool that only counts. */
kol_status history_count(struct history *h);

/* history_width: returns the number of values of a record.
 *
 * history_sample: computes a record. Rank 0 gets history_width() values; on other ranks `record` is NULL. The
 * halo of the velocity must be up to date. Collective.
 *
 * history_append: adds the decay exponent to a record, and appends the record to the file. Records come in
 * the order of their times. Only rank 0 may call it. */
size_t history_width(const struct history *h);
kol_status history_sample(struct history *h, double *record);
kol_status history_append(struct history *h, double *record);

/* history_step: takes a record if the intervals of &history ask for one after this step. start and file are
 * those of probes_step(). The halo of the velocity must be up to date. If h is NULL, nothing is done.
 * Collective. */
kol_status history_step(struct history *h, int start, kol_status *file);

/* The next four calls are for rank 0, at a time when no other thread uses NetCDF; see probes.h. */
void history_name(struct history *h, long long keep_through, const struct io_text *text, int texts);
kol_status history_open(struct history *h);
kol_status history_flush(struct history *h);
kol_status history_close(struct history *h);

#endif
