/* Slices and boxes: parts of the grid whose values at cell centres are written to files of their own. A
 * kernel packs this rank's share, and that alone comes to the host. */
#ifndef KOL_OUTPUT_SLICES_H
#define KOL_OUTPUT_SLICES_H

#include "inputs/quantities.h"
#include "io/view.h"
#include "state/flow.h"

enum { SLICES_FILES_MOST = SLICES_MOST + BOXES_MOST, SLICE_STEM = 24 };

struct xdmf_index; /* io/xdmf.h */

struct slice {
    char stem[SLICE_STEM]; /* slice_1, box_1, ... */
    unsigned quantities;   /* bits 1 << enum quantity */
    int interval;          /* steps; 0: by time */
    double interval_time;
    int due, taken;           /* after this step; whether its file is under way, the writer's while it is */
    struct io_axis axis[3];   /* of the whole cut; coordinates borrowed from the grid */
    struct range own;         /* local indices; empty where this rank has no share */
    int offset[3], n[3];      /* of this rank's share in the cut; n = 0: none */
    real *host;               /* its values, one quantity after another */
    struct xdmf_index *index; /* rank 0 */
};

struct slices {
    const struct flow *flow;
    const struct domain *domain;
    /* borrowed; of it slices_write reads only what no step changes */
    int count;
    struct slice cut[SLICES_FILES_MOST];
    real *packed; /* kernel memory that shares pass through in slabs; NULL: no cuts here */
    ptrdiff_t room;
};

/* slices_wanted: whether the inputs ask for any. slices_file_bytes: of one set of all files; grid and decomp
 * have to be there. */
int slices_wanted(const struct input *in);
double slices_file_bytes(const struct domain *domain);
/* slices_create: all that is allocated. slices_destroy takes a zeroed struct. Not collective. */
kol_status slices_create(struct memory *memory, const struct flow *flow, struct slices *c);
void slices_destroy(struct slices *c);

/* slices_due: which are due after this step, or at the start; their number. slices_take: begins to pack and
 * copy them; device_wait() tells when the values are there. The halo of the velocity is up to date.
 * slices_write: files of what was taken, from any thread, over the ranks of comm; collective. */
int slices_due(struct slices *c, int start);
void slices_none(struct slices *c);               /* none is due */
int slices_take_pressure(const struct slices *c); /* whether slices_take will look at the pressure */
kol_status slices_take(struct slices *c);
kol_status slices_write(struct slices *c, const struct comm *comm, long long step, double t,
                        const struct io_text *text, int texts);

#endif
