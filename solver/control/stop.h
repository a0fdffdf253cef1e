/* When a run ends before its time: signals, the stop file and limits of wall-clock time. */
#ifndef KOL_CONTROL_STOP_H
#define KOL_CONTROL_STOP_H

#include "control.h"

/* stop_finished: returns whether run.t_end or run.steps_max is reached, or statistics.stop_when is met. */
int stop_finished(const struct control *control, const struct flow *flow);

/* stop_poll: finds out after a step what all ranks have to do together; they agree in one message. The run
 * has to end early in three cases:
 *   - a signal (USR1, TERM, INT, HUP, XCPU) came to some rank;
 *   - the file STOP_FILE lies in output.directory; it is then removed;
 *   - run.walltime, counted from control->wall_start, is nearly used up.
 *
 * enough: whether statistics.stop_when is met on this rank; control->enough becomes the answer of all. If
 * some rank has a fault in domain->pending, the function returns that fault on all ranks. Collective. */
#define STOP_FILE "stop"
struct stop_poll {
    const char *stop; /* why the run has to end early; "": it goes on */
    int checkpoint;   /* checkpoint.interval_walltime has passed since control->wall_checkpoint */
};
kol_status stop_poll(struct control *control, int enough, struct stop_poll *out);

/* stop_wait: if the residual of the energy budget of this step is not known (health_budget_known()), lets a
 * stop wait that stop_poll() found, so that the last record of the series has it. From then on
 * control->ending is set, and health_choose() sees to it that the residual is known after three more steps
 * at most. */
void stop_wait(struct control *control, int known, struct stop_poll *poll);

/* stop_drop_file: removes a stop file that an earlier run left. Returns 1 if there was one. On rank 0 only.
 */
int stop_drop_file(const struct domain *domain);

/* stop_catch_signals: from now on the signals USR1, TERM, INT (a keyboard interrupt), HUP (the terminal is
 * closed; unless it is ignored, as by nohup) and XCPU (the limit of processor time, which is lowered if it is
 * the one at which the process is killed) ask for a stop after the next step. Further signals change nothing.
 * PIPE is ignored. */
void stop_catch_signals(void);

#endif
