/* The staggered grid: the only place that computes coordinates, spacings and their inverses. */
#ifndef KOL_STATE_GRID_H
#define KOL_STATE_GRID_H

#include "inputs/input.h"
#include "kernels/base/mem.h"
#include "parallel/decomp.h"

/* x, y, z: c centre, f lower face. Of the edges, the last three, there are no stencils. */
enum location { LOC_CCC, LOC_FCC, LOC_CFC, LOC_CCF, LOC_CFF, LOC_FCF, LOC_FFC };

struct grid {
    struct box box;   /* this rank's cells */
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
    double
        part_beyond[FACES]; /* of the given velocity in what lies beyond a face: 1 - factor of struct walls */
    unsigned held;          /* bit f: face f of this rank's box is a wall */
    int periodic[3];        /* 0: no pressure flux through the two faces of the direction */
    /* of the systems of implicit diffusion, in directions with walls (grid_stencil_held()): widths at centres
     * and at faces, and inverse distance of centres at faces */
    const real *held_c[3], *held_f[3], *held_gi[3];
    const real *gp[3]; /* inverse distance of centres i-1 and i at face i, 0 where no flux passes; as m.dxi_f
                          otherwise [1/L] */
};

/* grid_create: coordinates by the stretching laws of docs/inputs.md, or those that g->face holds already
 * (face_file_read()); metrics of this rank. KOL_ERR_INPUT where two faces would fall together in working
 * precision. grid_destroy takes a zeroed struct. */
kol_status grid_create(const struct input *in, const struct decomp *d, struct grid *g);
void grid_destroy(struct grid *g);
/* grid_centre_distance: distance of the centres on both sides of global face i, 0 .. n; on a wall twice that
 * of the centre to it [L]. */
double grid_centre_distance(const struct grid *g, int dir, int i);
/* grid_width: of global cell i, 0 .. n-1 [L]. */
double grid_width(const struct grid *g, int dir, int i);
/* grid_stencil: the 7-point operator of a location, shift V x - scale V lap(x). */
struct stencil grid_stencil(const struct grid *g, enum location loc, real shift, real scale);
/* grid_stencil_held: the same for a velocity, location fcc, cfc or ccf, that is 0 on walls and inflows, 0 a
 * cell away beyond outflows, and along free-slip walls has no gradient across: x is 0 beyond all of them
 * (stencil.held), at these distances, and points on them, of the component through them, have volumes so
 * large that x stays 0 there to rounding. In a periodic box grid_stencil(). */
struct stencil grid_stencil_held(const struct grid *g, enum location loc, real shift, real scale);

#endif
