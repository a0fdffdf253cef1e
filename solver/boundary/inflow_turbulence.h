/* Synthetic turbulence on this rank's part of an inflow, in kernel memory. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_TURBULENCE_H
#define KOL_BOUNDARY_INFLOW_TURBULENCE_H

#include "kernels/inflow_waves.h"
#include "inflow.h"

struct inflow_turbulence;

/* inflow_turbulence_create: builds the tables of a face that this rank's box touches. d is this rank's part
 * of the grid. The waves of inflow are borrowed. If memory is only counted, inflow may be NULL. Local. */
kol_status inflow_turbulence_create(struct memory *memory, const struct input *in,
                                    const struct inflow *inflow, const struct decomp *d, int face,
                                    struct inflow_turbulence **out);

/* inflow_turbulence_destroy: frees them and sets the pointer to NULL. *t may be NULL. */
void inflow_turbulence_destroy(struct inflow_turbulence **t);

/* inflow_turbulence_fill: writes to `plane` the sum of `steady` and the turbulence at `time`. Both planes lie
 * in kernel memory. The turbulence has no net flux through the face. The host computes two sines a wave and
 * waits for nothing. The queue must have done this before the next call for the same face. Local. */
kol_status inflow_turbulence_fill(struct inflow_turbulence *t, struct box b, double time, const real *steady,
                                  real *plane);

#endif
