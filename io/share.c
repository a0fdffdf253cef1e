#include <stdio.h>
#include "share.h"

enum { SHARE_TEXT = 1536 };

kol_status io_share(MPI_Comm comm, kol_status st)
{
    struct {
        int status, rank;
    } mine = {(int)st, 0}, worst;
    char text[SHARE_TEXT] = "";
    if (MPI_Comm_rank(comm, &mine.rank) != MPI_SUCCESS ||
        MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm) != MPI_SUCCESS)
        RAISE(KOL_ERR_MPI, "ranks could not agree on the state of a file: MPI_Allreduce failed");
    if (worst.status == KOL_OK) return KOL_OK;
    snprintf(text, sizeof text, "%s", status_message());
    if (MPI_Bcast(text, SHARE_TEXT, MPI_CHAR, worst.rank, comm) != MPI_SUCCESS)
        RAISE(KOL_ERR_MPI, "ranks could not share the message of a fault: MPI_Bcast failed");
    if (mine.rank != worst.rank) { /* the same fault everywhere, also where a lesser one was recorded */
        status_clear();
        status_raise((kol_status)worst.status, __FILE__, __LINE__, "rank %d: %s", worst.rank, text);
    }
    status_set_agreed(1);
    return (kol_status)worst.status;
}

static int exit_unsafe; /* a fact about the whole process: HDF5 has one exit handler */

int io_exit_unsafe(void)
{
    return exit_unsafe;
}

void io_set_exit_unsafe(void)
{
    exit_unsafe = 1;
}
