/* Timetable of files, log lines. With its parts series_record.c, step_files.c, slices.c, probes.c,
 * writer_thread.c, restart.c, regrid.c, host_copy.c and provenance.c the only caller of io/, the log apart.
 */
#ifndef KOL_OUTPUT_OUTPUT_H
#define KOL_OUTPUT_OUTPUT_H

#include "control/control.h"
#include "step/step.h"

struct statistics; /* statistics/statistics.h */
struct output;

/* output_sources: what files and log tell of; all borrowed. */
struct output_sources {
    struct flow *flow;
    struct step *step;
    struct control *control;
    struct statistics *statistics; /* NULL: none are asked for */
    size_t memory;                 /* kernel memory of a rank [bytes], and */
    int arrays;                    /* fields in it, for the log */
};
/* output_create: memory and provenance for the files; messages go to the terminal from here on, but not
 * where memory is only counted. Touches no file, so that a fault in the set-up of the flow leaves the
 * directory as it is. output_destroy takes NULL. Collective. */
kol_status output_create(struct output_sources from, int argc, char **argv, struct output **out);
void output_destroy(struct output **o);
/* output_unlock: the lock of the directory goes; nothing is written after it. NULL: nothing. */
void output_unlock(struct output *o);
/* output_restart: clock, velocity, pressures from domain->in.checkpoint.restart ('latest' or a file).
 * Collective. */
kol_status output_restart(struct output *o);
/* output_start: makes the output directory, opens run.log and series.nc (a restarted run goes on after its
 * checkpoint) and writes what is due at the start. In a fresh run, files of an earlier run in the directory
 * are moved to its folder previous-<k>; none is overwritten. Collective. */
kol_status output_start(struct output *o);
/* output_step: series record, log line, fields and checkpoint that are due after this step; last: the run
 * ends here. Files may be written while the steps go on (writer_thread.h); a later call, or output_finish,
 * tells their faults. A fault of the series, on rank 0 alone, or of files whose end not all ranks have seen
 * yet, goes to domain->pending->status. */
kol_status output_step(struct output *o, int checkpoint_due, int last);
/* output_finish: what is buffered, and files under way, reach the disk. ending: words for the last log line.
 */
kol_status output_finish(struct output *o, const char *ending);
/* output_abandon: after a fault: files under way, the records up to it, and the message in run.log reach the
 * disk, as far as that is possible; the fault stands. Every rank that comes here calls it; no rank waits for
 * another's call. */
void output_abandon(struct output *o);

#endif
