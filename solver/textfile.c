#include "textfile.h"

#include <stdlib.h>
#include <string.h>
#include "../inputs/namelist.h"

kol_status textfile_share(const struct comm *c, const char *name, char **text)
{
    size_t length = 0;
    *text = NULL;
    kol_status st = c->rank == 0 ? input_load(name, text, &length) : KOL_OK;
    TRY(comm_agree(c, st));
    int bytes = (int)length;
    MPI_TRY(MPI_Bcast(&bytes, 1, MPI_INT, 0, c->mpi));
    char *whole = malloc((size_t)bytes + 1);
    if (c->rank == 0 && whole != NULL) memcpy(whole, *text, length);
    free(*text);
    *text = whole;
    TRY(comm_agree(c, whole != NULL
                          ? KOL_OK
                          : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", name)));
    whole[bytes] = '\0';
    MPI_TRY(MPI_Bcast(whole, bytes, MPI_CHAR, 0, c->mpi));
    return KOL_OK;
}
