/* Synthetic turbulence on this rank's part of an inflow, in kernel memory. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_TURBULENCE_H
#define KOL_BOUNDARY_INFLOW_TURBULENCE_H

#include "kernels/inflow_waves.h"
#include "inflow.h"

struct inflow_turbulence;
/* inflow_turbulence_create: tables of a face that this rank's box touches; d: its part of the grid. Local.
 * inflow: NULL where memory is only counted. inflow_turbulence_destroy takes NULL. */
kol_status inflow_turbulence_create(struct memory *memory, const struct input *in,
                                    const struct inflow *inflow, const struct decomp *d, int face,
                                    struct inflow_turbulence **out);
void inflow_turbulence_destroy(struct inflow_turbulence **t);
/* inflow_turbulence_fill: the face's plane at time t: steady with the waves, which have no flux through the
 * face. The host does as much as two sines a wave, and waits for nothing; between two calls for a face the
 * queue has come past. Local. */
kol_status inflow_turbulence_fill(struct inflow_turbulence *t, struct box b, double time, const real *steady,
                                  real *plane);

#endif
