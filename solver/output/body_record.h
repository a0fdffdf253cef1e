/* Forces on bodies and fluxes of scalars from them: a record in bodies.nc for every step whose forces are
 * known. docs/output.md. */
#ifndef KOL_OUTPUT_BODY_RECORD_H
#define KOL_OUTPUT_BODY_RECORD_H

#include "io/series.h"
#include "io/view.h"
#include "state/flow.h"

struct body_record;
/* body_record_create: prepares the records. *out stays NULL if there are no bodies, or if the input asks for
 * no forces (output.bodies_interval). Collective. */
kol_status body_record_create(struct flow *flow, struct body_record **out);
/* body_record_destroy: takes NULL. Records that have not been written are lost. */
void body_record_destroy(struct body_record **r);

/* body_record_step: takes a record if the forces of the step that has just ended are known. If r is NULL,
 * nothing is done. *file: the status of bodies.nc; a fault of the file is known on rank 0 alone.
 * Collective. */
kol_status body_record_step(struct body_record *r, kol_status *file);

/* Columns of series.nc with the force on all bodies together, and its coefficients if the input gives an area
 * and a speed.
 *
 *   body_record_columns   writes them to column, and returns how many there are; 0 without bodies or forces
 *   body_record_totals    on rank 0, writes the values of the step that has just ended, after
 *                         body_record_step(); NaN if the step has no forces, 0 after all bodies have vanished
 */
enum { BODY_TOTALS = 6 };
int body_record_columns(const struct input *in, struct series_column column[BODY_TOTALS]);
void body_record_totals(const struct body_record *r, const struct flow *flow, double value[BODY_TOTALS]);

/* body_record_flux: on rank 0, returns the flux of scalar n from all bodies into the fluid over the step that
 * has just ended, after body_record_step() [own U L^2]; NaN if the step has no fluxes. */
double body_record_flux(const struct body_record *r, const struct flow *flow, int n);

/* The next four calls are for rank 0, at a time when no other thread uses NetCDF; see output/probes.h. */
void body_record_name(struct body_record *r, long long keep_through, const struct io_text *text, int texts);
kol_status body_record_open(struct body_record *r);
kol_status body_record_flush(struct body_record *r);
kol_status body_record_close(struct body_record *r);

#endif
