/* Synthetic turbulence on this rank's part of an inflow, in kernel memory. docs/numerics/open.md. */
#ifndef KOL_TURBULENCE_H
#define KOL_TURBULENCE_H

#include "../kernels/waves.h"
#include "inflow.h"

struct turbulence;
/* turbulence_create: tables of a face that this rank's box touches; d: its part of the grid. Local. turbulence_bytes: kernel memory it takes.
 * turbulence_destroy takes NULL. */
kol_status turbulence_create(const struct inflow *inflow, const struct decomp *d, int face,
                             struct turbulence **out);
void turbulence_destroy(struct turbulence **t);
double turbulence_bytes(const struct input *in, const struct decomp *d, int face);
/* turbulence_fill: the face's plane at time t: steady with the waves, which have no flux through the face. The host does as much as two
 * sines a wave, and waits for nothing; between two calls for a face the queue has come past. Local. */
kol_status turbulence_fill(struct turbulence *t, struct box b, double time, const real *steady, real *plane);

#endif
