/* Statistics of the flow during a run: when samples are taken, their average over time, and the files
 * statistics.nc, spectra.nc, pdf.nc, phases.nc and averages.h5. docs/statistics.md. There are four kinds:
 *
 *   - profiles between the walls of one direction;
 *   - fields over the cross-section of a flow with one homogeneous direction;
 *   - volume means and spectra of a periodic box;
 *   - averages over time alone, in every cell. */
#ifndef KOL_STATISTICS_STATISTICS_H
#define KOL_STATISTICS_STATISTICS_H

#include "io/view.h"
#include "state/flow.h"

struct statistics;
struct batch_means; /* batch_means.h */

/* statistics_create: makes the statistics that the input asks for. If it asks for none, *out stays NULL. */
kol_status statistics_create(const struct domain *domain, struct statistics **out);
/* statistics_destroy: frees the object; NULL is allowed. */
void statistics_destroy(struct statistics **s);
/* statistics_check: checks that these statistics are possible. Returns KOL_ERR_INPUT in four cases: the
 * cross-section is too large; there are too many phases; the spectra of a box would have too many shells; two
 * of the heights of spectra are in the same plane. It needs the input and the grid. Not collective. */
kol_status statistics_check(const struct domain *domain);
/* statistics_host: counts the host memory that rank 0 takes for averages over a cross-section or by phase,
 * including the memory that it takes while their file is written [bytes]. *bytes is 0 for other averages,
 * which are small. It needs the input and the grid. Not collective. */
kol_status statistics_host(const struct domain *domain, double *bytes);

/* statistics_wants_pressure: returns whether statistics_step() will read the pressure of this step. */
int statistics_wants_pressure(const struct statistics *s, const struct flow *flow);
/* statistics_solves_pressure: returns whether statistics_step() will read a pressure that has to be solved
 * for at the time of this step (statistics.pressure). If arrays are only counted, it returns whether any step
 * may. */
int statistics_solves_pressure(const struct statistics *s, const struct flow *flow);
/* statistics_step: takes a sample if the intervals of &statistics ask for one in this step. Call it after a
 * step and after health_monitor(). s may be NULL. Collective. */
kol_status statistics_step(struct statistics *s, const struct flow *flow);

/* statistics_sample: takes a sample of everything that is averaged, from the present flow, whatever the
 * intervals of &statistics are. The halos of velocity and pressure must be up to date, and flow->clock and
 * flow->force must belong to the flow. If a value is not finite, the fault waits in domain->pending
 * (state/pending_fault.h). If arrays are only counted (state/pool.h), those that samples work in are counted;
 * s may then be NULL. Collective. */
kol_status statistics_sample(struct statistics *s, const struct flow *flow);

/* statistics_enough: returns whether the error bar of the quantity statistics.stop_when is small enough. The
 * error bar is computed whenever a batch is complete, and the log reports it. Only rank 0 knows the answer.
 */
int statistics_enough(const struct statistics *s);

/* statistics_due: returns whether this step is a multiple of statistics.write_interval. */
int statistics_due(const struct statistics *s, const struct flow *flow);
/* Numbers of the averages. The first four belong to one file each. STATISTICS_LINES is the average of the
 * wall stresses and numbers of a cross-section, STATISTICS_SCALARS that of its scalars; both are in the first
 * file, too. */
enum { STATISTICS_FILES = 4, STATISTICS_LINES = STATISTICS_FILES, STATISTICS_SCALARS = 6 };
extern const char *const statistics_files[STATISTICS_FILES]; /* names of the files */
/* statistics_average: returns average number n on rank 0, for programs that fill it from files. Returns
 * NULL if the input asks for no such average. The pointer is borrowed. *values: number of values of a
 * sample. */
struct batch_means *statistics_average(struct statistics *s, int n, int *values);
/* statistics_follow: tells the statistics, on rank 0, that they continue others whose last sample was taken
 * at time t (batch_means_follow()). */
void statistics_follow(struct statistics *s, double t);
/* statistics_write: writes statistics.nc, spectra.nc, pdf.nc and phases.nc in output.directory. A file is
 * only written if there are samples that it does not contain yet. Rank 0 alone does something. */
