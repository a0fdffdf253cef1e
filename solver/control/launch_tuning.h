/* Launch shapes of the kernels: measured at the first use of this GPU, arithmetic and size, kept in a file
 * for later runs. */
#ifndef KOL_CONTROL_LAUNCH_TUNING_H
#define KOL_CONTROL_LAUNCH_TUNING_H

#include "state/domain.h"

/* launch_tuning_run: the shapes that all later launches take (kernels/tune.h): from device.tuning_file, or
 * measured on fields of the pool and put there; nothing is read, measured or written with device.tuning =
 * .false. or where the kernels have one shape each. Rank 0 decides for all. text: what it did, for the log,
 * "" where there was nothing to choose; a file that can't be read or written is a remark in it and no fault.
 * Wants LAUNCH_TUNING_ARRAYS fields that nobody holds. Collective. */
enum { LAUNCH_TUNING_ARRAYS = 10 };
kol_status launch_tuning_run(const struct domain *domain, char *text, size_t size);

#endif
