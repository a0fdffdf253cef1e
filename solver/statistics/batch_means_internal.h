/* The state of an average over time, for batch_means.c and batch_means_state.c alone. */
#ifndef KOL_STATISTICS_BATCH_MEANS_INTERNAL_H
#define KOL_STATISTICS_BATCH_MEANS_INTERNAL_H

#include "batch_means.h"

/* The state in one array: the head, then the weights of the complete batches, their sums, the sum of the
 * current one and its compensation, the latest sample.
 *
 *   UNIT      time that a weight of 1 stands for; 0: it is not known yet
 *   INTERVAL  weight that the time between the last two samples stands for
 *   BEFORE    time of the sample before the first one, which another average has, if FOLLOWS is not 0
 *   CURRENT   weight of the current batch
 *   LATEST    whether the latest sample is there
 *   CYCLES    whether batches are of cycles: then LENGTH and IN_CURRENT count these, not samples
 *
 * Earlier versions had samples of equal weight: their states have 8 numbers as a head, the last of them 0, no
 * weights and no latest sample. */
enum { SAMPLES, LENGTH, COMPLETE, IN_CURRENT, BEGIN, END, VALUES, VERSION, UNIT, INTERVAL, BEFORE, FOLLOWS };
enum {
    CURRENT = FOLLOWS + 1,
    LATEST,
    CYCLES,
    HEAD = 16,
    THIS_VERSION = 2,
    HEAD_EQUAL = 8,
    VECTORS_EQUAL = 2
};

_Static_assert((int)HEAD == (int)BATCH_MEANS_HEAD, "numbers before the vectors");

struct batch_means {
    int values, most;
    int shares;    /* whether the vectors are stored elsewhere: state holds only the numbers */
    double *owned; /* state, or NULL if it is stored elsewhere */
    double *state, *weight, *batch, *current, *carry, *latest;
};

/* batch_means_weigh_equally: gives all samples the same weight, as states and files of earlier versions
 * have them. */
void batch_means_weigh_equally(struct batch_means *b);

#endif
