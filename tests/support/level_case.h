/* What the tests of levels share: small grids with periodic and walled directions, and their coefficients
 * and transfers in kernel memory. The grids are divided into boxes, as ranks would divide them, and arrays
 * of a box are filled from flat arrays of the whole grid. Only those halo cells are filled that a test asks
 * for. All others are NaN, and so are cells beyond walls. If there is not enough memory, the program ends. */
#ifndef KOL_TESTS_LEVEL_CASE_H
#define KOL_TESTS_LEVEL_CASE_H

#include "kernels/level.h"
#include "../reference/level.h"

enum { LEVEL_ARRAYS = 48 };

/* The distance from 1 to the next number that level_real holds. */
extern const double LEVEL_EPSILON;

/* level_input: a grid and how it is coarsened.
 *
 *   walls       1: no flux passes at the ends of the direction; 0: it is periodic
 *   coarsened   KEPT: cells stay as they are. HALVED: pairs of cells become one; if their number is odd,
 *               the last cell remains. UNEVEN: some cells remain between pairs.
 *   linear      whether corrections are interpolated linearly; otherwise they are constant over a coarse
 *               cell
 *   uniform     UNIFORM_X: all cells have the same width in x; UNIFORM: in all directions */
enum { KEPT, HALVED, UNEVEN };
enum { UNIFORM_X = 1, UNIFORM };
struct level_input {
    const char *name;
    int n[3], walls[3], coarsened[3], linear, uniform;
};

/* level_case: the grid of an input: for the reference, and with coefficients beyond its ends for the
 * kernels. */
struct level_case {
    const struct level_input *in;
    struct ref_level ref;
    struct ref_passage passage;
    ptrdiff_t count, coarse_count;
    double *memory[3][3]; /* width, link, weight */
    int *parent[3];       /* of each cell; beyond the last cell, the number of coarse cells */
};

/* level_part: a box of a case. It has the cells from .. from + n - 1 and the coarse cells that begin in
 * it. */
struct level_part {
    const struct level_case *c;
    int from[3], n[3], coarse_from[3], nc[3];
    struct box lb, cb; /* fine, coarse */
    struct level_stencil s;
    struct level_transfers t;
    unsigned around; /* periodic directions that it owns whole: their halo is never filled; 0 where kernels
                        have to read it */
    void *memory[LEVEL_ARRAYS];
    int used;
};

void level_case_open(const struct level_input *in, struct level_case *c);
void level_case_close(struct level_case *c);
/* level_part_open: makes the part with the cells [from, from + n) of the case. level_part_close: frees its
 * arrays. */
void level_part_open(const struct level_case *c, const int from[3], const int n[3], struct level_part *p);
void level_part_close(struct level_part *p);
/* level_begins: returns whether fine cell i of a direction is the first one of a coarse cell, or lies just
 * beyond the last cell. level_paired: returns whether the part's first cell is the first one of a coarse
 * cell in every direction. */
int level_begins(const struct level_case *c, int d, int i);
int level_paired(const struct level_part *p);

/* level_values: returns n random numbers in [-1, 1] that level_real holds exactly. The caller frees them. */
double *level_values(ptrdiff_t n, unsigned seed);
/* Arrays of a part in kernel memory. `global` is a flat array of the whole grid.
 *
 *   level_array    returns an array for box b in which all values are NaN
 *   level_from     returns an array with the own cells of the part and `layers` layers of halo; if
 *                  `corners` is set, halo cells at edges and corners are filled, too. Halo cells beyond
 *                  faces in p->around are not filled.
 *   level_coarse   does the same for the coarse array of the part
 *   level_get, level_coarse_get   copy the own cells to their places in `global`
 *   level_copy     returns a copy of the whole array in host memory, which the caller frees */
level_real *level_array(struct level_part *p, struct box b);
level_real *level_from(struct level_part *p, const double *global, int layers, int corners);
level_real *level_coarse(struct level_part *p, const double *global, int layers, int corners);
void level_get(const struct level_part *p, const level_real *array, double *global);
void level_coarse_get(const struct level_part *p, const level_real *array, double *global);
level_real *level_copy(struct box b, const level_real *array);
/* level_outside: returns the number of values outside the own cells of box b that are not NaN. */
int level_outside(struct box b, const level_real *array);
/* level_kernel: copies bytes from the host to kernel memory, which the part frees. */
void *level_kernel(struct level_part *p, const void *host, size_t bytes);

/* The cases and cuts that each test goes through.
 *
 *   level_cut         a way to divide a case: into parts[d] boxes in direction d. around: whether the
 *                     kernels read the own cells of the opposite side instead of a halo.
 *   level_cut_fits    returns whether every part has enough cells, and whether the kernels support `around`
 *                     if it is asked for
 *   level_each_part   calls `work` for every box of a cut; cells.around is that of the part
 *   level_each_case   calls f for every case and every cut that fits */
enum { LEVEL_INPUTS = 21, LEVEL_CUTS = 6 };
struct level_cut {
    int parts[3], around;
};
typedef void level_work(struct level_part *p, struct cells cells, void *data);
extern const struct level_input level_inputs[LEVEL_INPUTS];
extern const struct level_cut level_cuts[LEVEL_CUTS];
int level_cut_fits(const struct level_case *c, const struct level_cut *cut);
void level_each_part(const struct level_case *c, const struct level_cut *cut, level_work *work, void *data);
void level_each_case(void (*f)(struct level_case *, const struct level_cut *));

#endif
