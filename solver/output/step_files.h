/* Field files, slices, boxes and checkpoints of one step: what they need of it, and the writing. */
#ifndef KOL_OUTPUT_STEP_FILES_H
#define KOL_OUTPUT_STEP_FILES_H

#include "slices.h"
#include "checkpoint/restart.h"
#include "control/control.h"
#include "step/step.h"

struct statistics; /* statistics/statistics.h */

/* files: those of one step. The provenance is borrowed. */
struct step_files {
    const struct statistics *statistics;
    const struct step *step;
    const struct domain *domain;
    /* of it step_files_write reads only what no step changes */
    const struct comm *comm; /* that of the writer */
    struct host_copy staging;
    struct io_axis axis[3];
    const struct io_text *text;
    int texts;
    int fields, checkpoint; /* which of the two are to be written */
    int statistics_taken;   /* whether statistics_behind_take took averages, on rank 0, whose file is to be
                         written   before */
    int alone;              /* on rank 0: no other rank has a job */
    struct restart_image image;
    struct slices cuts;
};

/* step_files_on_the_way: whether a run with these inputs is to write files while it goes on: those of its end
 * alone hold nobody up. Where the input does not say, GPUs go on, and the cores of a CPU build, which are
 * busy with the steps, don't. */
int step_files_on_the_way(const struct input *in);
/* step_files_create: memory for files: ahead: for copies of the state, where all ranks have it
 * (f->staging.ahead), or else for slabs of it; and for slices and boxes. *f is zeroed. Collective where
 * memory is taken. step_files_destroy takes a zeroed struct. */
kol_status step_files_create(struct memory *memory, const struct flow *flow, int ahead, struct step_files *f);
void step_files_destroy(struct step_files *f);
/* step_files_host: bytes of host memory that it takes on this rank, and that are taken beside for a while. */
double step_files_host(const struct flow *flow, int ahead);
/* step_files_take: after a step: the state, of which copies are made where the staging is ahead;
 * step_files_write may then run on another thread. The halos of velocity and pressure are up to date.
 * step_files_write: void *: struct step_files; a writer's job: statistics.nc, the field file, slices and
 * boxes that are due, then the checkpoint. Collective. step_files_write_alone: the same, of statistics.nc
 * alone, on rank 0. */
kol_status step_files_take(struct statistics *statistics, struct control *control, struct step *step,
                           struct flow *flow, struct step_files *f, int fields, int checkpoint);
kol_status step_files_write(void *files);
kol_status step_files_write_alone(void *files);

#endif
