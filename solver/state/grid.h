/* The staggered grid. Only its code computes coordinates, spacings and their inverses. */
#ifndef KOL_STATE_GRID_H
#define KOL_STATE_GRID_H

#include "inputs/input.h"
#include "kernels/base/mem.h"
#include "parallel/decomp.h"

/* location: a letter for each of x, y, z: c centre, f lower face. The last three are edges; they have no
 * stencils. */
enum location { LOC_CCC, LOC_FCC, LOC_CFC, LOC_CCF, LOC_CFF, LOC_FCF, LOC_FFC };

struct grid {
    struct box box;   /* box of this rank's cells */
    struct metrics m; /* kernel memory */
    int n_g[3];       /* cells of the whole grid */
    double length[3], origin[3];
    double *face[3];     /* global: n + 1 face coordinates [L], host memory */
    double *centre[3];   /* global: n centres, midway between faces */
    double volume;       /* of the whole box [L^3] */
    double h;            /* cube root of the mean cell volume [L] */
    double smallest;     /* smallest cell width [L] */
    double narrowest[3]; /* that of each direction [L] */
    double diffusive;    /* largest of 4 sum 1/(dx_c dx_f): bound of |eigenvalue| of the Laplacian [1/L^2] */
    double diffusive_xy; /* the part of x and y in it [1/L^2] */
    real *store;         /* kernel memory behind m */
    size_t store_bytes;
    int uniform[3];
    /* part of the given velocity in the value beyond a face: 1 - factor of struct walls */
    double part_beyond[FACES];
    unsigned held;   /* bit f: face f of this rank's box is a wall */
    int periodic[3]; /* 0: no pressure flux through the two faces of the direction */
    /* for the systems of implicit diffusion, in directions with walls (grid_stencil_held()): widths at
     * centres and at faces, and inverse distances of centres at faces */
    const real *held_c[3], *held_f[3], *held_gi[3];
    /* inverse distance of centres i-1 and i at face i [1/L]: 0 where no flux passes, elsewhere as m.dxi_f */
    const real *gp[3];
    /* Bodies in the box: one byte for each cell, in kernel memory, indexed like a field of `box`. Bit f = 2 *
     * direction + side is set if face f of the cell is open, so that its velocity is an unknown. A cell
     * without any bit is dead. Both cells beside a face have the same bit, in all halo layers as well. The
     * array is borrowed. NULL: there are no bodies. */
    const unsigned char *open;
    int bodies; /* whether there are bodies, also while memory is only counted and `open` is NULL */
};

/* grid_create: computes the global coordinates, and the metrics of this rank. The coordinates follow the
 * stretching laws of docs/inputs.md, or are those that g->face has already (face_file_read()). KOL_ERR_INPUT
 * if two faces would have the same coordinate in working precision. */
kol_status grid_create(const struct input *in, const struct decomp *d, struct grid *g);
/* grid_destroy: frees a grid. It accepts a zeroed struct. */
void grid_destroy(struct grid *g);
/* grid_centre_distance: returns the distance of the centres on both sides of global face i, 0 .. n [L]. On a
 * wall it is twice the distance of the centre from the wall. */
double grid_centre_distance(const struct grid *g, int dir, int i);
/* grid_width: returns the width of global cell i, 0 .. n-1 [L]. */
double grid_width(const struct grid *g, int dir, int i);
/* grid_stencil: returns the 7-point operator of a location, shift V x - scale V lap(x). */
struct stencil grid_stencil(const struct grid *g, enum location loc, real shift, real scale);
/* grid_stencil_held: returns the operator of grid_stencil() for a velocity component x, at location fcc,
 * cfc or ccf, with its boundary conditions:
 *
 *   - x is 0 on walls and inflows;
 *   - beyond outflows x is 0 at a distance of one cell;
 *   - x has no gradient across free-slip walls, if it is the component along them.
 *
 * In the halo beyond these faces x is 0 (stencil.held), and the distances in the stencil are such that the
 * conditions follow. Points of the component normal to a face lie on the face; their volumes are so large
 * that x stays 0 there, to rounding. In a periodic box it is grid_stencil(). */
struct stencil grid_stencil_held(const struct grid *g, enum location loc, real shift, real scale);

#endif
