/* Which restart file to trust. Collective; faults are shared by all ranks. */
#ifndef KOL_IO_CHECKPOINT_FIND_H
#define KOL_IO_CHECKPOINT_FIND_H

#include <mpi.h>
#include <stddef.h>
#include "kernels/base/status.h"

/* checkpoint_find: the newest complete checkpoint of directory whose hashes verify, name into path (size
 * bytes); files passed over, each looked at twice, are reported through log_warn with the reason and renamed
 * to <name>.damaged, so that they don't count among those kept, unless the system can't read them; none:
 * KOL_ERR_IO. found: how many candidates there were and how many of them were passed over; may be NULL. */
struct checkpoint_found {
    int files, passed_over;
};
kol_status checkpoint_find(MPI_Comm comm, const char *directory, char *path, size_t size,
                           struct checkpoint_found *found);

/* checkpoint_verify: KOL_ERR_IO where the file is no complete checkpoint or any array differs from its hash.
 * */
kol_status checkpoint_verify(MPI_Comm comm, const char *path);

#endif
