/* Whether a straight flow along walls (straight.h) is turbulent or laminar, and since when: said in the log. docs/numerics/walls.md,
 * "Turbulent or not". */
#ifndef KOL_REGIME_H
#define KOL_REGIME_H

#include "straight.h"
#include "../kernels/base/status.h"

struct run;

/* regime: state of the monitor; it is in the checkpoint, as regime_values() lists it. */
enum { REGIME_BINS = 4, REGIME_VALUES = 8 + 3 * REGIME_BINS };
enum regime_kind { REGIME_OPEN, REGIME_LAMINAR, REGIME_TURBULENT };
struct regime_bin {
    double begin; /* time [T] */
    double activity,
        friction; /* means over a turnover: of <w w>/u_tau^2, and u_tau^2 over that of the laminar flow */
};
struct regime {
    struct straight flow;
    int watched;          /* whether the flow is of the kind that is watched; not in the checkpoint */
    double kind;          /* enum regime_kind */
    double since, looked; /* when it became so; when the flow was looked at last [T] */
    double turnovers;     /* in the bin under way: time over delta/u_tau */
    double bins;          /* complete ones that follow one another, at most REGIME_BINS, the newest last */
    struct regime_bin now, bin[REGIME_BINS]; /* now: sums, not yet means */
};

/* regime_start: before the first step, after a restart was read. regime_step: after each step, its monitor known: every tenth it looks, at
 * one velocity (in ducts two), and says in the log what has become clear. Collective. regime_end: what the flow is at the end. */
void regime_start(struct run *run);
kol_status regime_step(struct run *run);
void regime_end(const struct run *run);

/* What a checkpoint keeps, by name; regime_values: the places of it, in that order. */
extern const char *const regime_names[REGIME_VALUES];
void regime_values(struct regime *r, double *value[REGIME_VALUES]);

#endif
