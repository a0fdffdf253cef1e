/* Shares faults among ranks, so that no rank goes on alone in collective work on files. */
#ifndef KOL_IO_SHARE_H
#define KOL_IO_SHARE_H

#include <mpi.h>
#include "kernels/base/status.h"

/* io_before_mpi: chooses parts of MPI-IO that can be trusted, unless the environment already chooses, and
 * lets writes beyond the limit of a file's size (ulimit -f) fail instead of ending the process. It must be
 * called before MPI_Init. Local. */
void io_before_mpi(void);

/* io_share: returns the worst status of all ranks on every rank. Ranks without a fault store the message of
 * the rank that has it, preceded by that rank's number. The fault then counts as agreed (status_set_agreed).
 * If a rank has a fault and the others do not come here, it ends the program with MPI_Abort. Collective. */
kol_status io_share(MPI_Comm comm, kol_status st);

/* io_wait_gently: whether the waits of this thread sleep between looks instead of spinning. A thread beside
 * the solver that spins would take the processor, and MPI's progress, from it. Not collective. */
void io_wait_gently(int gently);

/* IO_MPI_TRY: makes a call of MPI; if it fails, that is a fault of this rank, KOL_ERR_MPI with call and
 * reason. _OR goes to a label; it needs a variable `kol_status st`. */
kol_status io_mpi(int rc, const char *file, int line, const char *call);
#define IO_MPI_TRY(call)           TRY(io_mpi((call), __FILE__, __LINE__, #call))
#define IO_MPI_TRY_OR(label, call) TRY_OR(label, io_mpi((call), __FILE__, __LINE__, #call))

/* SHARE_TRY: makes a call that only some rank makes, and shares its result: it returns on all ranks or on
 * none. */
#define SHARE_TRY(comm, call)                                                                                \
    do {                                                                                                     \
        const kol_status share_st_ = io_share((comm), (call));                                               \
        if (share_st_ != KOL_OK) return status_pass(share_st_, __FILE__, __LINE__, #call);                   \
    } while (0)

/* io_guard_begin, io_guard_end: stand around collective calls after a fault of a file, in which ranks may
 * wait for each other for ever. After ten seconds rank 0, or a rank whose fault the others do not know,
 * reports it and ends the run by MPI_Abort. NULL means that there is no guard, as for one rank. */
struct io_guard;
struct io_guard *io_guard_begin(MPI_Comm comm);
void io_guard_end(struct io_guard *g);

/* io_exit_unsafe: whether a file of this process could not be closed. HDF5 then crashes in MPI_Finalize
 * and in its exit handler, so the program must leave by MPI_Abort. Local. */
int io_exit_unsafe(void);
void io_set_exit_unsafe(void);

#endif
