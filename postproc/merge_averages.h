/* Merges averages.h5 of several runs: averages over time in every cell. */
#ifndef KOL_POSTPROC_MERGE_AVERAGES_H
#define KOL_POSTPROC_MERGE_AVERAGES_H

#include "program.h"

/* merge_averages_input: reads the input of the run that wrote the file `path`. The caller frees *text. One
 * rank alone. */
kol_status merge_averages_input(const char *path, char **text);
/* merge_averages: merges averages.h5 of `count` folders into the statistics of a run that run_create_bare()
 * has made. Each rank holds its own cells of all files in memory. Collective.
 *
 *   overlap   as in merge_parts.h
 *   files     gets a line for each file, on all ranks
 *   done      gets a report of what has been merged, on rank 0 */
kol_status merge_averages(struct run *run, const char *const *folder, int count, int overlap,
                          struct lines *files, struct lines *done);

#endif
