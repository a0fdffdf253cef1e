/* Spectra of a periodic box with uniform spacings: energy, transfer and dissipation in shells of wavenumbers;
 * energy of each velocity component along each axis; two-point correlations. docs/statistics.md has the
 * formulas. */
#ifndef KOL_STATISTICS_BOX_SPECTRA_H
#define KOL_STATISTICS_BOX_SPECTRA_H

#include <stdio.h>
#include "inputs/input.h"
#include "netcdf_content.h"
#include "box_slabs.h"

enum { BOX_SPECTRA_WORK = 3 }; /* number of work arrays that box_spectra_sample() needs */

struct box_spectra;
/* box_spectra_create: prepares samples of the spectra. slabs and c are borrowed. */
kol_status box_spectra_create(struct memory *memory, const struct comm *c, const struct input *in,
                              const struct grid *g, const struct box_slabs *slabs, struct box_spectra **out);
/* box_spectra_destroy: frees the object; NULL is allowed. */
void box_spectra_destroy(struct box_spectra **s);
/* box_spectra_shells: returns the number of wavenumber shells of a grid. At most BOX_SPECTRA_SHELLS are
 * allowed, which is more than a grid with equal spacings can have. */
enum { BOX_SPECTRA_SHELLS = 1 << 18 };
double box_spectra_shells(const struct grid *g);
/* box_spectra_values: returns the number of values of a sample. */
int box_spectra_values(const struct box_spectra *s);
/* box_spectra_sample: computes a sample. Rank 0 gets it in value; value is NULL on the others.
 *
 *   vel          velocity, at own cells
 *   convection   convection of the velocity, at own cells: the result of momentum_rhs without viscosity
 *   work         scratch of BOX_SPECTRA_WORK arrays, each of box_slabs_values() doubles in kernel memory
 *
 * In the CPU build the bits are the same on any number of ranks. Collective: the fields are redistributed in
 * slabs, and one message follows. */
kol_status box_spectra_sample(struct box_spectra *s, struct box_slabs *slabs, real *const vel[3],
                              real *const convection[3], double *const work[BOX_SPECTRA_WORK], double *value);
/* Quantities of one velocity component, computed from a sample.
 *
 *   box_spectra_increment   the mean square of the difference between two points that are `points` spacings
 *                           apart along `direction` [U^2]
 *   box_spectra_mean        the mean [U]
 *   box_spectra_variance    the variance [U^2] */
double box_spectra_increment(const struct box_spectra *s, const double *value, int component, int direction,
                             int points);
double box_spectra_mean(const struct box_spectra *s, const double *value, int component);
double box_spectra_variance(const struct box_spectra *s, const double *value, int component);
/* box_spectra_netcdf: makes the content of spectra.nc from an average and its latest sample. The caller
 * destroys it. more: what else the average and the file will hold: values of a sample behind those of
 * box_spectra_sample(), variables, and numbers for netcdf_content_numbers(). */
struct box_spectra_room {
    int sample, variables;
    ptrdiff_t numbers;
};
kol_status box_spectra_netcdf(const struct box_spectra *s, const struct batch_means *average,
                              const double *latest, struct box_spectra_room more,
                              struct netcdf_content **out);
/* box_spectra_print: prints a table of names, units and descriptions, for docs/statistics.md. */
void box_spectra_print(FILE *out);

#endif
