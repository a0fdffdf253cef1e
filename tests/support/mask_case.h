/* Boxes with bodies for tests and benchmarks: which faces are open, and the connected regions of fluid. All
 * of it is made on the host for the whole grid, in the plainest way. */
#ifndef KOL_TESTS_MASK_CASE_H
#define KOL_TESTS_MASK_CASE_H

#include "solver/parallel/decomp.h"
#include "solver/state/grid.h"

/* mask_kind: the bodies.
 *
 *   MASK_CUBES     768 cubes of edge L/30 at random places, as far as they do not overlap
 *   MASK_BED       spheres at random places, until `share` of the cells is solid
 *   MASK_PLATES    plates without thickness across the box, each with a gap
 *   MASK_SLABS     the same, one cell thick
 *   MASK_SEALED    a plate round the box at two places and a shell: two or more sealed regions
 *   MASK_RANDOM    faces closed at random: isolated cells, dead ends */
enum mask_kind {
    MASK_NONE,
    MASK_CUBES,
    MASK_BED,
    MASK_PLATES,
    MASK_SLABS,
    MASK_SEALED,
    MASK_RANDOM,
    MASK_KINDS
};
extern const char *const mask_name[MASK_KINDS];

/* mask: the whole grid. Value (i, j, k) has the place (k*ny + j)*nx + i.
 *
 *   open     bits of struct grid
 *   region   number of the connected region of a cell, -1 in dead cells; regions are numbered by their first
 *            cells
 *   regions  how many there are */
struct mask {
    int n[3];
    unsigned char *open;
    int *region, regions;
};

/* mask_create: makes the bodies. share: solid part that MASK_BED has, and part of the faces that MASK_RANDOM
 * closes. seed: any. If there is not enough memory, the program ends. */
void mask_create(enum mask_kind kind, const struct grid *g, double share, unsigned seed, struct mask *m);
void mask_destroy(struct mask *m);
/* mask_live: returns the share of the cells that have an open face. */
double mask_live(const struct mask *m);
/* mask_part: returns the bits of a rank's cells with their halo in kernel memory, as struct grid wants them.
 * The caller frees them with mem_kernel_free(). NULL if there is no memory. */
unsigned char *mask_part(const struct mask *m, const struct decomp *d, struct box b);
/* mask_level: changes a field of the whole grid so that it is 0 in dead cells and its sum over each region is
 * 0: a part of `volume` is subtracted in each cell. */
void mask_level(const struct mask *m, const double *volume, double *field);

#endif
