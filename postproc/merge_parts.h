/* What kolmo-merge checks in all files that it merges: that their inputs are those of one flow, and that no
 * sample counts twice. */
#ifndef KOL_POSTPROC_MERGE_PARTS_H
#define KOL_POSTPROC_MERGE_PARTS_H

#include "program.h"

/* merge_part: a file of one of the runs.
 *
 *   path         its name
 *   begin, end   times of its first and last sample
 *   begun        hash of how the flow began. It is the same for runs that have the same run.seed and
 *                &initial */
struct merge_part {
    const char *path;
    double begin, end;
    unsigned begun;
};

/* merge_compare_inputs: adds a line to `found` for each difference in physics, and in which pressure the
 * samples have, between the input `text` of a file and `in`. Returns the hash of how the flow began. */
unsigned merge_compare_inputs(const char *text, const struct input *in, struct lines *found);
/* merge_check_overlap: checks that part b begins after the end of part a. If it does not, and the flows began
 * in the same way, it returns KOL_ERR_INPUT, because samples of one flow would count twice. `overlap` turns
 * this into a warning, for runs that continued from different checkpoints. If the flows began differently,
 * there is a warning, too. */
kol_status merge_check_overlap(const struct merge_part *a, const struct merge_part *b, int overlap);

#endif
