/* Energy spectra of the isotropic initial flow. */
#ifndef KOL_INITIAL_ENERGY_SPECTRUM_H
#define KOL_INITIAL_ENERGY_SPECTRUM_H

#include "inputs/namelist.h"
#include "parallel/comm.h"

/* spectrum: E(k) of &initial spectrum, not normalised (the caller scales the sum to 3/2 u_rms^2).
 *   gaussian    (k/k_peak)^4 exp(-2 (k/k_peak)^2)
 *   von-karman  (k/k_e)^4 (1 + (k/k_e)^2)^(-17/6) exp(-2 (2 k/k_grid)^2), k_e = k_peak sqrt(5/12): the model
 * without its last factor peaks at k_peak; the factor ends it before the grid's largest wavenumber k_grid
 * [1/L] file        straight lines between the points of a table of k and E in logarithms; zero outside it */
struct energy_spectrum;
/* energy_spectrum_create: reads the table on rank 0 and sends it to all. KOL_ERR_INPUT, on all ranks, where
 * it can't be read or used, with file and line. Collective. energy_spectrum_destroy takes NULL. */
kol_status energy_spectrum_create(const struct comm *c, const struct input *in,
                                  const struct input_source *source, double k_grid,
                                  struct energy_spectrum **out);
void energy_spectrum_destroy(struct energy_spectrum **s);
double energy_spectrum_energy(const struct energy_spectrum *s, double k);

#endif
