/* Tells in the log whether a flow along walls (wall_friction.h) is turbulent or laminar, and since when.
 * docs/numerics/walls.md, "Turbulent or not". */
#ifndef KOL_CONTROL_TURBULENCE_WATCH_H
#define KOL_CONTROL_TURBULENCE_WATCH_H

#include "wall_friction.h"
#include "kernels/base/status.h"
#include "state/flow.h"

/* turbulence_watch: the state of the monitor. Checkpoints keep what turbulence_watch_values() lists. A bin is
 * a turnover, a time delta/u_tau long; its means are those over this time. OPEN: neither is clear yet. */
enum { TURBULENCE_WATCH_BINS = 4, TURBULENCE_WATCH_VALUES = 8 + 3 * TURBULENCE_WATCH_BINS };
enum turbulence_watch_kind { TURBULENCE_WATCH_OPEN, TURBULENCE_WATCH_LAMINAR, TURBULENCE_WATCH_TURBULENT };
struct turbulence_watch_bin {
    double begin;              /* time [T] */
    double activity, friction; /* means of <w w>/u_tau^2, and of u_tau^2 over that of the laminar flow */
};
struct turbulence_watch {
    struct wall_flow flow;
    int watched;          /* whether the flow is of a kind that is watched; not in the checkpoint */
    double kind;          /* enum turbulence_watch_kind */
    double since, looked; /* when it became of this kind; when it was last looked at [T] */
    double turnovers;     /* in the present bin: time over delta/u_tau */
    double bins;          /* number of complete bins that follow one another, at most TURBULENCE_WATCH_BINS */
    struct turbulence_watch_bin now, bin[TURBULENCE_WATCH_BINS]; /* now: still sums; bin: newest last */
};

/* turbulence_watch_start: decides whether the flow is watched. Call it before the first step, after a restart
 * was read. */
void turbulence_watch_start(struct turbulence_watch *r, const struct flow *flow);

/* turbulence_watch_step: looks at the flow in every tenth step. Once it is clear whether the flow is
 * turbulent or laminar, the log says so. In ducts it reads two velocity components, in other flows one. Call
 * it after each step. Needs flow->now and flow->before. Collective. */
kol_status turbulence_watch_step(struct turbulence_watch *r, const struct flow *flow);

/* turbulence_watch_wants: returns whether turbulence_watch_step() will read the work of walls after this
 * step, or after the next one as that of the step before. */
int turbulence_watch_wants(const struct turbulence_watch *r, long long step);

/* turbulence_watch_end: writes to the log, on rank 0, what the flow is at the end of the run. */
void turbulence_watch_end(const struct comm *comm, const struct turbulence_watch *r);

/* What a checkpoint keeps, by name. */
extern const char *const turbulence_watch_names[TURBULENCE_WATCH_VALUES];

/* turbulence_watch_values: sets the pointers value[] to the numbers in *r that a checkpoint keeps, in the
 * order of their names. */
void turbulence_watch_values(struct turbulence_watch *r, double *value[TURBULENCE_WATCH_VALUES]);

#endif
