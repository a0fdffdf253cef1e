/* Finds the restart file that can be trusted. Collective; all ranks get the same fault. */
#ifndef KOL_IO_CHECKPOINT_FIND_H
#define KOL_IO_CHECKPOINT_FIND_H

#include <mpi.h>
#include <stddef.h>
#include "kernels/base/status.h"

/* checkpoint_find: finds the newest checkpoint of the directory that is complete and whose hashes verify. Its
 * name is written into path (size bytes). Returns KOL_ERR_IO if there is none.
 *
 * If a file does not verify, it is read a second time. If that fails, too, log_warn tells the reason, and the
 * file is renamed to <name>.damaged, so that it does not count among the checkpoints that are kept. If the
 * system can't read the file, it keeps its name.
 *
 * found: the number of candidates, and the number of those that were passed over. It may be NULL. */
struct checkpoint_found {
    int files, passed_over;
};
kol_status checkpoint_find(MPI_Comm comm, const char *directory, char *path, size_t size,
                           struct checkpoint_found *found);

/* checkpoint_verify: returns KOL_ERR_IO if the file is no complete checkpoint, or if any array differs
 * from its hash. */
kol_status checkpoint_verify(MPI_Comm comm, const char *path);

#endif
