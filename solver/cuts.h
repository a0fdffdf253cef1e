/* Slices and boxes: parts of the grid whose values at cell centres are written to files of their own. A kernel packs this rank's share, and
 * that alone comes to the host. */
#ifndef KOL_CUTS_H
#define KOL_CUTS_H

#include "../inputs/quantities.h"
#include "../io/view.h"
#include "run.h"

enum { CUTS_MOST = SLICES_MOST + BOXES_MOST, CUT_STEM = 24 };

struct xdmf_index; /* io/xdmf.h */

struct cut {
    char stem[CUT_STEM]; /* slice_1, box_1, ... */
    unsigned quantities; /* bits 1 << enum quantity */
    int interval;        /* steps; 0: by time */
    double interval_time;
    int due, taken;           /* after this step; whether its file is under way, the writer's while it is */
    struct io_axis axis[3];   /* of the whole cut; coordinates borrowed from the grid */
    struct range own;         /* local indices; empty where this rank has no share */
    int offset[3], n[3];      /* of this rank's share in the cut; n = 0: none */
    real *host;               /* its values, one quantity after another */
    struct xdmf_index *index; /* rank 0 */
};

struct cuts {
    const struct run *run; /* borrowed; of it cuts_write reads only what no step changes */
    int count;
    struct cut cut[CUTS_MOST];
    real *packed; /* kernel memory that shares pass through in slabs; NULL: no cuts here */
    ptrdiff_t room;
};

/* cuts_wanted: whether the inputs ask for any. cuts_bytes: kernel memory, and cuts_host_bytes: host memory that this rank takes for them.
 * cuts_file_bytes: of one set of all files. grid and decomp have to be there. */
int cuts_wanted(const struct input *in);
double cuts_bytes(const struct run *run);
double cuts_host_bytes(const struct run *run);
double cuts_file_bytes(const struct run *run);
/* cuts_create: all that is allocated. cuts_destroy takes a zeroed struct. Not collective. */
kol_status cuts_create(const struct run *run, struct cuts *c);
void cuts_destroy(struct cuts *c);

/* cuts_due: which are due after this step, or at the start; their number. cuts_take: begins to pack and copy them; device_wait() tells when
 * the values are there. The halo of the velocity is up to date. cuts_write: files of what was taken, from any thread, over the ranks of comm;
 * collective. */
int cuts_due(struct cuts *c, int start);
void cuts_none(struct cuts *c);               /* none is due */
int cuts_take_pressure(const struct cuts *c); /* whether cuts_take will look at the pressure */
kol_status cuts_take(struct cuts *c);
kol_status cuts_write(struct cuts *c, const struct comm *comm, long long step, double t,
                      const struct io_text *text, int texts);

#endif
