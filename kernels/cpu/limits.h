/* The limits of a step on one plane, for sweeps that sum them. */
#ifndef KOL_CPU_LIMITS_H
#define KOL_CPU_LIMITS_H

#include "../projection.h"

/* limits_plane: adds the terms of project_limits() on plane k, and completes a layer of blocks behind its
 * last plane. Planes come in turn, from 0 on. */
void limits_plane(struct box b, struct metrics m, struct blocks bl, int k, const real *u, const real *v,
                  const real *w);

#endif
