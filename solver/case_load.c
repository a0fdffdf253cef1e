#include "case_load.h"

#include <stdlib.h>
#include "../inputs/namelist.h"

kol_status case_load(const struct comm *c, const char *path, char **text, size_t *bytes)
{
    kol_status st = KOL_OK;
    *text = NULL;
    *bytes = 0;
    if (c->rank == 0) st = input_load(path, text, bytes);
    TRY(comm_agree(c, st));
    int count = (int)*bytes;
    MPI_TRY(MPI_Bcast(&count, 1, MPI_INT, 0, c->mpi));
    if (c->rank != 0) *text = malloc((size_t)count + 1);
    if (*text == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the input");
    const int sent = MPI_Bcast(*text, count, MPI_CHAR, 0, c->mpi);
    *bytes = (size_t)count;
    if (sent == MPI_SUCCESS) return KOL_OK;
    free(*text);
    return comm_raise(sent, __FILE__, __LINE__, "MPI_Bcast of the input");
}
