/* Merges averages.h5 of several runs: averages over time in every cell. */
#ifndef KOL_POSTPROC_MERGE_AVERAGES_H
#define KOL_POSTPROC_MERGE_AVERAGES_H

#include "program.h"

/* merge_averages_input: reads the input of the run that wrote the file `path`. The caller frees *text. One
 * rank alone. */
kol_status merge_averages_input(const char *path, char **text);
/* merge_averages: merges the averages.h5 of `count` folders into the statistics of a run that was created
 * bare (run_create_bare()). overlap: as in merge_parts.h. A line for each file is added to `files`, on all
 * ranks, and what is merged to `done`, on rank 0. Each rank holds its cells of all files in memory.
 * Collective. */
kol_status merge_averages(struct run *run, const char *const *folder, int count, int overlap,
                          struct lines *files, struct lines *done);

#endif
