/* The domain of the flow: the input, the ranks and their cells, the grid, the memory of fields, and what
 * exchanges and adds their values. It is made at the start, and no step changes it. */
#ifndef KOL_STATE_DOMAIN_H
#define KOL_STATE_DOMAIN_H

#include "inputs/namelist.h"
#include "inputs/scalars.h"
#include "kernels/projection.h"
#include "grid.h"
#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/halo.h"
#include "parallel/memory.h"
#include "parallel/profile.h"
#include "parallel/reduction.h"
#include "pending_fault.h"
#include "pool.h"

struct scalar_given;

struct domain {
    const struct input *in;            /* resolved; borrowed */
    const struct input_source *source; /* where its values come from, for messages; borrowed */
    struct comm comm;
    struct decomp decomp;
    struct grid grid;
    struct memory *memory; /* NULL: memory is allocated; otherwise it is only counted (parallel/memory.h) */
    struct pool *pool;     /* the memory of all fields */
    struct halo *halo;
    struct reduction *reduction;
    double formula_speed[FACES][3]; /* of walls that move by formulas: the largest size of each component [U];
                                       0 on other faces */
    real
        *wall_plane[FACES]; /* kernel memory: the velocity of such walls, as in walls.plane; otherwise NULL */
    struct scalar_ranges given_range; /* of what is given for scalars on faces (scalars/scalar_given.h) */
    struct scalar_given *given;       /* formulas and tables of scalars on faces; NULL: there are none */
    real
        *scalar_plane[FACES][SCALARS_MOST]; /* kernel memory: what is added beyond a face at each place, where
                                                that varies (struct scalar_faces); otherwise NULL */
    struct walls walls;      /* faces of the grid that this rank's box has and that are not periodic */
    struct pending *pending; /* a fault of files on which the ranks have not agreed yet; borrowed */
    struct profile *profile; /* NULL without --profile */
    int sharers;             /* the most ranks that share one GPU, or this node's memory; 0: not known yet */
    char device[256];        /* description of the processor or GPU */
    char tuning[512];        /* description of where the launch shapes of the kernels come from */
};

#endif
