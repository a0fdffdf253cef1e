/* The grids of the multigrid preconditioner: which directions are coarsened, who owns which coarse cells, the
 * arrays that pass between them. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_LEVELS_H
#define KOL_POISSON_MULTIGRID_LEVELS_H

#include "kernels/level.h"
#include "multigrid_line.h"
#include "parallel/gather.h"
#include "state/grid.h"
#include "parallel/halo.h"

enum { MULTIGRID_LEVELS_MOST = 40, MULTIGRID_LEVELS_DENSE = 512 };

struct level {
    struct line line[3];
    int coarsened[3]; /* which directions the next level coarsens */
    int whole;        /* every rank has the whole grid */
    int paired;       /* own cells of all ranks begin with the first cell of a coarse one */
    int at_once,
        late;        /* to the next level by level_descend; back by level_correction, not by level_prolong */
    struct decomp d; /* own cells; of the whole grid one rank's */
    struct box box;
    struct cells cells;
    struct halo *halo;
    level_real *r, *z, *spare; /* right-hand side, iterate, and the next one or the residual; of the first
                                  level: the caller's */
    level_real *home[2];       /* z and spare, which trade places, before a cycle; none on the first level */
    struct level_stencil s;
    /* to the next level; none on the last */
    struct level_transfers t;
    int n_coarse[3]; /* own cells of the next level */
    int shift[3];    /* their place in its arrays */
    struct box part; /* where the next level is whole and this one is not: own coarse cells, before they are
                        gathered */
    level_real *r_part;
    struct gather *gather;
    void *store; /* behind s and t */
    int *store_int;
};

struct multigrid_levels {
    int n;
    double unit;   /* length that widths are measured in, a power of two [L] */
    double volume; /* mean cell volume of the first level [L^3] */
    struct level level[MULTIGRID_LEVELS_MOST];
    level_real *inverse; /* of the last level's operator, the constants apart */
};

/* multigrid_levels_create: coarsen until MULTIGRID_LEVELS_DENSE cells or fewer are left; linear: transfers.
 * The first level gets no arrays. Collective; everything borrowed. multigrid_levels_destroy: collective. */
kol_status multigrid_levels_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                                   const struct grid *g, int transport, int linear,
                                   struct multigrid_levels *out);
void multigrid_levels_destroy(struct multigrid_levels *l);

#endif
