/* Scalars of the file that a run starts from: initial.type = 'file'. docs/own-flows.md. */
#ifndef KOL_CHECKPOINT_FLOW_SCALARS_H
#define KOL_CHECKPOINT_FLOW_SCALARS_H

#include "io/flowfile.h"
#include "transfer.h"
#include "state/flow.h"

/* flow_scalars: which scalars of the run the file has, one bit each, and sentences for the log on what begins
 * otherwise, each ended by a newline. */
struct flow_scalars {
    unsigned given;
    char text[4096];
};

/* flow_scalars_look: finds the scalars of the file. KOL_ERR_INPUT if one has other sizes than the velocity or
 * another unit than the scalar of the run, if the input asks for another initial state of this scalar, or if
 * its buoyancy has no reference or no time step can be chosen. Collective. */
kol_status flow_scalars_look(const struct domain *domain, struct flowfile *f, struct flow_scalars *s);

/* flow_scalars_start: sets these scalars to what the file has, interpolated to the cells of this run, and
 * their disturbance; adds to the text in which range they lie. t: with its maps; a, b: of transfer_arrays();
 * host: room for a field. The bits are the same on any number of ranks. Collective. */
kol_status flow_scalars_start(struct flow *flow, struct flowfile *f, struct flow_scalars *s,
                              const struct transfer *t, double *a, double *b, real *host);

#endif
