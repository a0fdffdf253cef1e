/* Averages the histories of several runs of a periodic box, an ensemble, at equal times. */
#ifndef KOL_POSTPROC_MERGE_HISTORY_H
#define KOL_POSTPROC_MERGE_HISTORY_H

#include "program.h"

struct merged_history;
/* merge_history_read: reads history.nc of all folders and averages its columns over the runs. Only rank 0 may
 * call it. The inputs of the runs must be those of `in`, except for run.seed and &initial, and their records
 * must have equal times. Only times that all runs have are averaged. If the forcing was switched off in a
 * run, its earlier records are left out, and its times begin there.
 *
 *   files   gets a line for each file
 *   done    gets a report of what has been averaged and what has been left out */
kol_status merge_history_read(const struct input *in, const struct words *folders, struct lines *files,
                              struct lines *done, struct merged_history **out);
/* merge_history_write: writes the averages, with standard errors, to history.nc in in->output.directory. The
 * first argument is a struct merged_history; if it is NULL, nothing is done. For rank 0. */
kol_status merge_history_write(void *history, const struct io_text *text, int texts);
/* merge_history_destroy: frees it; NULL is allowed. */
void merge_history_destroy(struct merged_history **h);

#endif
