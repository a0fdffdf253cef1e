/* --check: what a run would do, without doing it. */
#ifndef KOL_CHECK_RUN_H
#define KOL_CHECK_RUN_H

#include "run.h"

/* check_run: rank 0 prints the resolved inputs, grid, layout, memory, estimated time step and number of
 * steps, file sizes. Allocates no field, writes no file. */
kol_status check_run(struct run *run);

#endif
