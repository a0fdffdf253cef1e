/* Slices and boxes: parts of the grid whose values at cell centres are written to files of their own. A
 * kernel packs this rank's share of them, and only this share is copied to the host. */
#ifndef KOL_OUTPUT_SLICES_H
#define KOL_OUTPUT_SLICES_H

#include "inputs/quantities.h"
#include "io/view.h"
#include "state/flow.h"

enum { SLICES_FILES_MOST = SLICES_MOST + BOXES_MOST, SLICE_STEM = 24 };

struct xdmf_index; /* io/xdmf.h */

/* slice: a slice or a box. */
struct slice {
    char stem[SLICE_STEM];    /* beginning of the file's name: slice_1, box_1, ... */
    unsigned quantities;      /* bits 1 << enum quantity */
    int interval;             /* number of steps between two files; 0 if interval_time decides */
    double interval_time;     /* time between two files [T] */
    int selected, taken;      /* whether it is written after this step; whether it has been packed for that.
                                 `taken` belongs to the writer while it writes. */
    struct io_axis axis[3];   /* of the complete slice; coordinates borrowed from the grid */
    struct range own;         /* local indices of this rank's share; empty if it has none */
    int offset[3], n[3];      /* position and size of this rank's share in the slice; n = 0 if it has none */
    real *host;               /* values of this share, one quantity after another */
    struct xdmf_index *index; /* on rank 0 */
};

/* slices: all slices and boxes of a run. flow and domain are borrowed; slices_write() reads only what no step
 * changes in them. */
struct slices {
    const struct flow *flow;
    const struct domain *domain;
    int count;
    struct slice cut[SLICES_FILES_MOST];
    real *packed;   /* kernel memory in which shares are packed, some planes at a time; NULL if none */
    ptrdiff_t room; /* number of values of `packed` */
};

/* slices_wanted: returns whether the input asks for slices or boxes. */
int slices_wanted(const struct input *in);
/* slices_file_bytes: returns the total size of one file of every slice and every box [bytes]. It needs the
 * grid and the decomposition. */
double slices_file_bytes(const struct domain *domain);
/* slices_create: finds the slices and boxes of the input, and allocates their memory. Not collective. */
kol_status slices_create(struct memory *memory, const struct flow *flow, struct slices *c);
/* slices_destroy: frees what is inside. Takes a zeroed struct. Not collective. */
void slices_destroy(struct slices *c);

/* slices_due: selects the slices and boxes to be written after this step; at the start, all of them. Returns
 * their number. */
int slices_due(struct slices *c, int start);
/* slices_none: selects no slice and no box. */
void slices_none(struct slices *c);
/* slices_take_pressure: returns whether slices_take() will read the pressure. */
int slices_take_pressure(const struct slices *c);
/* slices_take: starts to pack the selected slices and boxes and to copy them to the host. device_wait()
 * returns when the copies are complete. The halo of the velocity must be up to date. */
kol_status slices_take(struct slices *c);
/* slices_write: writes the files of the slices and boxes that slices_take() has copied. It may run on any
 * thread. Collective over the ranks of comm. */
kol_status slices_write(struct slices *c, const struct comm *comm, long long step, double t,
                        const struct io_text *text, int texts);

#endif
