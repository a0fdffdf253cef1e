/* Whether a straight flow along walls (wall_friction.h) is turbulent or laminar, and since when: said in
 * the log. docs/numerics/walls.md, "Turbulent or not". */
#ifndef KOL_CONTROL_TURBULENCE_WATCH_H
#define KOL_CONTROL_TURBULENCE_WATCH_H

#include "wall_friction.h"
#include "kernels/base/status.h"
#include "state/flow.h"

/* turbulence_watch: state of the monitor; it is in the checkpoint, as turbulence_watch_values() lists it. */
enum { TURBULENCE_WATCH_BINS = 4, TURBULENCE_WATCH_VALUES = 8 + 3 * TURBULENCE_WATCH_BINS };
enum turbulence_watch_kind { TURBULENCE_WATCH_OPEN, TURBULENCE_WATCH_LAMINAR, TURBULENCE_WATCH_TURBULENT };
struct turbulence_watch_bin {
    double begin; /* time [T] */
    double activity,
        friction; /* means over a turnover: of <w w>/u_tau^2, and u_tau^2 over that of the laminar flow */
};
struct turbulence_watch {
    struct wall_flow flow;
    int watched;          /* whether the flow is of the kind that is watched; not in the checkpoint */
    double kind;          /* enum turbulence_watch_kind */
    double since, looked; /* when it became so; when the flow was looked at last [T] */
    double turnovers;     /* in the bin under way: time over delta/u_tau */
    double bins; /* complete ones that follow one another, at most TURBULENCE_WATCH_BINS, the newest last */
    struct turbulence_watch_bin now, bin[TURBULENCE_WATCH_BINS]; /* now: sums, not yet means */
};

/* turbulence_watch_start: before the first step, after a restart was read. turbulence_watch_step: after each
 * step, its monitor known: every tenth it looks, at one velocity (in ducts two), and says in the log what has
 * become clear. Collective. turbulence_watch_end: what the flow is at the end. */
void turbulence_watch_start(struct turbulence_watch *r, const struct flow *flow);
kol_status turbulence_watch_step(struct turbulence_watch *r, const struct flow *flow);
void turbulence_watch_end(const struct comm *comm, const struct turbulence_watch *r);

/* What a checkpoint keeps, by name; turbulence_watch_values: the places of it, in that order. */
extern const char *const turbulence_watch_names[TURBULENCE_WATCH_VALUES];
void turbulence_watch_values(struct turbulence_watch *r, double *value[TURBULENCE_WATCH_VALUES]);

#endif
