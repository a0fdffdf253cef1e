/* Energy spectra of the isotropic initial flow. */
#ifndef KOL_INITIAL_ENERGY_SPECTRUM_H
#define KOL_INITIAL_ENERGY_SPECTRUM_H

#include "inputs/namelist.h"
#include "parallel/comm.h"

/* energy_spectrum: E(k) as initial.spectrum says. It is not normalised: the caller scales its sum over the
 * wavenumbers to 3/2 u_rms^2.
 *
 *   gaussian     (k/k_peak)^p exp(-p/2 (k/k_peak)^2)
 *   von-karman   (k/k_e)^p (1 + (k/k_e)^2)^(-(5 + 3 p)/6) exp(-2 (2 k/k_grid)^2), with
 *                k_e = k_peak sqrt(5/(3 p)). p is 4, or 2 where initial.large_scales is 'saffman'. Without
 *                its last factor the model peaks at k_peak. The last factor makes it vanish before the
 *                grid's largest wavenumber k_grid [1/L].
 *   file         a table of k and E, interpolated linearly in the logarithms of both; zero outside it */
struct energy_spectrum;

/* energy_spectrum_create: prepares the spectrum. A table is read on rank 0 and sent to all ranks.
 * KOL_ERR_INPUT, on all ranks, if it can't be read or used; the message names file and line. Collective. */
kol_status energy_spectrum_create(const struct comm *c, const struct input *in,
                                  const struct input_source *source, double k_grid,
                                  struct energy_spectrum **out);

/* energy_spectrum_destroy: frees it and sets the pointer to NULL. *s may be NULL. */
void energy_spectrum_destroy(struct energy_spectrum **s);

/* energy_spectrum_check: KOL_ERR_INPUT if the spectrum has no energy at any multiple of the smallest
 * wavenumber of the grid, up to the largest. energy_spectrum_none: raises this error. */
kol_status energy_spectrum_check(const struct energy_spectrum *s, const struct input *in);
kol_status energy_spectrum_none(const struct energy_spectrum *s, const struct input *in);

/* energy_spectrum_energy: returns E at the wavenumber k > 0 [1/L]. */
double energy_spectrum_energy(const struct energy_spectrum *s, double k);

#endif
