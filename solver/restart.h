/* The state that a run continues from, to and from checkpoint files. */
#ifndef KOL_RESTART_H
#define KOL_RESTART_H

#include "staging.h"

/* restart_write: checkpoint of the state after a step. KOL_ERR_NUMERICAL, and no file, where a value is not finite.
 * restart_read: velocity, pressures, clock from run->in.checkpoint.restart; a run continued from it takes the same steps bit
 * for bit, on any number of ranks. KOL_ERR_INPUT with every difference in grid, precision and physics that checkpoint.regrid and
 * checkpoint.force do not allow. why: words on the choice of the file and on what the input changes, in lines, for the log.
 * Collective. */
kol_status restart_write(struct run *run, const struct io_axis axis[3], struct staging *s,
                         const struct io_text *text, int texts);
kol_status restart_read(struct run *run, const struct io_axis axis[3], struct staging *s, char *why,
                        size_t size);
/* restart_check: whether the file of checkpoint.restart, where it is not 'latest', is a checkpoint that restart_read would take. Collective. */
kol_status restart_check(const struct run *run);
/* restart_bytes: size of a checkpoint's arrays. */
double restart_bytes(const struct input *in);

#endif
