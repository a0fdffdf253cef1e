/* What the numbers of a checkpoint may be. */
#ifndef KOL_CHECKPOINT_RESTART_STATE_H
#define KOL_CHECKPOINT_RESTART_STATE_H

#include "control/turbulence_watch.h"
#include "io/view.h"

struct checkpoint; /* io/checkpoint.h */
struct statistics; /* statistics/statistics.h */

/* RESTART_PLAIN: numbers of the state without the hashes of inflows and the turbulence watch.
 * RESTART_SCALARS: all of them. */
enum { RESTART_PLAIN = 26, RESTART_SCALARS = RESTART_PLAIN + FACES + TURBULENCE_WATCH_VALUES };

/* restart_state_check: checks the state of an open checkpoint. Every number must be in its range, the
 * numbers must agree with each other, and the file must have the arrays that follow from them. KOL_ERR_IO
 * names file, number, value and range. Numbers that this program does not know are ignored.
 * Collective. */
kol_status restart_state_check(const struct comm *comm, struct checkpoint *c);
/* restart_state_written: makes the same check of numbers before they are written. If it fails, it returns
 * KOL_ERR_NUMERICAL. */
kol_status restart_state_written(const struct io_scalar scalar[RESTART_SCALARS]);

/* restart_judge: what restart_sound() looks at, besides the file itself. */
struct restart_judge {
    const struct domain *domain;
    struct statistics *statistics; /* NULL: averages are not looked at */
    const struct flow *flow;       /* NULL: the amplitudes of a forcing are not looked at */
};
/* restart_sound: checks the state of a checkpoint by restart_state_check(). If the checkpoint has averages
 * over time and judge->statistics is given, these are checked, too, and the amplitudes of a forcing likewise.
 * checkpoint_find() and checkpoint_verify() call it. judge: struct restart_judge. Collective. */
kol_status restart_sound(void *judge, struct checkpoint *c);

#endif
