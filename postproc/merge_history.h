/* Averages the histories of several runs of a periodic box, an ensemble, at equal times. */
#ifndef KOL_POSTPROC_MERGE_HISTORY_H
#define KOL_POSTPROC_MERGE_HISTORY_H

#include "program.h"

struct merged_history;
/* merge_history_read: reads history.nc of all folders and averages its columns over the runs. The runs must
 * be of one flow, `in`, but for run.seed and &initial, and have records at equal times. If forcing was
 * switched off in one of them, only records after that count, and their times are counted from there. Of
 * longer runs only the times that all have are taken. A line for each file is added to `files`,
 * and what is averaged and what is left out to `done`. Rank 0. */
kol_status merge_history_read(const struct input *in, const struct words *folders, struct lines *files,
                              struct lines *done, struct merged_history **out);
/* merge_history_write: writes the averages, with standard errors, to history.nc in in->output.directory. The
 * first argument is a struct merged_history; if it is NULL, nothing is done. For rank 0. */
kol_status merge_history_write(void *history, const struct io_text *text, int texts);
/* merge_history_destroy: frees it; NULL is allowed. */
void merge_history_destroy(struct merged_history **h);

#endif
