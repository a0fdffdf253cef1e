#include "comm.h"

#include <string.h>

kol_status comm_raise(int rc, const char *file, int line, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    MPI_Error_string(rc, text, &n);
    return status_raise(KOL_ERR_MPI, file, line, "%s failed: %s", call, text);
}

kol_status comm_create(struct comm *c)
{
    MPI_Comm node;
    MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &c->mpi));
    MPI_TRY(MPI_Comm_set_errhandler(c->mpi, MPI_ERRORS_RETURN));
    MPI_TRY(MPI_Comm_rank(c->mpi, &c->rank));
    MPI_TRY(MPI_Comm_size(c->mpi, &c->size));
    MPI_TRY(MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    MPI_TRY(MPI_Comm_rank(node, &c->node_rank));
    MPI_TRY(MPI_Comm_size(node, &c->node_size));
    MPI_TRY(MPI_Comm_free(&node));
    return KOL_OK;
}

void comm_destroy(struct comm *c)
{
    if (c->mpi != MPI_COMM_NULL) MPI_Comm_free(&c->mpi);
}

kol_status comm_agree(const struct comm *c, kol_status st)
{
    struct {
        int status, rank;
    } mine = {(int)st, c->rank}, worst; /* of equal ones MPI_MAXLOC takes the lowest rank */
    MPI_TRY(MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, c->mpi));
    if (worst.status == KOL_OK) return KOL_OK;
    char text[4096] = "";
    strncpy(text, status_message(), sizeof text - 1);
    MPI_TRY(MPI_Bcast(text, (int)sizeof text, MPI_CHAR, worst.rank, c->mpi));
    status_set_agreed(1);
    if (st == (kol_status)worst.status && c->rank == worst.rank) return st;
    status_clear();
    status_set_agreed(1);
    RAISE((kol_status)worst.status, "%s", text);
}
