/* Which statistics the input asks for. All of these only read the input. */
#ifndef KOL_STATISTICS_WANTED_H
#define KOL_STATISTICS_WANTED_H

#include "input.h"

/* statistics_wanted: returns whether averages over time are taken (statistics.start is given).
 * spectra_wanted: returns whether spectra of the whole box are taken. This is so if
 * statistics.spectra_interval is above 0, all faces are periodic and all spacings are uniform.
 * heights_wanted: returns whether spectra in planes between walls are taken.
 * phases_wanted: returns whether averages are taken by the phase of an oscillating drive. */
int statistics_wanted(const struct input *in);
int spectra_wanted(const struct input *in);
int heights_wanted(const struct input *in);
int phases_wanted(const struct input *in);

/* stop_of_scalar: returns whether statistics.stop_when names a number of a scalar. */
int stop_of_scalar(const struct input *in);
/* section_budgets_wanted: returns whether budgets of scalars over a cross-section are taken. */
int section_budgets_wanted(const struct input *in);
/* densities_missing: says why the averages have no densities of the scalars that there are. Returns NULL if
 * they have them, and if there are no averages or no scalars. */
const char *densities_missing(const struct input *in);

/* history_wanted: returns whether history.nc is written. */
int history_wanted(const struct input *in);
/* cells_wanted: returns whether averages are taken in every cell, over time alone or also along some of the
 * periodic directions. If there are bodies, all averages are of this kind. cells_directions: finds these
 * directions. cells_batches: returns the number of batches of these averages; 0 if they have no errors. */
int cells_wanted(const struct input *in);
/* cells_budgets: returns whether these averages hold the budgets of the Reynolds stresses. */
int cells_budgets(const struct input *in);
void cells_directions(const struct input *in, int along[3]);
int cells_batches(const struct input *in);

/* heights_given: returns whether statistics.spectra_heights has an entry. spacings_uniform: returns whether
 * the spacings are uniform in all three directions. */
int heights_given(const struct input *in);
int spacings_uniform(const struct input *in);

#endif
