/* Equal bodies at random places that do not overlap, &packing. docs/numerics/bodies.md, "Packings". */
#ifndef KOL_BODIES_PACKING_H
#define KOL_BODIES_PACKING_H

#include "kernels/base/status.h"

/* packing: what is packed. Two bodies may not overlap after each has grown by half the gap on all sides. They
 * are cubes along the grid if `cubes` is set, otherwise spheres.
 *
 *   low, length   of the domain [L]
 *   size          of the bodies in each direction [L]
 *   gap           least distance in each direction [L]; of spheres the first one counts
 *   step          if it is above 0: the low corners of cubes lie at low + whole steps [L]
 *   by            words for messages: where the packing was asked for */
struct packing {
    int cubes, count, seed;
    double low[3], length[3], size[3], gap[3], step[3];
    int periodic[3];
    const char *at;
};

/* PACKING_SEQUENTIAL: up to this share of the volume, with half the gap counted to the bodies, they are
 * placed one after another. Above it, they start from a lattice and are moved at random. */
#define PACKING_SEQUENTIAL 0.3

/* packing_place: finds the centres of the bodies. They depend on the packing alone. *centre has 3 * count
 * coordinates; the caller frees it with free(), also after a fault. KOL_ERR_INPUT if so many do not fit. */
kol_status packing_place(const struct packing *p, double **centre);

#endif
