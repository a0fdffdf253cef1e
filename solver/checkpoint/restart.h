/* Writes the state of a run to checkpoint files, and reads it to continue the run. */
#ifndef KOL_CHECKPOINT_RESTART_H
#define KOL_CHECKPOINT_RESTART_H

#include "boundary/inflow.h"
#include "checkpoint_size.h"
#include "host_copy.h"
#include "restart_state.h"
#include "control/control.h"
#include "step/step.h"

struct statistics; /* statistics/statistics.h */

/* restart_image: what a checkpoint contains beside the data of the fields, after a certain step. */
struct restart_image {
    long long step;
    double t;
    struct io_view view[FLOW_ROWS]; /* of the arrays in the list of the struct host_copy */
    struct io_view statistics;      /* n_g[X] = 0 if there are none */
    struct io_view forcing;         /* likewise, of a box */
    struct io_view surface;         /* likewise, averages on the surface of bodies */
    struct statistics *cells;       /* those with averages in every cell, NULL if there are none; borrowed */
    struct io_view plane[6];        /* of outflows */
    int planes;                     /* number of these */
    struct io_scalar scalar[RESTART_SCALARS];
};

/* restart_take: makes the image of the state after a step, and puts the arrays into the list of s, in the
 * order of state/flow_fields.h. If `whole` is 0, as for a field file, the list has only the arrays that are
 * always kept, and the image has no statistics and no planes. Not collective. */
kol_status restart_take(struct statistics *statistics, struct control *control, struct step *step,
                        struct flow *flow, struct host_copy *s, int whole, struct restart_image *image);
/* restart_write: writes the checkpoint of this image. It may run on any thread, and reads only what no step
 * changes in domain. Returns KOL_ERR_NUMERICAL if a value is not finite; in this case no file is written.
 * Collective over the ranks of c. */
kol_status restart_write(const struct domain *domain, const struct comm *c, const struct io_axis axis[3],
                         struct host_copy *s, const struct restart_image *image, const struct io_text *text,
                         int texts);
/* restart_read: reads velocity, pressures, clock and statistics from domain->in->checkpoint.restart. The
 * continued run takes the same steps bit for bit, on any number of ranks.
 *
 *   why   gets some lines for the log: why this file was chosen, and what the input changes
 *
 * KOL_ERR_IO if the file is damaged or its numbers make no sense. KOL_ERR_INPUT names every difference in
 * grid, precision and physics that checkpoint.regrid and checkpoint.force do not allow. Collective. */
kol_status restart_read(struct statistics *statistics, struct control *control, struct step *step,
                        struct flow *flow, const struct io_axis axis[3], struct host_copy *s, char *why,
                        size_t size);
/* restart_count: counts the host memory that a rank needs in restart_write() and restart_read(), beside that
 * of host_copy_create(). restart_write() needs it to read the checkpoint back and verify it. restart_read()
 * needs it to distribute planes of open faces, and to interpolate with checkpoint.regrid. All of it is
 * temporary. */
kol_status restart_count(struct memory *memory, const struct domain *domain);
/* restart_check: checks that restart_read() would accept the file of checkpoint.restart. If that is 'latest'
 * or 'none', nothing is checked. inflow: NULL if no face is an inflow. Collective. */
kol_status restart_check(const struct domain *domain, const struct inflow *inflow);
struct checkpoint; /* io/checkpoint.h */
/* restart_planes: reads the velocity on open faces from an open checkpoint. flow->vel and the clock must be
 * those of the file. changed: whether the boundary conditions differ from those of the file. Collective. */
kol_status restart_planes(struct flow *flow, struct checkpoint *c, int changed);
#endif
