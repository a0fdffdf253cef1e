/* What the tests of levels share: small grids with periodic and walled directions, cut into boxes as ranks
 * would, their coefficients and passages in kernel memory, and arrays filled from flat global ones. Halo
 * cells are filled only as far as asked for, everything else is NaN, beyond walls always. No memory ends the
 * program. */
#ifndef KOL_TESTS_LEVEL_CASE_H
#define KOL_TESTS_LEVEL_CASE_H

#include "kernels/level.h"
#include "../reference/level.h"

enum { LEVEL_ARRAYS = 48 };

/* spacing of level_real numbers at 1 */
extern const double LEVEL_EPSILON;

/* level_input: walls: no flux at the ends, otherwise periodic. coarsened: HALVED: pairs of cells become one,
 * an odd last cell remains. UNEVEN: some cells remain between pairs. linear: passages interpolate, otherwise
 * they are constant. uniform_x: all cells are as wide as each other in x. */
enum { KEPT, HALVED, UNEVEN };
struct level_input {
    const char *name;
    int n[3], walls[3], coarsened[3], linear, uniform_x;
};

/* level_case: the grid, for the reference and with a margin for the kernels. */
struct level_case {
    const struct level_input *in;
    struct ref_level ref;
    struct ref_passage passage;
    ptrdiff_t count, coarse_count;
    double *memory[3][3]; /* width, link, weight */
    int *parent[3];       /* of each cell; beyond the last cell, the number of coarse cells */
};

/* level_part: cells from .. from + n - 1 of a case, and the coarse cells that begin in it. */
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
/* level_part_open: cut the case at [from, from + n). level_part_close frees its arrays. */
void level_part_open(const struct level_case *c, const int from[3], const int n[3], struct level_part *p);
void level_part_close(struct level_part *p);
/* level_begins: whether fine cell i of a direction is the first of a coarse one, or the first beyond the end.
 * level_paired: whether its first cell is the first of a coarse one in every direction. */
int level_begins(const struct level_case *c, int d, int i);
int level_paired(const struct level_part *p);

/* level_values: n random numbers in [-1, 1] that level_real holds exactly; free() them. */
double *level_values(ptrdiff_t n, unsigned seed);
/* level_array: kernel memory of box b, all NaN. level_from: own cells of the box, whose first one is `from`
 * of the global grid of n cells, and `layers` of halo; corners: edges and corners, too; nothing beyond the
 * faces in p->around. level_coarse: a coarse array of part p likewise. level_get: own cells into their
 * places. level_copy: the whole array in host memory; free() it. */
level_real *level_array(struct level_part *p, struct box b);
level_real *level_from(struct level_part *p, const double *global, int layers, int corners);
level_real *level_coarse(struct level_part *p, const double *global, int layers, int corners);
void level_get(const struct level_part *p, const level_real *array, double *global);
void level_coarse_get(const struct level_part *p, const level_real *array, double *global);
level_real *level_copy(struct box b, const level_real *array);
/* level_outside: values outside the own cells of box b that are not NaN. */
int level_outside(struct box b, const level_real *array);
/* level_kernel: bytes in kernel memory that the part frees. */
void *level_kernel(struct level_part *p, const void *host, size_t bytes);

/* What each test goes through. level_cut: a way to divide a case: parts[d] boxes in direction d; around:
 * whether kernels read around instead of halos. level_cut_fits: every part has some cells, and the kernels
 * can read around if asked. level_each_part: work on every box of a cut; cells.around is that of the part.
 * level_each_case: f on every case and every cut that fits. */
enum { LEVEL_INPUTS = 19, LEVEL_CUTS = 6 };
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
