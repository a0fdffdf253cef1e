/* What kolmo-merge asks of every file that it merges: whether the inputs are those of one flow, and whether
 * samples would count twice. */
#ifndef KOL_POSTPROC_MERGE_PARTS_H
#define KOL_POSTPROC_MERGE_PARTS_H

#include "program.h"

/* merge_part: a file of one of the runs.
 *
 *   path         its name
 *   begin, end   times of its first and last sample
 *   begun        hash of how the flow began: the same of runs with one run.seed and &initial */
struct merge_part {
    const char *path;
    double begin, end;
    unsigned begun;
};

/* merge_compare_inputs: adds a line to `found` for each difference in physics between the input `text` of a
 * file and `in`. Returns the hash of how the flow began. */
unsigned merge_compare_inputs(const char *text, const struct input *in, struct lines *found);
/* merge_check_overlap: checks two parts that follow one another in time. If they begin in the same way, they
 * are one flow, unless they continued from different checkpoints; then `overlap` allows them. */
kol_status merge_check_overlap(const struct merge_part *a, const struct merge_part *b, int overlap);

#endif
