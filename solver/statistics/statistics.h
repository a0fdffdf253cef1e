/* Averages of the flow while it runs: when samples are taken, their average over time, the files
 * statistics.nc, spectra.nc, pdf.nc. Profiles between walls of one direction, volume means and spectra of a
 * periodic box. docs/statistics.md. */
#ifndef KOL_STATISTICS_STATISTICS_H
#define KOL_STATISTICS_STATISTICS_H

#include "io/view.h"
#include "state/flow.h"

struct statistics;
struct batch_means; /* batch_means.h */

/* statistics_create: statistics, NULL where the inputs ask for none. statistics_destroy takes NULL. */
kol_status statistics_create(const struct domain *domain, struct statistics **out);
void statistics_destroy(struct statistics **s);
/* statistics_check: whether they can be had: KOL_ERR_INPUT where a section is too large or heights do not fit
 * the grid; needs inputs and grid, not collective. statistics_host_bytes: memory of rank 0's host that
 * averages over a section take while statistics.nc is written, 0 for the smaller ones of other flows. */
kol_status statistics_check(const struct domain *domain);
double statistics_host_bytes(const struct domain *domain);
/* statistics_arrays: of the pool that a sample takes, when the step's are given back. */
int statistics_arrays(const struct input *in);

/* statistics_step: after a step and health_monitor: a sample, where one is due. Collective.
 * statistics_wants_pressure: whether statistics_step is about to read the pressure of this step. */
int statistics_wants_pressure(const struct statistics *s, const struct flow *flow);
kol_status statistics_step(struct statistics *s, const struct flow *flow);

/* statistics_sample: a sample of the flow as it stands, of all that is averaged, whenever that is due in a
 * run. Halos of velocity and pressure are up to date, flow->clock and flow->force are those of the flow. A
 * value that is not finite goes to domain->pending->status. Collective. */
kol_status statistics_sample(struct statistics *s, const struct flow *flow);

/* statistics_enough: whether the number of statistics.stop_when was known well enough at the last sample; on
 * rank 0. The log tells once. */
int statistics_enough(const struct statistics *s);

/* statistics_due: whether this step is one of statistics.write_interval. statistics_write: statistics.nc,
 * spectra.nc and pdf.nc of output.directory, each where there are samples that it lacks, on rank 0. */
int statistics_due(const struct statistics *s, const struct flow *flow);
/* STATISTICS_LINES: the average of wall stresses and numbers over sections, in the first file, too. */
enum { STATISTICS_FILES = 3, STATISTICS_LINES = STATISTICS_FILES };
extern const char *const statistics_files[STATISTICS_FILES]; /* their names */
/* statistics_average: of file n, or STATISTICS_LINES, on rank 0: the average, of *values values, and its
 * latest sample, to be filled by a program that works on files; NULL: there is none with these inputs. */
struct batch_means *statistics_average(struct statistics *s, int n, int *values, double **latest);
kol_status statistics_write(struct statistics *s, const struct domain *domain, const struct io_text *text,
                            int texts);
/* The same behind the steps, of flows that are homogeneous in one direction, whose files take long.
 * statistics_behind_wanted: whether these inputs have it so. On rank 0: statistics_behind_create: room,
 * once, after statistics_create. statistics_behind_take: the averages as they stand; *news: whether the file
 * lacks any of it; from then on it counts as written. statistics_behind_write: the file of what was taken, on
 * any thread: until it returns there is no other take, no statistics_take and no statistics_write. */
int statistics_behind_wanted(const struct input *in);
kol_status statistics_behind_create(struct statistics *s);
kol_status statistics_behind_take(struct statistics *s, int *news);
kol_status statistics_behind_write(const struct statistics *s, const struct domain *domain,
                                   const struct io_text *text, int texts);

/* The state in checkpoints, one array of doubles held by rank 0. statistics_size: of it, 0: none.
 * statistics_take: a copy, which statistics_view shows until the next. statistics_expect: where the array of
 * a checkpoint, of `size` doubles, is to be read; not collective. statistics_given: after that: what it has
 * of each average that the inputs ask for becomes its state; what it lacks, or has of another kind, and
 * averages that began before statistics.start, are begun anew. statistics_absent: the checkpoint has none, or
 * (there) none that can be taken. statistics_note: what became of it, for the log; "": nothing to tell. */
ptrdiff_t statistics_size(const struct statistics *s);
kol_status statistics_take(const struct statistics *s);
struct io_view statistics_view(const struct statistics *s);
kol_status statistics_expect(struct statistics *s, ptrdiff_t size, struct io_view *view);
kol_status statistics_given(struct statistics *s, const struct domain *domain);
void statistics_absent(struct statistics *s, int there);
const char *statistics_note(const struct statistics *s);
/* statistics_tell_idle: in the log, what was asked for and of which no sample was taken; on rank 0. */
void statistics_tell_idle(const struct statistics *s, const struct domain *domain);

#endif
