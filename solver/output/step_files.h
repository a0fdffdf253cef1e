/* Field files, slices, boxes and checkpoints of one step: copies of what they need of the flow, and the
 * writing. */
#ifndef KOL_OUTPUT_STEP_FILES_H
#define KOL_OUTPUT_STEP_FILES_H

#include "slices.h"
#include "bodies/body_fields.h"
#include "checkpoint/restart.h"
#include "control/control.h"
#include "step/step.h"

struct statistics; /* statistics/statistics.h */

/* step_files: the files of one step. All pointers are borrowed. step_files_write() reads only what no step
 * changes in statistics, step and domain. */
struct step_files {
    const struct statistics *statistics;
    const struct step *step;
    const struct domain *domain;
    const struct comm *comm; /* communicator of the writer */
    struct host_copy staging;
    struct io_axis axis[3];
    const struct io_text *text; /* provenance */
    int texts;
    int fields, checkpoint; /* whether a field file, a checkpoint is to be written */
    int statistics_taken;   /* on rank 0: whether statistics_behind_take() took averages. Their file is then
                               written first. */
    int alone;              /* on rank 0: whether no other rank has a job */
    struct restart_image image;
    struct slices cuts;
    struct body_fields bodies; /* if fields hold the bodies; else zeroed */
};

/* step_files_on_the_way: returns whether a run with this input is to write files while the steps go on. It
 * is not if files are written only at the end of the run. If the input does not decide, GPU builds do so;
 * CPU builds do not, because their cores are busy with the steps. */
int step_files_on_the_way(const struct input *in);
/* step_files_check: returns KOL_ERR_INPUT, with the place of the input, if the HDF5 library can't write the
 * files that the input asks for. Local. */
kol_status step_files_check(const struct domain *domain);
/* step_files_create: allocates memory for the files, slices and boxes included. *f must be zeroed.
 *
 *   ahead   whether memory for copies of the complete state is wanted. If a rank does not have so much
 *           memory, or if ahead is 0, only memory for slabs of the state is allocated. f->staging.ahead
 *           tells which.
 *
 * Collective, unless memory is only counted. */
kol_status step_files_create(struct memory *memory, const struct flow *flow, int ahead, struct step_files *f);
/* step_files_destroy: frees what is inside. Takes a zeroed struct. */
void step_files_destroy(struct step_files *f);
/* step_files_host: returns the host memory that step_files_create() takes on this rank, and the temporary
 * memory of restart_count() [bytes]. */
double step_files_host(const struct flow *flow, int ahead);
/* step_files_take: takes the state after a step, for a field file and a checkpoint if these are set. The
 * halos of velocity and pressure must be up to date. If f->staging.ahead is set, copies are made, and
 * step_files_write() may then run on another thread. */
kol_status step_files_take(struct statistics *statistics, struct control *control, struct step *step,
                           struct flow *flow, struct step_files *f, int fields, int checkpoint);
/* step_files_write: writes the files: statistics.nc, the field file, the selected slices and boxes, then the
 * checkpoint. It is a job for writer_start(), whose context is a struct step_files. Collective. */
kol_status step_files_write(void *files);
/* step_files_write_alone: writes statistics.nc alone, on rank 0. It is a job, too. */
kol_status step_files_write_alone(void *files);

#endif
