/* Launch shapes of the kernels (kernels/tune.h). They are measured when a GPU, an arithmetic and a grid size
 * first come together, and kept in a file for later runs. */
#ifndef KOL_CONTROL_LAUNCH_TUNING_H
#define KOL_CONTROL_LAUNCH_TUNING_H

#include "state/domain.h"

/* launch_tuning_run: chooses the shapes that all later launches take. They come from device.tuning_file. If
 * the file does not have them, they are measured on fields of the pool and written to it. Rank 0 decides for
 * all ranks. If device.tuning is .false., or if every kernel has one shape only, nothing is read, measured or
 * written.
 *
 * text: out, what was done, for the log, in at most `size` bytes. It is "" if there was nothing to choose. A
 * file that can't be read or written is a remark in that text, not an error. LAUNCH_TUNING_ARRAYS arrays of
 * the pool must be free. Collective. */
enum { LAUNCH_TUNING_ARRAYS = 10 };
kol_status launch_tuning_run(const struct domain *domain, char *text, size_t size);

#endif
