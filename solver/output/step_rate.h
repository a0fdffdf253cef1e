/* How long a step takes: kept at the end of a run, looked up by --check. */
#ifndef KOL_OUTPUT_STEP_RATE_H
#define KOL_OUTPUT_STEP_RATE_H

#include "io/rate_file.h"
#include "state/domain.h"

/* STEP_RATE_STEPS: a run that took fewer steps tells nothing of the time that a step takes. */
enum { STEP_RATE_STEPS = 20 };

/* step_rate_keep: keeps the seconds of a step of this run for later calls of --check on this machine
 * (io/rate_file.h). domain->device must be set. A file that can't be written is not a fault. Rank 0. */
void step_rate_keep(const struct domain *domain, double seconds);

/* step_rate_find: the seconds that a step of this run is expected to take, and in words where that comes
 * from:
 *
 *   - by the last run on this machine, or on one with the same device, with the same build and method
 *     (rate_file_find()). If its grid or its number of ranks was another one, the time of a cell on a rank is
 *     taken to be the same;
 *   - else by a bandwidth, within a factor of about three: that of a triad that is measured on all ranks (CPU
 *     build), or that of the GPU by its name (CUDA build).
 *
 * *seconds is 0 if nothing is known. domain->comm must be there, and domain->device is set. Collective. */
enum { STEP_RATE_WORDS = 512 };
kol_status step_rate_find(struct domain *domain, double *seconds, char by[STEP_RATE_WORDS]);

#endif
