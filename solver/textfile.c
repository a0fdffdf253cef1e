#include "textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The message of a file that can't be read, with the input that names it. */
static kol_status blame(kol_status st, const struct input_place *by)
{
    char why[2048];
    if (st != KOL_ERR_INPUT) return st;
    snprintf(why, sizeof why, "%s", status_message());
    status_clear();
    RAISE(st, "%s; give a file that is there, seen from the folder in which the run starts %s", why, by->by);
}

kol_status textfile_share(const struct comm *c, const char *name, const struct input_place *by, char **text)
{
    size_t length = 0;
    *text = NULL;
    kol_status st = c->rank == 0 ? input_load(name, text, &length) : KOL_OK;
    TRY(comm_agree(c, blame(st, by)));
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
