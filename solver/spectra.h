/* Spectra of a periodic box of uniform spacings: energy, transfer and dissipation in shells of wavenumbers, energy of each component along
 * each axis, two-point correlations. docs/statistics.md has the formulas. */
#ifndef KOL_SPECTRA_H
#define KOL_SPECTRA_H

#include <stdio.h>
#include "../inputs/input.h"
#include "page.h"
#include "slabs.h"

enum { SPECTRA_WORK = 3 }; /* arrays of slabs_values() doubles that a sample takes */

struct spectra;
/* spectra_create: slabs and c are borrowed; whole: whether this rank makes files. spectra_destroy takes NULL. spectra_bytes: kernel memory
 * that it takes on this rank at most. */
kol_status spectra_create(const struct comm *c, const struct input *in, const struct grid *g,
                          const struct slabs *slabs, struct spectra **out);
void spectra_destroy(struct spectra **s);
double spectra_bytes(const struct grid *g);
/* spectra_shells: shells of the waves of a grid; there may be SPECTRA_SHELLS of them, more than a grid of equal spacings can have. */
enum { SPECTRA_SHELLS = 1 << 18 };
double spectra_shells(const struct grid *g);
/* spectra_values: of a sample. spectra_sample: of the velocity and of its convection (momentum_rhs without viscosity), fields of which own
 * cells are read: into value, on rank 0, where it is not NULL. The same bits on any ranks in the CPU build. work: SPECTRA_WORK arrays.
 * Collective: the field's moves, and one message. */
int spectra_values(const struct spectra *s);
kol_status spectra_sample(struct spectra *s, struct slabs *slabs, real *const vel[3],
                          real *const convection[3], double *const work[SPECTRA_WORK], double *value);
/* spectra_increment: of a sample: mean square of the difference of a component at two points, `points` spacings apart along a direction [U^2].
 * spectra_mean, spectra_variance: of a component. */
double spectra_increment(const struct spectra *s, const double *value, int component, int direction,
                         int points);
double spectra_mean(const struct spectra *s, const double *value, int component);
double spectra_variance(const struct spectra *s, const double *value, int component);
/* spectra_page: spectra.nc of an average, and of its latest sample; the caller destroys it. spectra_print: names, units, words as a table for docs/statistics.md. */
kol_status spectra_page(const struct spectra *s, const struct batches *average, const double *latest,
                        struct page **out);
void spectra_print(FILE *out);

#endif
