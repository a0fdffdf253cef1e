/* Spectra and two-point correlations of the fluctuations in planes parallel to walls, at chosen heights,
 * along both homogeneous directions, of the velocity, the pressure and the scalars. Only these planes are
 * redistributed, so that each rank gets complete planes. docs/statistics.md, "Spectra at heights". */
#ifndef KOL_STATISTICS_WALL_SPECTRA_H
#define KOL_STATISTICS_WALL_SPECTRA_H

#include <stdio.h>
#include "inputs/namelist.h"
#include "netcdf_content.h"
#include "parallel/memory.h"
#include "wall_profiles.h"

struct wall_spectra;
/* wall_spectra_check: returns KOL_ERR_INPUT if two of statistics.spectra_heights are in the same plane. Not
 * collective. */
kol_status wall_spectra_check(const struct input *in, const struct input_source *source, const struct grid *g,
                              int normal);
/* wall_spectra_create: prepares the spectra at statistics.spectra_heights.
 *
 *   normal                     direction normal to the walls; the two others are periodic and uniform
 *   transport                  halo_transport(). It is NULL if no sample is taken and only files are read.
 *
 * c is borrowed. Collective. */
kol_status wall_spectra_create(struct memory *memory, const struct comm *c, const struct input *in,
                               const struct decomp *d, const struct grid *g, int normal,
                               const char *transport, struct wall_spectra **out);
/* wall_spectra_destroy: frees the object; NULL is allowed. Collective. */
void wall_spectra_destroy(struct wall_spectra **h);
/* wall_spectra_values: returns the number of values of a sample. */
int wall_spectra_values(const struct wall_spectra *h);
/* wall_spectra_sample: computes a sample. Rank 0 gets it in value; value is NULL on the others. vel needs one
 * halo layer, edges included; p is read at own cells; scalar: those of the input, with one halo layer. In the
 * CPU build the bits are the same on any number of ranks. Collective: the planes are redistributed, and one
 * message follows. */
kol_status wall_spectra_sample(struct wall_spectra *h, const struct grid *g, real *const vel[3],
                               const real *p, real *const *scalar, double *value);
/* wall_spectra_same: returns whether a mean of samples, for example from a checkpoint, belongs to these
 * planes. */
int wall_spectra_same(const struct wall_spectra *h, const double *mean);
/* wall_spectra_netcdf: makes the content of spectra.nc from an average. The caller destroys it. u_tau:
 * friction velocity from the statistics of the same run [U]; NaN if it is not known. */
kol_status wall_spectra_netcdf(const struct wall_spectra *h, const struct wall_profiles *w,
                               const struct batch_means *average, double u_tau, struct netcdf_content **out);
/* wall_spectra_print: prints a table of names, units and descriptions for walls in z, for docs/statistics.md.
 */
void wall_spectra_print(FILE *out);
/* wall_spectra_print_scalars: prints the same for a scalar T. */
void wall_spectra_print_scalars(FILE *out);

/* The rest is shared by wall_spectra.c and wall_spectra_netcdf.c.
 *
 * Pairs of planes whose spectra are taken. In the first HEIGHT_SQUARES pairs both planes are the same. */
enum { PAIR_AA, PAIR_BB, PAIR_PP, PAIR_NN, HEIGHT_SQUARES, PAIR_AN = HEIGHT_SQUARES, PAIR_BN, HEIGHT_PAIRS };
/* The pairs of each scalar T. They stand behind the pairs of the flow. The first one is T with itself. In the
 * others T is interpolated to the points of A, of B and of N as the half-half mean of two cells. */
enum { PAIR_TT, PAIR_TA, PAIR_TB, PAIR_TN, SCALAR_PAIRS };
enum { HEIGHT_PAIRS_MOST = HEIGHT_PAIRS + SCALARS_MOST * SCALAR_PAIRS };
/* wall_spectra_plane: what a plane holds. scalar: number of a scalar, which then stands in the place of a
 * field that plane_lines_pack() reads, a velocity component or the pressure; -1 if the plane holds no scalar.
 */
enum { PLACE_OF_PRESSURE = 3 };
struct wall_spectra_plane {
    int kind; /* enum plane_kind */
    int scalar, place;
};
enum { HEIGHT_PLANES_MOST = 9 + 7 * SCALARS_MOST };
/* wall_spectra_plan: the homogeneous directions a and b, and the planes. A sample has the spectra
 * [pair][direction][height][wave] and the means [pair][factor][height]. Then it has the levels of the centre
 * planes and those of the face planes. */
struct wall_spectra_plan {
    int normal, dir[2];
    int n[2], waves[2];                                  /* cells and waves along a, b */
    int count;                                           /* heights */
    int scalars, pairs, planes;                          /* the last two: of a height */
    double step[2], h[2];                                /* of the wavenumber along a, b [1/L]; spacing [L] */
    int centre[HEIGHTS_MOST], face[HEIGHTS_MOST];        /* levels of the planes, by height */
    double asked[HEIGHTS_MOST];                          /* distance from the lower wall [L] */
    struct wall_spectra_plane plane[HEIGHT_PLANES_MOST]; /* of a height; centres come before faces */
    int centres;                                         /* number of those at centres */
    int order[HEIGHT_PAIRS_MOST];                        /* the pairs in the order of their planes */
    int first[HEIGHT_PAIRS_MOST]; /* the first plane of each pair; the second one follows it */
    const char *name[SCALARS_MOST], *unit[SCALARS_MOST]; /* of the scalars; borrowed from the input */
    double *cosine[2];                                   /* cos(2 pi i/n) along a, b */
    double *row;                                         /* scratch: the cosines of one wave */
};
/* A pair of a field with itself is called a square. wall_spectra_squares: returns the number of squares.
 * wall_spectra_square: returns the pair of square number n. wall_spectra_is_square: returns whether a pair is
 * a square. */
static inline int wall_spectra_squares(const struct wall_spectra_plan *p)
{
    return HEIGHT_SQUARES + p->scalars;
}

static inline int wall_spectra_square(int n)
{
    return n < HEIGHT_SQUARES ? n : HEIGHT_PAIRS + (n - HEIGHT_SQUARES) * SCALAR_PAIRS + PAIR_TT;
}

static inline int wall_spectra_is_square(int pair)
{
    return pair < HEIGHT_PAIRS ? pair < HEIGHT_SQUARES : (pair - HEIGHT_PAIRS) % SCALAR_PAIRS == PAIR_TT;
}
const struct wall_spectra_plan *wall_spectra_planned(const struct wall_spectra *h);
/* wall_spectra_size: returns the number of values of all spectra. wall_spectra_first: returns the place in a
 * sample where the spectra of a pair along a direction begin. wall_spectra_first_mean: returns the place
 * where the means of a factor of a pair begin; there is one mean for each height. */
ptrdiff_t wall_spectra_size(const struct wall_spectra_plan *p);
ptrdiff_t wall_spectra_first(const struct wall_spectra_plan *p, int pair, int direction);
ptrdiff_t wall_spectra_first_mean(const struct wall_spectra_plan *p, int pair, int factor);

#endif
