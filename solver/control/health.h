/* Time step, health and stopping: what every rank must agree on after each step. */
#ifndef KOL_CONTROL_HEALTH_H
#define KOL_CONTROL_HEALTH_H

#include "run.h"

/* A speed that grows by this factor within a step means that the solution blew up. */
enum { CONTROL_BLOW_UP = 1000 };

enum dt_limit { DT_FIXED, DT_CONVECTION, DT_DIFFUSION, DT_END };

/* control_monitor: halos of velocity and pressure, then run->now from one sweep. KOL_ERR_NUMERICAL, on all
 * ranks, where the velocity or the pressure is not finite or the speed jumped by CONTROL_BLOW_UP, or the
 * energy of an undriven flow grew: the message names field, cell, rank and step. */
kol_status control_monitor(struct run *run);
/* control_blame: after a step ended with the numerical fault st: where a velocity or the pressure is not
 * finite, or a velocity has jumped, the message becomes one that names field, cell, rank and step; after a
 * solve that failed the cell of its largest residual is named. Collective; every rank has the fault. */
kol_status control_blame(struct run *run, kol_status st);
/* control_budget: after a step: run->budget_residual = (K - K_before)/dt + mean dissipation over the step
 * less the work of walls, less the power of the force; the mean by the quadratic through this and the two
 * values before (trapezoidal in the first step). [U^2/T] */
void control_budget(struct run *run);
/* control_check: KOL_ERR_INPUT where nothing limits the time step: a fluid at rest without viscosity and
 * time.dt. */
kol_status control_check(const struct run *run);
/* control_dt: clock.dt of the next step and what limits it; cut so that the last step ends at t_end.
 * KOL_ERR_INPUT as control_check. */
kol_status control_dt(struct run *run);
/* control_limits: the limits of dt for a given Courant sum [1/T]: convective, cfl over it and the rates of a
 * turning frame and an oscillating force; viscous, where diffusion is explicit: convection and diffusion
 * together stay in the stability region. 0: no limit. docs/numerics/time.md. */
void control_limits(const struct run *run, double courant, double *convective, double *viscous);
/* control_courant: the Courant sum [1/T] to choose the next dt by, where the flow's own is `courant`: also
 * that of the speeds which walls, a bulk velocity and open faces bring, and of what a force adds within the
 * step. */
double control_courant(const struct run *run, double courant);
/* control_finished: t_end or steps_max reached, or statistics.stop_when met. */
int control_finished(const struct run *run);
/* control_fixed: KOL_ERR_INPUT where a fixed dt is well beyond what boundary.outflow_velocity allows: the CFL
 * number of a cell at an outflow over the scheme's stability limit, by as much as control_health lets pass.
 * Wants the grid alone. */
kol_status control_fixed(const struct run *run);
/* control_cfl: the CFL number over clock.dt of the flow in its frame, or of what outflows are convected with
 * where that is larger. */
double control_cfl(const struct run *run);
/* control_health: after a step: KOL_ERR_NUMERICAL, on all ranks, where the divergence is far beyond what the
 * solver has left, or a fixed dt has had a CFL number well beyond the scheme's stability limit for
 * CONTROL_FAST_STEPS steps in a row. control_keepable: KOL_ERR_NUMERICAL where such steps are under way: no
 * checkpoint may be written now. */
enum { CONTROL_FAST_STEPS = 10 };
kol_status control_health(struct run *run);
kol_status control_keepable(const struct run *run);
/* control_pend: put the recorded fault aside as the pending one; of two the first is kept. control_pending:
 * record it again, return its status. */
void control_pend(struct run *run, kol_status st);
kol_status control_pending(struct run *run);
/* control_poll: what all ranks have to do the same after a step, agreed in one message. stop: "" or why the
 * run has to end early: a signal (USR1, TERM, INT) came to some rank, the file CONTROL_STOP_FILE lies in
 * output.directory (it is then removed), or run.walltime, from run->wall_start on, is nearly used up.
 * checkpoint: checkpoint.interval_walltime has passed since run->wall_checkpoint. Returns run->pending of any
 * rank, on all of them. */
#define CONTROL_STOP_FILE "stop"
struct control_poll {
    const char *stop;
    int checkpoint;
};
kol_status control_poll(struct run *run, struct control_poll *out);
/* control_catch_signals: from now on USR1, TERM and INT (a keyboard interrupt) ask for a stop after the next
 * step; further ones change nothing. control_drop_stop_file: removes one that an earlier run has not obeyed;
 * 1 where there was one. Rank 0. */
int control_drop_stop_file(const struct run *run);
void control_catch_signals(void);
const char *control_limit_name(int limit);

#endif
