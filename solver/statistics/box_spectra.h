/* Spectra of a periodic box of uniform spacings: energy, transfer and dissipation in shells of wavenumbers,
 * energy of each component along each axis, two-point correlations. docs/statistics.md has the formulas. */
#ifndef KOL_STATISTICS_BOX_SPECTRA_H
#define KOL_STATISTICS_BOX_SPECTRA_H

#include <stdio.h>
#include "inputs/input.h"
#include "netcdf_page.h"
#include "box_slabs.h"

enum { BOX_SPECTRA_WORK = 3 }; /* arrays of box_slabs_values() doubles that a sample takes */

struct box_spectra;
/* box_spectra_create: slabs and c are borrowed; whole: whether this rank makes files. box_spectra_destroy
 * takes NULL. */
kol_status box_spectra_create(struct memory *memory, const struct comm *c, const struct input *in,
                              const struct grid *g, const struct box_slabs *slabs, struct box_spectra **out);
void box_spectra_destroy(struct box_spectra **s);
/* box_spectra_shells: shells of the waves of a grid; there may be BOX_SPECTRA_SHELLS of them, more than a
 * grid of equal spacings can have. */
enum { BOX_SPECTRA_SHELLS = 1 << 18 };
double box_spectra_shells(const struct grid *g);
/* box_spectra_values: of a sample. box_spectra_sample: of the velocity and of its convection (momentum_rhs
 * without viscosity), fields of which own cells are read: into value, on rank 0, where it is not NULL. The
 * same bits on any ranks in the CPU build. work: BOX_SPECTRA_WORK arrays. Collective: the field's moves, and
 * one message. */
int box_spectra_values(const struct box_spectra *s);
kol_status box_spectra_sample(struct box_spectra *s, struct box_slabs *slabs, real *const vel[3],
                              real *const convection[3], double *const work[BOX_SPECTRA_WORK], double *value);
/* box_spectra_increment: of a sample: mean square of the difference of a component at two points, `points`
 * spacings apart along a direction [U^2]. box_spectra_mean, box_spectra_variance: of a component. */
double box_spectra_increment(const struct box_spectra *s, const double *value, int component, int direction,
                             int points);
double box_spectra_mean(const struct box_spectra *s, const double *value, int component);
double box_spectra_variance(const struct box_spectra *s, const double *value, int component);
/* box_spectra_page: spectra.nc of an average, and of its latest sample; the caller destroys it.
 * box_spectra_print: names, units, words as a table for docs/statistics.md. */
kol_status box_spectra_page(const struct box_spectra *s, const struct batch_means *average,
                            const double *latest, struct netcdf_page **out);
void box_spectra_print(FILE *out);

#endif
