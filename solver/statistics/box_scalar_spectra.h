/* Spectra of scalars in a periodic box with uniform spacings, in the form of box_spectra.h: variance, its
 * transfer and dissipation, and co-spectra with the velocity in shells of wavenumbers; spectra and two-point
 * correlations along each axis. docs/statistics.md, "Scalars in spectra". */
#ifndef KOL_STATISTICS_BOX_SCALAR_SPECTRA_H
#define KOL_STATISTICS_BOX_SCALAR_SPECTRA_H

#include "box_spectra.h"
#include "state/flow.h"

struct box_scalar_spectra;
/* box_scalar_spectra_create: prepares samples of the scalars of the input. If it has none, *out stays NULL.
 * spectra is borrowed. box_scalar_spectra_destroy: frees the object; NULL is allowed. */
kol_status box_scalar_spectra_create(struct memory *memory, const struct input *in,
                                     const struct box_spectra *spectra, struct box_scalar_spectra **out);
void box_scalar_spectra_destroy(struct box_scalar_spectra **q);
/* box_scalar_spectra_values: returns the number of values of a sample; 0 if q is NULL. They come behind those
 * of box_spectra_sample(). */
int box_scalar_spectra_values(const struct box_scalar_spectra *q);
/* box_scalar_spectra_sample: computes a sample. Rank 0 gets it in value; value is NULL on the others. The
 * halos of the flow must be filled.
 *
 *   spare   three fields that are overwritten
 *   work    as for box_spectra_sample()
 *
 * In the CPU build the bits are the same on any number of ranks. Collective. */
kol_status box_scalar_spectra_sample(struct box_scalar_spectra *q, struct box_slabs *slabs,
                                     const struct flow *flow, real *const spare[3],
                                     double *const work[BOX_SPECTRA_WORK], double *value);
/* Numbers of scalar n, computed from a sample.
 *
 *   box_scalar_spectra_mean        the mean [own]
 *   box_scalar_spectra_variance    the variance [own^2]
 *   box_scalar_spectra_increment   the mean square of the difference between neighbours along `direction`
 *                                  [own^2] */
double box_scalar_spectra_mean(const struct box_scalar_spectra *q, const double *value, int n);
double box_scalar_spectra_variance(const struct box_scalar_spectra *q, const double *value, int n);
double box_scalar_spectra_increment(const struct box_scalar_spectra *q, const double *value, int n,
                                    int direction);
/* box_scalar_spectra_room: returns what the file needs for the scalars. box_scalar_spectra_add: adds them to
 * the content that box_spectra_netcdf() made of the same average. Both do nothing if q is NULL. */
struct box_spectra_room box_scalar_spectra_room(const struct box_scalar_spectra *q);
kol_status box_scalar_spectra_add(const struct box_scalar_spectra *q, const struct batch_means *average,
                                  const double *latest, struct netcdf_content *p);
/* box_scalar_spectra_print: prints a table of names, units and descriptions for a scalar T, for
 * docs/statistics.md. */
void box_scalar_spectra_print(FILE *out);

#endif
