/* The state that a run continues from, to and from checkpoint files. */
#ifndef KOL_CHECKPOINT_RESTART_H
#define KOL_CHECKPOINT_RESTART_H

#include "boundary/inflow.h"
#include "control/turbulence_watch.h"
#include "checkpoint_size.h"
#include "host_copy.h"
#include "control/control.h"
#include "step/step.h"

struct statistics; /* statistics/statistics.h */

enum { RESTART_PLAIN = 16, RESTART_SCALARS = RESTART_PLAIN + FACES + TURBULENCE_WATCH_VALUES };

/* restart_image: what a checkpoint holds beside the arrays, of the step that it was made after. */
struct restart_image {
    long long step;
    double t;
    struct io_view view[FLOW_ROWS]; /* of the arrays in the list of the staging */
    struct io_view statistics;      /* n_g[X] = 0: none */
    struct io_view plane[6];        /* of outflows */
    int planes;
    struct io_scalar scalar[RESTART_SCALARS];
};

/* restart_take: the image of the state after a step, and its arrays into the list, in the order of
 * state/field.h: those that are always kept, and if whole, the rest. restart_write: the checkpoint of it,
 * from any thread, over the ranks of c; of run it reads only what no step changes. KOL_ERR_NUMERICAL, and no
 * file, where a value is not finite. restart_read: velocity, pressures, clock from
 * domain->in.checkpoint.restart; a run continued from it takes the same steps bit for bit, on any number of
 * ranks. KOL_ERR_INPUT with every difference in grid, precision and physics that checkpoint.regrid and
 * checkpoint.force do not allow. why: words on the choice of the file and on what the input changes, in
 * lines, for the log. Collective but for restart_take. */
kol_status restart_take(struct statistics *statistics, struct control *control, struct step *step,
                        struct flow *flow, struct host_copy *s, int whole, struct restart_image *image);
kol_status restart_write(const struct domain *domain, const struct comm *c, const struct io_axis axis[3],
                         struct host_copy *s, const struct restart_image *image, const struct io_text *text,
                         int texts);
kol_status restart_read(struct statistics *statistics, struct control *control, struct step *step,
                        struct flow *flow, const struct io_axis axis[3], struct host_copy *s, char *why,
                        size_t size);
/* restart_check: whether the file of checkpoint.restart, where it is not 'latest', is a checkpoint that
 * restart_read would take. inflow: NULL where no face is one. Collective. */
kol_status restart_check(const struct domain *domain, const struct inflow *inflow);
/* restart_planes: the velocity on open faces from an open checkpoint, where flow->vel and the clock are those
 * of the file; changed: the boundary is another one than the file's. restart_other_table: the first face
 * whose table or planes of an inflow are not those that the file was written with, or of which it does not
 * tell; -1: none. Both collective. */
struct checkpoint; /* io/checkpoint.h */
kol_status restart_planes(struct flow *flow, struct checkpoint *c, int changed);
kol_status restart_other_table(const struct flow *flow, struct checkpoint *c, int *face);

#endif
