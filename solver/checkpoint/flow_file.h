/* Starts a run from a flow of the user: initial.type = 'file'. docs/own-flows.md. */
#ifndef KOL_CHECKPOINT_FLOW_FILE_H
#define KOL_CHECKPOINT_FLOW_FILE_H

#include "step/step.h"

/* flow_file_start: reads the velocity of initial.file, interpolates it to the faces of this grid, adds
 * initial.velocity, and projects it. flow->given says what that has changed. Scalars that the file has begin
 * from it, and the log says which. The bits are the same on any
 * number of ranks. KOL_ERR_INPUT if the file does not fit the box. Collective. */
kol_status flow_file_start(struct step *step, struct flow *flow);

/* flow_file_check: checks that the file is there and fits, without reading the arrays. *text gets lines for
 * --check on the scalars; the caller frees it. Collective. */
kol_status flow_file_check(const struct domain *domain, char **text);

#endif
