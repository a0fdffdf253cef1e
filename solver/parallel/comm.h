/* Our communicator and the agreement of ranks on faults. */
#ifndef KOL_PARALLEL_COMM_H
#define KOL_PARALLEL_COMM_H

#include <mpi.h>
#include "kernels/base/status.h"

/* comm: a duplicate of MPI_COMM_WORLD whose errors are returned, not fatal, so that MPI_TRY can see them. */
struct comm {
    MPI_Comm mpi;
    int rank, size;
    int node_rank; /* rank among those that share this node's memory */
    int node_size;
};

#define MPI_TRY(call)                                                                                        \
    do {                                                                                                     \
        const int mpi_rc_ = (call);                                                                          \
        if (mpi_rc_ != MPI_SUCCESS) return comm_raise(mpi_rc_, __FILE__, __LINE__, #call);                   \
    } while (0)

/* comm_create, comm_destroy: collective. */
kol_status comm_create(struct comm *c);
void comm_destroy(struct comm *c);
/* comm_place: tells status.h where this rank runs, device and all. Local. */
void comm_place(const struct comm *c, const char *device);
/* comm_raise: turn an MPI return code into a recorded fault. */
kol_status comm_raise(int rc, const char *file, int line, const char *call);
/* comm_agree: the worst status of all ranks, on all ranks, with the message of the lowest rank that has it;
 * so that all stop together. A rank with a fault for which the others do not come ends the program with
 * MPI_Abort. Collective. */
kol_status comm_agree(const struct comm *c, kol_status st);

#endif
