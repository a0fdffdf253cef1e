/* Our communicator and the agreement of ranks on faults. */
#ifndef KOL_PARALLEL_COMM_H
#define KOL_PARALLEL_COMM_H

#include <mpi.h>
#include "kernels/base/status.h"

/* comm: a duplicate of MPI_COMM_WORLD, or of the part of it that belongs to one member of an ensemble. Its
 * errors are returned, not fatal, so that MPI_TRY can see them. */
struct comm {
    MPI_Comm mpi;
    int rank, size;
    int node_rank; /* rank among those that share this node's memory */
    int node_size;
    int seat;            /* of this process among those of all members, which share the GPUs of the node */
    int beside;          /* ranks of other members on this node */
    int member, members; /* number of this member, 0 .. members - 1; members is 0 without an ensemble */
};

#define MPI_TRY(call)                                                                                        \
    do {                                                                                                     \
        const int mpi_rc_ = (call);                                                                          \
        if (mpi_rc_ != MPI_SUCCESS) return comm_raise(mpi_rc_, __FILE__, __LINE__, #call);                   \
    } while (0)

/* comm_create: duplicates MPI_COMM_WORLD and finds the ranks that share this node. Collective. */
kol_status comm_create(struct comm *c);
/* comm_divide: divides the ranks of `all` into `members` groups of equal size, one after the other, and makes
 * the communicator of this rank's group. Its size must be a multiple of `members`. If there are more members
 * than ranks, a multiple of them, each process has several, one for each seat (turns.h), which calls this
 * function for itself. Collective. */
kol_status comm_divide(const struct comm *all, int members, struct comm *out);
/* comm_destroy: frees the duplicate. Collective. */
void comm_destroy(struct comm *c);
/* comm_place: tells status.h where this rank runs, with the name of its device, for messages. Not
 * collective. */
void comm_place(const struct comm *c, const char *device);
/* comm_raise: records the fault that an MPI return code stands for, and returns its status. */
kol_status comm_raise(int rc, const char *file, int line, const char *call);
/* comm_agree: returns the worst status of all ranks, on all ranks, with the message of the lowest rank that
 * has it. So all ranks stop together. If this rank has a fault and the other ranks do not come to the call,
 * it ends the program with MPI_Abort. Collective. */
kol_status comm_agree(const struct comm *c, kol_status st);

#endif