kol_status statistics_write(struct statistics *s, const struct domain *domain, const struct io_text *text,
                            int texts);
/* statistics_write_cells: writes averages.h5, if there are averages in every cell with samples that the file
 * does not contain yet. asked: whether the file is to be written; only the value of rank 0 counts. step:
 * number of the step. Collective. */
#define CELL_AVERAGES_FILE "averages.h5"
kol_status statistics_write_cells(struct statistics *s, const struct domain *domain, int asked,
                                  long long step, const struct io_text *text, int texts);
/* statistics_cells: returns the averages in every cell, borrowed, or NULL if there are none. *numbers: on
 * rank 0 their samples and batches (cell_averages.h). For programs that fill the averages from files. */
struct cell_averages; /* cell_averages.h */
struct cell_averages *statistics_cells(struct statistics *s, struct batch_means **numbers);
/* The file of a flow that is homogeneous in one direction takes long to write. The next functions write it
 * on another thread while the solver continues. All but the first are for rank 0.
 *
 * statistics_behind_wanted: returns whether a run with this input writes the file on another thread. */
int statistics_behind_wanted(const struct input *in);
/* statistics_behind_create: allocates or counts the memory for the copies that the other thread writes. It is
 * called once, after statistics_create(). */
kol_status statistics_behind_create(struct memory *memory, struct statistics *s);
/* statistics_behind_take: keeps an image of the present averages. *news: whether they have samples that the
 * file does not contain yet; if not, no image is taken. From then on these samples count as written. */
kol_status statistics_behind_take(struct statistics *s, int *news);
/* statistics_behind_write: writes the file from this image, on any thread. Until it returns,
 * statistics_behind_take(), statistics_take() and statistics_write() are not allowed. */
kol_status statistics_behind_write(const struct statistics *s, const struct domain *domain,
                                   const struct io_text *text, int texts);

/* In checkpoints, the state of the averages is one array of doubles, which rank 0 holds.
 *
 * statistics_size: returns its number of doubles. It is 0 if there are no statistics. */
ptrdiff_t statistics_size(const struct statistics *s);
/* statistics_take: makes a copy of the present state. */
kol_status statistics_take(const struct statistics *s);
/* statistics_view: returns a view of this copy. It is valid until the next statistics_take(). */
struct io_view statistics_view(const struct statistics *s);
/* statistics_expect: prepares to read the array of a checkpoint, which has `size` doubles. *view says into
 * which memory it has to be read. Not collective. */
kol_status statistics_expect(struct statistics *s, ptrdiff_t size, struct io_view *view);
/* statistics_sound: checks the array that has been read, instead of restoring the averages from it.
 * KOL_ERR_IO if numbers of samples or sums make no sense. Not collective. */
kol_status statistics_sound(struct statistics *s, const char *path);
/* statistics_given: restores the averages from the array that has been read. An average starts anew in three
 * cases: the checkpoint does not have it, its samples consist of other values, or it has samples from before
 * statistics.start. */
kol_status statistics_given(struct statistics *s, const struct domain *domain);
/* statistics_put_cells: writes the sums of averages in every cell to a checkpoint. statistics_get_cells:
 * reads them after statistics_given(), if the averages continue. Both do nothing if there are no such
 * averages. Collective. */
struct checkpoint; /* io/checkpoint.h */
kol_status statistics_put_cells(struct statistics *s, struct checkpoint *c);
kol_status statistics_get_cells(struct statistics *s, struct checkpoint *c);
/* statistics_absent: is called instead of statistics_given() in two cases: the checkpoint has no statistics;
 * or it has some that cannot be used, and then `there` is set. */
void statistics_absent(struct statistics *s, int there);
/* statistics_note: returns a text for the log that says what became of the statistics of the checkpoint. It
 * is "" if there is nothing to report. */
const char *statistics_note(const struct statistics *s);
/* statistics_tell_idle: writes to the log which statistics were asked for although no sample was taken. Only
 * rank 0 does something. */
void statistics_tell_idle(const struct statistics *s, const struct domain *domain);

#endif
