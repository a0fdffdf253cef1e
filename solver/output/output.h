/* Output of a run: when files are written, and the lines of the log. Apart from the log, io/ is called only
 * here and in series_record.c, step_files.c, slices.c, probes.c, writer_thread.c, restart.c, regrid.c,
 * host_copy.c and provenance.c, which belong to the output. */
#ifndef KOL_OUTPUT_OUTPUT_H
#define KOL_OUTPUT_OUTPUT_H

#include "control/control.h"
#include "step/step.h"

struct statistics; /* statistics/statistics.h */
struct output;

/* output_sources: the objects that files and log report on. All are borrowed. */
struct output_sources {
    struct flow *flow;
    struct step *step;
    struct control *control;
    struct statistics *statistics; /* NULL if the input asks for none */
    size_t memory;                 /* kernel memory of a rank, for the log [bytes] */
    int arrays;                    /* number of fields in it, for the log */
};
/* output_create: allocates the memory of the files and gathers their provenance. From here on messages go to
 * the terminal, unless memory is only counted. No file is touched, so a fault in the set-up of the flow
 * leaves the directory as it is. Collective. */
kol_status output_create(struct output_sources from, int argc, char **argv, struct output **out);
/* output_count: takes the arrays that the output works in from a pool that only counts. */
kol_status output_count(struct output *o);
/* output_destroy: waits for the files that are being written. Takes NULL. Collective. */
void output_destroy(struct output **o);
/* output_unlock: releases the lock of the directory. Nothing may be written after it. Takes NULL. */
void output_unlock(struct output *o);
/* output_restart: reads clock, velocity and pressures from domain->in->checkpoint.restart, which is
 * 'latest' or a file. Collective. */
kol_status output_restart(struct output *o);
/* output_start: makes the output directory, opens run.log and series.nc, and writes the output of the start.
 * A run that is restarted in its own directory continues its series after the checkpoint. Otherwise, files of
 * an earlier run in the directory are moved to its folder previous-<k>; none is overwritten. Collective. */
kol_status output_start(struct output *o);
/* output_step: writes what the input asks for after this step: series record, log line, fields, slices,
 * checkpoint.
 *
 *   checkpoint_due   whether a checkpoint is to be written in any case
 *   last             whether the run ends here
 *
 * Files may be written while the steps go on (writer_thread.h). Their faults are then reported by a later
 * call or by output_finish(). Some faults wait in domain->pending instead: a fault of the series, which
 * rank 0 alone has, and a fault of files whose end not all ranks have seen yet. Collective. */
kol_status output_step(struct output *o, int checkpoint_due, int last);
/* output_finish: writes all that is buffered, and waits for the files that are being written. ending: text of
 * the last log line. Collective. */
kol_status output_finish(struct output *o, const char *ending);
/* output_abandon: saves what can be saved after a fault: the files that are being written, the records up to
 * the fault, and its message in run.log. The fault itself is kept. Every rank that gets here calls it, and no
 * rank waits for the call of another one. */
void output_abandon(struct output *o);

#endif
