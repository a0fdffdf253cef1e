/* The file averages.h5: means over time in every cell with their errors, and the sums from which they are
 * computed. */
#ifndef KOL_STATISTICS_CELL_AVERAGES_FILE_H
#define KOL_STATISTICS_CELL_AVERAGES_FILE_H

#include <stdio.h>
#include "cell_averages.h"

/* cell_averages_write: writes averages.h5 and averages.xdmf in output.directory.
 *
 *   numbers   samples, batches and weights, on all ranks (cell_averages_share())
 *   step      number of the step, which is written to the file
 *
 * Returns KOL_ERR_NUMERICAL if a sum is not finite; the old files then stay. Collective. */
kol_status cell_averages_write(struct cell_averages *c, const struct batch_means *numbers, long long step,
                               const struct io_text *text, int texts);

/* cell_averages_print: prints the variables as rows of a table, for the docs. */
void cell_averages_print(FILE *out);

#endif
