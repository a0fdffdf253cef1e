/* Tells what a run would do, without doing it: --check. */
#ifndef KOL_CHECK_RUN_H
#define KOL_CHECK_RUN_H

#include "run.h"

/* CHECK_PAGE: what matters, on a page. CHECK_ALL: also every input with its default. */
enum check_what { CHECK_PAGE = 1, CHECK_ALL };

/* check_run: prints, on rank 0, the inputs, the grid, how it is divided over the ranks, the resolution, the
 * memory, estimates of the time step, of the number of steps and of the wall-clock time, and the sizes of
 * files. No field is allocated, and no file but the picture is written. run->in and run->source must have
 * been read.
 *
 *   picture   a plane of the bodies to draw, and the name of a file, such as "z=0.5:bodies.png"; NULL: none
 *
 * Returns the faults that the run would find in its inputs and in the files that they name. Collective. */
kol_status check_run(struct run *run, enum check_what what, const char *picture);

#endif
