/* Shares faults among ranks, so that no rank continues collective file work alone. */
#ifndef KOL_IO_SHARED_FAULTS_H
#define KOL_IO_SHARED_FAULTS_H

#include <mpi.h>
#include "kernels/base/status.h"

/* io_before_mpi: chooses parts of MPI-IO that can be trusted, unless the environment already chooses, and
 * lets writes beyond the limit of a file's size (ulimit -f) fail instead of ending the process. It must be
 * called before MPI_Init. Local. */
void io_before_mpi(void);

/* io_share: returns the worst status of all ranks on every rank. Ranks without a fault store the message of
 * the rank that has the fault, preceded by the number of that rank. The fault then counts as agreed
 * (status_set_agreed). If a rank has a fault and the others do not call this function, it ends the program
 * with MPI_Abort. Collective. */
kol_status io_share(MPI_Comm comm, kol_status st);

/* io_wait_gently: sets whether this thread sleeps while it waits, instead of checking all the time. A thread
 * beside the solver that checked all the time would take the processor from the solver, and with it the
 * progress of MPI. Not collective. */
void io_wait_gently(int gently);

/* IO_MPI_TRY: makes an MPI call. If it fails, this rank raises the fault KOL_ERR_MPI with call and reason.
 * The form _OR goes to a label. It needs a variable `kol_status st`. */
kol_status io_mpi(int rc, const char *file, int line, const char *call);
#define IO_MPI_TRY(call)           TRY(io_mpi((call), __FILE__, __LINE__, #call))
#define IO_MPI_TRY_OR(label, call) TRY_OR(label, io_mpi((call), __FILE__, __LINE__, #call))

/* SHARE_TRY: makes a call that only some ranks make, and shares its result. So it returns on all ranks or on
 * none. */
#define SHARE_TRY(comm, call)                                                                                \
    do {                                                                                                     \
        const kol_status share_st_ = io_share((comm), (call));                                               \
        if (share_st_ != KOL_OK) return status_pass(share_st_, __FILE__, __LINE__, #call);                   \
    } while (0)

/* io_guard_begin, io_guard_end: enclose collective calls after a fault of a file or of MPI. In such calls
 * ranks may wait for each other for ever. After ten seconds the fault is reported and the run ends by
 * MPI_Abort. This is done by rank 0, or by a rank whose fault the others do not know. If NULL is returned,
 * there is no guard, as on one rank. */
struct io_guard;
struct io_guard *io_guard_begin(MPI_Comm comm);
void io_guard_end(struct io_guard *g);

/* io_exit_unsafe: returns whether a file of this process could not be closed. HDF5 then crashes in
 * MPI_Finalize and in its exit handler, so the program must end by MPI_Abort. Local. */
int io_exit_unsafe(void);
void io_set_exit_unsafe(void);

#endif
