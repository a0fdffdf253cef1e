/* When a run ends before its time: signals, the stop file and limits of wall-clock time. */
#ifndef KOL_CONTROL_STOP_H
#define KOL_CONTROL_STOP_H

#include "control.h"

/* stop_finished: t_end or steps_max reached, or statistics.stop_when met. */
int stop_finished(const struct control *control, const struct flow *flow);
/* stop_poll: what all ranks have to do the same after a step, agreed in one message. stop: "" or why the
 * run has to end early: a signal (USR1, TERM, INT) came to some rank, the file STOP_FILE lies in
 * output.directory (it is then removed), or run.walltime, from control->wall_start on, is nearly used up.
 * checkpoint: checkpoint.interval_walltime has passed since control->wall_checkpoint. Returns
 * domain->pending->status of any rank, on all of them. */
#define STOP_FILE "stop"
struct stop_poll {
    const char *stop;
    int checkpoint;
};
kol_status stop_poll(struct control *control, int enough, struct stop_poll *out);
/* stop_catch_signals: from now on USR1, TERM and INT (a keyboard interrupt) ask for a stop after the next
 * step; further ones change nothing. stop_drop_file: removes one that an earlier run has not obeyed;
 * 1 where there was one. Rank 0. */
int stop_drop_file(const struct domain *domain);
void stop_catch_signals(void);

#endif
