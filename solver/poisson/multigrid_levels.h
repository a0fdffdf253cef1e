/* The grids of the multigrid preconditioner: which directions are coarsened, which rank owns which coarse
 * cells, and the arrays that pass between them. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_LEVELS_H
#define KOL_POISSON_MULTIGRID_LEVELS_H

#include "kernels/level.h"
#include "multigrid_coarsening.h"
#include "parallel/gather.h"
#include "state/grid.h"
#include "parallel/halo.h"

struct level {
    struct line line[3];
    struct pairs pairs[3]; /* the cells of the next level; none on the last */
    int replicated;        /* every rank has all cells of the grid as its own */
    int aligned;           /* on every rank the own cells begin with the first cell of a coarse one */
    int fused_restriction; /* residual and restriction are one sweep, level_descend() */
    int fused_correction;  /* a smoothing sweep adds the correction of the next level, not level_prolong() */
    struct decomp d;       /* own cells; if it is replicated, as on one rank */
    struct box box;
    struct cells cells;
    struct halo *halo;
    level_real *r, *z;  /* right-hand side and iterate; on the first level arrays of the caller, as z_next */
    level_real *z_next; /* for the next iterate, which then changes places with z, or for the residual */
    level_real *initial[2]; /* z and z_next when a cycle begins; NULL on the first level */
    struct level_stencil s;
    /* to the next level; none on the last */
    struct level_transfers t;
    int n_coarse[3]; /* own cells of the next level */
    int shift[3];    /* their place in its arrays */
    /* if the next level is replicated and this one is not: own coarse cells, before they are gathered */
    struct box part;
    level_real *r_part;
    struct gather *gather;
    /* with bodies: the weights of the faces with marks, as bytes on the first level and as words (level_word)
     * on the others; then the weights of the own coarse cells before the gather */
    unsigned char *open;
    level_real *faces, *faces_part;
    struct cells transfer_cells; /* for transfers with bodies, which read around wherever they can */
    int moves;   /* with bodies: whether cells of any rank may belong to another coarse cell */
    void *store; /* the memory behind s and t */
    int *store_int;
};

struct multigrid_levels {
    const struct comm *comm; /* borrowed */
    int n;
    int by_coupling; /* cells are paired where their coupling is strong, not by complete directions */
    double unit;     /* of the widths: a length that is a power of two [L] */
    double volume;   /* mean cell volume of the first level [L^3] */
    struct level level[MULTIGRID_COARSENING_LEVELS];
    const unsigned char *open; /* with bodies: as in struct grid, borrowed */
    level_real *inverse;       /* of the last level's operator, without the constants */
};

/* multigrid_levels_create: makes coarser and coarser grids until MULTIGRID_COARSENING_DENSE cells or fewer
 * are left. linear: whether corrections are interpolated linearly. The first level gets no arrays. All
 * arguments are borrowed. Collective. */
kol_status multigrid_levels_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                                   const struct grid *g, int transport, int linear,
                                   struct multigrid_levels *out);
/* multigrid_levels_close: computes the weights of the faces on all grids, and the inverse of the last grid,
 * from the open faces of the first grid. When faces have opened or closed, it is called again. Kernels do the
 * work. open: as in struct grid, with `bodies` set. Collective. */
kol_status multigrid_levels_close(const unsigned char *open, struct multigrid_levels *ls);
/* multigrid_levels_renew: computes the weights of the faces again, but not the inverse of the last grid,
 * which remains that of multigrid_levels_close(). Kernels do all of the work. Collective. */
kol_status multigrid_levels_renew(struct multigrid_levels *ls);
/* multigrid_levels_fill: fills the cells beyond the own ones that sweeps over a level read. Collective. */
kol_status multigrid_levels_fill(struct level *l, level_real *a, enum halo_shape shape);
/* multigrid_levels_destroy: frees the levels. Collective. */
void multigrid_levels_destroy(struct multigrid_levels *l);

#endif
