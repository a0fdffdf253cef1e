/* Finds the restart file that can be trusted. Collective; all ranks get the same fault. */
#ifndef KOL_IO_CHECKPOINT_FIND_H
#define KOL_IO_CHECKPOINT_FIND_H

#include <mpi.h>
#include <stddef.h>
#include "kernels/base/status.h"

/* checkpoint_judge: decides whether the contents of a file whose hashes verify make sense. sound() returns
 * KOL_ERR_IO if not. It is collective and gets the `context`. */
struct checkpoint; /* checkpoint.h */
struct checkpoint_judge {
    kol_status (*sound)(void *context, struct checkpoint *c);
    void *context;
};

/* checkpoint_find: writes the name of the newest complete checkpoint of the directory whose hashes verify
 * into path (size bytes). Returns KOL_ERR_IO if there is none.
 * Each file is looked at twice before it is passed over. log_warn then tells the reason, and the file is
 * renamed to <name>.damaged, so that it does not count among the checkpoints that are kept. It keeps its
 * name if the system can't read it.
 * judge: asked about each file whose hashes verify; may be NULL.
 * found: the number of candidates, and how many of them were passed over; may be NULL. */
struct checkpoint_found {
    int files, passed_over;
};
kol_status checkpoint_find(MPI_Comm comm, const char *directory, char *path, size_t size,
                           const struct checkpoint_judge *judge, struct checkpoint_found *found);

/* checkpoint_verify: returns KOL_ERR_IO if the file is no complete checkpoint, or if any array differs
 * from its hash, or if the judge refuses it. */
kol_status checkpoint_verify(MPI_Comm comm, const char *path, const struct checkpoint_judge *judge);

#endif
